#include "explore/runtime/arena.hpp"

#include <sys/mman.h>
#include <cstring>

#include "explore/runtime/array.hpp"

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are numbers here, and memory is found by them

namespace linchpin::explorer {

bool Arena::prepare() {
  if (states_ != nullptr) return true;
  void* const wanted = reinterpret_cast<void*>(kBegin);
  void* const got = mmap(wanted, kBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted) return false;
  states_ = reserve<State>(kBytes / kGranule);
  constexpr std::size_t kShared = kBytes / 2, kOwn = kShared / kMostThreads;
  for (unsigned owner = 0; owner <= kMostThreads; ++owner) {
    const std::size_t begin = owner == 0 ? 0 : kShared + (owner - 1) * kOwn;
    parts_[owner] = {.begin = begin, .end = begin + (owner == 0 ? kShared : kOwn), .top = begin, .kept = begin};
  }
  return states_ != nullptr;
}

void Arena::reset(Reuse reuse) {
  for (Part& part : parts_) {
    if (part.top == part.kept) continue;
    std::memset(states_ + part.kept / kGranule, 0, (part.top - part.kept) / kGranule);
    part.top = part.kept;
  }
  live_ = 0;
  reuse_ = reuse;
  if (reuse == Reuse::none) return;
  for (std::size_t i = 0; i < kClasses; ++i) first_[i] = last_[i] = nullptr;
}

void Arena::mark(const void* block, State state) {
  std::memset(&states_[granule(reinterpret_cast<std::uintptr_t>(block))], static_cast<int>(state),
              size(block) / kGranule);
}

void* Arena::allocate(std::size_t bytes, std::size_t alignment, unsigned owner, const void* place) {
  if (bytes > kBytes) return nullptr;
  bytes = bytes == 0 ? kAlignment : (bytes + kAlignment - 1) & ~(kAlignment - 1);
  alignment = alignment < kAlignment ? kAlignment : alignment;
  const std::size_t size_class = bytes / kAlignment;
  void* block = nullptr;
  if (reuse_ != Reuse::none && size_class < kClasses && alignment == kAlignment && first_[size_class] != nullptr) {
    block = first_[size_class];
    first_[size_class] = first_[size_class]->next;
    if (first_[size_class] == nullptr) last_[size_class] = nullptr;
  } else {
    Part& part = parts_[owner];
    const std::size_t offset = (part.top + sizeof(Header) + alignment - 1) & ~(alignment - 1);
    if (offset + bytes > part.end) return nullptr;
    part.top = offset + bytes;
    block = reinterpret_cast<void*>(kBegin + offset);
  }
  *header(block) = {.allocated = place, .freed = nullptr, .magic = kMagic, .bytes = bytes};
  mark(block, State::live);
  std::memset(block, 0xa5, bytes);
  ++live_;
  return block;
}

void Arena::release(void* block, const void* place) {
  mark(block, State::freed);
  header(block)->freed = place;
  --live_;
  const std::size_t size_class = size(block) / kAlignment;
  if (reuse_ == Reuse::none || size_class >= kClasses) return;
  auto* const free_block = static_cast<FreeBlock*>(block);
  if (reuse_ == Reuse::lifo || first_[size_class] == nullptr) {
    free_block->next = first_[size_class];
    first_[size_class] = free_block;
    if (free_block->next == nullptr) last_[size_class] = free_block;
  } else {
    free_block->next = nullptr;
    last_[size_class]->next = free_block;
    last_[size_class] = free_block;
  }
}

const void* Arena::block_of(std::uintptr_t address) const {
  address &= ~(kAlignment - 1);
  for (; address >= kBegin + sizeof(Header); address -= kAlignment) {
    if (state(address) == State::none) continue;
    if (header(reinterpret_cast<void*>(address))->magic == kMagic) return reinterpret_cast<void*>(address);
  }
  return nullptr;
}

const void* Arena::first_live() const {
  for (const Part& part : parts_) {
    for (std::uintptr_t address = kBegin + part.kept + sizeof(Header); address < kBegin + part.top;
         address += kAlignment) {
      if (state(address) == State::live && begins_block(address) && state(address - kAlignment) == State::none) {
        return reinterpret_cast<void*>(address);
      }
    }
  }
  return nullptr;
}

}  // namespace linchpin::explorer

// NOLINTEND(performance-no-int-to-ptr)
