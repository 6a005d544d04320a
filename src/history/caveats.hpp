// What a verdict rests on besides the operations, as the history says it: an annotation whose text begins with
// "missing: " tells that the history is not the whole recording, and its begin is the tick up to which everything is
// there; one that begins with "assumed: " tells under which assumption the operations are all that happened. It only
// concerns a violation: without it, more may have happened. Every format that has annotations can say both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::history {

inline constexpr std::string_view kMissing = "missing: ";
inline constexpr std::string_view kAssumed = "assumed: ";

/// The texts of annotations that begin so.
[[nodiscard]] inline std::vector<std::string_view> annotations_with(const History& history, std::string_view prefix) {
  std::vector<std::string_view> texts;
  for (const Annotation& annotation : history.annotations()) {
    if (std::string_view(annotation.text).starts_with(prefix)) texts.push_back(annotation.text);
  }
  return texts;
}

/// What is missing from the history, a sentence each.
[[nodiscard]] inline std::vector<std::string_view> what_is_missing(const History& history) {
  return annotations_with(history, kMissing);
}

/// What a violation rests on, a sentence each. Nothing for other verdicts.
[[nodiscard]] inline std::vector<std::string_view> what_is_assumed(const History& history, Verdict verdict) {
  if (verdict != Verdict::violation) return {};
  return annotations_with(history, kAssumed);
}

/// Both, for whoever tells the verdict to people.
[[nodiscard]] inline std::vector<std::string_view> caveats(const History& history, Verdict verdict) {
  std::vector<std::string_view> texts = what_is_missing(history);
  for (const std::string_view each : what_is_assumed(history, verdict)) texts.push_back(each);
  return texts;
}

}  // namespace linchpin::history
