// The spool: a file that is a readable history at any moment (formats/binary/recording.hpp has its layout).
//
// A thread that fills its buffer writes what *all* threads have recorded since the last time, under the mutex, and then
// a mark: up to this tick everything is in the file. So a thread that does nothing delays nothing. The tick of the mark
// is read before the buffers are. An operation that is not in them then has not begun, so no operation that had
// returned by that tick can have seen it: the file, cut at its last mark, is a prefix by time of the whole.
//
// The last operation of a log may be in progress. It is written as pending, since others may have seen its effect. The
// next block of its log has it once more, and replaces it.
#include <cerrno>
#include <cstring>
#include <filesystem>

#define XXH_INLINE_ALL  // so that who links a recorder links nothing else
#include <xxhash.h>

#include "record/state.hpp"

#if defined(__unix__)
#include <unistd.h>
#endif

namespace linchpin::record {

namespace {

using formats::binary::Block;
using formats::binary::BlockHeader;
using formats::binary::padded;
using formats::binary::RecordingHeader;

static_assert(std::size_t{formats::binary::kRecordedHead} == 4, "as ThreadLog has an operation's words");

Error spool_error(const std::string& path) {
  return Error{.code = ErrorCode::io,
               .source = path,
               .message = std::string("cannot write what was recorded: ") + std::strerror(errno),
               .hint = errno == EEXIST ? "remove the file, or set RecorderOptions::overwrite_spool"
                                       : "what follows is recorded in memory, as far as that goes"};
}

template <class T>
void append_numbers(std::string& out, const T* numbers, std::size_t count) {
  static_assert(sizeof(T) == 8);
  if (count > 0) out.append(reinterpret_cast<const char*>(numbers), count * sizeof(T));
}

/// Completes the block that begins at `begin` in `out`.
void seal(std::string& out, std::size_t begin, BlockHeader header) {
  out.resize(begin + padded(out.size() - begin));
  std::memcpy(out.data() + begin, &header, sizeof header);
  header.checksum = XXH3_64bits(out.data() + begin, out.size() - begin);
  std::memcpy(out.data() + begin, &header, sizeof header);
}

/// A block of the names, a mark, or the end.
void append_block(std::string& out, BlockHeader header, const Extras& extras) {
  const std::size_t begin = out.size();
  out.resize(begin + sizeof header);
  header.integers = extras.integers.size();
  header.texts = extras.text_ends.size();
  header.text_bytes = extras.text.size();
  append_numbers(out, extras.integers.data(), header.integers);
  append_numbers(out, extras.text_ends.data(), header.texts);
  out += extras.text;
  seal(out, begin, header);
}

void add_text(Extras& extras, std::string_view text) {
  extras.text += text;
  extras.text_ends.push_back(extras.text.size());
}

Extras names_of(const State& state) {
  Extras names;
  names.integers.push_back(static_cast<std::int64_t>(state.methods.size()));
  for (const std::string& method : state.methods) add_text(names, method);
  for (const Object& object : state.objects) {
    add_text(names, object.name);
    add_text(names, text_of(object.type));
  }
  return names;
}

/// Only a file: what is something else stays.
void remove_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::regular) {
    std::filesystem::remove(path, ignored);
  }
}

bool cut_off(std::FILE* file, const std::string& path, long size) {
#if defined(__unix__)
  static_cast<void>(path);
  return ftruncate(fileno(file), size) == 0;
#else
  static_cast<void>(file);
  std::error_code error;
  std::filesystem::resize_file(path, static_cast<std::uintmax_t>(size), error);
  return !error;
#endif
}

}  // namespace

struct State::Gathered {
  Log* log = nullptr;
  Flushed flushed;
  Spooled block;
};

/// A new file, or the same one from its beginning.
void State::begin_spool() {
  if (spool == nullptr) {
    if (options.overwrite_spool) remove_file(options.spool);
    spool.reset(std::fopen(options.spool.c_str(), "w+bx"));
    if (spool == nullptr) {
      failure = spool_error(options.spool);
      return;
    }
  } else if (!cut_off(spool.get(), options.spool, 0)) {
    failure = spool_error(options.spool);
    return;
  }
  spool_size = 0;
  names_spooled = 0;
  settled = true;
  closed = false;
  RecordingHeader header{.version = formats::binary::kRecordingVersion, .reserved = 0, .beginning = beginning};
  std::memcpy(header.magic, formats::binary::kRecordingMagic.data(), sizeof header.magic);
  header.checksum = XXH3_64bits(&header, sizeof header);
  append(std::string(reinterpret_cast<const char*>(&header), sizeof header));
  // Not before there is something that it may go on with.
  if (!flusher_.joinable()) flusher_ = std::thread([this] { flush_now_and_then(); });
}

bool State::append(const std::string& some) {
  std::FILE* const file = spool.get();
  errno = 0;
  if (std::fseek(file, spool_size, SEEK_SET) == 0 && std::fwrite(some.data(), 1, some.size(), file) == some.size() &&
      std::fflush(file) == 0) {
    spool_size += static_cast<long>(some.size());
    return true;
  }
  failure = spool_error(options.spool);
  std::clearerr(file);
  cut_off(file, options.spool, spool_size);  // if not, readers stop at the block that is not whole
  return false;
}

