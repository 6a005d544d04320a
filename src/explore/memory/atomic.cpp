#include "explore/memory/atomic.hpp"

#include <cstring>

namespace linchpin::explorer {

namespace {

bool weak() { return engine.memory_model() == MemoryModel::cpp20; }

/// The stores of the location, of which there is at least one: what memory held when the first atomic access came.
/// Memory holds what the newest one wrote. If not, another object begins here without a word: clang does not tell how a
/// local variable is initialised.
Store* known_stores(Location& location, Word present) {
  Store* const stores = engine.stores_of(location);
  if (location.count > 0) {
    const Store& newest = stores[location.count - 1];
    if (newest.low == present.low && newest.high == present.high) return stores;
  }
  Store& first = stores[0];
  std::memset(reinterpret_cast<char*>(&first), 0, sizeof first);
  first.low = present.low;
  first.high = present.high;
  first.step = UINT32_MAX;
  if (const AccessRecord* const record = engine.shadow().record(location.address);
      record != nullptr && record->write != 0 && !record->atomic_write) {
    first.thread = record->writer;
    first.moment = record->write;
    first.place = record->write_place;
  }
  location.count = 1;
  return stores;
}

/// The index of the oldest store that the thread may still see.
unsigned floor_of(const Location& location, int order) {
  const LogicalThread& self = engine.current();
  for (unsigned i = location.count; i-- > 1;) {
    const Store& store = location.stores[i];
    if (self.view.knows(store.thread, store.moment)) return i;
    for (unsigned thread = 0; thread < kMostThreads; ++thread) {
      if (store.read[thread] != 0 && self.view.knows(thread, store.read[thread])) return i;
    }
    if (store.sequence != 0 && (order == __ATOMIC_SEQ_CST || store.sequence <= self.fence_sequence)) return i;
    if (order == __ATOMIC_SEQ_CST && engine.sequential_clock().knows(store.thread, store.moment)) return i;
  }
  return 0;
}

/// Sequentially consistent: the thread gets what the newest store passes on.
void receive(const Location& location, int order) {
  if (!location.has_message) return;
  LogicalThread& self = engine.current();
  if (acquires(order)) {
    self.clock.join(location.message);
  } else {
    self.acquire_fence.join(location.message);
  }
}

/// The thread has seen the store: coherence, and what the store passes on.
void take(Store& store, int order) {
  LogicalThread& self = engine.current();
  if (store.read[self.id] == 0) store.read[self.id] = self.clock.of[self.id];
  if (!store.has_message) return;
  if (acquires(order)) {
    engine.acquire(store.message);
  } else {
    self.acquire_fence.join(store.message);
  }
}

/// Later accesses of the thread are of a later moment.
void pass_moment() {
  LogicalThread& self = engine.current();
  ++self.clock.of[self.id];
  self.view.of[self.id] = self.clock.of[self.id];
}

/// What a store of this order passes on. Returns whether that is anything.
bool message_of(int order, VectorClock& message) {
  LogicalThread& self = engine.current();
  if (releases(order)) {
    message = self.clock;
    return true;
  }
  if (!self.has_release_fence) return false;
  message = self.release_fence;
  return true;
}

Store& insert(Location& location, unsigned at) {
  Store* const stores = location.stores;
  if (location.count == Location::kMostStores) {  // the oldest one is forgotten
    std::memmove(reinterpret_cast<char*>(&stores[0]), &stores[1], sizeof(Store) * (location.count - 1));
    --location.count;
    at = at == 0 ? 0 : at - 1;
  }
  std::memmove(reinterpret_cast<char*>(&stores[at + 1]), &stores[at], sizeof(Store) * (location.count - at));
  ++location.count;
  std::memset(reinterpret_cast<char*>(&stores[at]), 0, sizeof(Store));
  return stores[at];
}

void fill(Store& store, Word value, int order, const void* place, bool follows) {
  const LogicalThread& self = engine.current();
  store.low = value.low;
  store.high = value.high;
  store.place = place;
  store.step = engine.tracing() ? static_cast<std::uint32_t>(engine.trace().size() - 1) : 0;
  store.thread = self.id;
  store.moment = self.clock.of[self.id];
  store.sequence = order == __ATOMIC_SEQ_CST ? engine.next_sequence() : 0;
  store.follows = follows;
}

void tell_seen(const Location& location, unsigned i) {
  TraceStep* const traced = engine.latest();
  if (traced == nullptr) return;
  const Store& store = location.stores[i];
  traced->stale = static_cast<std::uint8_t>(location.count - 1 - i);
  traced->saw = store.step == UINT32_MAX ? -1 : static_cast<std::int32_t>(store.step);
}

}  // namespace

Word see(Object object, Word present, int order, const void* place) {
  Location& location = engine.shadow().location(object.address, object.size);
  if (!weak()) {
    receive(location, order);
    return present;
  }
  Store* const stores = known_stores(location, present);
  const unsigned newest = location.count - 1;
  unsigned seen = newest;
  if (place != nullptr && newest > 0) {
    unsigned floor = floor_of(location, order);
    if (floor < newest && engine.saw_too_often(object.address, place, stores[floor])) ++floor;
    seen = newest - engine.choose_value(newest - floor + 1, false);
    if (seen < newest) engine.note_older(object.address, place, stores[seen]);
  }
  tell_seen(location, seen);
  take(stores[seen], order);
  return {.low = stores[seen].low, .high = stores[seen].high};
}

bool fails_on_older(Object object, Word present, Word expected, int order, const void* place, Word& seen) {
  if (!weak()) return false;
  Location& location = engine.shadow().location(object.address, object.size);
  Store* const stores = known_stores(location, present);
  if (location.count == 1) return false;
  const unsigned floor = floor_of(location, order);
  unsigned others[Location::kMostStores];
  unsigned count = 0;
  for (unsigned i = location.count - 1; i-- > floor;) {
    if (stores[i].low == expected.low && stores[i].high == expected.high) continue;
    if (!engine.saw_too_often(object.address, place, stores[i])) others[count++] = i;
  }
  const unsigned chosen = engine.choose_value(count + 1, false);
  if (chosen == 0) return false;
  Store& store = stores[others[chosen - 1]];
  engine.note_older(object.address, place, store);
  tell_seen(location, others[chosen - 1]);
  take(store, order);
  seen = {.low = store.low, .high = store.high};
  return true;
}

bool put(Object object, Word present, Word value, int order, const void* place) {
  Location& location = engine.shadow().location(object.address, object.size);
  if (!weak()) {
    location.has_message = message_of(order, location.message);
    pass_moment();
    return true;
  }
  const Store* const stores = known_stores(location, present);
  // Right above which store: the newest one, or one from the floor on that no read-modify-write has followed.
  unsigned above[Location::kMostStores];
  unsigned count = 0;
  above[count++] = location.count - 1;
  const unsigned floor = location.count == 1 ? 0 : floor_of(location, order);
  for (unsigned i = location.count - 1; i-- > floor;) {
    if (!stores[i + 1].follows) above[count++] = i;
  }
  const unsigned chosen = engine.choose_value(count, false);
  Store& store = insert(location, above[chosen] + 1);
  fill(store, value, order, place, false);
  store.has_message = message_of(order, store.message);
  if (TraceStep* const traced = engine.latest()) traced->stale = static_cast<std::uint8_t>(chosen);
  pass_moment();
  return chosen == 0;
}

void update(Object object, Word present, Word value, int order, const void* place) {
  Location& location = engine.shadow().location(object.address, object.size);
  if (!weak()) {
    receive(location, order);
    VectorClock message;
    const bool has_message = message_of(order, message);
    if (has_message && location.has_message) {
      location.message.join(message);
    } else if (has_message) {
      location.message = message;
      location.has_message = true;
    }
    pass_moment();
    return;
  }
  Store* const stores = known_stores(location, present);
  Store& read = stores[location.count - 1];
  tell_seen(location, location.count - 1);
  take(read, order);
  const bool passes_on = read.has_message;
  const VectorClock passed = read.message;
  Store& store = insert(location, location.count);
  fill(store, value, order, place, true);
  store.has_message = message_of(order, store.message);
  if (passes_on) {
    store.message.join(passed);
    store.has_message = true;
  }
  pass_moment();
}

void fence(int order) {
  LogicalThread& self = engine.current();
  if (acquires(order)) engine.acquire(self.acquire_fence);
  if (order == __ATOMIC_SEQ_CST) {
    // Whoever is second sees what the first one had seen, though that orders no accesses that are not atomic.
    self.fence_sequence = engine.next_sequence();
    self.view.join(engine.sequential_clock());
    engine.sequential_clock().join(self.view);
  }
  if (releases(order)) {
    self.release_fence = self.clock;
    self.has_release_fence = true;
  }
  pass_moment();
}

}  // namespace linchpin::explorer
