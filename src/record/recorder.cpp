// The recorder as its users see it.
#include "linchpin/record.hpp"

#include <utility>

#include "record/state.hpp"

namespace linchpin {

namespace {

/// The logs of one thread, by recorder. When the thread ends, they are free for others.
class LogsHere {
 public:
  ~LogsHere() {
    thread_has_ended = true;
    for (const Known& each : known_) {
      if (const auto state = each.state.lock()) state->release(*each.log);
    }
  }

  [[nodiscard]] ThreadLog* find(std::uint64_t recorder) const {
    for (const Known& each : known_) {
      if (each.recorder == recorder) return each.log;
    }
    return nullptr;
  }
  void add(const std::shared_ptr<record::State>& state, ThreadLog& log) {
    std::erase_if(known_, [](const Known& each) { return each.state.expired(); });
    known_.push_back({.state = state, .recorder = state->id, .log = &log});
  }

  static thread_local bool thread_has_ended;  // or is ending: what is called now belongs to other destructors

 private:
  struct Known {
    std::weak_ptr<record::State> state;
    std::uint64_t recorder = 0;  // never that of a later one
    ThreadLog* log = nullptr;
  };
  std::vector<Known> known_;
};

thread_local bool LogsHere::thread_has_ended = false;

}  // namespace

Recorder::Recorder(std::string_view type, RecorderOptions options)
    : state_(std::make_shared<record::State>(type, std::move(options))) {}

Recorder::~Recorder() { state_->leave_spool(); }

ObjectIndex Recorder::object(std::string_view name, std::string_view type) {
  const std::lock_guard lock(state_->mutex);
  return static_cast<ObjectIndex>(state_->add_object(record::object_of(name, type)));
}

RecordedMethod Recorder::method(std::string_view name, ObjectIndex object) {
  const std::lock_guard lock(state_->mutex);
  auto& methods = state_->methods;
  std::size_t i = 0;
  while (i < methods.size() && methods[i] != name) ++i;
  if (i == methods.size()) methods.emplace_back(name);
  return RecordedMethod(static_cast<std::uint32_t>(i | (std::size_t{object.number()} << 16U)));
}

ThreadLog& Recorder::thread() {
  const std::lock_guard lock(state_->mutex);
  return state_->add_log();
}

ThreadLog& Recorder::here() {
  static thread_local std::uint64_t latest_recorder = 0;
  static thread_local ThreadLog* latest = nullptr;
  if (latest_recorder == state_->id) return *latest;
  ThreadLog* log = nullptr;
  if (LogsHere::thread_has_ended) {
    log = &thread();
  } else {
    static thread_local LogsHere logs;
    log = logs.find(state_->id);
    if (log == nullptr) logs.add(state_, *(log = &thread()));
  }
  latest_recorder = state_->id;
  return *(latest = log);
}

void Recorder::clear() { state_->clear(); }

bool Recorder::full() const { return state_->over(); }

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

Result<void> Recorder::close() { return state_->close(); }

}  // namespace linchpin
