#include "explore/runtime/engine.hpp"

#include <cxxabi.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstring>

#include "explore/runtime/keys.hpp"

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are numbers here, and memory is found by them

namespace linchpin::explorer {

constinit Engine engine;
constinit bool active = false;
constinit bool arena_serves = false;
constinit const void* looks_from = nullptr;

/// Where libstdc++ counts who waits for an atomic object: sixteen entries of a static table, found by address. As
/// libstdc++ 12 has it; null where the program has none of that name.
struct LibraryWaiters {
  alignas(64) int waiting;
  alignas(64) int version;  ///< changes with each notify of what is not as large as a futex
};
constexpr unsigned kLibraryWaiters = 16;
extern "C" LibraryWaiters library_waiters[kLibraryWaiters]  // NOLINT(modernize-avoid-c-arrays): its own type
    __asm__("_ZZNSt8__detail18__waiter_pool_base6_S_forEPKvE3__w") __attribute__((weak));

namespace {

/// Puts the table of waiters back: it would outlive a schedule.
class KeptWaiters {
 public:
  KeptWaiters() {
    if (library_waiters == nullptr) return;
    for (unsigned i = 0; i < kLibraryWaiters; ++i) {
      waiting_[i] = library_waiters[i].waiting;
      version_[i] = library_waiters[i].version;
    }
  }
  /// `abandoned`: threads of the schedule were waiting, and never left.
  void put_back(bool abandoned) const {
    if (library_waiters == nullptr) return;
    for (unsigned i = 0; i < kLibraryWaiters; ++i) {
      LibraryWaiters& now = library_waiters[i];
      if (abandoned && now.waiting != waiting_[i]) now.waiting = waiting_[i];
      // A thread outside of the schedule may be waiting for the version to change.
      if (now.version != version_[i] && now.waiting == 0) now.version = version_[i];
    }
  }

 private:
  int waiting_[kLibraryWaiters] = {}, version_[kLibraryWaiters] = {};
};

constexpr std::uint32_t kPatience = 1000;  // steps, by which a thread that writes while it waits is taken to wait
constexpr std::uint64_t kMostQuiet = 20'000'000;                             // accesses without a step between them
constexpr std::size_t kExceptionGlobals = sizeof(void*) + sizeof(unsigned);  // those handled, and how many are not yet
constexpr std::int64_t kEpoch = 1'000'000'000'000'000'000;                   // when the virtual clock begins

void copy_text(char (&to)[Finding::kText], const char* from) {
  std::size_t i = 0;
  for (; from != nullptr && from[i] != 0 && i + 1 < Finding::kText; ++i) to[i] = from[i];
  to[i] = 0;
}

}  // namespace

// --- the machine ----------------------------------------------------------------------------------------------------

bool Engine::prepare(bool threads, const char** why) {
  constexpr std::size_t kMany = std::size_t{1} << 20;
  if (objects_ == nullptr) objects_ = reserve<SyncObject>(kObjects);
  if (!arena_.prepare() || !shadow_.prepare() || objects_ == nullptr || !operations_.prepare(kMostThreads * 16) ||
      !choices_.prepare(kMany) || !trace_.prepare(kMany) || !stores_.prepare(kMany * Location::kMostStores) ||
      !exit_calls_.prepare(kMany)) {
    *why = "there is not enough address space";
    return false;
  }
  const bool elsewhere = process_ != getpid();  // never prepared, or in the process that has forked this one
  process_ = getpid();
  for (Lender& lender : lenders_) {
    if (elsewhere) forget_lender(lender);
    if (!make_lender(lender)) {
      *why = "the system gives no more threads";
      return false;
    }
  }
  if (aside_.stack == nullptr) {
    void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
      *why = "there is not enough memory";
      return false;
    }
    mprotect(stack, 4096, PROT_NONE);
    aside_.stack = static_cast<char*>(stack);
  }
  aside_.thread_base = main_.thread_base = thread_base();
  aside_.seat = main_.seat = begin_switching(threads || !can_set_thread_base());
  if (main_.seat == nullptr) {
    *why = "there is not enough memory";
    return false;
  }
  if (elsewhere && !find_thread_storage()) {
    *why = "there is not enough memory";
    return false;
  }
  return true;
}

