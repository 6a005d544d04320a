// Where the tests find what lies beside them.
#pragma once

#include <filesystem>

namespace linchpin::test {

/// The checkout that was built.
[[nodiscard]] std::filesystem::path source_folder();

/// Where it was built: `bin/linchpin` is the command.
[[nodiscard]] std::filesystem::path binary_folder();

}  // namespace linchpin::test
