// What the search for logs that are overwritten and the search for its cores know of each other.
#pragma once

#include <cstdint>
#include <memory>

#include <absl/container/flat_hash_set.h>

#include "core/search_task.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::log_ {

using Repeated = absl::flat_hash_set<std::uint64_t>;  ///< entries, by their bits, that are written more than once

/// What is known where a part has lost what came before: the log may hold anything, and what was called before an event
/// may have taken effect already.
struct Past {
  history::Rank first = 0;             ///< of that event
  const Repeated* repeated = nullptr;  ///< in the whole history
};

[[nodiscard]] Repeated written_twice(const history::Subhistory& part);

/// The search without a witness, of a part that has lost its past; null: that has not. The past must outlive it.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_from(const history::Subhistory& part, const Past* past);

/// A search that, where it ends with a violation, looks for a small core. The part must outlive it.
[[nodiscard]] std::unique_ptr<core::SearchTask> with_core(const history::Subhistory& part,
                                                          std::unique_ptr<core::SearchTask> search);

}  // namespace linchpin::types::log_
