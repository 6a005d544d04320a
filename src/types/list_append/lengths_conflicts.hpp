// Refutes list-append transactions by what one of them read and what others had appended, or read, before.
#pragma once

#include "types/list_append/lengths_reading.hpp"

namespace linchpin::types::list_append {

/// Sets `impossible`, with the sentence, where a read is too short or too long. @pre all reads agree
void find_length_conflict(const history::Subhistory& part, Transactions& all);

}  // namespace linchpin::types::list_append
