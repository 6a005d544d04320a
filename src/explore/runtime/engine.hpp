// One schedule: logical threads, their steps, and whose turn it is.
//
// The code under test calls the runtime at each access (accesses.cpp, atomics.cpp, locks.cpp, ...). What other threads
// can notice is a step: before it the engine asks the strategy who goes on, and switches there. An operation of the
// history begins right before its first step and ends right after its last one, so that intervals are as short as they
// can be; one without any step is a step itself. Under C++20 with real time an operation is called in a step of its
// own.
//
// There is one engine in a process, since the functions of the interface have no argument that could name another.
// Nothing here uses a container of the standard library: the code under test shares those, instrumented.
#pragma once

#include <cstddef>
#include <cstdint>

#include "explore/memory/clock.hpp"
#include "explore/memory/shadow.hpp"
#include "explore/runtime/arena.hpp"
#include "explore/runtime/array.hpp"
#include "explore/runtime/finding.hpp"
#include "explore/runtime/switching.hpp"
#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

enum class MemoryModel : std::uint8_t { sequential, cpp20 };

enum class Kind : std::uint8_t {
  load,
  store,
  update,  ///< read-modify-write
  fence,
  read,   ///< not atomic
  write,  ///< not atomic
  lock,
  unlock,
  wait,
  wake,
  yield,
  sleep,
  create,
  join,
  start,  ///< of a thread that the scenario created
  operation,
};

/// What a thread is about to do.
struct Access {
  Kind kind;
  std::uint8_t size;
  std::uint8_t order;  ///< as __ATOMIC_RELAXED to __ATOMIC_SEQ_CST
  std::uintptr_t address;
  const void* place;
};

/// The same number for the same in each schedule.
inline std::uint64_t fingerprint(const Access& access, unsigned thread) {
  std::uint64_t here = reinterpret_cast<std::uintptr_t>(access.place) * 0x9e3779b97f4a7c15ULL;
  here ^= (access.address + static_cast<std::uint64_t>(access.kind)) * 0xbf58476d1ce4e5b9ULL;
  return here + thread;
}

/// A step of a schedule that is told; see Engine::trace.
struct TraceStep {
  static constexpr unsigned kCallers = 6;
  Access access;
  std::uint8_t thread;
  bool failed;  ///< a compare-and-exchange that did not, a try_lock, a wait that timed out
  bool began_operation, ended_operation;
  std::uint8_t stale;  ///< a load saw the store so many before the newest
  std::int32_t saw;    ///< the step whose store a load saw; -1: what was there before
  std::int32_t operation;
  std::uint64_t value, before;
  const void* callers[kCallers];  ///< return addresses, innermost first
};

/// Of one thread, in one schedule.
inline constexpr unsigned kMostOperations = 8;

/// A call of the object under test.
struct OperationRecord {
  static constexpr unsigned kArguments = 3;
  static constexpr std::uint8_t kWideResult = 1U << kArguments;
  std::uint8_t thread;
  std::uint8_t method;
  std::uint8_t arguments;
  bool cancelled;
  std::uint32_t number;   ///< among the thread's
  std::int32_t called;    ///< counts calls and responses; -1: not yet
  std::int32_t returned;  ///< -1: pending
  Moment moment;          ///< of its thread, when it returned
  std::uint64_t before;   ///< bits of those that come before it (Settings::real_time)
  std::uint64_t values[kArguments];
  std::uint64_t result;
  std::uint8_t wide;  ///< bits: values that are integers and no Value::bits(); kWideResult: the result is
};

/// Something that threads synchronise by, beside memory: a mutex, a semaphore, a thread that is joined.
struct SyncObject {
  std::uintptr_t key;
  std::uint32_t generation;
  std::int8_t owner;                   // -1: nobody
  std::uint8_t readers;                // bits
  std::uint8_t waiters[kMostThreads];  // first come first
  std::uint8_t waiting;
  std::uint32_t count;  // how often the owner locked it; a semaphore's value; a barrier's arrivals
  std::uint32_t phase;
  bool initialised;
  VectorClock message, read_message;
};

