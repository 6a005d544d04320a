// What is compiled without instrumentation: a container, and a count.
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

/// Counts: 1 at its first call in this process. No exploration sees it.
int calls_in_this_process();

}  // namespace linchpin::planted
