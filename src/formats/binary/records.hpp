// Names, as the binary format's section of names has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/binary/layout.hpp"

namespace linchpin::formats::binary {

/// Methods, processes, objects, annotations.
[[nodiscard]] std::string names_of(const History& history);

}  // namespace linchpin::formats::binary
