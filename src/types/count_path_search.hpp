// Decides counters and semaphores whose changes are all by one amount, up and down, by the paths of the count
// (algo/count_paths.hpp). A type says what each operation needs and changes as for the search over contents.
#pragma once

#include <memory>

#include "core/search_task.hpp"
#include "types/content_search.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability count_paths_apply(const history::Subhistory& part, const ContentHistory& history);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_count_paths(const history::Subhistory& part,
                                                                  const ContentHistory& history,
                                                                  const core::DeciderOptions& options);

/// The decider of a type that reads its histories with `read`.
template <ContentHistory (*read)(const history::Subhistory&)>
struct CountPathDecider {
  static core::Applicability applicable(const history::Subhistory& part) { return count_paths_apply(part, read(part)); }
  static std::unique_ptr<core::SearchTask> start(const history::Subhistory& part, const core::DeciderOptions& options) {
    return start_count_paths(part, read(part), options);
  }
  static constexpr core::Decider named(std::string_view name, std::string_view types) {
    return {.name = name,
            .about = {.types = types,
                      .when = "all changes are by the same amount, up or down, and do not return the number; at most "
                              "1,024 operations open at once",
                      .method = "the counts that a path passes before each response, of those that lead further than "
                                "others",
                      .cost = "O(n·k) for each configuration that is kept; no bound is proved, some hundreds at most "
                              "were seen",
                      .source = "own: src/algo/count_paths.hpp"},
            .applicable = applicable,
            .start = start};
  }
};

}  // namespace linchpin::types