/// The program's own thread-local storage lies right below each thread's base. A copy from before the first schedule
/// makes each logical thread a new one.
bool Engine::find_thread_storage() {
  struct Segment {
    std::size_t bytes = 0, alignment = 1;
  } segment;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_TLS) continue;
          *static_cast<Segment*>(found) = {.bytes = info->dlpi_phdr[i].p_memsz,
                                           .alignment = info->dlpi_phdr[i].p_align};
        }
        return 1;  // the program itself comes first
      },
      &segment);
  storage_bytes_ = segment.bytes;
  storage_offset_ = (segment.bytes + segment.alignment - 1) / segment.alignment * segment.alignment;
  for (unsigned i = 0; i < kMostThreads; ++i) {
    if (fresh_storage_[i] == nullptr) fresh_storage_[i] = reserve<char>(segment.bytes + 1);
    if (fresh_storage_[i] == nullptr) return false;
    std::memcpy(fresh_storage_[i], reinterpret_cast<char*>(lenders_[i].thread_base) - storage_offset_, segment.bytes);
  }
  return true;
}

// --- a schedule -----------------------------------------------------------------------------------------------------

void Engine::reset(const Program& program, const Settings& settings, Strategy& strategy) {
  program_ = program;
  settings_ = settings;
  strategy_ = &strategy;
  finding_ = {};
  schedule_hash_ = 0;
  over_ = stuck_ = cut_ = in_step_ = held_back_ = false;
  following_ = strategy.follows();
  threads_count_ = 0;
  current_ = nullptr;
  steps_ = 0;
  quiet_accesses_ = 0;
  ++version_;
  contents_ = changes_ = 0;
  events_ = 0;
  returned_ = 0;
  virtual_time_ = kEpoch;
  sequence_ = 0;
  sequential_clock_.clear();
  real_time_.clear();
  arena_.reset(settings.reuse);
  shadow_.next_schedule();
  operations_.clear();
  choices_.clear();
  trace_.clear();
  stores_.clear();
  exit_calls_.clear();
  ++generation_;
}

void Engine::run(const Program& program, const Settings& settings, Strategy& strategy) {
  reset(program, settings, strategy);
  const KeptWaiters waiters;
  progress = progress + 1;
  arena_serves = true;
  phase_ = Phase::set_up;
  run_aside(program.set_up);
  if (!over_) {
    phase_ = Phase::starting;
    for (unsigned i = 0; i < program.threads && !over_; ++i) {
      begin_thread(i);
      current_ = nullptr;
      switch_to(threads_[i]);
    }
  }
  if (!over_) {
    phase_ = Phase::threads;
    current_ = nullptr;
    if (LogicalThread* const first = choose_thread()) switch_to(*first);
    if (!over_ && !stuck_) {
      bool done = true;
      for (unsigned i = 0; i < threads_count_; ++i) done = done && threads_[i].done;
      if (!done) nobody_can_go_on();
    }
    if (following_) tell_waiting();
  }
  current_ = nullptr;
  if (!over_ && !stuck_) {
    phase_ = Phase::tear_down;
    run_aside(program.tear_down);
    if (!over_) find_leaks();
  }
  if (settings_.keep_memory) arena_.keep();
  waiters.put_back(over_ || stuck_);
  active = false;
  arena_serves = false;
  phase_ = Phase::none;
  ++counts_.schedules;
  counts_.held_back += held_back_ ? 1 : 0;
  counts_.steps += steps_;
  if (steps_ > counts_.longest) counts_.longest = steps_;
  if (strategy.surprise() != 0 && finding_.kind == ExploreFinding::none) {
    finding_ = {.kind = ExploreFinding::nondeterminism};
    copy_text(finding_.text, "");
    finding_.address = strategy.surprise();
  }
  if (shadow_.full()) {
    finding_ = {.kind = ExploreFinding::unsupported};
    copy_text(finding_.text, "the scenario touches more memory than can be watched");
  }
}

void Engine::aside_entry() {
  engine.aside_function_(engine.program_.context);
  engine.switch_to_main();
}

