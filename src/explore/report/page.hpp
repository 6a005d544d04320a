// An exploration's finding as a page for the browser.
#pragma once

#include <string>
#include <string_view>

#include "linchpin/error.hpp"
#include "linchpin/explore.hpp"

namespace linchpin::explorer {

/// Writes a page with the finding's operations, and beside them how the threads took turns. Of threads by hand each one
/// stands for an operation. Where nothing is found, or what is found has no steps, nothing is written. Errors: io.
[[nodiscard]] Result<void> write_page(const std::string& path, const ExploreResult& result, std::string_view label);

}  // namespace linchpin::explorer