/// Writes what is new of all logs, and a mark.
/// @param whole  its thread is here, between two operations: nothing of it is in progress
bool State::flush(const Log* whole) {
  if (spool == nullptr || failure) return false;
  const std::int64_t until = cut();
  std::string out;
  if (names_spooled != methods.size() + objects.size()) append_block(out, {.kind = Block::names}, names_of(*this));
  std::vector<Gathered> gathered;
  for (Log& log : logs) {
    if (auto some = gather(log, &log == whole, out)) gathered.push_back(*some);
  }
  if (out.empty() && settled) return true;
  settled = out.empty();
  closed = false;
  append_block(out, {.kind = Block::mark, .position = static_cast<std::uint64_t>(until)}, {});
  const long begin = spool_size;
  if (!append(out)) return false;
  names_spooled = methods.size() + objects.size();
  for (Gathered& each : gathered) {
    each.block.offset += begin;
    each.log->flushed = each.flushed;
    each.log->spooled.push_back(each.block);
  }
  return true;
}

std::optional<State::Gathered> State::gather(Log& log, bool whole, std::string& out) const {
  if (log.buffers.empty()) return std::nullopt;
  Buffer& buffer = *log.buffers.back();
  const std::size_t used = buffer.used.load(std::memory_order_acquire);
  const std::uint64_t* const words = buffer.words.data();
  Flushed done = log.flushed;
  std::vector<std::uint64_t> copied;
  bool news = false;  // beyond an operation that is in progress still
  for (std::size_t at = done.words; at < used;) {
    Entry entry;
    const std::size_t size = decode(words + at, entry);
    const bool cancelled = is_cancelled(words + at);
    const bool in_progress = !cancelled && entry.response == kPending && at + size == used && !whole;
    if (!cancelled) {
      const bool pending = entry.response == kPending;
      copied.insert(copied.end(), {words[at], words[at + 1],
                                   static_cast<std::uint64_t>(pending ? kPending : entry.response + beginning),
                                   (pending ? Value::unknown() : entry.result).bits()});
      copied.insert(copied.end(), entry.arguments.begin(), entry.arguments.end());
    }
    at += size;
    if (in_progress) {
      news = news || done.tail != used;
      done.tail = used;
    } else {
      news = true;
      done.words = at;
      done.position += cancelled ? 0 : size;
    }
  }
  if (!news) return std::nullopt;
  const std::size_t begin = out.size();
  out.resize(begin + sizeof(BlockHeader));
  append_numbers(out, copied.data(), copied.size());
  Gathered gathered{.log = &log,
                    .flushed = done,
                    .block = {.generation = log.generation,
                              .offset = static_cast<long>(begin + sizeof(BlockHeader)),
                              .position = log.flushed.position,
                              .words = copied.size()}};
  Spooled& block = gathered.block;
  {  // whatever the words refer to was there before them
    const std::lock_guard lock(buffer.extras_mutex);
    const Extras& extras = buffer.extras;
    block.integers = extras.integers.size() - done.integers;
    block.texts = extras.text_ends.size() - done.texts;
    const std::size_t text_begin = done.texts == 0 ? 0 : extras.text_ends[done.texts - 1];
    block.text_bytes = extras.text.size() - text_begin;
    append_numbers(out, extras.integers.data() + done.integers, block.integers);
    append_numbers(out, extras.text_ends.data() + done.texts, block.texts);
    out.append(extras.text, text_begin);
    gathered.flushed.integers = extras.integers.size();
    gathered.flushed.texts = extras.text_ends.size();
  }
  seal(out, begin,
       {.kind = Block::operations,
        .log = static_cast<std::uint32_t>(log.number),
        .generation = log.generation,
        .position = block.position,
        .words = block.words,
        .integers = block.integers,
        .texts = block.texts,
        .text_bytes = block.text_bytes});
  return gathered;
}

void State::flush_now_and_then() {
  std::unique_lock lock(mutex);
  while (!stop_flushing_.wait_for(lock, options.spool_every, [this] { return stopping_; })) flush(nullptr);
}

Result<void> State::close() {
  const auto lost = loss();
  const std::lock_guard lock(mutex);
  if (spool != nullptr && !failure) {
    settled = settled && closed;  // a mark at the end, whatever came before
    if (flush(nullptr) && !closed) {
      Extras text;
      if (lost) add_text(text, lost->message);
      std::string out;
      append_block(out, {.kind = Block::end}, text);
      closed = append(out);
    }
  }
  if (lost) return *lost;
  if (failure) return *failure;
  return {};
}

void State::leave_spool() {
  if (spool == nullptr) return;
  if (options.keep_spool) static_cast<void>(close());
  {
    const std::lock_guard lock(mutex);
    stopping_ = true;
  }
  stop_flushing_.notify_all();
  flusher_.join();
  const std::lock_guard lock(mutex);
  spool.reset();
  if (!options.keep_spool) remove_file(options.spool);
}

}  // namespace linchpin::record
