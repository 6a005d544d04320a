// The heap of the code under test: the same addresses in every schedule, and a state for each of them. Each thread has
// a part of its own, and what is made before threads begin has one: so an address does not depend on the order in which
// threads allocate, unless blocks are used again.
//
// Blocks lie one after the other, each behind a header that belongs to nobody, so that an access beside a block is seen
// as well as one to a block that is gone. A block that was freed may be given out again, or not (Reuse): not again
// finds every use after free, again finds what depends on an address being a new one (ABA).
#pragma once

#include <cstddef>
#include <cstdint>

#include "explore/memory/clock.hpp"

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are numbers here, and memory is found by them

namespace linchpin::explorer {

enum class Reuse : std::uint8_t {
  none,
  lifo,  ///< what was freed last first, as most allocators do
  fifo,  ///< what was freed first first
};

class Arena {
 public:
  enum class State : std::uint8_t { none, live, freed };
  static constexpr std::uintptr_t kBegin = 0x100000000000;
  static constexpr std::size_t kBytes = std::size_t{64} << 20;
  static constexpr std::size_t kGranule = 8;

  /// False: the address space is not to be had.
  bool prepare();
  /// Everything is forgotten that was allocated since `keep`.
  void reset(Reuse reuse);
  /// What was allocated so far stays for good: what a program makes once, on first use.
  void keep() {
    for (Part& part : parts_) part.kept = part.top;
  }

  [[nodiscard]] static bool holds(std::uintptr_t address) { return address - kBegin < kBytes; }
  [[nodiscard]] static std::size_t granule(std::uintptr_t address) { return (address - kBegin) / kGranule; }
  [[nodiscard]] State state(std::uintptr_t address) const { return states_[granule(address)]; }

  /// Null: full. `owner` is the part, 0 for none of the threads; `place` is who asks. The contents are the same in
  /// every schedule.
  void* allocate(std::size_t bytes, std::size_t alignment, unsigned owner, const void* place);
  /// @pre `state` of the block's begin is live.
  void release(void* block, const void* place);
  [[nodiscard]] static std::size_t size(const void* block) { return header(block)->bytes; }
  /// The block that begins there.
  [[nodiscard]] bool begins_block(std::uintptr_t address) const {
    return address % kAlignment == 0 && address >= kBegin + kAlignment &&
           header(reinterpret_cast<void*>(address))->magic == kMagic;
  }

  /// The block at or before an address, or null: for reports.
  [[nodiscard]] const void* block_of(std::uintptr_t address) const;
  [[nodiscard]] static const void* allocated_at(const void* block) { return header(block)->allocated; }
  [[nodiscard]] static const void* freed_at(const void* block) { return header(block)->freed; }

  [[nodiscard]] std::size_t live_blocks() const { return live_; }
  /// The first block in the order of addresses that is live; null: none.
  [[nodiscard]] const void* first_live() const;

 private:
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::uint64_t kMagic = 0x6c696e636870696e;
  static constexpr std::size_t kClasses = 64;  // of 16 bytes each: larger blocks are not used again

  struct Header {
    const void* allocated;
    const void* freed;
    std::uint64_t magic;
    std::size_t bytes;
  };
  struct FreeBlock {
    FreeBlock* next;
  };
  static Header* header(const void* block) { return const_cast<Header*>(static_cast<const Header*>(block)) - 1; }
  void mark(const void* block, State state);
  struct Part {
    std::size_t begin, end;  // offsets
    std::size_t top, kept;
  };

  State* states_ = nullptr;  // of each granule
  Part parts_[1 + kMostThreads] = {};
  std::size_t live_ = 0;
  Reuse reuse_ = Reuse::none;
  FreeBlock* first_[kClasses] = {};
  FreeBlock* last_[kClasses] = {};
};

}  // namespace linchpin::explorer

// NOLINTEND(performance-no-int-to-ptr)
