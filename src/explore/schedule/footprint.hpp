// What a step has touched: by that, a strategy knows which steps could be swapped without anybody noticing.
//
// A step is all that a thread does from one choice of a thread to the next: the access that it waited to make, and what
// follows up to its next one. Memory is touched by its address; what else threads share (a mutex, a clock, who was
// woken) by an address of its own in the runtime. Where a step touches more than there is room for, it counts as
// dependent on every other one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace linchpin::explorer {

struct Touch {
  std::uintptr_t address;
  std::uint32_t size;
  bool write;
};

struct Footprint {
  static constexpr unsigned kMost = 10;
  std::uint8_t count = 0;
  bool everything = false;        ///< more than fits
  bool may_wait = false;          ///< what it touches may keep its thread from taking it
  bool begins_operation = false;  ///< of the history
  bool ends_operation = false;
  bool sequential = false;   ///< an operation of memory_order_seq_cst, where that is more than its accesses (C++20)
  bool fence = false;        ///< a fence of that order
  std::uint8_t created = 0;  ///< threads, a bit each
  Touch touches[kMost];

  void clear() {
    count = created = 0;
    everything = may_wait = begins_operation = ends_operation = sequential = fence = false;
  }
  void add(std::uintptr_t address, std::size_t size, bool write) {
    for (unsigned i = 0; i < count; ++i) {
      if (touches[i].address != address || touches[i].size != size) continue;
      touches[i].write = touches[i].write || write;
      return;
    }
    if (count == kMost) {
      everything = true;
      return;
    }
    touches[count++] = {.address = address, .size = static_cast<std::uint32_t>(size), .write = write};
  }
  void add(const Footprint& other) {
    for (unsigned i = 0; i < other.count; ++i) {
      add(other.touches[i].address, other.touches[i].size, other.touches[i].write);
    }
    everything = everything || other.everything;
    may_wait = may_wait || other.may_wait;
    begins_operation = begins_operation || other.begins_operation;
    ends_operation = ends_operation || other.ends_operation;
    sequential = sequential || other.sequential;
    fence = fence || other.fence;
    created = static_cast<std::uint8_t>(created | other.created);
  }
};

/// Whether the order of two steps of different threads may matter to anybody: to what they do, to what others then see,
/// or to what the history says came before what.
[[nodiscard]] inline bool dependent(const Footprint& one, const Footprint& other) {
  if (one.everything || other.everything) return true;
  // A response before a call is real time, and makes another history than the call before the response.
  if ((one.begins_operation && other.ends_operation) || (one.ends_operation && other.begins_operation)) return true;
  if ((one.fence && (other.fence || other.sequential)) || (one.sequential && other.fence)) return true;
  for (unsigned i = 0; i < one.count; ++i) {
    for (unsigned j = 0; j < other.count; ++j) {
      const Touch &a = one.touches[i], &b = other.touches[j];
      if ((a.write || b.write) && a.address < b.address + b.size && b.address < a.address + a.size) return true;
    }
  }
  return false;
}

}  // namespace linchpin::explorer
