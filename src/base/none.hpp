// The number that stands where there is none.
#pragma once

#include <cstdint>

namespace linchpin {

/// Of whatever is counted from 0 with 32 bits: an operation of a part, a link. Ranks, slots, the numbers of values
/// and the indices of a history have `Index::none()`.
inline constexpr std::uint32_t kNone = 0xffffffffU;

}  // namespace linchpin
