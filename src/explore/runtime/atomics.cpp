// The interface that -fsanitize=thread calls: atomic operations and fences. And that of libatomic, which compilers call
// in spite of -fsanitize=thread for what the machine has no instruction for, or may have none: g++ for sizes that are
// no power of two, clang also for objects that are aligned to less than their size (a struct of two int).
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

/// Calls `function` with a number of so many bytes. False: there is none that an instruction could take from there.
template <class Function>
bool as_number(std::size_t size, const volatile void* object, Function function) {
  if (size == 0 || reinterpret_cast<std::uintptr_t>(object) % size != 0) return false;
  switch (size) {
    case 1: function(std::uint8_t{}); return true;
    case 2: function(std::uint16_t{}); return true;
    case 4: function(std::uint32_t{}); return true;
    case 8: function(std::uint64_t{}); return true;
    case 16: function(Wide{}); return true;
    default: return false;
  }
}

/// The code under test hands bytes over, or gets them: it is as if it accessed them itself.
void tell(const void* bytes, std::size_t size, bool write, const void* place) {
  if (!active || size == 0) return;
  const Inside inside;
  engine.plain_access(reinterpret_cast<std::uintptr_t>(bytes), size, write, place);
}
/// Without telling anybody.
void copy(void* to, const void* from, std::size_t size) {
  const Inside inside;
  std::memcpy(to, from, size);
}

/// Outside of schedules: what no instruction does is done under one lock, as in libatomic.
class MachineLock {
 public:
  MachineLock() {
    while (__atomic_test_and_set(&held, __ATOMIC_ACQUIRE)) {
    }
  }
  ~MachineLock() { __atomic_clear(&held, __ATOMIC_RELEASE); }
  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;

 private:
  static inline bool held = false;
};

/// An atomic object of any size, at any address.
class Bytes {
 public:
  Bytes(void* object, std::size_t size, const void* place) : object_(static_cast<char*>(object)), size_(size) {
    if (active && size > sizeof(Word) && engine.memory_model() == MemoryModel::cpp20) {
      const Inside inside;
      engine.fail(ExploreFinding::unsupported, place,
                  "an atomic object of more than 16 bytes is not explored under --memory c++20");
    }
  }

  void load(void* result, int order, const void* place) const {
    if (!active) {
      const MachineLock lock;
      std::memcpy(result, object_, size_);
      return;
    }
    const Inside inside;
    engine.watch(address(), place);
    engine.step(access(Kind::load, order, place));
    touch(false, place);
    const Word seen = see(object(), word(object_), order, place);
    if (TraceStep* const traced = engine.latest()) traced->value = seen.low;
    give(result, seen);
  }

  void store(const void* value, int order, const void* place) const {
    if (!active) {
      const MachineLock lock;
      std::memcpy(object_, value, size_);
      return;
    }
    const Inside inside;
    engine.step(access(Kind::store, order, place));
    touch(true, place);
    if (TraceStep* const traced = engine.latest()) {
      traced->before = word(object_).low;
      traced->value = word(value).low;
    }
    if (put(object(), word(object_), word(value), order, place)) {
      replace(value, nullptr, true);
      if (engine.memory_model() == MemoryModel::cpp20) engine.memory_changed(address(), 0, 0);  // so may what is seen
    } else {
      engine.memory_changed();
    }
  }

  /// `result` may be where `value` is.
  void exchange(const void* value, void* result, int order, const void* place) const {
    if (!active) {
      const MachineLock lock;
      replace(value, result, false);
      return;
    }
    const Inside inside;
    if (std::memcmp(object_, value, size_) == 0) engine.watch(address(), place);  // it may be spinning
    engine.step(access(Kind::update, order, place));
    touch(true, place);
    update(object(), word(object_), word(value), order, place);
    if (TraceStep* const traced = engine.latest()) {
      traced->before = word(object_).low;
      traced->value = word(value).low;
    }
    replace(value, result, true);
  }

  bool exchange_if(void* expected, const void* value, int order, int failure_order, const void* place) const {
    if (!active) {
      const MachineLock lock;
      const bool same = std::memcmp(object_, expected, size_) == 0;
      if (same) {
        std::memcpy(object_, value, size_);
      } else {
        std::memcpy(expected, object_, size_);
      }
      return same;
    }
    const Inside inside;
    engine.watch(address(), place);
    engine.step(access(Kind::update, order, place));
    engine.touch_order(failure_order);
    TraceStep* const traced = engine.latest();
    if (traced != nullptr) traced->before = word(object_).low;
    Word seen;
    bool fails = fails_on_older(object(), word(object_), word(expected), failure_order, place, seen);
    if (!fails && std::memcmp(object_, expected, size_) != 0) {
      seen = see(object(), word(object_), failure_order, nullptr);
      fails = true;
    }
    touch(!fails, place);
    if (fails) {
      give(expected, seen);
      if (traced != nullptr) {
        traced->failed = true;
        traced->before = traced->value = seen.low;
      }
      return false;
    }
    update(object(), word(object_), word(value), order, place);
    if (traced != nullptr) traced->value = word(value).low;
    replace(value, nullptr, true);
    return true;
  }

