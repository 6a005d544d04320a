#include "uninstrumented.hpp"

namespace linchpin::planted {

void Uninstrumented::increment() { ++number_; }
std::int64_t Uninstrumented::get() const { return number_; }

}  // namespace linchpin::planted
