// How a history says that it is not the whole recording: an annotation whose text begins with these letters. Its begin
// is the tick up to which everything is there. Every format that has annotations can say it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin::history {

inline constexpr std::string_view kMissing = "missing: ";

[[nodiscard]] inline bool says_what_is_missing(std::string_view annotation) { return annotation.starts_with(kMissing); }

/// What the history says so, a sentence each.
[[nodiscard]] inline std::vector<std::string_view> what_is_missing(const History& history) {
  std::vector<std::string_view> missing;
  for (const Annotation& annotation : history.annotations()) {
    if (says_what_is_missing(annotation.text)) missing.push_back(annotation.text);
  }
  return missing;
}

}  // namespace linchpin::history
