// Which of some names was meant by one that is none of them, for the error to say.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace linchpin::app {

/// The one name that begins so; else the one with the fewest letters added, left out, changed or swapped with the next,
/// at most two and fewer than half of them. Empty: none is near.
[[nodiscard]] std::string near_name(std::string_view given, std::span<const std::string> names);

}  // namespace linchpin::app
