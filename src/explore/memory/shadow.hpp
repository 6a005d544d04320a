// What is known of each address that the code under test has touched in the current schedule: who accessed it last, for
// the race detector, and what was stored there atomically, for the memory model.
//
// A cell is eight bytes. As long as all accesses to it have one shape (offset and size), one record is enough; at the
// first access of another shape the cell is split into eight records of one byte, so that neighbours in a cell are told
// apart exactly. Cells of the arena are found by their index, all others in a hash table. A cell is of one generation
// (schedule): older ones are as good as new.
//
// Races: two accesses that overlap, at least one of which writes and at least one of which is not atomic, and neither
// of which happens before the other. Each thread's latest read and the latest write are enough to see one (Flanagan and
// Freund, FastTrack, PLDI 2009), since an earlier write that is not ordered was already a race.
#pragma once

#include <cstddef>
#include <cstdint>

#include "explore/memory/clock.hpp"
#include "explore/runtime/array.hpp"

namespace linchpin::explorer {

/// The accesses to some bytes.
struct AccessRecord {
  Moment write;  ///< the writer's moment; 0: none
  std::uint8_t writer;
  bool atomic_write;
  std::uint8_t atomic_reads;  ///< a bit each thread
  const void* write_place;
  Moment reads[kMostThreads];  ///< 0: none
  const void* read_places[kMostThreads];
};

struct Conflict {
  bool found = false;
  bool wrote = false;  ///< the earlier access did
  bool atomic = false;
  unsigned thread = 0;
  const void* place = nullptr;
};

/// An atomic store, as later loads may see it.
struct Store {
  std::uint64_t low, high;  ///< the value
  const void* place;
  std::uint32_t step;  ///< of the trace
  std::uint8_t thread;
  bool has_message;
  std::uint32_t sequence;     ///< of memory_order_seq_cst: its place among these; 0 of others
  bool follows;               ///< of a read-modify-write: nothing comes between it and the store before it
  Moment moment;              ///< of the storing thread; 0: before the threads began
  VectorClock message;        ///< what an acquiring load learns
  Moment read[kMostThreads];  ///< when each thread first read it; 0: it has not
};

/// The stores of one atomic object.
struct Location {
  static constexpr unsigned kMostStores = 24;  ///< older ones are forgotten: no load sees them
  std::uintptr_t address;
  Location* next;
  VectorClock message;  ///< of the newest store
  unsigned size;        ///< bytes: beside a small one its cell has room for variables that are none of it
  bool has_message;
  unsigned count;  ///< of stores, in modification order; 0: none is known yet
  Store* stores;
};

class Shadow {
 public:
  bool prepare();
  /// Forgets everything.
  void next_schedule() {
    ++generation_;
    locations_.clear();
    records_.clear();
  }

  /// An access of `size` bytes (at most 8, within one cell) by a thread whose past is `clock`; whoever it races with.
  Conflict access(std::uintptr_t address, unsigned size, bool write, bool atomic, unsigned thread,
                  const VectorClock& clock, const void* place);
  /// The same for any number of bytes.
  Conflict access_range(std::uintptr_t address, std::size_t size, bool write, bool atomic, unsigned thread,
                        const VectorClock& clock, const void* place);
  /// A block is freed: of the cells that were touched, each counts as written.
  Conflict release(std::uintptr_t address, std::size_t size, unsigned thread, const VectorClock& clock,
                   const void* place);
  /// Memory begins anew: nothing is known of it.
  void forget(std::uintptr_t address, std::size_t size);

  /// The location of an atomic object of `size` bytes; made where there is none.
  Location& location(std::uintptr_t address, unsigned size);
  /// Atomic objects in these bytes are overwritten by something that is not atomic.
  void overwrite_locations(std::uintptr_t address, std::size_t size);
  /// The latest write of the byte there, where one is known: who made a value that no atomic store made.
  [[nodiscard]] const AccessRecord* record(std::uintptr_t address);

  /// More was touched than there is room for.
  [[nodiscard]] bool full() const { return full_; }

 private:
  static constexpr std::size_t kOthers = std::size_t{1} << 16;  // cells outside the arena

  struct Cell {
    std::uint32_t generation;
    std::uint8_t shape;  // 1 + offset * 16 + size of all accesses; 0: none yet
    bool split;
    std::uintptr_t key;
    Location* locations;
    AccessRecord* bytes;  // eight, once split
    AccessRecord whole;
  };

  Cell& cell(std::uintptr_t address);
  Cell* find(std::uintptr_t address);
  void renew(Cell& cell, std::uintptr_t key) const;
  void split(Cell& cell);

  Cell* arena_ = nullptr;
  Cell* others_ = nullptr;
  std::uint32_t generation_ = 0;
  bool full_ = false;
  Array<Location> locations_;
  Array<AccessRecord> records_;
  Cell overflow_ = {};
};

}  // namespace linchpin::explorer
