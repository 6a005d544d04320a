// The entry that libFuzzer calls. Compiled once a target: LINCHPIN_FUZZ_FORMAT names the format, or is not defined.
#include <cstddef>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef LINCHPIN_FUZZ_FORMAT
  linchpin::fuzz::format(LINCHPIN_FUZZ_FORMAT, {data, size});
#else
  linchpin::fuzz::deciders({data, size});
#endif
  return 0;
}
