// The recorder's slow paths: logs and buffers come and go under one mutex. The fast path is in record.hpp.
#include "linchpin/record.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "record/state.hpp"

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

Error spool_error(const std::string& path) {
  return Error{.code = ErrorCode::io,
               .source = path,
               .message = std::string("cannot write what was recorded: ") + std::strerror(errno),
               .hint = "the recording ends here"};
}

}  // namespace

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

std::size_t Extras::bytes() const { return (integers.size() + text_ends.size()) * 8 + text.size(); }

Buffer::Buffer(std::size_t size) : words(size) {}  // writing zeros touches every page

State::State(std::string_view type, RecorderOptions given)
    : options(std::move(given)),
      clock(options.clock),
      id(next_id()),
      beginning(clock.at_call()),
      objects{Object{.name = {}, .type = type_of(type)}} {}

State::~State() {
  spool.reset();
  if (!options.spool.empty()) std::remove(options.spool.c_str());
}

ThreadLog& State::add_log() {
  logs.emplace_back(std::unique_ptr<ThreadLog>(new ThreadLog(*this, clock, options)));
  start(logs.back());
  return *logs.back().thread;
}

void State::start(Log& log) {
  ThreadLog& thread = *log.thread;
  thread.next_ = thread.end_ = thread.begin_ = thread.open_ = nullptr;
  thread.used_ = nullptr;
  thread.process_ = processes++;
  thread.last_ = clock.at_response();
  if (auto buffer = take_buffer()) enter(log, std::move(buffer));
}

State::Log& State::log_of(const ThreadLog& thread) {
  return *std::find_if(logs.begin(), logs.end(), [&](const Log& log) { return log.thread.get() == &thread; });
}

std::unique_ptr<Buffer> State::take_buffer() {
  if (!spare.empty()) {
    auto buffer = std::move(spare.back());
    spare.pop_back();
    return buffer;
  }
  if (ended.load(std::memory_order_relaxed) == std::numeric_limits<std::int64_t>::max() && processes < kMostProcesses &&
      bytes + options.buffer_bytes <= options.bytes) {
    bytes += options.buffer_bytes;
    return std::make_unique<Buffer>(std::max(options.buffer_bytes / 8, kLeastWords));
  }
  // Whatever is called from now on is not part of the recording, by whichever thread.
  ended.store(std::min(ended.load(), clock.at_call()));
  return nullptr;
}

void State::enter(Log& log, std::unique_ptr<Buffer> buffer) {
  ThreadLog& thread = *log.thread;
  thread.begin_ = thread.next_ = buffer->words.data();
  thread.end_ = thread.begin_ + buffer->words.size();
  thread.used_ = &buffer->used;
  thread.buffer_ = buffer.get();
  log.buffers.push_back(std::move(buffer));
}

bool State::make_room(ThreadLog& thread, std::size_t words) {
  const std::lock_guard lock(mutex);
  if (thread.open_ != nullptr) {  // it never returned, so its process may not go on
    thread.open_ = nullptr;
    thread.process_ = processes++;
    if (processes >= kMostProcesses) ended.store(std::min(ended.load(), clock.at_call()));
  }
  if (thread.used_ != nullptr && static_cast<std::size_t>(thread.end_ - thread.next_) >= words) return true;
  Log& log = log_of(thread);
  if (thread.used_ != nullptr && !options.spool.empty() && spool_out(log)) {
    thread.next_ = thread.begin_;
    return true;
  }
  auto buffer = take_buffer();
  if (buffer == nullptr) {
    thread.next_ = thread.end_ = nullptr;
    thread.used_ = nullptr;
    return false;
  }
  enter(log, std::move(buffer));
  return true;
}

