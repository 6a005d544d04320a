// Recording what concurrent threads do to an object, in the program itself.
//
//   linchpin::Recorder recorder("queue");
//   const auto enqueue = recorder.method("enqueue"), dequeue = recorder.method("dequeue");
//
//   // in each thread
//   linchpin::ThreadLog& log = recorder.thread();
//   log.record(enqueue, [&] { queue.push(7); }, 7);
//   std::optional<int> value = log.record(dequeue, [&] { return queue.try_pop(); });
//
//   // when the threads are done
//   if (auto written = recorder.write("queue.lch"); !written) ...     // then: linchpin check queue.lch
//
// A program that records links linchpin_record and nothing else; one that links the library can check on the spot
// (linchpin/recorded.hpp).
//
// Each thread writes to buffers of its own, which grow with what it records: 32 bytes an operation and 8 more for each
// argument. Threads share no cache line while they record. The clock is read so that the recording never says that one
// operation came before another unless it did (docs/design/record.md). An operation that throws is pending, and so is
// one whose thread was cancelled or killed.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "linchpin/clock.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/recorded_value.hpp"
#include "linchpin/value.hpp"

namespace linchpin {

struct RecorderOptions {
  /// For all threads together. When they are used up, the recording ends at that moment for every thread: what was
  /// called later is lost, what had not returned is pending. What came before stays sound; that something is lost is an
  /// error of whatever hands the recording out (see Loss).
  std::size_t bytes = std::size_t{1} << 30;
  /// Where full buffers go instead, so that only the disk limits a recording. The file is made at once; one that exists
  /// is an error (Recorder::failure) unless it may be overwritten. It can be read at any moment, as a history up to
  /// the latest time it was written to (docs/formats/binary.md): should the process be killed, `linchpin check` reads
  /// it and says what is missing.
  std::string spool = {};
  bool overwrite_spool = false;
  /// The file stays when the recorder goes, which then writes the rest of the recording to it (Recorder::close).
  bool keep_spool = false;
  /// How often what was recorded goes to the spool, at least. A full buffer goes there at once.
  std::chrono::milliseconds spool_every = std::chrono::seconds(1);
  /// The largest buffer of a thread. Its first one has 4 KiB, each further one twice as many as the one before.
  /// Buffers are allocated and touched before they are needed.
  std::size_t buffer_bytes = std::size_t{1} << 20;
  ClockSource clock = ClockSource::automatic;
  /// Wait at each response until the operation's stores can be seen by others. Without, a plain store that still sits
  /// in the processor's store buffer counts as done, and an object that relies on release stores may look wrong.
  bool drain = true;
  /// Without: an operation is taken to begin where its thread's previous one ended, which saves one reading of the
  /// clock. Intervals are longer than they were: violations may hide, and none is invented.
  bool gaps = true;
};

/// What becomes of a recording of which a part was lost, as memory or the disk was full, or an integer was too large.
enum class Loss : std::uint8_t {
  refused,   ///< the default: an error says what happened; there is no history
  accepted,  ///< what came before the loss, which is sound, with an annotation that says what is missing
};

namespace record {
struct State;  // src/record/state.hpp
struct Buffer;
struct Log;
}  // namespace record

/// A method of one object, as recorders know it.
class RecordedMethod {
 public:
  [[nodiscard]] std::uint32_t bits() const { return bits_; }

 private:
  friend class Recorder;
  explicit RecordedMethod(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_;
};

/// What one thread writes to. Not thread-safe; lives as long as its recorder.
class alignas(128) ThreadLog {
 public:
  /// Runs `operation` as a call of `method` with the given arguments, and records what it returns: nothing, a boolean,
  /// an integer or enumeration, a text, an optional or pointer-like of these (nil when empty), or a Value. If it
  /// throws, it stays pending: it may or may not have taken effect.
  ///
  /// Integers are those of 64 bits with a sign. An unsigned one above 2^63 - 1, as an argument or a result, ends the
  /// recording as memory does that is used up: its operation is lost, or pending, and an error says so (Loss).
  template <class Function, class... Arguments>
  auto record(RecordedMethod method, Function&& operation, const Arguments&... arguments) {
    return detail::record_call(*this, method, std::forward<Function>(operation), arguments...);
  }

  /// The two halves of `record`, for code that does not fit in a function. A call that is never followed by its return
  /// is pending; the thread goes on as another process.
  template <class... Arguments>
  void call(RecordedMethod method, const Arguments&... arguments) {
    constexpr std::size_t kWords = kHead + sizeof...(Arguments);
    static_assert(sizeof...(Arguments) < 256, "a method has fewer than 256 arguments");
    if (open_ != nullptr || static_cast<std::size_t>(end_ - next_) < kWords) [[unlikely]] {
      if (!make_room(kWords)) return;
    }
    std::uint64_t* const words = next_;
    words[kResponse] = static_cast<std::uint64_t>(kPending);
    words[kResult] = Value::unknown().bits();
    std::size_t i = kHead;
    std::uint64_t refused = 0;
    ((words[i++] = value_of(arguments, refused).bits()), ...);
    if (refused != 0) [[unlikely]] {
      refuse(refused);
      return;
    }
    words[kMeta] = (std::uint64_t{process_} << kProcessShift) | (std::uint64_t{sizeof...(Arguments)} << kCountShift) |
                   method.bits();
    next_ = words + kWords;
    open_ = words;
    const std::int64_t now = gaps_ ? clock_.at_call() : last_;
    words[kCall] = static_cast<std::uint64_t>(now < last_ ? last_ : now);
    used_->store(static_cast<std::size_t>(next_ - begin_), std::memory_order_release);
    clock_.enter();
  }