void Engine::run_aside(void (*function)(void*)) {
  if (function == nullptr) return;
  aside_function_ = function;
  current_ = nullptr;
  // A stack that is left for good takes its exceptions along; this thread of the system would go on counting them.
  void* const globals = abi::__cxa_get_globals();
  char exceptions[kExceptionGlobals] = {};
  std::memcpy(exceptions, globals, sizeof exceptions);
  switch_context(main_, begin_context(aside_, aside_entry));
  if (over_) std::memcpy(globals, exceptions, sizeof exceptions);
}

void Engine::find_leaks() {
  if (settings_.keep_memory || !settings_.leaks || finding_.kind != ExploreFinding::none || arena_.live_blocks() == 0)
    return;
  const void* const block = arena_.first_live();
  finding_ = {.kind = ExploreFinding::leak, .address = reinterpret_cast<std::uintptr_t>(block)};
  finding_.allocated = block == nullptr ? nullptr : Arena::allocated_at(block);
  copy_text(finding_.text, "");
}

// --- threads --------------------------------------------------------------------------------------------------------

void Engine::begin_thread(unsigned i) {
  LogicalThread& thread = threads_[i];
  std::memset(reinterpret_cast<char*>(&thread), 0, offsetof(LogicalThread, watched_looks));
  thread.id = static_cast<std::uint8_t>(i);
  thread.deadline = kNever;
  thread.operation = -1;
  thread.clock.of[i] = 1;
  thread.view.of[i] = 1;
  begin_specific_values(i);
  std::memcpy(reinterpret_cast<char*>(lenders_[i].thread_base) - storage_offset_, fresh_storage_[i], storage_bytes_);
  thread.context = begin_context(lenders_[i], thread_entry);
  if (i >= threads_count_) threads_count_ = i + 1;
}

void Engine::thread_entry() {
  engine.thread_main(*engine.current_);
  __builtin_trap();  // a thread that is done is never chosen
}

void Engine::thread_main(LogicalThread& thread) {
  // What an exception of an earlier schedule has left, which was given up while it was handled.
  std::memset(abi::__cxa_get_globals(), 0, kExceptionGlobals);
  if (thread.function != nullptr) {
    took_turn(thread);
    active = true;
    thread.result = thread.function(thread.argument);
  } else {
    program_.body(program_.context, thread.id);
  }
  for (std::size_t i = exit_calls_.size(); i > 0; --i) {
    ExitCall call = exit_calls_[i - 1];
    if (call.thread != thread.id || call.function == nullptr) continue;
    exit_calls_[i - 1].function = nullptr;
    active = true;
    call.function(call.object);
  }
  active = false;
  destroy_specific_values(thread.id);
  thread.done = true;
  touch(&thread.done);
  memory_changed();
  if (phase_ == Phase::starting) switch_to_main();
  LogicalThread* const next = choose_thread();
  if (next != nullptr) switch_to(*next);
  for (unsigned i = 0; i < threads_count_; ++i) {
    if (!threads_[i].done) nobody_can_go_on();
  }
  switch_to_main();
}

void Engine::at_thread_exit(void (*function)(void*), void* object) {
  exit_calls_.push({.thread = current_->id, .function = function, .object = object});
}

unsigned Engine::create(void* (*function)(void*), void* argument, const void* place) {
  if (threads_count_ == kMostThreads) {
    fail(ExploreFinding::unsupported, place, "the scenario has more than 8 threads, those that it creates included");
  }
  step({.kind = Kind::create, .size = 0, .order = 0, .address = 0, .place = place});
  const unsigned i = threads_count_;
  begin_thread(i);
  LogicalThread& made = threads_[i];
  made.function = function;
  made.argument = argument;
  made.pending = {.kind = Kind::start, .size = 0, .order = 0, .address = 0, .place = place};
  VectorClock message;
  release(message);
  made.clock.join(message);
  made.view.join(current_->view);
  footprint_.created = static_cast<std::uint8_t>(footprint_.created | 1U << i);
  return i;
}

void Engine::switch_to(LogicalThread& next) {
  Context& from = current_ == nullptr ? main_ : current_->context;
  current_ = &next;
  switch_context(from, next.context);
}

void Engine::switch_to_main() {
  Context left;  // of the side stack, or of a thread that is done; of a starting thread it is kept
  Context& from = current_ == nullptr ? left : current_->context;
  switch_context(from, main_);
}