 private:
  [[nodiscard]] std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(object_); }
  [[nodiscard]] Object object() const { return {.address = address(), .size = static_cast<unsigned>(size_)}; }
  /// The first 16 bytes: all of it where the memory model looks at values.
  [[nodiscard]] Word word(const void* from) const {
    Word word;
    std::memcpy(&word, from, size_ < sizeof word ? size_ : sizeof word);
    return word;
  }
  [[nodiscard]] Access access(Kind kind, int order, const void* place) const {
    return {.kind = kind,
            .size = static_cast<std::uint8_t>(size_ < sizeof(Word) ? size_ : sizeof(Word)),
            .order = static_cast<std::uint8_t>(order),
            .address = address(),
            .place = place};
  }

  void touch(bool write, const void* place) const {
    if (size_ == 0) return;
    engine.count_access();
    engine.check_lifetime(address(), place);
    engine.check_lifetime(address() + size_ - 1, place);
    engine.touch(address(), size_, write);
    LogicalThread& self = engine.current();
    engine.note_conflict(engine.shadow().access_range(address(), size_, write, true, self.id, self.clock, place), write,
                         address(), place);
  }

  /// What a load has seen: more than a word only where memory holds it.
  void give(void* result, const Word& seen) const {
    if (size_ <= sizeof seen) {
      std::memcpy(result, &seen, size_);
    } else {
      std::memcpy(result, object_, size_);
    }
  }

  void replace(const void* value, void* result, bool within_schedule) const {
    for (std::size_t at = 0; at < size_; at += sizeof(std::uint64_t)) {
      const std::size_t bytes = size_ - at < sizeof(std::uint64_t) ? size_ - at : sizeof(std::uint64_t);
      std::uint64_t before = 0, after = 0;
      std::memcpy(&before, object_ + at, bytes);
      std::memcpy(&after, static_cast<const char*>(value) + at, bytes);
      std::memcpy(object_ + at, &after, bytes);
      if (result != nullptr) std::memcpy(static_cast<char*>(result) + at, &before, bytes);
      if (within_schedule && before != after) engine.memory_changed(address() + at, before, after);
    }
  }

  char* object_;
  std::size_t size_;
};

void load_bytes(std::size_t size, void* object, void* result, int order, const void* place) {
  const bool done = as_number(size, object, [&]<class T>(T value) {
    value = load(static_cast<const volatile T*>(object), order, place);
    copy(result, &value, size);
  });
  if (!done) Bytes(object, size, place).load(result, order, place);
}

void store_bytes(std::size_t size, void* object, const void* desired, int order, const void* place) {
  const bool done = as_number(size, object, [&]<class T>(T value) {
    copy(&value, desired, size);
    store(static_cast<volatile T*>(object), value, order, place);
  });
  if (!done) Bytes(object, size, place).store(desired, order, place);
}

void exchange_bytes(std::size_t size, void* object, const void* desired, void* result, int order, const void* place) {
  const bool done = as_number(size, object, [&]<class T>(T value) {
    copy(&value, desired, size);
    value = modify(static_cast<volatile T*>(object), order, place, [&](T) { return value; });
    copy(result, &value, size);
  });
  if (!done) Bytes(object, size, place).exchange(desired, result, order, place);
}

bool exchange_bytes_if(std::size_t size, void* object, void* expected, const void* desired, int order,
                       int failure_order, const void* place) {
  bool same = false;
  const bool done = as_number(size, object, [&]<class T>(T value) {
    T found{};
    copy(&value, desired, size);
    copy(&found, expected, size);
    same = exchange_if(static_cast<volatile T*>(object), found, value, order, failure_order, place);
    if (!same) copy(expected, &found, size);
  });
  return done ? same : Bytes(object, size, place).exchange_if(expected, desired, order, failure_order, place);
}

}  // namespace

}  // namespace linchpin::explorer

using linchpin::explorer::exchange_bytes;
using linchpin::explorer::exchange_bytes_if;
using linchpin::explorer::exchange_if;
using linchpin::explorer::load;
using linchpin::explorer::load_bytes;
using linchpin::explorer::modify;
using linchpin::explorer::store;
using linchpin::explorer::store_bytes;
using linchpin::explorer::tell;

// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses): the compilers' names; types in macros

#define PLACE __builtin_return_address(0)
#define LOOKING_PLACE (LINCHPIN_LOOKS_FROM, __builtin_return_address(0))

// What is made of the value and the operand. `define`: LINCHPIN_FETCH, or that of libatomic.
// clang-format off
#define LINCHPIN_EACH_FETCH(define, width, T) \
  define(width, T, add, value + operand)      \
  define(width, T, sub, value - operand)      \
  define(width, T, and, value & operand)      \
  define(width, T, or, value | operand)       \
  define(width, T, xor, value ^ operand)      \
  define(width, T, nand, ~(value & operand))