  void returned() { close(clock_.at_response(drain_), Value::none()); }
  template <class Result>
  void returned(const Result& result) {
    const std::int64_t now = clock_.at_response(drain_);
    if (open_ == nullptr) return;
    std::uint64_t refused = 0;
    const Value value = value_of(result, refused);
    if (refused != 0) [[unlikely]] {
      refuse(refused);
    } else {
      close(now, value);
    }
  }

  /// The operation in progress did nothing, and nobody can have seen it: as if it had never been called.
  void cancel() {
    if (open_ == nullptr) return;
    if (watched_) {  // others may be reading the words: their place is not used again
      std::atomic_ref(open_[kResponse]).store(static_cast<std::uint64_t>(kCancelled), std::memory_order_release);
      open_ = nullptr;
      return;
    }
    next_ = open_;
    open_ = nullptr;
    used_->store(static_cast<std::size_t>(next_ - begin_), std::memory_order_release);
  }

  /// The thread is done: what is left of its memory serves the next one that asks for a log. Nothing may be recorded
  /// here after that. Logs of Recorder::here do so by themselves when their thread ends.
  void finish();

 private:
  friend class Recorder;
  friend struct record::State;
  // An operation is kHead words and one more an argument.
  enum Word : std::size_t { kMeta, kCall, kResponse, kResult, kHead };
  static constexpr unsigned kCountShift = 32, kProcessShift = 40;       // above the method's bits
  static constexpr Tick kCancelled = std::numeric_limits<Tick>::min();  // a response: there was no such operation

  ThreadLog(record::State& state, Clock clock, const RecorderOptions& options)
      : clock_(clock), drain_(options.drain), gaps_(options.gaps), watched_(!options.spool.empty()), state_(&state) {}

  /// @param refused  becomes an integer that is too large to be a value, if there is one
  template <class T>
  Value value_of(const T& value, std::uint64_t& refused) {
    return detail::recorded_value(
        value,
        [this](std::int64_t number) { return Value::fits(number) ? Value::integer(number) : big_integer(number); },
        [this](std::string_view characters) { return text(characters); },
        [&refused](std::uint64_t number) {
          refused = number;
          return Value::unknown();
        });
  }

  void close(std::int64_t now, Value result) {
    if (open_ == nullptr) return;  // the recording is over
    std::atomic_ref(open_[kResult]).store(result.bits(), std::memory_order_relaxed);
    std::atomic_ref(open_[kResponse]).store(static_cast<std::uint64_t>(now), std::memory_order_release);
    last_ = now;
    open_ = nullptr;
  }

  bool make_room(std::size_t words);
  void refuse(std::uint64_t number);
  Value big_integer(std::int64_t number);
  Value text(std::string_view text);

  std::uint64_t* next_ = nullptr;  // in the current buffer
  std::uint64_t* end_ = nullptr;
  std::uint64_t* begin_ = nullptr;
  std::atomic<std::size_t>* used_ = nullptr;
  std::uint64_t* open_ = nullptr;  // the operation in progress
  std::int64_t last_ = 0;          // the latest response
  Clock clock_;
  bool drain_;
  bool gaps_;
  bool watched_;  // by what writes the spool, at any moment
  std::uint32_t process_ = 0;
  record::State* state_;
  record::Log* log_ = nullptr;        // whose thread this is
  record::Buffer* buffer_ = nullptr;  // the current one
};

/// A recording in progress. `method`, `object`, `thread` and `here` may be called by any thread; `clear` and `write`
/// want the threads to be done, or stuck inside an operation that then is pending.
class Recorder {
 public:
  /// `type` is the data type of the object, as in "queue capacity=3"; `linchpin types` lists them.
  explicit Recorder(std::string_view type = {}, RecorderOptions options = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// A further object, where there are several; methods are those of object 0 unless they say otherwise.
  ObjectIndex object(std::string_view name, std::string_view type);
  RecordedMethod method(std::string_view name, ObjectIndex object = 0);

  /// A log for one thread, which is a process of the history. See ThreadLog::finish.
  ThreadLog& thread();
  /// The calling thread's log, made on first use, and free for another when the thread ends. A few nanoseconds slower
  /// than keeping what `thread` returned.
  ThreadLog& here();

  /// Forgets all operations and processes, keeping buffers, methods and logs. Logs start as new processes.
  void clear();

  /// Whether the recording has ended early, and operations were lost.
  [[nodiscard]] bool full() const;
  /// What went wrong with the spool. Recording goes on in memory until that is used up.
  [[nodiscard]] std::optional<Error> failure() const;
  /// Operations so far.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const Clock& clock() const;

  /// Writes the recording in the native binary format (docs/formats/binary.md), with ticks that count from the
  /// recorder's beginning. Memory: a buffer a thread, whatever the recording's size. The file appears when it is whole.
  /// Errors: io: it cannot be written, or the spool could not; too_large: memory was used up and operations were lost,
  /// or there are 2^31 - 2 of them.
  [[nodiscard]] Result<void> write(const std::string& path, Loss loss = Loss::refused) const;

  /// Writes what is left to the spool, which then says that the recording is whole. Nothing to do without a spool. The
  /// destructor does the same, and cannot say what went wrong. Errors: as of `write`.
  [[nodiscard]] Result<void> close();

 private:
  friend struct record::State;
  std::shared_ptr<record::State> state_;
};

}  // namespace linchpin