/// What a thread waits for. It can go on when that holds.
enum class Wait : std::uint8_t {
  none,
  change,     ///< some memory has changed since (it spins)
  exclusive,  ///< the object has neither owner nor readers
  shared,     ///< the object has no owner
  notified,   ///< it was woken
  notified_and_exclusive,
  finished,  ///< the object's owner is done
  count,     ///< the object's count is not 0
};

inline constexpr std::int64_t kNever = INT64_MAX;

struct LogicalThread {
  std::uint8_t id;
  bool done;
  bool notified;
  bool timed_out;
  Wait wait;
  std::int64_t deadline;  // nanoseconds of the virtual clock; kNever
  SyncObject* object;
  Access pending;
  Context context;
  VectorClock clock;          // what happens before
  VectorClock view;           // that, and what real time forbids to overlook (C++20 only)
  VectorClock release_fence;  // the clock at the latest one
  VectorClock acquire_fence;  // messages that were seen without acquiring
  bool has_release_fence;
  std::uint32_t fence_sequence;          // of the latest seq_cst fence
  bool unstarted_operation;              // called, and no step since
  std::int32_t operation;                // in progress; -1: none
  std::uint32_t operations;              // so far
  std::uint32_t steps;                   // taken
  std::uint32_t stretch;                 // of them since another thread took one
  unsigned ignore_reads, ignore_writes;  // annotations
  void* (*function)(void*);              // of a thread that the scenario created
  void* argument;
  void* result;
  // Spinning (spinning.cpp).
  const void* frame;             // of the function of the interface that looks
  std::uint64_t private_writes;  // without a step, but for those in `written`
  std::uint64_t watched_version;
  struct Round {
    std::uint64_t state;
    std::uint32_t count;   // of looks, or yields, since another thread took a step
    std::uint32_t others;  // steps of other threads, before
  };
  Round look_round, yield_round;
  bool asked;      // whether it gives way, in this version
  bool gives_way;  // of its own accord
  // How many there are of what follows.
  unsigned watched, older, depth, written;
  // From here on a new thread keeps what it finds.
  // Looks at one place at one address, and how many since memory last changed.
  static constexpr unsigned kWatched = 16;
  struct Watched {
    const void* place;
    std::uintptr_t address;
    std::uint64_t state;
    std::uint32_t count;
  };
  Watched watched_looks[kWatched];
  // Older stores than the newest that loads at one place of one address have seen (C++20), as in a loop.
  static constexpr unsigned kOlder = 16;
  struct Older {
    const void* place;
    std::uintptr_t address;
    std::uint64_t state;
    std::uint8_t thread;  // of the store
    std::uint8_t count;
    Moment moment;
  };
  Older seen_older[kOlder];
  // Where it has written to blocks without a step, the latest: eight bytes each.
  static constexpr unsigned kWritten = 16;
  std::uintptr_t written_words[kWritten];
  // Callers, while tracing.
  static constexpr unsigned kDepth = 128;
  const void* callers[kDepth];
};

/// What is run: `body` once for each thread, between the other two.
struct Program {
  unsigned threads;
  void* context;
  void (*set_up)(void* context);
  void (*body)(void* context, unsigned thread);
  void (*tear_down)(void* context);
};

struct Settings {
  MemoryModel memory = MemoryModel::sequential;
  Reuse reuse = Reuse::none;
  bool races = true;  ///< a race is a finding; without, plain accesses to shared memory are steps
  bool leaks = true;
  bool real_time = true;     ///< what has returned comes before what is called then; without: what happens before
  bool deadlocks = true;     ///< waiting for ever is a finding; without, the operations are pending
  bool keep_memory = false;  ///< a first run, for what the program makes once: what it allocates stays
  std::uint32_t most_steps = 20'000;
};

struct Counts {
  std::uint64_t schedules = 0;
  std::uint64_t steps = 0;
  std::uint64_t accesses = 0;   ///< to the arena's memory, atomic ones, and uses of locks: what shows instrumentation
  std::uint64_t freed = 0;      ///< blocks, by threads
  std::uint64_t held_back = 0;  ///< schedules in which a thread waited for others because it had looked often enough
  std::uint32_t longest = 0;    ///< steps of one schedule
};

