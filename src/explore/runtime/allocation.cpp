// malloc and its relatives, operator new and delete, and copies of memory and what compares it: from the arena within
// schedules, and from the C library otherwise.
#include <strings.h>
#include <cerrno>
#include <cstring>
#include <new>

#include "explore/runtime/engine.hpp"
#include "explore/runtime/system.hpp"

namespace linchpin::explorer {

namespace {

constexpr std::size_t kDefaultAlignment = 16;

bool in_arena(const void* block) { return Arena::holds(reinterpret_cast<std::uintptr_t>(block)); }

void* allocate(std::size_t bytes, std::size_t alignment, const void* place) {
  if (arena_serves) {
    const Inside inside;
    return engine.allocate(bytes, alignment, place);
  }
  return alignment <= kDefaultAlignment ? __libc_malloc(bytes) : __libc_memalign(alignment, bytes);
}

void release(void* block, const void* place) {
  if (block == nullptr) return;
  if (!in_arena(block)) {
    __libc_free(block);
    return;
  }
  const Inside inside;
  engine.release_block(block, place);
}

void* reallocate(void* block, std::size_t bytes, const void* place) {
  if (block == nullptr) return allocate(bytes, kDefaultAlignment, place);
  if (!in_arena(block)) return __libc_realloc(block, bytes);
  void* const made = allocate(bytes, kDefaultAlignment, place);
  if (made == nullptr) return nullptr;
  const std::size_t kept = Arena::size(block) < bytes ? Arena::size(block) : bytes;
  std::memcpy(made, block, kept);
  release(block, place);
  return made;
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment, const void* place) {
  void* const block = allocate(bytes, alignment, place);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

/// Copies of memory, seen as reads and writes. The functions below are what the compiler calls for a copy, so that
/// none of them may contain one.
void note_range(const void* address, std::size_t bytes, bool write, const void* place) {
  if (!active || bytes == 0) return;
  const Inside inside;
  engine.plain_access(reinterpret_cast<std::uintptr_t>(address), bytes, write, place);
}
void note_copy(const void* to, const void* from, std::size_t bytes, const void* place) {
  note_range(from, bytes, false, place);
  note_range(to, bytes, true, place);
  // Where both were steps, it is in the second one that the memory is read.
  if (active && bytes > 0) engine.touch(reinterpret_cast<std::uintptr_t>(from), bytes, false);
}
void* copy_up(void* to, const void* from, std::size_t bytes) {
  void* target = to;
  asm volatile("rep movsb" : "+D"(target), "+S"(from), "+c"(bytes) : : "memory");
  return to;
}
void* copy_down(void* to, const void* from, std::size_t bytes) {
  char* target = static_cast<char*>(to) + bytes - 1;
  const char* source = static_cast<const char*>(from) + bytes - 1;
  asm volatile("std\n\trep movsb\n\tcld" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory", "cc");
  return to;
}
void* fill(void* to, int byte, std::size_t bytes) {
  void* target = to;
  asm volatile("rep stosb" : "+D"(target), "+c"(bytes) : "a"(byte) : "memory");
  return to;
}

int compare(const void* one, const void* other, std::size_t bytes) {
  const auto* left = static_cast<const unsigned char*>(one);
  const auto* right = static_cast<const unsigned char*>(other);
  using Word [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;
  for (; bytes >= sizeof(Word); bytes -= sizeof(Word), left += sizeof(Word), right += sizeof(Word)) {
    const std::uint64_t a = *reinterpret_cast<const Word*>(left), b = *reinterpret_cast<const Word*>(right);
    if (a != b) return __builtin_bswap64(a) < __builtin_bswap64(b) ? -1 : 1;  // the first byte counts most
  }
  for (; bytes > 0; --bytes, ++left, ++right) {
    if (*left != *right) return *left - *right;
  }
  return 0;
}

void* noted_copy(void* to, const void* from, std::size_t bytes, const void* place) {
  note_copy(to, from, bytes, place);
  return copy_up(to, from, bytes);
}
void* noted_move(void* to, const void* from, std::size_t bytes, const void* place) {
  note_copy(to, from, bytes, place);
  const bool overlaps = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from) < bytes;
  return overlaps && bytes > 0 ? copy_down(to, from, bytes) : copy_up(to, from, bytes);
}
void* noted_fill(void* to, int byte, std::size_t bytes, const void* place) {
  note_range(to, bytes, true, place);
  return fill(to, byte, bytes);
}
/// All of both is read, though the first difference decides: whoever asks for so many bytes may have them looked at.
int noted_compare(const void* one, const void* other, std::size_t bytes, const void* place) {
  note_range(one, bytes, false, place);
  note_range(other, bytes, false, place);
  if (active && bytes > 0) engine.touch(reinterpret_cast<std::uintptr_t>(one), bytes, false);
  return compare(one, other, bytes);
}

}  // namespace

}  // namespace linchpin::explorer

using namespace linchpin::explorer;  // NOLINT(google-build-using-namespace)

#define PLACE __builtin_return_address(0)

extern "C" {

void* malloc(std::size_t bytes) noexcept { return allocate(bytes, kDefaultAlignment, PLACE); }
void free(void* block) noexcept { release(block, PLACE); }
void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (!arena_serves) return __libc_calloc(count, bytes);
  if (bytes != 0 && count > Arena::kBytes / bytes) return nullptr;
  void* const block = allocate(count * bytes, kDefaultAlignment, PLACE);
  return block == nullptr ? nullptr : fill(block, 0, count * bytes);
}
void* realloc(void* block, std::size_t bytes) noexcept { return reallocate(block, bytes, PLACE); }
void* reallocarray(void* block, std::size_t count, std::size_t bytes) noexcept {
  if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
  return reallocate(block, count * bytes, PLACE);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept { return allocate(bytes, alignment, PLACE); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return allocate(bytes, alignment, PLACE); }
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  *block = allocate(bytes, alignment, PLACE);
  return *block == nullptr ? ENOMEM : 0;
}
std::size_t malloc_usable_size(void* block) noexcept {
  if (block == nullptr) return 0;
  if (in_arena(block)) return Arena::size(block);
  using Size = std::size_t (*)(void*);
  static const auto original = reinterpret_cast<Size>(next_function("malloc_usable_size"));
  return original(block);
}

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) noexcept {
  return noted_copy(to, from, bytes, PLACE);
}
void* memmove(void* to, const void* from, std::size_t bytes) noexcept { return noted_move(to, from, bytes, PLACE); }
void* memset(void* to, int byte, std::size_t bytes) noexcept { return noted_fill(to, byte, bytes, PLACE); }
int memcmp(const void* one, const void* other, std::size_t bytes) noexcept {
  return noted_compare(one, other, bytes, PLACE);
}
int bcmp(const void* one, const void* other, std::size_t bytes) noexcept {  // what memcmp() == 0 may become
  return noted_compare(one, other, bytes, PLACE);
}
// What later versions of clang call instead.
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) noexcept {  // NOLINT(readability-identifier-naming)
  return noted_copy(to, from, bytes, PLACE);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) noexcept {  // NOLINT(readability-identifier-naming)
  return noted_move(to, from, bytes, PLACE);
}
void* __tsan_memset(void* to, int byte, std::size_t bytes) noexcept {  // NOLINT(readability-identifier-naming)
  return noted_fill(to, byte, bytes, PLACE);
}

}  // extern "C"

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, kDefaultAlignment, PLACE); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, kDefaultAlignment, PLACE); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment), PLACE);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment), PLACE);
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(bytes, kDefaultAlignment, PLACE);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(bytes, kDefaultAlignment, PLACE);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment), PLACE);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment), PLACE);
}
void operator delete(void* block) noexcept { release(block, PLACE); }
void operator delete[](void* block) noexcept { release(block, PLACE); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept { release(block, PLACE); }
void operator delete[](void* block, std::size_t /*bytes*/) noexcept { release(block, PLACE); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { release(block, PLACE); }
void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept { release(block, PLACE); }
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  release(block, PLACE);
}
void operator delete[](void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  release(block, PLACE);
}
void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept { release(block, PLACE); }
void operator delete[](void* block, const std::nothrow_t& /*tag*/) noexcept { release(block, PLACE); }
