#include "explore/runtime/system.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <cstdlib>

namespace linchpin::explorer {

void* next_function(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) system_call(SYS_exit_group, 2);
  return found;
}

int system_pthread_create(pthread_t* thread, void* (*function)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto original = reinterpret_cast<Create>(next_function("pthread_create"));
  return original(thread, nullptr, function, argument);
}

}  // namespace linchpin::explorer
