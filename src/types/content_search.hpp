// A search for containers and counters whose content is a function of which operations took effect, in whatever order.
//
// A type says what each of its operations needs and what it changes (`ContentAct`); the search is in
// content_search.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "core/decider.hpp"
#include "core/search_task.hpp"

namespace linchpin::types {

/// What has to hold of the content for an operation to be legal.
enum class ContentNeed : std::uint8_t {
  nothing,
  present,  ///< the cell holds something
  absent,   ///< the cell holds nothing
  best,     ///< the cell holds something, and no cell of a better rank does
  total,    ///< the sum of everything is `number`
  some,     ///< the sum of everything is above zero
  room,     ///< the sum of everything is below `number`
  never,    ///< the operation is illegal everywhere
  lost,     ///< pending: it may take one of what is best, or of everything where there are no ranks
};

struct ContentAct {
  ContentNeed need = ContentNeed::nothing;
  std::uint32_t cell = 0;   ///< what it looks at and changes
  std::int64_t change = 0;  ///< of the cell and of the sum; modulo 2^64
  std::int64_t number = 0;  ///< for `total` and `room`
  bool operator==(const ContentAct&) const = default;
};

/// Numbers the values of a history, as cells.
class ContentCells {
 public:
  std::uint32_t of(Value value) {
    return index_.try_emplace(value.bits(), static_cast<std::uint32_t>(index_.size())).first->second;
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(index_.size()); }

 private:
  absl::flat_hash_map<std::uint64_t, std::uint32_t> index_;
};

/// What operations that only look need, by what they returned.
[[nodiscard]] ContentAct shows_number(const Operation& operation);
[[nodiscard]] ContentAct shows_empty(const Operation& operation);
[[nodiscard]] ContentAct shows_presence(const Operation& operation, std::uint32_t cell);
/// A removal of which nobody knows what it took; where it is not pending, that is an obstacle.
[[nodiscard]] ContentAct lost_removal(bool pending, std::string_view why_not, std::string& obstacle);

/// A history read so, or what stands in the way.
struct ContentHistory {
  std::string obstacle;             ///< empty: it could be read
  bool other_type = false;          ///< the obstacle is the type
  std::vector<ContentAct> acts;     ///< by local index
  std::vector<std::uint32_t> rank;  ///< by cell, 0 the best; only where an act needs `best`
  std::uint32_t cells = 1;
  std::int64_t initial = 0;  ///< the sum at first; all cells hold nothing then
  bool units = true;         ///< what changes puts one thing into a cell, or takes one that is there
};

/// The operations of a container, each read by `act_of(operation, pending, cells, obstacle)`.
template <class ActOf>
ContentHistory read_acts(const history::Subhistory& part, ActOf act_of) {
  ContentHistory history;
  ContentCells cells;
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    history.acts.push_back(act_of(part.view(x), part.pending(x), cells, history.obstacle));
  }
  history.cells = std::max<std::uint32_t>(1, cells.count());
  return history;
}

/// Whether each operation names its key, and they are not all of one: then keys are better decided one by one.
[[nodiscard]] bool has_several_keys(const history::Subhistory& part);

[[nodiscard]] core::Applicability content_applies(const history::Subhistory& part, const ContentHistory& history);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_contents(const history::Subhistory& part, ContentHistory history,
                                                               const core::DeciderOptions& options);

/// The decider of a type that reads its histories with `read`.
template <ContentHistory (*read)(const history::Subhistory&)>
struct ContentDecider {
  static core::Applicability applicable(const history::Subhistory& part) { return content_applies(part, read(part)); }
  static std::unique_ptr<core::SearchTask> start(const history::Subhistory& part, const core::DeciderOptions& options) {
    return start_contents(part, read(part), options);
  }
  static constexpr core::Decider named(std::string_view name, std::string_view types) {
    return {
        .name = name,
        .about =
            {.types = types,
             .when = "values repeat, or the whole is looked at; removals that returned have results, and sizes are not "
                     "told where one did not return; no clear, no list of all elements; of equals, the oldest need not "
                     "leave first; at most 1,024 operations open at once",
             .method = "one content for each set of operations that took effect, each as late as possible",
             .cost = "O(n·2^k) at most, a fraction of it in practice: exponential in what overlaps, not in the length",
             .source = "own: src/types/content_search.cpp"},
        .applicable = applicable,
        .start = start};
  }
};

}  // namespace linchpin::types
