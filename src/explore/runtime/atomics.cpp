// The interface that -fsanitize=thread calls: atomic operations and fences.
#include <cstring>

#include "explore/memory/atomic.hpp"
#include "explore/runtime/engine.hpp"

namespace linchpin::explorer {

namespace {

using Wide = unsigned __int128;

// What the machine does, outside of schedules and for a step itself. Sixteen bytes have no plain load or store.
template <class T>
bool machine_exchange_if(volatile T* address, T& expected, T value) {
  if constexpr (sizeof(T) == sizeof(Wide)) {
    const T found = __sync_val_compare_and_swap(address, expected, value);
    const bool same = found == expected;
    expected = found;
    return same;
  } else {
    return __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}
template <class T>
T machine_load(const volatile T* address) {
  if constexpr (sizeof(T) == sizeof(Wide)) {
    return __sync_val_compare_and_swap(const_cast<volatile T*>(address), T{0}, T{0});
  } else {
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  }
}
template <class T, class Function>
T machine_update(volatile T* address, Function function) {
  T expected = machine_load(address);
  while (!machine_exchange_if(address, expected, function(expected))) {
  }
  return expected;
}

template <class T>
Word word_of(T value) {
  Word word;
  if constexpr (sizeof(T) == sizeof(Wide)) {
    word = {.low = static_cast<std::uint64_t>(value), .high = static_cast<std::uint64_t>(value >> 64U)};
  } else {
    word.low = value;
  }
  return word;
}
template <class T>
T value_of(Word word) {
  if constexpr (sizeof(T) == sizeof(Wide)) {
    return (static_cast<Wide>(word.high) << 64U) | word.low;
  } else {
    return static_cast<T>(word.low);
  }
}

/// What is checked of each atomic access when it is executed.
template <class T>
void touch(std::uintptr_t address, bool write, const void* place) {
  engine.count_access();
  engine.check_lifetime(address, place);
  engine.touch(address, sizeof(T), write);
  LogicalThread& self = engine.current();
  engine.note_conflict(engine.shadow().access_range(address, sizeof(T), write, true, self.id, self.clock, place), write,
                       address, place);
}

template <class T>
void changed(std::uintptr_t address, T before, T after) {
  const Word was = word_of(before), is = word_of(after);
  engine.memory_changed(address, was.low, is.low);
  if constexpr (sizeof(T) == sizeof(Wide)) engine.memory_changed(address + sizeof was.low, was.high, is.high);
}

template <class T>
Access access_of(Kind kind, std::uintptr_t address, int order, const void* place) {
  return {
      .kind = kind, .size = sizeof(T), .order = static_cast<std::uint8_t>(order), .address = address, .place = place};
}

template <class T>
Object object_at(std::uintptr_t address) {
  return {.address = address, .size = sizeof(T)};
}

template <class T>
T load(const volatile T* object, int order, const void* place) {
  if (!active) return machine_load(object);
  const Inside inside;
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  engine.watch(address, place);
  engine.step(access_of<T>(Kind::load, address, order, place));
  touch<T>(address, false, place);
  const Word seen = see(object_at<T>(address), word_of(machine_load(object)), order, place);
  if (TraceStep* const traced = engine.latest()) traced->value = seen.low;
  return value_of<T>(seen);
}

template <class T>
void store(volatile T* object, T value, int order, const void* place) {
  if (!active) {
    machine_update(object, [&](T) { return value; });
    return;
  }
  const Inside inside;
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  engine.step(access_of<T>(Kind::store, address, order, place));
  touch<T>(address, true, place);
  const T before = machine_load(object);
  if (TraceStep* const traced = engine.latest()) {
    traced->before = word_of(before).low;
    traced->value = word_of(value).low;
  }
  if (put(object_at<T>(address), word_of(before), word_of(value), order, place)) {
    *object = value;
    if (before != value || engine.memory_model() == MemoryModel::cpp20) changed(address, before, value);
  } else {
    engine.memory_changed();
  }
}

/// A read-modify-write; `function` gives the new value.
template <class T, class Function>
T modify(volatile T* object, int order, const void* place, Function function) {
  if (!active) return machine_update(object, function);
  const Inside inside;
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  const T present = machine_load(object);
  if (function(present) == present) engine.watch(address, place);  // it may be spinning: test_and_set, fetch_add(0)
  engine.step(access_of<T>(Kind::update, address, order, place));
  touch<T>(address, true, place);
  const T before = machine_load(object);
  const T after = function(before);
  update(object_at<T>(address), word_of(before), word_of(after), order, place);
  if (TraceStep* const traced = engine.latest()) {
    traced->before = word_of(before).low;
    traced->value = word_of(after).low;
  }
  *object = after;
  if (before != after) changed(address, before, after);
  return before;
}

template <class T>
bool exchange_if(volatile T* object, T& expected, T value, int order, int failure_order, const void* place) {
  if (!active) return machine_exchange_if(object, expected, value);
  const Inside inside;
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  engine.watch(address, place);
  engine.step(access_of<T>(Kind::update, address, order, place));
  engine.touch_order(failure_order);
  TraceStep* const traced = engine.latest();
  const T before = machine_load(object);
  if (traced != nullptr) traced->before = word_of(before).low;
  Word seen;
  bool fails = fails_on_older(object_at<T>(address), word_of(before), word_of(expected), failure_order, place, seen);
  if (!fails && before != expected) {
    seen = see(object_at<T>(address), word_of(before), failure_order, nullptr);
    fails = true;
  }
  touch<T>(address, !fails, place);
  if (fails) {
    expected = value_of<T>(seen);
    if (traced != nullptr) {
      traced->failed = true;
      traced->before = traced->value = seen.low;
    }
    return false;
  }
  update(object_at<T>(address), word_of(before), word_of(value), order, place);
  if (traced != nullptr) traced->value = word_of(value).low;
  *object = value;
  if (before != value) changed(address, before, value);
  return true;
}

}  // namespace

}  // namespace linchpin::explorer

using linchpin::explorer::exchange_if;
using linchpin::explorer::load;
using linchpin::explorer::modify;
using linchpin::explorer::store;

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses): the compilers' names; types in macros

