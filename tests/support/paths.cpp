#include "support/paths.hpp"

namespace linchpin::test {

std::filesystem::path source_folder() { return LINCHPIN_SOURCE_DIR; }

std::filesystem::path binary_folder() { return LINCHPIN_BINARY_DIR; }

}  // namespace linchpin::test
