// A container whose methods are compiled without instrumentation.
#pragma once

#include <cstdint>

namespace linchpin::planted {

class Uninstrumented {
 public:
  void increment();
  std::int64_t get() const;

 private:
  std::int64_t number_ = 0;
};

}  // namespace linchpin::planted
