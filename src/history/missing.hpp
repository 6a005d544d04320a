// How a history says that it is not the whole recording: an annotation whose text begins with these letters. Its begin
// is the tick up to which everything is there. Every format that has annotations can say it.
#pragma once

#include <string>
#include <string_view>

namespace linchpin::history {

inline constexpr std::string_view kMissing = "missing: ";

[[nodiscard]] inline bool says_what_is_missing(std::string_view annotation) { return annotation.starts_with(kMissing); }

}  // namespace linchpin::history
