#include "uninstrumented.hpp"

#include <unistd.h>

namespace linchpin::planted {

void Uninstrumented::increment() { ++number_; }
std::int64_t Uninstrumented::get() const { return number_; }

int calls_in_this_process() {
  static pid_t process = 0;
  static int calls = 0;
  if (process != getpid()) calls = 0;
  process = getpid();
  return ++calls;
}

}  // namespace linchpin::planted
