#include "linchpin/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace linchpin::detail {

void misused(const char* condition, const char* why, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: linchpin: %s (%s does not hold)\n", file, line, why, condition);
  std::abort();
}

}  // namespace linchpin::detail
