// The page itself: report/ in this repository, bundled into page.html beside this file and embedded by the build.
#pragma once

#include <string_view>

namespace linchpin::explain::page {

/// What comes before the histories of the page.
[[nodiscard]] std::string_view head();
/// What comes after them.
[[nodiscard]] std::string_view tail();

}  // namespace linchpin::explain::page