class Engine {
 public:
  /// False, with a text: the machine lacks something. `threads`: of the system, instead of fibers (switching.hpp).
  bool prepare(bool threads, const char** why);

  /// Runs one schedule. What it found wrong is finding().
  void run(const Program& program, const Settings& settings, Strategy& strategy);

  // After a schedule.
  [[nodiscard]] const Finding& finding() const { return finding_; }
  [[nodiscard]] const Array<OperationRecord>& operations() const { return operations_; }
  [[nodiscard]] const Array<std::uint8_t>& choices() const { return choices_; }
  [[nodiscard]] const Array<TraceStep>& trace() const { return trace_; }
  /// The strategy stopped it: what came is no history.
  [[nodiscard]] bool cut() const { return cut_; }
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] unsigned threads() const { return threads_count_; }
  /// The same for the same steps in the same order.
  [[nodiscard]] std::uint64_t schedule_hash() const { return schedule_hash_; }
  /// Keep every step of the following schedules.
  void set_tracing(bool tracing) { tracing_ = tracing; }
  /// A block's address as a number that is the same in each run, for people.
  [[nodiscard]] const Arena& arena() const { return arena_; }

  // For the functions of the interface, by the thread that is running.
  LogicalThread& current() { return *current_; }
  /// Waits for the calling thread's turn to do this.
  void step(const Access& access);
  /// One of several values, 0 the ordinary one.
  unsigned choose_value(unsigned alternatives, bool free);
  [[noreturn]] void fail(ExploreFinding kind, const void* place, const char* text);
  [[noreturn]] void fail_at(ExploreFinding kind, const void* place, std::uintptr_t address);
  void plain_access(std::uintptr_t address, std::size_t size, bool write, const void* place);
  /// Whether the memory may be touched; a finding if not.
  void check_lifetime(std::uintptr_t address, const void* place);
  void note_conflict(const Conflict& conflict, bool write, std::uintptr_t address, const void* place);
  // Spinning (spinning.cpp). Before each of these, the function of the interface has set looks_from.
  /// The thread is about to look at what it may have looked at before, at the same place; or it yields.
  void watch(std::uintptr_t address, const void* place, bool yields = false);
  /// Loads at this place have seen an older store than the newest so often that they do not see it again: a loop that
  /// goes on seeing it would have no end.
  [[nodiscard]] bool saw_too_often(std::uintptr_t address, const void* place, const Store& store);
  void note_older(std::uintptr_t address, const void* place, const Store& store);
  /// The thread writes there without a step.
  void note_plain_write(std::uintptr_t address, std::size_t size);
  /// The thread has changed something that no step shows.
  void note_private_write() {
    if (current_ != nullptr) ++current_->private_writes;
  }
  /// The step that is being taken touches this: for strategies that follow (schedule/footprint.hpp).
  void touch(std::uintptr_t address, std::size_t size, bool write) {
    if (following_) footprint_.add(address, size, write);
  }
  void touch(const void* something, bool write = true) { touch(reinterpret_cast<std::uintptr_t>(something), 1, write); }
  /// The same for an operation of this memory order.
  void touch_order(int order, bool fence = false);
  /// In a way that will not be undone.
  void memory_changed() { memory_changed(0, 0, ++changes_); }
  /// What is at the address, or the object of that key, was `before` and is `after`.
  void memory_changed(std::uintptr_t address, std::uint64_t before, std::uint64_t after) {
    ++version_;
    contents_ ^= word_at(address, before) ^ word_at(address, after);
  }
  void count_access() { ++counts_.accesses; }
  [[nodiscard]] MemoryModel memory_model() const { return settings_.memory; }
  Shadow& shadow() { return shadow_; }
  VectorClock& sequential_clock() { return sequential_clock_; }
  /// Counts seq_cst stores and fences.
  std::uint32_t next_sequence() { return ++sequence_; }
  Store* stores_of(Location& location);
  SyncObject& object(std::uintptr_t key);
  /// The same without making one; null where there is none.
  SyncObject* find_object(std::uintptr_t key);
  TraceStep* latest() { return tracing_ && !trace_.empty() ? &trace_.back() : nullptr; }
  [[nodiscard]] bool tracing() const { return tracing_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  LogicalThread& thread(unsigned i) { return threads_[i]; }

  void acquire(const VectorClock& message);
  /// The thread's past, for whoever acquires; what it does later is not in it.
  void release(VectorClock& message);

  // Operations of the object under test.
  void call(unsigned method, const std::uint64_t* values, unsigned count, unsigned wide);
  void respond(std::uint64_t result, bool wide);
  void cancel();

  // Memory.
  void* allocate(std::size_t bytes, std::size_t alignment, const void* place);
  void release_block(void* block, const void* place);

  // Threads of the scenario's own.
  unsigned create(void* (*function)(void*), void* argument, const void* place);
  [[nodiscard]] std::uint64_t thread_id(unsigned thread) const { return lenders_[thread].id; }

  /// Something to be called when the thread ends: the destructor of a thread_local.
  void at_thread_exit(void (*function)(void*), void* object);

  // Time, in nanoseconds; it goes on a little whenever somebody looks.
  std::int64_t now() {
    touch(&virtual_time_);
    return virtual_time_ += 1000;
  }
  void advance_to(std::int64_t time) {
    touch(&virtual_time_);
    virtual_time_ = time > virtual_time_ ? time : virtual_time_;
  }

  // Of the process.
  std::uint32_t instrumented_modules = 0;  ///< that said so when they were loaded
  volatile std::uint64_t progress = 0;     ///< steps and schedules ever, for a watchdog
  /// Ends the schedule with a finding of the kind; from a signal's handler, too.
  [[noreturn]] void abandon();
  Finding& own_finding() { return finding_; }
  [[nodiscard]] bool running() const { return phase_ != Phase::none; }
  /// What makes the state, or what comes when all threads are done, is running: code under test, though of no thread.
  [[nodiscard]] bool beside_threads() const { return phase_ == Phase::set_up || phase_ == Phase::tear_down; }

 private:
  enum class Phase : std::uint8_t { none, set_up, starting, threads, tear_down };

  struct ExitCall {
    std::uint8_t thread;
    void (*function)(void*);
    void* object;
  };

  static void thread_entry();
  static void aside_entry();
  void thread_main(LogicalThread& thread);
  /// Runs set_up or tear_down on a stack of its own, which can be left for good.
  void run_aside(void (*function)(void*));
  void reset(const Program& program, const Settings& settings, Strategy& strategy);
  void find_leaks();
  bool find_thread_storage();
  void begin_thread(unsigned i);
  [[nodiscard]] bool holds(const LogicalThread& thread) const;
  [[nodiscard]] bool somebody_else_can_go_on() const;
  /// It waits, and may go on since its time has come.
  [[nodiscard]] bool may_time_out(const LogicalThread& thread) const;
  /// Null: no thread can go on.
  LogicalThread* choose_thread();
  void switch_to(LogicalThread& next);
  void switch_to_main();
  void took_turn(LogicalThread& thread);
  void begin_operation(LogicalThread& thread);
  /// Bits of the operations whose return happens before what the thread does now.
  [[nodiscard]] std::uint64_t returned_before(const LogicalThread& thread) const;
  /// Under C++20, whoever is called sees what operations that had returned have seen.
  [[nodiscard]] bool passes_on_real_time() const {
    return settings_.real_time && settings_.memory == MemoryModel::cpp20;
  }
  void nobody_can_go_on();
  void record_step(const LogicalThread& thread, bool begins_operation);
  // For strategies that follow.
  void end_step();
  void tell_waiting();
  /// Into `footprint_`: what the thread's next step touches by itself, and what it waits for.
  void touch_pending(const LogicalThread& thread);
  void follow_plain(std::uintptr_t address, std::size_t size, bool write, bool shared);
  // Spinning (spinning.cpp).
  /// One of the words of which `contents_` is made.
  static std::uint64_t word_at(std::uintptr_t address, std::uint64_t value) {
    std::uint64_t word = (address * 0x9e3779b97f4a7c15ULL + value) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ word >> 29U) * 0x94d049bb133111ebULL;
    return word ^ word >> 32U;
  }
  /// Counts a look since memory changed, or since another thread took a step. True: often enough to compare states.
  bool watch_version(std::uintptr_t address, const void* place, bool yields, LogicalThread::Watched** found);
  bool watch_round(LogicalThread::Round& round, unsigned first);
  void wait_for_change();
  [[nodiscard]] std::uint64_t state_of_current() const;
  unsigned settle(unsigned least, unsigned alternatives, std::uintptr_t address, const void* place);
  void hold_back();
  /// Nobody else can go on: those that wait for a change do. Returns how many there are to choose from.
  unsigned release_those_who_spin(Situation& situation) const;

  Program program_ = {};
  Settings settings_;
  Strategy* strategy_ = nullptr;
  Counts counts_;
  Finding finding_;
  Phase phase_ = Phase::none;
  bool tracing_ = false;
  bool over_ = false;  // the schedule was given up
  bool cut_ = false;   // by the strategy
  bool held_back_ = false;
  bool following_ = false, in_step_ = false;
  Footprint footprint_ = {};  // of the step that is being taken
  unsigned threads_count_ = 0;
  LogicalThread* current_ = nullptr;
  Context main_;
  std::uint32_t steps_ = 0;
  std::uint64_t schedule_hash_ = 0;
  std::uint64_t quiet_accesses_ = 0;  // since the latest step
  std::uint64_t version_ = 0;         // of memory: counts changes
  std::uint64_t contents_ = 0;        // of memory: the same where changes were undone
  std::uint64_t changes_ = 0;         // that are not undone
  std::int32_t events_ = 0;           // calls and responses
  std::uint64_t returned_ = 0;        // bits of operations that have
  std::int64_t virtual_time_ = 0;
  std::uint32_t sequence_ = 0;
  VectorClock sequential_clock_ = {};  // what seq_cst fences have passed on
  VectorClock real_time_ = {};         // what operations that have returned have seen (C++20)
  Arena arena_;
  Shadow shadow_;
  Array<OperationRecord> operations_;
  Array<std::uint8_t> choices_;
  Array<TraceStep> trace_;
  Array<Store> stores_;
  Array<ExitCall> exit_calls_;
  bool stuck_ = false;  // threads were left waiting for ever
  Lender aside_;
  void (*aside_function_)(void*) = nullptr;
  std::size_t storage_bytes_ = 0, storage_offset_ = 0;  // of the program's thread-local storage, below a thread's base
  char* fresh_storage_[kMostThreads] = {};
  std::uint32_t generation_ = 0;
  static constexpr std::size_t kObjects = 4096;
  SyncObject* objects_ = nullptr;
  LogicalThread threads_[kMostThreads] = {};
  Lender lenders_[kMostThreads] = {};
  int process_ = 0;  // in which they are
};

/// The engine of this process.
// NOLINTBEGIN(bugprone-dynamic-static-initializers): none of them is, as constinit says where they are defined
extern Engine engine;
/// Code under test is running in a logical thread: what it does counts. False inside the runtime itself.
extern bool active;
/// Whoever allocates gets memory of the arena.
extern bool arena_serves;
/// See LINCHPIN_LOOKS_FROM.
extern const void* looks_from;
// NOLINTEND(bugprone-dynamic-static-initializers)

/// What the calling code does would end the schedule, and not the program: it is code under test, of a thread or not.
inline bool within_schedule() { return active || engine.beside_threads(); }

/// At the beginning of a function of the interface by which code under test may look at what others change: what that
/// code keeps in registers is saved right below this function's frame, so that it can be compared (spinning.cpp).
#define LINCHPIN_LOOKS_FROM (__builtin_unwind_init(), ::linchpin::explorer::looks_from = __builtin_frame_address(0))

/// The runtime's own code, within a function that the code under test has called.
class Inside {
 public:
  Inside() : before_(active) { active = false; }
  ~Inside() { active = before_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool before_;
};

}  // namespace linchpin::explorer
