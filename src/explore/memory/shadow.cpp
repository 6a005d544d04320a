#include "explore/memory/shadow.hpp"

#include <cstring>

#include "explore/runtime/arena.hpp"

namespace linchpin::explorer {

namespace {

constexpr std::uintptr_t kCellMask = Arena::kGranule - 1;

/// Whether accesses of the shape (Cell::shape) have the cell's byte.
bool is_within_shape(std::uint8_t shape, unsigned byte) {
  const unsigned offset = (shape - 1U) / 16, size = (shape - 1U) % 16 + 1;
  return byte >= offset && byte < offset + size;
}

Conflict check(AccessRecord& record, bool write, bool atomic, unsigned thread, const VectorClock& clock,
               const void* place) {
  Conflict conflict;
  if (record.write != 0 && record.writer != thread && !clock.knows(record.writer, record.write) &&
      !(atomic && record.atomic_write)) {
    conflict = {.found = true,
                .wrote = true,
                .atomic = record.atomic_write,
                .thread = record.writer,
                .place = record.write_place};
  }
  if (write) {
    for (unsigned other = 0; other < kMostThreads; ++other) {
      if (other == thread || clock.knows(other, record.reads[other])) continue;
      const bool atomic_read = (record.atomic_reads >> other & 1U) != 0;
      if (atomic && atomic_read) continue;
      conflict = {
          .found = true, .wrote = false, .atomic = atomic_read, .thread = other, .place = record.read_places[other]};
    }
    record.write = clock.of[thread];
    record.writer = static_cast<std::uint8_t>(thread);
    record.atomic_write = atomic;
    record.write_place = place;
  } else {
    const auto bit = static_cast<std::uint8_t>(1U << thread);
    record.reads[thread] = clock.of[thread];
    record.read_places[thread] = place;
    record.atomic_reads = static_cast<std::uint8_t>(atomic ? record.atomic_reads | bit : record.atomic_reads & ~bit);
  }
  return conflict;
}

}  // namespace

bool Shadow::prepare() {
  if (arena_ != nullptr) return true;
  arena_ = reserve<Cell>(Arena::kBytes / Arena::kGranule);
  others_ = reserve<Cell>(kOthers);
  return arena_ != nullptr && others_ != nullptr && locations_.prepare(std::size_t{1} << 16) &&
         records_.prepare(std::size_t{1} << 16);
}

void Shadow::renew(Cell& cell, std::uintptr_t key) const {
  cell.generation = generation_;
  cell.shape = 0;
  cell.split = false;
  cell.key = key;
  cell.locations = nullptr;
  cell.bytes = nullptr;
  std::memset(&cell.whole, 0, sizeof cell.whole);
}

Shadow::Cell& Shadow::cell(std::uintptr_t address) {
  const std::uintptr_t key = address & ~kCellMask;
  if (Arena::holds(address)) {
    Cell& found = arena_[Arena::granule(address)];
    if (found.generation != generation_) renew(found, key);
    return found;
  }
  std::size_t at = (key >> 3U) * 0x9e3779b97f4a7c15ULL >> 48U;
  for (std::size_t tries = 0; tries < kOthers; ++tries, at = (at + 1) % kOthers) {
    Cell& found = others_[at];
    if (found.generation != generation_) {
      renew(found, key);
      return found;
    }
    if (found.key == key) return found;
  }
  full_ = true;
  renew(overflow_, key);
  return overflow_;
}

Shadow::Cell* Shadow::find(std::uintptr_t address) {
  const std::uintptr_t key = address & ~kCellMask;
  if (Arena::holds(address)) {
    Cell& found = arena_[Arena::granule(address)];
    return found.generation == generation_ ? &found : nullptr;
  }
  std::size_t at = (key >> 3U) * 0x9e3779b97f4a7c15ULL >> 48U;
  for (std::size_t tries = 0; tries < kOthers; ++tries, at = (at + 1) % kOthers) {
    if (others_[at].generation != generation_) return nullptr;
    if (others_[at].key == key) return &others_[at];
  }
  return nullptr;
}

void Shadow::split(Cell& cell) {
  if (records_.size() + 8 > std::size_t{1} << 16) {
    full_ = true;
    return;
  }
  for (unsigned byte = 0; byte < 8; ++byte) {
    AccessRecord& record = records_.push();
    if (byte == 0) cell.bytes = &record;
    std::memset(&record, 0, sizeof record);
    if (is_within_shape(cell.shape, byte)) record = cell.whole;
  }
  cell.split = true;
}

Conflict Shadow::access(std::uintptr_t address, unsigned size, bool write, bool atomic, unsigned thread,
                        const VectorClock& clock, const void* place) {
  Cell& here = cell(address);
  const auto offset = static_cast<unsigned>(address & kCellMask);
  const auto shape = static_cast<std::uint8_t>(1 + offset * 16 + (size - 1));
  if (here.shape == 0) here.shape = shape;
  if (write && !atomic && here.locations != nullptr) overwrite_locations(address, size);
  if (here.shape == shape && !here.split) return check(here.whole, write, atomic, thread, clock, place);
  if (!here.split) split(here);
  Conflict conflict;
  if (!here.split) return conflict;
  for (unsigned byte = offset; byte < offset + size; ++byte) {
    const Conflict found = check(here.bytes[byte], write, atomic, thread, clock, place);
    if (found.found) conflict = found;
  }
  return conflict;
}

Conflict Shadow::access_range(std::uintptr_t address, std::size_t size, bool write, bool atomic, unsigned thread,
                              const VectorClock& clock, const void* place) {
  Conflict conflict;
  while (size > 0) {
    const std::size_t room = Arena::kGranule - (address & kCellMask);
    const auto part = static_cast<unsigned>(size < room ? size : room);
    const Conflict found = access(address, part, write, atomic, thread, clock, place);
    if (found.found && !conflict.found) conflict = found;
    address += part;
    size -= part;
  }
  return conflict;
}

Conflict Shadow::release(std::uintptr_t address, std::size_t size, unsigned thread, const VectorClock& clock,
                         const void* place) {
  Conflict conflict;
  for (std::size_t offset = 0; offset < size; offset += Arena::kGranule) {
    if (find(address + offset) == nullptr) continue;
    const Conflict found = access(address + offset, Arena::kGranule, true, false, thread, clock, place);
    if (found.found && !conflict.found) conflict = found;
  }
  return conflict;
}

void Shadow::forget(std::uintptr_t address, std::size_t size) {
  for (std::size_t offset = 0; offset < size; offset += Arena::kGranule) {
    if (Cell* const found = find(address + offset)) renew(*found, found->key);
  }
}

Location& Shadow::location(std::uintptr_t address, unsigned size) {
  Cell& here = cell(address);
  for (Location* known = here.locations; known != nullptr; known = known->next) {
    if (known->address != address) continue;
    if (known->size < size) known->size = size;  // it is accessed in more than one size
    return *known;
  }
  if (locations_.full()) {
    full_ = true;
    locations_.clear();
  }
  Location& made = locations_.push();
  made.address = address;
  made.size = size;
  made.next = here.locations;
  made.has_message = false;
  made.count = 0;
  here.locations = &made;
  return made;
}

void Shadow::overwrite_locations(std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t at = address & ~kCellMask; at < address + size; at += Arena::kGranule) {
    Cell* const found = find(at);
    if (found == nullptr) continue;
    for (Location* known = found->locations; known != nullptr; known = known->next) {
      if (known->address < address + size && address < known->address + known->size) {
        known->has_message = false;
        known->count = 0;
      }
    }
  }
}

const AccessRecord* Shadow::record(std::uintptr_t address) {
  Cell* const found = find(address);
  if (found == nullptr || found->shape == 0) return nullptr;
  const unsigned byte = address & kCellMask;
  if (found->split) return &found->bytes[byte];
  return is_within_shape(found->shape, byte) ? &found->whole : nullptr;
}

}  // namespace linchpin::explorer
