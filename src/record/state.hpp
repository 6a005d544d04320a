// What a recorder holds: its logs, the names it was told, and the spool.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "formats/binary/layout.hpp"
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
  [[nodiscard]] std::size_t bytes() const;
};

// A value that is not inline: its kind, and above it the index among the extras of its buffer.
using formats::binary::kBigInteger;
using formats::binary::kString;
using formats::binary::kTagBits;
using formats::binary::kTagMask;

/// Words of one thread's operations, in the order of their calls.
struct Buffer {
  explicit Buffer(std::size_t size);

  alignas(128) std::atomic<std::size_t> used = 0;  // words that hold whole operations
  std::vector<std::uint64_t> words;
  std::mutex extras_mutex;  // texts are rare, and a reader may look while the thread goes on
  Extras extras;
};

/// Where a buffer lies in the spool.
struct Spooled {
  long offset = 0;
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

struct File {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct State {
  State(std::string_view type, RecorderOptions given);
  ~State();

  struct Log {
    explicit Log(std::unique_ptr<ThreadLog> made) : thread(std::move(made)) {}
    std::unique_ptr<ThreadLog> thread;
    std::vector<std::unique_ptr<Buffer>> buffers;  // the current one last
    std::vector<Spooled> spooled;
  };

  static const State& of(const Recorder& recorder) { return *recorder.state_; }

  ThreadLog& add_log();
  void start(Log& log);  // as a new process, with nothing recorded
  bool make_room(ThreadLog& thread, std::size_t words);
  Log& log_of(const ThreadLog& thread);
  std::unique_ptr<Buffer> take_buffer();  // none: memory is used up
  static void enter(Log& log, std::unique_ptr<Buffer> buffer);
  bool spool_out(Log& log);

  /// The last moment that a reader who begins now can be sure to know whole.
  [[nodiscard]] std::int64_t cut() const { return std::min(ended.load(), clock.at_call()) - beginning; }
  /// The operation at `words`, in ticks from the beginning; how many words it takes.
  std::size_t decode(const std::uint64_t* words, Entry& entry) const;

  const RecorderOptions options;
  const Clock clock;
  const std::uint64_t id;        // among all recorders that ever were
  const std::int64_t beginning;  // ticks count from here
  std::atomic<std::int64_t> ended = std::numeric_limits<std::int64_t>::max();

  mutable std::mutex mutex;  // guards what follows
  std::vector<Object> objects;
  std::vector<std::string> methods;  // names; several objects may share one
  std::deque<Log> logs;
  std::vector<std::unique_ptr<Buffer>> spare;
  std::uint32_t processes = 0;
  std::size_t bytes = 0;
  std::unique_ptr<std::FILE, File> spool;
  long spool_size = 0;
  std::optional<Error> failure;
};

/// The operations of all logs in the order of their calls, up to a cut: what was called later is left out, what
/// returned later is pending.
class Merge {
 public:
  Merge(const State& state, std::int64_t cut);
  /// The next operation; false at the end, or when the spool cannot be read.
  bool next(Entry& entry);
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  struct Cursor {
    const State::Log* log = nullptr;
    std::size_t block = 0;  // of those spooled, then of those in memory
    std::size_t at = 0, end = 0;
    const std::uint64_t* words = nullptr;
    Extras extras;
    std::vector<std::uint64_t> read_words;  // of the block that was read from the spool
    Entry entry;
  };
  bool advance(Cursor& cursor);
  bool load(Cursor& cursor);
  bool read(Cursor& cursor, const Spooled& block);

  const State& state_;
  const std::int64_t cut_;
  std::vector<std::unique_ptr<Cursor>> cursors_;  // of logs that have more; a heap, the earliest call first
  std::unique_ptr<Cursor> latest_;                // whose operation was returned
  std::optional<Error> failure_;
};

}  // namespace linchpin::record
