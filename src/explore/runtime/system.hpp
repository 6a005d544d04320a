// What the runtime's functions stand in front of: the C library's own functions of the same names.
#pragma once

#include <pthread.h>
#include <cstddef>

extern "C" {
// The C library's allocator by the names that it exports for those who replace malloc.
void* __libc_malloc(std::size_t bytes);                           // NOLINT: the C library's name
void __libc_free(void* block);                                    // NOLINT
void* __libc_calloc(std::size_t count, std::size_t bytes);        // NOLINT
void* __libc_realloc(void* block, std::size_t bytes);             // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t bytes);  // NOLINT
}

namespace linchpin::explorer {

/// The function that would be called if the runtime had none of this name. Never null: the process ends without it.
void* next_function(const char* name);

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

int system_pthread_create(pthread_t* thread, void* (*function)(void*), void* argument);

}  // namespace linchpin::explorer
