// A first order of the transactions: real time, and writers before who read them; as nearly right as is cheap.
#pragma once

#include <optional>

#include "types/multi_register/precedence.hpp"

namespace linchpin::types::multi_register {

/// Builds the order along the events. A transaction takes effect as soon as it sees what it saw and overwrites nothing
/// that is still to be seen, or when it returns. A contradiction where writers and readers form a circle, or a reader
/// returned before its writer was called. O(events * overlapping transactions).
[[nodiscard]] std::optional<Contradiction> first_order(const history::Subhistory& part, const Reading& reading,
                                                       Precedence& precedence, core::Budget& budget);

}  // namespace linchpin::types::multi_register