#define PLACE __builtin_return_address(0)
#define LOOKING_PLACE (LINCHPIN_LOOKS_FROM, __builtin_return_address(0))

#define LINCHPIN_FETCH(bits, T, name, expression)                                                     \
  T __tsan_atomic##bits##_fetch_##name(volatile T* object, T operand, int order) {                    \
    return modify(object, order, LOOKING_PLACE, [&](T value) { return static_cast<T>(expression); }); \
  }

#define LINCHPIN_ATOMICS(bits, T)                                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* object, int order) { return load(object, order, LOOKING_PLACE); } \
  void __tsan_atomic##bits##_store(volatile T* object, T value, int order) { store(object, value, order, PLACE); } \
  T __tsan_atomic##bits##_exchange(volatile T* object, T operand, int order) {                                     \
    return modify(object, order, LOOKING_PLACE, [&](T) { return operand; });                                       \
  }                                                                                                                \
  LINCHPIN_FETCH(bits, T, add, value + operand)                                                                    \
  LINCHPIN_FETCH(bits, T, sub, value - operand)                                                                    \
  LINCHPIN_FETCH(bits, T, and, value& operand)                                                                     \
  LINCHPIN_FETCH(bits, T, or, value | operand)                                                                     \
  LINCHPIN_FETCH(bits, T, xor, value ^ operand)                                                                    \
  LINCHPIN_FETCH(bits, T, nand, ~(value & operand))                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* object, T* expected, T value, int order,           \
                                                    int failure_order) {                                           \
    return exchange_if(object, *expected, value, order, failure_order, LOOKING_PLACE) ? 1 : 0;                     \
  }                                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* object, T* expected, T value, int order,             \
                                                  int failure_order) {                                             \
    return exchange_if(object, *expected, value, order, failure_order, LOOKING_PLACE) ? 1 : 0;                     \
  }                                                                                                                \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* object, T expected, T value, int order,                 \
                                               int failure_order) {                                                \
    exchange_if(object, expected, value, order, failure_order, LOOKING_PLACE);                                     \
    return expected;                                                                                               \
  }

extern "C" {

LINCHPIN_ATOMICS(8, std::uint8_t)
LINCHPIN_ATOMICS(16, std::uint16_t)
LINCHPIN_ATOMICS(32, std::uint32_t)
LINCHPIN_ATOMICS(64, std::uint64_t)
LINCHPIN_ATOMICS(128, unsigned __int128)

void __tsan_atomic_thread_fence(int order) {
  using namespace linchpin::explorer;
  if (!active) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return;
  }
  const Inside inside;
  // Where everything is sequentially consistent, nobody can notice a fence.
  if (engine.memory_model() == MemoryModel::cpp20) {
    engine.step(
        {.kind = Kind::fence, .size = 0, .order = static_cast<std::uint8_t>(order), .address = 0, .place = PLACE});
  }
  fence(order);
}
void __tsan_atomic_signal_fence(int /*order*/) {}

}  // extern "C"

// NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)