void Engine::abandon() {
  active = false;
  over_ = true;
  Context left;
  switch_context(left, main_);
  __builtin_unreachable();
}

// --- whose turn it is -----------------------------------------------------------------------------------------------

bool Engine::holds(const LogicalThread& thread) const {
  switch (thread.wait) {
    case Wait::none: return true;
    case Wait::change: return thread.watched_version != version_;
    case Wait::exclusive: return thread.object->owner < 0 && thread.object->readers == 0;
    case Wait::shared: return thread.object->owner < 0;
    case Wait::notified: return thread.notified;
    case Wait::notified_and_exclusive: return thread.notified && thread.object->owner < 0;
    case Wait::finished: return threads_[thread.object->owner].done;
    case Wait::count: return thread.object->count > 0;
  }
  return true;
}

bool Engine::somebody_else_can_go_on() const {
  for (unsigned i = 0; i < threads_count_; ++i) {
    if (&threads_[i] != current_ && !threads_[i].done && holds(threads_[i])) return true;
  }
  return false;
}

bool Engine::may_time_out(const LogicalThread& thread) const {
  if (thread.deadline == kNever || holds(thread)) return false;
  // Whoever waits for a signal needs its mutex again to go on.
  return thread.wait != Wait::notified_and_exclusive || thread.object->owner < 0;
}

LogicalThread* Engine::choose_thread() {
  if (following_) end_step();
  if (steps_ >= settings_.most_steps) {
    fail(ExploreFinding::endless, current_ == nullptr ? nullptr : current_->pending.place, "");
  }
  Situation situation;
  situation.value = false;
  unsigned count = 0;
  bool goes_on = current_ != nullptr && !current_->done && holds(*current_);
  // Waiting may look like work: a loop that sets and clears a hazard pointer as it looks again. Others come by then.
  const bool gives_way = goes_on && current_->stretch >= kPatience && somebody_else_can_go_on();
  goes_on = goes_on && !gives_way;
  if (gives_way) hold_back();
  if (goes_on) situation.threads[count++] = current_->id;
  for (unsigned i = 0; i < threads_count_; ++i) {
    const LogicalThread& thread = threads_[i];
    if (thread.done || ((goes_on || gives_way) && &thread == current_) || (thread.wait != Wait::none && !holds(thread)))
      continue;
    situation.threads[count++] = static_cast<std::uint8_t>(i);
  }
  situation.ordinary = goes_on ? 1 : count;
  situation.able = count;
  // A wait with a time-out may end at any moment; where somebody can go on, that is a deviation.
  for (unsigned i = 0; i < threads_count_; ++i) {
    const LogicalThread& thread = threads_[i];
    if (!thread.done && may_time_out(thread)) situation.threads[count++] = static_cast<std::uint8_t>(i);
  }
  if (situation.ordinary == 0) situation.ordinary = situation.able = count;
  if (count == 0) {
    count = situation.ordinary = situation.able = release_those_who_spin(situation);
    if (count == 0) return nullptr;
  }
  situation.alternatives = count;
  situation.within = following_ && goes_on && current_->operation >= 0 && !current_->unstarted_operation;
  unsigned chosen = 0;
  if (count > 1 || following_) {
    situation.here = current_ == nullptr ? 1 : fingerprint(current_->pending, current_->id);
    for (unsigned i = 0; i < count && following_; ++i) {
      const LogicalThread& thread = threads_[situation.threads[i]];
      situation.elements[i] = thread.operations > 0 ? thread.operations - 1 : thread.steps;
    }
    chosen = strategy_->choose(situation);
    if (chosen == Strategy::kStop) {
      cut_ = true;
      if (current_ == nullptr) {  // before the first step
        over_ = true;
        return nullptr;
      }
      abandon();
    }
    if (count > 1) choices_.push(static_cast<std::uint8_t>(chosen));
    in_step_ = true;
  }
  return &threads_[situation.threads[chosen]];
}

unsigned Engine::choose_value(unsigned alternatives, bool free) {
  if (alternatives < 2) return 0;
  Situation situation;
  situation.value = true;
  situation.alternatives = alternatives;
  situation.ordinary = free ? alternatives : 1;
  situation.here = fingerprint(current_->pending, current_->id) + 1;
  const unsigned chosen = strategy_->choose(situation);
  choices_.push(static_cast<std::uint8_t>(chosen));
  return chosen;
}

