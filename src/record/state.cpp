// The recorder's slow paths: logs and buffers come and go under one mutex. The fast path is in record.hpp.
#include "record/state.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace linchpin {

namespace record {

namespace {

constexpr std::size_t kLeastWords = 512;             // of a buffer; an operation has at most 260
constexpr std::uint32_t kMostProcesses = 1U << 24U;  // bits of a process in an operation's first word

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

/// "queue capacity=3". As TypeName::parse reads it, which belongs to the library that a recorder does without; what is
/// wrong with a type is said when the recording is checked.
TypeName type_of(std::string_view text) {
  TypeName type;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    if (type.name.empty()) {
      type.name = word;
    } else {
      type.options.emplace_back(word.substr(0, equals),
                                equals == std::string_view::npos ? std::string_view() : word.substr(equals + 1));
    }
  }
  return type;
}

}  // namespace

std::string text_of(const TypeName& type) {
  std::string text = type.name;
  for (const auto& [option, value] : type.options) text.append(" ").append(option).append("=").append(value);
  return text;
}

Object object_of(std::string_view name, std::string_view type) {
  return {.name = std::string(name), .type = type_of(type)};
}

void Extras::clear() {
  integers.clear();
  text_ends.clear();
  text.clear();
}

bool Extras::has(Value value) const {
  const std::uint64_t index = value.bits() >> kTagBits;
  switch (value.bits() & kTagMask) {
    case kBigInteger: return index < integers.size();
    case kString: return index < text_ends.size();
    default: return true;
  }
}

Buffer::Buffer(std::size_t size) : words(size) {}  // writing zeros touches every page

void Buffer::clear() {
  used.store(0, std::memory_order_relaxed);
  extras.clear();
}

State::State(std::string_view type, RecorderOptions given)
    : options(std::move(given)),
      clock(options.clock),
      id(next_id()),
      beginning(clock.at_call()),
      objects{object_of({}, type)} {
  number_of_object.emplace(objects[0].name, 0);
  if (!options.spool.empty()) begin_spool();
}

ThreadLog& State::add_log() {
  if (idle.empty()) {
    Log& log = logs.emplace_back(logs.size(), std::unique_ptr<ThreadLog>(new ThreadLog(*this, clock, options)));
    log.thread->log_ = &log;
    start(log, kLeastWords);
    return *log.thread;
  }
  Log& log = *idle.back();  // goes on where the other thread has ended
  idle.pop_back();
  log.idle = false;
  ThreadLog& thread = *log.thread;
  thread.open_ = nullptr;
  thread.process_ = next_process();
  thread.last_ = std::max(thread.last_, clock.at_response());
  return thread;
}

void State::release(ThreadLog& thread) {
  const std::lock_guard lock(mutex);
  if (!std::exchange(thread.log_->idle, true)) idle.push_back(thread.log_);
}

void State::start(Log& log, std::size_t words) {
  ThreadLog& thread = *log.thread;
  leave(thread);
  thread.open_ = nullptr;
  thread.process_ = next_process();
  thread.last_ = clock.at_response();
  if (auto buffer = take_buffer(words)) enter(log, std::move(buffer));
}

std::uint32_t State::next_process() {
  if (processes + 1 < kMostProcesses) return processes++;
  end({.code = ErrorCode::too_large,
       .message = "operations were lost: a recording has at most 2^24 - 1 processes",
       .hint = "every thread is one, and so is what goes on after an operation that did not return"});
  return processes;
}

void State::end(Error why) {
  if (over()) return;
  why_ended = std::move(why);
  ended.store(clock.at_call());
}

std::optional<Error> State::loss() const {
  const std::lock_guard lock(mutex);
  if (!over()) return std::nullopt;
  return why_ended;
}

/// The smallest spare buffer that has so many words, or a new one, or else what there is. None: memory is used up.
std::unique_ptr<Buffer> State::take_buffer(std::size_t words) {
  if (over()) return nullptr;
  auto at = spare.lower_bound(words);
  if (at == spare.end()) {
    for (; words >= kLeastWords && bytes + words * 8 > options.bytes; words /= 2) {
      if (!spare.empty()) break;
    }
    if (words >= kLeastWords && bytes + words * 8 <= options.bytes) {
      bytes += words * 8;
      return std::make_unique<Buffer>(words);
    }
    if (spare.empty()) return nullptr;
    --at;
  }
  auto buffer = std::move(at->second);
  spare.erase(at);
  return buffer;
}

void State::keep_spare(std::unique_ptr<Buffer> buffer) {
  buffer->clear();
  const std::size_t size = buffer->words.size();
  spare.emplace(size, std::move(buffer));
}

void State::enter(Log& log, std::unique_ptr<Buffer> buffer) {
  log.buffers.push_back(std::move(buffer));
  enter_again(log);
}

