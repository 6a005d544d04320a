// What the search for transactions whose elements repeat and the search for its cores know of each other.
#pragma once

#include <memory>

#include "core/search_task.hpp"
#include "types/list_append/lengths_reading.hpp"

namespace linchpin::types::list_append {

/// @pre nothing is impossible, and the transactions are those of the part, or a projection of them
[[nodiscard]] std::unique_ptr<core::SearchTask> start_search(const history::Subhistory& part, Transactions all,
                                                             const core::DeciderOptions& options);

/// A search that, where it ends with a violation, looks for a small core. The part must outlive it.
[[nodiscard]] std::unique_ptr<core::SearchTask> with_core(const history::Subhistory& part,
                                                          std::unique_ptr<core::SearchTask> search);

}  // namespace linchpin::types::list_append