void Engine::step(const Access& access) {
  LogicalThread& self = *current_;
  self.pending = access;
  if (phase_ == Phase::starting) {
    switch_to_main();
  } else {
    LogicalThread* const next = choose_thread();
    if (next == nullptr) nobody_can_go_on();
    if (next != &self) {
      self.stretch = 0;
      switch_to(*next);
    }
  }
  took_turn(self);
}

void Engine::took_turn(LogicalThread& thread) {
  ++steps_;
  ++thread.stretch;
  ++thread.steps;
  quiet_accesses_ = 0;
  schedule_hash_ = (schedule_hash_ ^ fingerprint(thread.pending, thread.id)) * 0x94d049bb133111ebULL;
  progress = progress + 1;
  if (following_) touch_pending(thread);
  thread.timed_out = thread.deadline != kNever && !holds(thread);
  if (thread.timed_out) advance_to(thread.deadline);
  thread.wait = Wait::none;
  thread.deadline = kNever;
  const bool begins_operation = thread.unstarted_operation;
  if (begins_operation) begin_operation(thread);
  if (tracing_) record_step(thread, begins_operation);
}

// --- for strategies that follow -------------------------------------------------------------------------------------

void Engine::end_step() {
  if (in_step_) strategy_->stepped(footprint_);
  in_step_ = false;
  footprint_.clear();
}

void Engine::tell_waiting() {
  end_step();
  for (unsigned i = 0; i < threads_count_; ++i) {
    const LogicalThread& thread = threads_[i];
    if (thread.done || thread.wait == Wait::change || holds(thread) || may_time_out(thread)) continue;
    footprint_.clear();
    touch_pending(thread);
    strategy_->waits(i, footprint_);
  }
}

void Engine::touch_pending(const LogicalThread& thread) {
  const Access& access = thread.pending;
  switch (access.kind) {
    case Kind::lock:
    case Kind::unlock:
    case Kind::wait:
    case Kind::wake: touch(access.address, access.size, true); break;
    case Kind::create: touch(&threads_count_); break;
    case Kind::load:
    case Kind::store:
    case Kind::update: touch_order(access.order); break;  // their memory is touched where it is accessed
    case Kind::fence: touch_order(access.order, true); break;
    default: break;
  }
  switch (thread.wait) {
    case Wait::none:
    case Wait::change: return;
    case Wait::exclusive:
    case Wait::shared:
    case Wait::count: touch(thread.object->key, 1, true); break;
    case Wait::notified_and_exclusive: touch(thread.object->key, 1, true); [[fallthrough]];
    case Wait::notified: touch(&thread.notified); break;
    case Wait::finished: touch(&threads_[thread.object->owner].done); break;
  }
  footprint_.may_wait = true;
}

void Engine::touch_order(int order, bool fence) {
  if (order != __ATOMIC_SEQ_CST || settings_.memory != MemoryModel::cpp20) return;
  (fence ? footprint_.fence : footprint_.sequential) = true;
}

/// `shared`: nothing else orders it.
void Engine::follow_plain(std::uintptr_t address, std::size_t size, bool write, bool shared) {
  if (shared) touch(address, size, write);
  for (unsigned i = 0; i < threads_count_; ++i) {
    // Its owner does not tell what it does with its own stack.
    if (address - reinterpret_cast<std::uintptr_t>(lenders_[i].stack) < kStackBytes) strategy_->lose_track();
  }
}

/// The schedule ends here. On a logical thread it does not return.
void Engine::nobody_can_go_on() {
  bool signal = false;
  const LogicalThread* waiting = nullptr;
  for (unsigned i = 0; i < threads_count_; ++i) {
    const LogicalThread& thread = threads_[i];
    if (thread.done) continue;
    if (thread.wait == Wait::notified || thread.wait == Wait::notified_and_exclusive || thread.wait == Wait::count) {
      signal = true;
      waiting = &thread;
    }
    if (waiting == nullptr) waiting = &thread;
  }
  if (settings_.deadlocks && waiting != nullptr) {
    finding_ = {.kind = signal ? ExploreFinding::lost_wakeup : ExploreFinding::deadlock,
                .thread = waiting->id,
                .place = waiting->pending.place,
                .address = waiting->pending.address};
    copy_text(finding_.text, "");
    over_ = true;
  }
  stuck_ = true;
  if (current_ == nullptr) return;
  active = false;
  Context left;
  switch_context(left, main_);
}

