// Decides logs that are overwritten: a search over contents that knows which operations can lead to what was seen.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::log_ {

[[nodiscard]] core::Applicability contents_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_contents(const history::Subhistory& part,
                                                               const core::DeciderOptions& options);

inline constexpr core::Decider kContents{
    .name = "log-contents",
    .about = {.types = "log",
              .when = "at most 1,024 operations are open at once",
              .method =
                  "from each content to one that was seen, or to the append or put that is due; what a put hides is "
                  "not looked for; few configurations are kept, and windows are refuted from any content",
              .cost = "exponential in the operations that are open at worst; nearly linear in practice",
              .source = "own: src/types/log/contents.cpp"},
    .applicable = contents_applicable,
    .start = start_contents,
};

}  // namespace linchpin::types::log_