void State::enter_again(Log& log) {
  ThreadLog& thread = *log.thread;
  Buffer& buffer = *log.buffers.back();
  thread.begin_ = thread.next_ = buffer.words.data();
  thread.end_ = thread.begin_ + buffer.words.size();
  thread.used_ = &buffer.used;
  thread.buffer_ = &buffer;
}

void State::leave(ThreadLog& thread) {
  thread.next_ = thread.end_ = thread.begin_ = nullptr;
  thread.used_ = nullptr;
  thread.buffer_ = nullptr;
}

bool State::make_room(ThreadLog& thread, std::size_t words) {
  const std::lock_guard lock(mutex);
  if (thread.open_ != nullptr) {  // it never returned, so its process may not go on
    thread.open_ = nullptr;
    thread.process_ = next_process();
  }
  if (over()) {
    leave(thread);
    return false;
  }
  if (static_cast<std::size_t>(thread.end_ - thread.next_) >= words) return true;
  Log& log = *thread.log_;
  const std::size_t had = log.buffers.empty() ? 0 : log.buffers.back()->words.size();
  const std::size_t wanted = std::clamp(had * 2, kLeastWords, std::max(options.buffer_bytes / 8, kLeastWords));
  if (had > 0 && flush(&log)) {  // all of the buffer is in the spool
    ++log.generation;
    log.flushed = {};
    if (auto larger = wanted > had ? take_buffer(wanted) : nullptr) {
      keep_spare(std::move(log.buffers.back()));
      log.buffers.pop_back();
      enter(log, std::move(larger));
    } else {
      log.buffers.back()->clear();
      enter_again(log);
    }
    return true;
  }
  auto buffer = take_buffer(wanted);
  if (buffer == nullptr) {
    // Whatever is called from now on is not part of the recording, by whichever thread.
    end(failure ? *failure
                : Error{.code = ErrorCode::too_large,
                        .message = "operations were lost: the " + std::to_string(options.bytes) +
                                   " bytes of memory that the recorder may use were used up",
                        .hint = "give it more (RecorderOptions::bytes), or a file (RecorderOptions::spool)"});
    leave(thread);
    return false;
  }
  enter(log, std::move(buffer));
  return true;
}

void State::refuse(ThreadLog& thread, std::uint64_t number) {
  const std::lock_guard lock(mutex);
  end({.code = ErrorCode::too_large,
       .message = "operations were lost: " + std::to_string(number) +
                  " is above 2^63 - 1, the largest integer that can be recorded",
       .hint = "record numbers that are smaller, or texts"});
  thread.open_ = nullptr;
  leave(thread);  // its process may not go on
}

std::size_t State::add_object(Object object) {
  const auto [known, is_new] = number_of_object.try_emplace(object.name, objects.size());
  if (is_new) {
    objects.push_back(std::move(object));
    return known->second;
  }
  const std::string one = text_of(objects[known->second].type), other = text_of(object.type);
  if (one != other) {
    end({.code = ErrorCode::bad_option,
         .message = "operations were lost: the object '" + object.name + "' is given two types, '" + one + "' and '" +
                    other + "'",
         .hint = "each object has a name of its own"});
  }
  return known->second;
}

void State::clear() {
  const std::lock_guard lock(mutex);
  ended.store(kNever);
  failure.reset();
  processes = 0;
  std::vector<std::size_t> wanted;  // so that the next recording, if it is as long, finds one buffer for all of it
  for (Log& log : logs) {
    std::size_t words = 0;
    for (auto& buffer : log.buffers) {
      words += buffer->words.size();
      keep_spare(std::move(buffer));
    }
    wanted.push_back(std::clamp(words, kLeastWords, std::max(options.buffer_bytes / 8, kLeastWords)));
    log.buffers.clear();
    log.spooled.clear();
    log.flushed = {};
    log.generation = 0;
  }
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (logs[i].idle) {
      leave(*logs[i].thread);
    } else {
      start(logs[i], wanted[i]);
    }
  }
  if (!options.spool.empty()) begin_spool();
}

}  // namespace record

bool ThreadLog::make_room(std::size_t words) {
  if (!state_->over()) return state_->make_room(*this, words);
  open_ = nullptr;
  return false;
}

void ThreadLog::refuse(std::uint64_t number) { state_->refuse(*this, number); }

void ThreadLog::finish() { state_->release(*this); }

Value ThreadLog::big_integer(std::int64_t number) {
  record::Buffer& buffer = *buffer_;
  const std::lock_guard lock(buffer.extras_mutex);
  buffer.extras.integers.push_back(number);
  return Value::from_bits(((buffer.extras.integers.size() - 1) << record::kTagBits) | record::kBigInteger);
}

Value ThreadLog::text(std::string_view text) {
  record::Buffer& buffer = *buffer_;
  const std::lock_guard lock(buffer.extras_mutex);
  buffer.extras.text += text;
  buffer.extras.text_ends.push_back(buffer.extras.text.size());
  return Value::from_bits(((buffer.extras.text_ends.size() - 1) << record::kTagBits) | record::kString);
}

}  // namespace linchpin