void Engine::record_step(const LogicalThread& thread, bool begins_operation) {
  if (trace_.full()) return;
  TraceStep& step = trace_.push();
  step = {.access = thread.pending,
          .thread = thread.id,
          .failed = thread.timed_out,
          .began_operation = begins_operation,
          .ended_operation = false,
          .stale = 0,
          .saw = -1,
          .operation = thread.operation,
          .value = 0,
          .before = 0,
          .callers = {}};
  const unsigned depth = thread.depth < LogicalThread::kDepth ? thread.depth : LogicalThread::kDepth;
  for (unsigned i = 0; i < TraceStep::kCallers && i < depth; ++i) step.callers[i] = thread.callers[depth - 1 - i];
}

// --- operations -----------------------------------------------------------------------------------------------------

void Engine::call(unsigned method, const std::uint64_t* values, unsigned count, unsigned wide) {
  if (phase_ == Phase::none || phase_ == Phase::tear_down) return;
  LogicalThread* const thread = current_;
  // Each has a bit in the masks of what came before what.
  if (operations_.full() || (thread != nullptr && thread->operations == kMostOperations)) {
    fail(ExploreFinding::unsupported, nullptr, "a thread of the scenario has more than 8 operations");
  }
  OperationRecord& operation = operations_.push();
  operation = {.thread = thread == nullptr ? std::uint8_t{255} : thread->id,
               .method = static_cast<std::uint8_t>(method),
               .arguments = static_cast<std::uint8_t>(count),
               .cancelled = false,
               .number = 0,
               .called = -1,
               .returned = -1,
               .moment = 0,
               .before = 0,
               .values = {},
               .result = 0,
               .wide = static_cast<std::uint8_t>(wide)};
  for (unsigned i = 0; i < count; ++i) operation.values[i] = values[i];
  if (thread == nullptr) {
    operation.called = events_++;
    return;
  }
  operation.number = thread->operations++;
  thread->operation = static_cast<std::int32_t>(operations_.size() - 1);
  thread->unstarted_operation = true;
  thread->asked = false;
  thread->look_round.count = thread->yield_round.count = 0;
  thread->watched = thread->older = 0;  // who calls again does not spin
  // Where loads see older stores, being called earlier makes a difference: who is called later has to know more. So the
  // call is a step of its own.
  if (passes_on_real_time()) {
    step({.kind = Kind::operation, .size = 0, .order = 0, .address = 0, .place = nullptr});
  }
}

void Engine::begin_operation(LogicalThread& thread) {
  OperationRecord& operation = operations_[static_cast<std::size_t>(thread.operation)];
  thread.unstarted_operation = false;
  operation.called = events_++;
  operation.before = settings_.real_time ? returned_ : returned_before(thread);
  footprint_.begins_operation = settings_.real_time;
  if (passes_on_real_time()) thread.view.join(real_time_);
}

std::uint64_t Engine::returned_before(const LogicalThread& thread) const {
  std::uint64_t before = 0;
  for (const OperationRecord& operation : operations_) {
    if (operation.thread >= kMostThreads || operation.returned < 0) continue;
    if (!thread.clock.knows(operation.thread, operation.moment)) continue;
    before |= std::uint64_t{1} << (operation.thread * kMostOperations + operation.number);
  }
  return before;
}