bool State::spool_out(Log& log) {
  if (failure) return false;
  if (spool == nullptr) {
    spool.reset(std::fopen(options.spool.c_str(), "w+b"));
    if (spool == nullptr) {
      failure = spool_error(options.spool);
      return false;
    }
  }
  Buffer& buffer = *log.buffers.back();
  const Extras& extras = buffer.extras;
  const std::size_t words = buffer.used.load(std::memory_order_relaxed);
  const auto put = [this](const void* data, std::size_t size) {
    return std::fwrite(data, 1, size, spool.get()) == size;
  };
  const bool whole = std::fseek(spool.get(), spool_size, SEEK_SET) == 0 && put(buffer.words.data(), words * 8) &&
                     put(extras.integers.data(), extras.integers.size() * 8) &&
                     put(extras.text_ends.data(), extras.text_ends.size() * 8) &&
                     put(extras.text.data(), extras.text.size());
  if (!whole) {
    failure = spool_error(options.spool);
    return false;
  }
  log.spooled.push_back({.offset = spool_size,
                         .words = words,
                         .integers = extras.integers.size(),
                         .texts = extras.text_ends.size(),
                         .text_bytes = extras.text.size()});
  spool_size += static_cast<long>(words * 8 + extras.bytes());
  buffer.used.store(0, std::memory_order_relaxed);
  buffer.extras.clear();
  return true;
}

}  // namespace record

bool ThreadLog::make_room(std::size_t words) {
  if (used_ == nullptr) return false;  // the recording is over
  return state_->make_room(*this, words);
}

Value ThreadLog::big_integer(std::int64_t number) {
  if (used_ == nullptr) return Value::unknown();
  record::Buffer& buffer = *buffer_;
  const std::lock_guard lock(buffer.extras_mutex);
  buffer.extras.integers.push_back(number);
  return Value::from_bits(((buffer.extras.integers.size() - 1) << record::kTagBits) | record::kBigInteger);
}

Value ThreadLog::text(std::string_view text) {
  if (used_ == nullptr) return Value::unknown();
  record::Buffer& buffer = *buffer_;
  const std::lock_guard lock(buffer.extras_mutex);
  buffer.extras.text += text;
  buffer.extras.text_ends.push_back(buffer.extras.text.size());
  return Value::from_bits(((buffer.extras.text_ends.size() - 1) << record::kTagBits) | record::kString);
}

Recorder::Recorder(std::string_view type, RecorderOptions options)
    : state_(std::make_unique<record::State>(type, std::move(options))) {}
Recorder::~Recorder() = default;

ObjectIndex Recorder::object(std::string_view name, std::string_view type) {
  const std::lock_guard lock(state_->mutex);
  state_->objects.push_back({.name = std::string(name), .type = record::type_of(type)});
  return static_cast<ObjectIndex>(state_->objects.size() - 1);
}

RecordedMethod Recorder::method(std::string_view name, ObjectIndex object) {
  const std::lock_guard lock(state_->mutex);
  auto& methods = state_->methods;
  std::size_t i = 0;
  while (i < methods.size() && methods[i] != name) ++i;
  if (i == methods.size()) methods.emplace_back(name);
  return RecordedMethod(static_cast<std::uint32_t>(i | (std::size_t{object} << 16U)));
}

ThreadLog& Recorder::thread() {
  const std::lock_guard lock(state_->mutex);
  return state_->add_log();
}

ThreadLog& Recorder::here() {
  struct Known {
    std::uint64_t recorder = 0;
    ThreadLog* log = nullptr;
  };
  static thread_local Known latest;
  if (latest.recorder == state_->id) return *latest.log;
  static thread_local std::vector<Known> known;  // of recorders that are gone too: their ids never come again
  for (const Known& each : known) {
    if (each.recorder == state_->id) return *(latest = each).log;
  }
  known.push_back(latest = {.recorder = state_->id, .log = &thread()});
  return *latest.log;
}

void Recorder::clear() {
  record::State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.ended.store(std::numeric_limits<std::int64_t>::max());
  state.failure.reset();
  state.processes = 0;
  state.spool_size = 0;
  for (record::State::Log& log : state.logs) {
    log.spooled.clear();
    for (auto& buffer : log.buffers) {
      buffer->used.store(0, std::memory_order_relaxed);
      buffer->extras.clear();
      state.spare.push_back(std::move(buffer));
    }
    log.buffers.clear();
  }
  for (record::State::Log& log : state.logs) state.start(log);
}

bool Recorder::full() const { return state_->ended.load() != std::numeric_limits<std::int64_t>::max(); }

std::optional<Error> Recorder::failure() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

std::size_t Recorder::size() const {
  record::Merge merge(*state_, state_->cut());
  std::size_t count = 0;
  for (record::Entry entry; merge.next(entry);) ++count;
  return count;
}

const Clock& Recorder::clock() const { return state_->clock; }

}  // namespace linchpin
