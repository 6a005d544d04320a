// What a recorder holds: its logs, the names it was told, and the spool.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "formats/binary/layout.hpp"
#include "formats/binary/recording.hpp"
#include "linchpin/record.hpp"

namespace linchpin::record {

/// What does not fit in a word, beside the words that refer to it by index.
struct Extras {
  std::vector<std::int64_t> integers;
  std::vector<std::size_t> text_ends;  // text i ends here and begins where the one before it ends
  std::string text;

  void clear();
  [[nodiscard]] std::string_view text_at(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : text_ends[i - 1];
    return std::string_view(text).substr(begin, text_ends[i] - begin);
  }
  /// Whether the value is inline, or here.
  [[nodiscard]] bool has(Value value) const;
};

// A value that is not inline: its kind, and above it the index among the extras of its buffer.
using formats::binary::kBigInteger;
using formats::binary::kString;
using formats::binary::kTagBits;
using formats::binary::kTagMask;

/// Words of one thread's operations, in the order of their calls.
struct Buffer {
  explicit Buffer(std::size_t size);
  void clear();

  alignas(128) std::atomic<std::size_t> used = 0;  // words that hold whole operations
  std::vector<std::uint64_t> words;
  std::mutex extras_mutex;  // texts are rare, and a reader may look while the thread goes on
  Extras extras;
};

/// Where operations of one log lie in the spool.
struct Spooled {
  std::uint32_t generation = 0;
  long offset = 0;  // of the words
  std::size_t position = 0;
  std::size_t words = 0;
  std::size_t integers = 0;
  std::size_t texts = 0;
  std::size_t text_bytes = 0;
};

/// An operation of a log. Values are those of the buffer it lies in: `extras` has what is not inline.
struct Entry {
  std::uint32_t process = 0;
  std::uint16_t object = 0;
  std::uint16_t method = 0;
  Tick call = 0;
  Tick response = kPending;
  Value result;
  std::span<const std::uint64_t> arguments;
  const Extras* extras = nullptr;
};

/// What of a buffer is in the spool for good.
struct Flushed {
  std::size_t words = 0;     // of the buffer
  std::size_t position = 0;  // words in the spool, where cancelled operations are left out
  std::size_t integers = 0;
  std::size_t texts = 0;
  std::size_t tail = 0;  // where the buffer ended that had an operation in progress at its end, which was written too
};

struct Log {
  Log(std::size_t place, std::unique_ptr<ThreadLog> made) : number(place), thread(std::move(made)) {}

  std::size_t number;  // among the logs
  std::unique_ptr<ThreadLog> thread;
  bool idle = false;                             // its thread has ended
  std::vector<std::unique_ptr<Buffer>> buffers;  // the current one last; with a spool that works, the only one
  // With a spool: the first buffer's generation, how much of it is written, and where those before it lie.
  std::uint32_t generation = 0;
  Flushed flushed;
  std::vector<Spooled> spooled;
};

[[nodiscard]] Object object_of(std::string_view name, std::string_view type);
/// As it was given, with one blank between words.
[[nodiscard]] std::string text_of(const TypeName& type);

struct File {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct State {
  State(std::string_view type, RecorderOptions given);

  static const State& of(const Recorder& recorder) { return *recorder.state_; }

  ThreadLog& add_log();
  void release(ThreadLog& thread);
  /// As a new process, with nothing recorded and a buffer of so many words, if there is memory for one.
  void start(Log& log, std::size_t words);
  bool make_room(ThreadLog& thread, std::size_t words);
  /// The thread would record an integer that no value is: the recording ends.
  void refuse(ThreadLog& thread, std::uint64_t number);
  /// An object that is there, of its type: nobody could tell whose operations are whose, so the recording ends if it is
  /// given another one. A further object else. Under the mutex.
  std::size_t add_object(Object object);
  void clear();
  Result<void> close();
  /// When the recorder goes: no thread records any more.
  void leave_spool();
  /// What was lost, once the recording has ended early.
  [[nodiscard]] std::optional<Error> loss() const;

  /// The last moment that a reader who begins now can be sure to know whole.
  [[nodiscard]] std::int64_t cut() const {
    const std::int64_t now = clock.at_call();
    clock.enter();  // what follows looks at the buffers
    return std::min(ended.load(), now) - beginning;
  }
  [[nodiscard]] bool over() const { return ended.load(std::memory_order_relaxed) != kNever; }
  /// The operation at `words`, in ticks from the beginning; how many words it takes.
  std::size_t decode(const std::uint64_t* words, Entry& entry) const;
  static bool is_cancelled(const std::uint64_t* words);

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  const RecorderOptions options;
  const Clock clock;
  const std::uint64_t id;        // among all recorders that ever were
  const std::int64_t beginning;  // ticks count from here
  std::atomic<std::int64_t> ended = kNever;

  mutable std::mutex mutex;  // guards what follows
  std::vector<Object> objects;
  std::unordered_map<std::string, std::size_t> number_of_object;  // by name
  std::vector<std::string> methods;                               // names; several objects may share one
  std::deque<Log> logs;
  std::vector<Log*> idle;                                     // their threads have ended
  std::multimap<std::size_t, std::unique_ptr<Buffer>> spare;  // by size
  std::uint32_t processes = 0;
  std::size_t bytes = 0;
  Error why_ended;  // if it has
  std::unique_ptr<std::FILE, File> spool;
  long spool_size = 0;
  std::size_t names_spooled = 0;  // methods and objects
  bool settled = true;            // the last mark came after everything else had been written
  bool closed = false;            // the spool ends with its end
  std::optional<Error> failure;   // of the spool

 private:
  struct Gathered;

  void end(Error why);
  std::uint32_t next_process();
  std::unique_ptr<Buffer> take_buffer(std::size_t words);
  void keep_spare(std::unique_ptr<Buffer> buffer);
  static void enter(Log& log, std::unique_ptr<Buffer> buffer);
  static void enter_again(Log& log);
  static void leave(ThreadLog& thread);

  void begin_spool();
  bool flush(const Log* whole);
  bool append(const std::string& some);
  std::optional<Gathered> gather(Log& log, bool whole, std::string& out) const;
  void flush_now_and_then();

  std::condition_variable stop_flushing_;
  bool stopping_ = false;
  std::thread flusher_;
};

/// The operations of all logs in the order of their calls, up to a cut: what was called later is left out, what
/// returned later is pending. Threads may be inside operations, and nothing else.
class Merge {
 public:
  Merge(const State& state, std::int64_t cut);
  /// The next operation; false at the end, or when the spool cannot be read.
  bool next(Entry& entry);
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Cursor {
    std::size_t log = 0;           // its number
    std::vector<Spooled> blocks;   // in the spool, and not in memory
    std::vector<Buffer*> buffers;  // after them
    std::size_t block = 0;         // of both
    std::size_t at = 0, end = 0;
    const std::uint64_t* words = nullptr;
    Extras extras;
    std::vector<std::uint64_t> read_words;  // of the block that was read from the spool
    Entry entry;
  };
  bool advance(Cursor& cursor);
  bool load(Cursor& cursor);
  bool read(Cursor& cursor, const Spooled& block, std::size_t words);

  const State& state_;
  const std::int64_t cut_;
  std::vector<std::unique_ptr<Cursor>> cursors_;  // of logs that have more; a heap, the earliest call first
  std::unique_ptr<Cursor> latest_;                // whose operation was returned
  std::optional<Error> failure_;
};

}  // namespace linchpin::record