void Engine::respond(std::uint64_t result, bool wide) {
  if (phase_ == Phase::none || phase_ == Phase::tear_down) return;
  LogicalThread* const thread = current_;
  if (thread == nullptr) {
    if (operations_.empty()) return;
    operations_.back().returned = events_++;
    operations_.back().result = result;
    if (wide) operations_.back().wide |= OperationRecord::kWideResult;
    return;
  }
  if (thread->operation < 0) return;
  if (thread->unstarted_operation) {
    step({.kind = Kind::operation, .size = 0, .order = 0, .address = 0, .place = nullptr});
  }
  OperationRecord& operation = operations_[static_cast<std::size_t>(thread->operation)];
  operation.returned = events_++;
  operation.result = result;
  if (wide) operation.wide |= OperationRecord::kWideResult;
  // What the thread passed on until now was of an earlier moment: every release begins another one.
  operation.moment = thread->clock.of[thread->id];
  footprint_.ends_operation = settings_.real_time;
  returned_ |= std::uint64_t{1} << (thread->id * kMostOperations + operation.number);
  if (passes_on_real_time()) real_time_.join(thread->view);
  for (std::size_t i = trace_.size(); i > 0; --i) {
    if (trace_[i - 1].thread != thread->id) continue;
    trace_[i - 1].ended_operation = true;
    break;
  }
  thread->operation = -1;
}

void Engine::cancel() {
  if (current_ == nullptr) {
    if (phase_ == Phase::set_up && !operations_.empty()) operations_.back().cancelled = true;
    return;
  }
  if (current_->operation < 0) return;
  operations_[static_cast<std::size_t>(current_->operation)].cancelled = true;
  respond(0, false);
}

// --- memory ---------------------------------------------------------------------------------------------------------

void* Engine::allocate(std::size_t bytes, std::size_t alignment, const void* place) {
  // So that what threads get does not depend on which of them asks first.
  const unsigned owner = current_ == nullptr ? 0 : 1U + current_->id;
  void* const block = arena_.allocate(bytes, alignment, owner, place);
  if (block == nullptr) {
    if (phase_ == Phase::none) return nullptr;
    fail(ExploreFinding::unsupported, place, "the scenario allocates more than 32 MiB, or one of its threads 4 MiB");
  }
  note_private_write();
  if (settings_.reuse != Reuse::none) touch(&arena_);
  if (settings_.reuse != Reuse::none) shadow_.forget(reinterpret_cast<std::uintptr_t>(block), Arena::size(block));
  return block;
}

void Engine::release_block(void* block, const void* place) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (phase_ == Phase::none) return;  // it outlived its schedule, and its memory is gone already
  const Arena::State state = arena_.begins_block(address) ? arena_.state(address) : Arena::State::none;
  if (state != Arena::State::live) {
    fail_at(state == Arena::State::freed ? ExploreFinding::double_free : ExploreFinding::bad_free, place, address);
  }
  if (current_ != nullptr && settings_.races) {
    finding_.frees = true;  // should it be one
    note_conflict(shadow_.release(address, Arena::size(block), current_->id, current_->clock, place), true, address,
                  place);
    finding_.frees = false;
  }
  if (current_ != nullptr) ++counts_.freed;
  note_private_write();
  touch(address, Arena::size(block), true);
  if (settings_.reuse != Reuse::none) touch(&arena_);
  arena_.release(block, place);
}

void Engine::check_lifetime(std::uintptr_t address, const void* place) {
  if (!Arena::holds(address)) return;
  const Arena::State state = arena_.state(address);
  if (state == Arena::State::live) return;
  fail_at(state == Arena::State::freed ? ExploreFinding::use_after_free : ExploreFinding::out_of_bounds, place,
          address);
}

void Engine::note_conflict(const Conflict& conflict, bool write, std::uintptr_t address, const void* place) {
  if (!conflict.found || !settings_.races) return;
  finding_ = {.kind = ExploreFinding::race,
              .thread = current_->id,
              .place = place,
              .writes = write,
              .frees = finding_.frees,
              .other_thread = static_cast<int>(conflict.thread),
              .other_place = conflict.place,
              .other_writes = conflict.wrote,
              .address = address};
  copy_text(finding_.text, "");
  if (Arena::holds(address)) {
    if (const void* const block = arena_.block_of(address)) finding_.allocated = Arena::allocated_at(block);
  }
  abandon();
}