// clang-format on

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
  LINCHPIN_EACH_FETCH(LINCHPIN_FETCH, bits, T)                                                                     \
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

// The names of libatomic are the compilers' own, which no function may have: they are the linker's names only.
#define LINCHPIN_LIBATOMIC_FETCH(bytes, T, name, expression)                                          \
  T linchpin_fetch_##name##_##bytes(volatile T* object, T operand,                                    \
                                    int order) __asm__("__atomic_fetch_" #name "_" #bytes);           \
  T linchpin_fetch_##name##_##bytes(volatile T* object, T operand, int order) {                       \
    return modify(object, order, LOOKING_PLACE, [&](T value) { return static_cast<T>(expression); }); \
  }                                                                                                   \
  T linchpin_##name##_fetch_##bytes(volatile T* object, T operand,                                    \
                                    int order) __asm__("__atomic_" #name "_fetch_" #bytes);           \
  T linchpin_##name##_fetch_##bytes(volatile T* object, T operand, int order) {                       \
    const auto next = [&](T value) { return static_cast<T>(expression); };                            \
    return next(modify(object, order, LOOKING_PLACE, next));                                          \
  }

#define LINCHPIN_LIBATOMIC(bytes, T)                                                                               \
  T linchpin_load_##bytes(const volatile T* object, int order) __asm__("__atomic_load_" #bytes);                   \
  T linchpin_load_##bytes(const volatile T* object, int order) { return load(object, order, LOOKING_PLACE); }      \
  void linchpin_store_##bytes(volatile T* object, T value, int order) __asm__("__atomic_store_" #bytes);           \
  void linchpin_store_##bytes(volatile T* object, T value, int order) { store(object, value, order, PLACE); }      \
  T linchpin_exchange_##bytes(volatile T* object, T operand, int order) __asm__("__atomic_exchange_" #bytes);      \
  T linchpin_exchange_##bytes(volatile T* object, T operand, int order) {                                          \
    return modify(object, order, LOOKING_PLACE, [&](T) { return operand; });                                       \
  }                                                                                                                \
  bool linchpin_compare_exchange_##bytes(volatile T* object, T* expected, T value, int order,                      \
                                         int failure_order) __asm__("__atomic_compare_exchange_" #bytes);          \
  bool linchpin_compare_exchange_##bytes(volatile T* object, T* expected, T value, int order, int failure_order) { \
    return exchange_if(object, *expected, value, order, failure_order, LOOKING_PLACE);                             \
  }                                                                                                                \
  LINCHPIN_EACH_FETCH(LINCHPIN_LIBATOMIC_FETCH, bytes, T)

extern "C" {

LINCHPIN_ATOMICS(8, std::uint8_t)
LINCHPIN_ATOMICS(16, std::uint16_t)
LINCHPIN_ATOMICS(32, std::uint32_t)
LINCHPIN_ATOMICS(64, std::uint64_t)
LINCHPIN_ATOMICS(128, unsigned __int128)

LINCHPIN_LIBATOMIC(1, std::uint8_t)
LINCHPIN_LIBATOMIC(2, std::uint16_t)
LINCHPIN_LIBATOMIC(4, std::uint32_t)
LINCHPIN_LIBATOMIC(8, std::uint64_t)
LINCHPIN_LIBATOMIC(16, unsigned __int128)

void linchpin_load(std::size_t size, void* object, void* result, int order) __asm__("__atomic_load");
void linchpin_load(std::size_t size, void* object, void* result, int order) {
  load_bytes(size, object, result, order, LOOKING_PLACE);
  tell(result, size, true, PLACE);
}
void linchpin_store(std::size_t size, void* object, const void* desired, int order) __asm__("__atomic_store");
void linchpin_store(std::size_t size, void* object, const void* desired, int order) {
  tell(desired, size, false, PLACE);
  store_bytes(size, object, desired, order, PLACE);
}
void linchpin_exchange(std::size_t size, void* object, const void* desired, void* result,
                       int order) __asm__("__atomic_exchange");
void linchpin_exchange(std::size_t size, void* object, const void* desired, void* result, int order) {
  tell(desired, size, false, PLACE);
  exchange_bytes(size, object, desired, result, order, LOOKING_PLACE);
  tell(result, size, true, PLACE);
}
bool linchpin_compare_exchange(std::size_t size, void* object, void* expected, const void* desired, int order,
                               int failure_order) __asm__("__atomic_compare_exchange");
bool linchpin_compare_exchange(std::size_t size, void* object, void* expected, const void* desired, int order,
                               int failure_order) {
  tell(desired, size, false, PLACE);
  tell(expected, size, false, PLACE);
  const bool same = exchange_bytes_if(size, object, expected, desired, order, failure_order, LOOKING_PLACE);
  if (!same) tell(expected, size, true, PLACE);
  return same;
}

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