void Engine::plain_access(std::uintptr_t address, std::size_t size, bool write, const void* place) {
  LogicalThread& self = *current_;
  if (++quiet_accesses_ > kMostQuiet) fail(ExploreFinding::endless, place, "it accesses memory without end");
  const auto stack = reinterpret_cast<std::uintptr_t>(lenders_[self.id].stack);
  if (address - stack < kStackBytes) {
    // Nobody else is asked for; but an atomic object may begin here, where another one was.
    if (write && settings_.memory == MemoryModel::cpp20) shadow_.overwrite_locations(address, size);
    return;
  }
  if (write) note_plain_write(address, size);
  if (Arena::holds(address)) ++counts_.accesses;
  check_lifetime(address, place);
  if (size > 1) check_lifetime(address + size - 1, place);
  const bool ignored = write ? self.ignore_writes > 0 : self.ignore_reads > 0;
  if (!settings_.races) {
    const auto shown = static_cast<std::uint8_t>(size < 8 ? size : 8);
    if (!write) {
      looks_from = nullptr;
      watch(address, place);
    }
    step({.kind = write ? Kind::write : Kind::read, .size = shown, .order = 0, .address = address, .place = place});
    if (following_) follow_plain(address, size, write, true);
    if (write) {
      memory_changed();
      shadow_.overwrite_locations(address, size);
    }
    if (TraceStep* const traced = latest(); traced != nullptr && !write) {
      std::memcpy(&traced->value, reinterpret_cast<const void*>(address), shown);
    }
    return;
  }
  if (following_) follow_plain(address, size, write, ignored);
  if (ignored) return;
  note_conflict(shadow_.access_range(address, size, write, false, self.id, self.clock, place), write, address, place);
}

SyncObject* Engine::find_object(std::uintptr_t key) {
  std::size_t at = (key >> 2U) * 0x9e3779b97f4a7c15ULL >> 52U;
  for (std::size_t tries = 0; tries < kObjects; ++tries, at = (at + 1) % kObjects) {
    if (objects_[at].generation != generation_) return nullptr;
    if (objects_[at].key == key) return &objects_[at];
  }
  return nullptr;
}

SyncObject& Engine::object(std::uintptr_t key) {
  std::size_t at = (key >> 2U) * 0x9e3779b97f4a7c15ULL >> 52U;
  for (std::size_t tries = 0; tries < kObjects; ++tries, at = (at + 1) % kObjects) {
    SyncObject& found = objects_[at];
    if (found.generation != generation_) {
      std::memset(reinterpret_cast<char*>(&found), 0, sizeof found);
      found.key = key;
      found.generation = generation_;
      found.owner = -1;
      return found;
    }
    if (found.key == key) return found;
  }
  fail(ExploreFinding::unsupported, nullptr, "the scenario has more than 4096 locks");
}

Store* Engine::stores_of(Location& location) {
  if (location.count == 0) {
    if (stores_.size() + Location::kMostStores > (std::size_t{1} << 20) * Location::kMostStores) {
      fail(ExploreFinding::unsupported, nullptr, "the scenario has too many atomic objects");
    }
    location.stores = &stores_[stores_.size()];
    stores_.shrink(stores_.size() + Location::kMostStores);
  }
  return location.stores;
}

void Engine::acquire(const VectorClock& message) {
  current_->clock.join(message);
  if (settings_.memory == MemoryModel::cpp20) current_->view.join(message);
}

void Engine::release(VectorClock& message) {
  LogicalThread& self = *current_;
  message = self.clock;
  ++self.clock.of[self.id];
  self.view.of[self.id] = self.clock.of[self.id];
}

// --- what is wrong --------------------------------------------------------------------------------------------------

void Engine::fail(ExploreFinding kind, const void* place, const char* text) {
  finding_ = {.kind = kind, .thread = current_ == nullptr ? -1 : static_cast<int>(current_->id), .place = place};
  copy_text(finding_.text, text);
  abandon();
}

void Engine::fail_at(ExploreFinding kind, const void* place, std::uintptr_t address) {
  finding_ = {.kind = kind,
              .thread = current_ == nullptr ? -1 : static_cast<int>(current_->id),
              .place = place,
              .address = address};
  copy_text(finding_.text, "");
  if (const void* const block = arena_.block_of(address)) {
    finding_.allocated = Arena::allocated_at(block);
    finding_.freed = Arena::freed_at(block);
  }
  abandon();
}

}  // namespace linchpin::explorer

// NOLINTEND(performance-no-int-to-ptr)
