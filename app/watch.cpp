// linchpin watch TYPE: the automata of a type online, over a history as it is being written.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "app/automaton_types.hpp"
#include "app/command.hpp"
#include "app/history_stream.hpp"
#include "app/interrupt.hpp"
#include "app/limit_options.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "base/foreign_text.hpp"
#include "base/none.hpp"
#include "core/reading_limits.hpp"
#include "explain/shortened.hpp"
#include "history/process_names.hpp"
#include "research/automata/execution.hpp"
#include "research/automata/online/watch.hpp"

namespace linchpin::app {

namespace {

using automata::Alarm;
using automata::Method;
using automata::ValueName;

struct WatchArguments {
  std::string type;
  std::string path = "-";
  std::size_t window = 0;
  ReadOptions read;
};

constexpr std::size_t kImports = 100'000;  // of priorities that are no small integers, before a pool is renewed

/// An operation, without its history.
struct Row {
  Tick call = 0, response = kPending;
  std::uint64_t number = 0;  // rows read before it
  std::uint64_t line = 0;
  ProcessId process = kNoProcess;  // of the whole input
  Method method = Method::add;
  bool lost = false;  // a remove that never returned
  ValueName value = {};
  Value priority = {};
};

/// A response that is still to come.
struct Response {
  Tick tick = 0;
  std::uint64_t number = 0, line = 0;
  Method method = Method::add;
  automata::Slot value = linchpin::kNone;
  automata::Moment called = 0;  // of a remove that finds nothing
};

/// One run of the command.
class Watching {
 public:
  Watching(const WatchArguments& arguments, std::shared_ptr<const Specification> specification)
      : arguments_(arguments), specification_(std::move(specification)), watch_(*specification_, *pool_) {}

  int execute() {
    auto stream = HistoryStream::open(arguments_.path, interrupt_.reading(arguments_.read));
    if (!stream) return fail(stream.error());
    const core::ReadingLimits memory(arguments_.read.limits);
    while (true) {
      if (!memory.allows(0)) {
        too_large_ = true;
        return finish();
      }
      auto batch = stream->next();
      if (!batch && batch.error().code == ErrorCode::interrupted) return finish();
      if (!batch) return fail(batch.error());
      if (!*batch) break;
      if (auto read = take(**batch, *stream); !read) return fail(read.error());
      if (ended_) return *ended_;
      if (imported_ > kImports + 4 * (watch_.values() + waiting_.size())) forget_priorities();
    }
    while (!waiting_.empty() && !ended_) {
      if (auto called = call_first(); !called) return fail(called.error());
    }
    if (!ended_) return_before(kPending);
    return ended_ ? *ended_ : finish();
  }

 private:
  template <class T>
  struct Later {
    bool operator()(const T& left, const T& right) const {
      return std::pair(key(left), left.number) > std::pair(key(right), right.number);
    }
    static Tick key(const Row& row) { return row.call; }
    static Tick key(const Response& response) { return response.tick; }
  };

  int fail(Error error) {
    if (error.source.empty()) error.source = arguments_.path;
    print_error(error);
    return kBadInput;
  }

  Error error_at(std::uint64_t line, ErrorCode code, std::string message, std::string hint) const {
    return Error{
        .code = code, .source = arguments_.path, .line = line, .message = std::move(message), .hint = std::move(hint)};
  }

  /// The rows of a batch, as far as they are in order.
  Result<void> take(const History& batch, const HistoryStream& stream) {
    batch_processes_.clear();
    for (const Object& object : batch.objects()) {
      if (batch.size() == 0) break;
      if (object_ && *object_ != object.name) {
        return error_at(0, ErrorCode::unsupported, "the history is of several objects", "watch one at a time");
      }
      object_ = object.name;
      if (auto right = check_named_type(object.type, arguments_.type); !right) return right;
    }
    for (OperationIndex i = 0; i < batch.size() && !ended_; ++i) {
      auto row = row_of(batch, i, stream.line(batch.place(i).line));
      if (!row) return row.error();
      waiting_.push_back(std::move(*row));
      std::push_heap(waiting_.begin(), waiting_.end(), Later<Row>());
      if (waiting_.size() <= arguments_.window) continue;
      if (auto called = call_first(); !called) return called;
    }
    return {};
  }

  Result<Row> row_of(const History& batch, OperationIndex i, std::uint64_t line) {
    const auto method = specification_->find_method(batch.method_name(batch.method(i)));
    if (!method) {
      return error_at(line, ErrorCode::unknown_method,
                      fmt::format("{} has no method {}", specification_->name(), batch.method_name(batch.method(i))),
                      "linchpin types lists the methods");
    }
    const Operation operation{.method = *method,
                              .arguments = batch.arguments(i),
                              .result = batch.result(i),
                              .process = kNoProcess,
                              .pool = &batch.pool()};
    const linchpin::Method& form = specification_->methods()[*method];
    if (operation.arguments.size() < form.least || operation.arguments.size() > form.most) {
      return error_at(line, ErrorCode::bad_arguments,
                      fmt::format("{}: so many arguments do not fit", batch.describe(i)),
                      fmt::format("{} takes {} to {}", form.name, form.least, form.most));
    }
    if (std::string why = specification_->invalid(operation); !why.empty()) {
      return error_at(line, ErrorCode::bad_arguments, fmt::format("{}: {}", batch.describe(i), why), "");
    }
    Value about;
    if (const auto not_understood = automata::subject_of(operation, batch.pending(i), about)) {
      return error_at(line, not_understood->code, fmt::format("{} {}", batch.describe(i), not_understood->why),
                      std::string(not_understood->hint));
    }
    Row row{.call = batch.call(i),
            .response = batch.response(i),
            .number = rows_++,
            .line = line,
            .process = process_of(batch, i)};
    if (automata::adds(operation)) {
      const Value priority = operation.arguments.back();
      if (has_priorities_) row.priority = priority.is_integer() ? priority : import(priority, batch.pool());
    } else {
      row.lost = about.is_unknown();
      row.method = about.is_none() ? Method::empty : Method::remove;
    }
    if (about.is_integer()) {
      row.value.integer = about;
    } else if (row.method != Method::empty && !row.lost) {
      row.value.text = batch.pool().to_text(about);
    }
    return row;
  }

  /// Batches number the names of processes each for itself.
  ProcessId process_of(const History& batch, OperationIndex i) {
    const ProcessId process = batch.process(i);
    if (process == kNoProcess || (process & history::kNamedProcess) == 0) return process;
    const auto [known, is_new] = batch_processes_.try_emplace(process, 0);
    if (is_new) {
      const auto number = static_cast<ProcessId>(process_names_.size());
      known->second =
          process_names_.try_emplace(batch.process_name(process), history::kNamedProcess | number).first->second;
    }
    return known->second;
  }

  /// A process runs one operation at a time, and none after one that never returned.
  Result<void> check_process(const Row& row) {
    if (row.process == kNoProcess) return {};
    const auto [last, is_first] = last_.try_emplace(row.process, row.call, row.response);
    const auto [called, before] = last->second;
    // What took no time, at the call of the one before, may have been done before that.
    if (!is_first && called == row.call && row.response == row.call) return {};
    last->second = {row.call, row.response};
    if (is_first || before <= row.call) return {};
    const bool pending = before == kPending;
    return error_at(row.line, pending ? ErrorCode::after_pending : ErrorCode::overlapping_operations,
                    fmt::format("the process calls at {}, {}", row.call,
                                pending ? "after an operation that never returned"
                                        : fmt::format("while its operation before is open until {}", before)),
                    pending ? "give a client that goes on after a crash a new process"
                            : "a process runs one operation at a time; use one process for each thread");
  }

  Value import(Value priority, const ValuePool& from) {
    ++imported_;
    return pool_->import(priority, from);
  }

  /// A pool only grows: begins another one with the priorities that are still of interest.
  void forget_priorities() {
    auto fresh = std::make_unique<ValuePool>();
    const auto moved = [&](Value priority) {
      return priority.is_none() || priority.is_integer() ? priority : fresh->import(priority, *pool_);
    };
    for (Row& row : waiting_) row.priority = moved(row.priority);
    watch_.move_priorities(moved, *fresh);
    pool_ = std::move(fresh);
    imported_ = 0;
  }

  /// Calls the first of the waiting rows, after what has returned before it.
  Result<void> call_first() {
    std::pop_heap(waiting_.begin(), waiting_.end(), Later<Row>());
    const Row row = std::move(waiting_.back());
    waiting_.pop_back();
    if (row.call < now_) {
      return error_at(
          row.line, ErrorCode::unsupported, fmt::format("the row is called at {}, one before it at {}", row.call, now_),
          fmt::format("--window ROWS puts rows in order that are at most so many apart (now {})", arguments_.window));
    }
    if (auto right = check_process(row); !right) return right;
    now_ = row.call;
    return_before(row.call);
    if (ended_) return {};
    if (row.lost) {
      if (++lost_ == 1) first_lost_ = row.line;
      return {};
    }
    Response response{.tick = row.response, .number = row.number, .line = row.line, .method = row.method};
    if (row.method == Method::empty) {
      response.called = watch_.call_empty();
    } else {
      response.value = watch_.value(row.value);
      if (row.method == Method::remove) {
        watch_.call_remove(response.value);
      } else if (const auto alarm = watch_.call_add(response.value, row.priority)) {
        report(*alarm, row.line);
      }
    }
    if (row.response != kPending) responses_.push(response);
    most_values_ = std::max(most_values_, watch_.values());
    most_runs_ = std::max(most_runs_, watch_.runs());
    return {};
  }

  /// What returns before the tick: at a tick, calls come first.
  void return_before(Tick tick) {
    while (!ended_ && !responses_.empty() && responses_.top().tick < tick) {
      const Response response = responses_.top();
      responses_.pop();
      std::optional<Alarm> alarm;
      switch (response.method) {
        case Method::add: watch_.return_add(response.value); break;
        case Method::remove: alarm = watch_.return_remove(response.value); break;
        case Method::empty: alarm = watch_.return_empty(response.called); break;
      }
      if (alarm) report(*alarm, response.line);
    }
  }

  /// Ends at what is certain, and where nothing follows. What a remove that never returned may explain is said once:
  /// from then on mostly each remove is such.
  void report(const Alarm& alarm, std::uint64_t line) {
    const bool certain = !alarm.precondition && (lost_ == 0 || alarm.of_one_value);
    const bool may_be_explained = !certain && !alarm.precondition;
    if (may_be_explained && ++explained_ > 1) return;
    std::string text =
        fmt::format("{}:{}: {}: ", base::foreign_text(arguments_.path), line, certain ? "violation" : "unknown");
    text += fmt::format("{} accepts", alarm.automaton);
    if (const std::string meaning = summary(alarm.automaton); !meaning.empty()) text += ": " + meaning;
    text += "\n";
    for (const auto& [colour, value] : alarm.values)
      text += fmt::format("  {} = {}\n", colour, base::foreign_text(explain::with_short_texts(value)));
    if (lost_ > 0 && !certain) {
      text += fmt::format("  but {} never returned, the first in line {}; linchpin check decides\n",
                          counted(lost_, "remove"), first_lost_);
    }
    print(text);
    if (!may_be_explained) ended_ = certain ? kViolation : kUnknown;
  }

  [[nodiscard]] std::string summary(std::string_view automaton) const {
    for (const automata::Automaton& each : automata::family_of(*specification_)->automata) {
      if (each.name == automaton) return each.summary;
    }
    return "";
  }

  int finish() {
    const bool gave_up = watch_.gave_up();
    const bool interrupted = interrupt_.interrupted();
    print(fmt::format("{}: {}: {} {}, {}; at most {} and {} at a time\n", base::foreign_text(arguments_.path),
                      interrupted      ? "interrupted"
                      : too_large_     ? "unknown, too much memory"
                      : gave_up        ? "unknown, too many runs"
                      : explained_ > 0 ? "unknown"
                                       : "linearizable",
                      explained_ > 0
                          ? fmt::format("removes that never returned may explain {} in", counted(explained_, "alarm"))
                          : fmt::format("no automaton of {} accepts", specification_->name()),
                      counted(rows_, "operation"), counted(watch_.events(), "event"), counted(most_values_, "value"),
                      counted(most_runs_, "run")));
    if (interrupted) return kInterrupted;
    return gave_up || too_large_ || explained_ > 0 ? kUnknown : kLinearizable;
  }

  const WatchArguments& arguments_;
  InterruptWatch interrupt_;
  std::shared_ptr<const Specification> specification_;
  std::unique_ptr<ValuePool> pool_ = std::make_unique<ValuePool>();  // the priorities that are no small integers
  automata::OnlineWatch watch_;
  bool has_priorities_ = automata::family_of(*specification_) == &automata::priority_queue_automata();
  std::size_t imported_ = 0;  // into pool_, since it was renewed
  std::vector<Row> waiting_;  // a heap
  std::priority_queue<Response, std::vector<Response>, Later<Response>> responses_;
  absl::flat_hash_map<std::string, ProcessId> process_names_;
  absl::flat_hash_map<ProcessId, ProcessId> batch_processes_;   // from the batch's to the input's
  absl::flat_hash_map<ProcessId, std::pair<Tick, Tick>> last_;  // operation of each: its call and response
  Tick now_ = std::numeric_limits<Tick>::min();
  std::uint64_t rows_ = 0, first_lost_ = 0;
  std::size_t lost_ = 0, most_values_ = 0, most_runs_ = 0;
  std::size_t explained_ = 0;          // alarms that removes that never returned may explain
  std::optional<std::string> object_;  // that the rows are of
  bool too_large_ = false;             // the memory limit was reached
  std::optional<int> ended_;           // the exit code
};

constexpr const char* kWatchFooter =
    "Reads operations, one a line, in the order of their calls (text or jsonl, as 'linchpin generate' writes them). "
    "It\n"
    "reports the line whose response makes an automaton accept. Its memory does not grow with the history: it holds "
    "the\n"
    "values in the container, the operations that are open, and for stacks the runs that wait for a pop.\n"
    "No value may be added while an equal one is there. 'linchpin automaton TYPE' lists the automata.\n"
    "Where removes that never returned could explain why one accepts, it says so once, and goes on: a value that\n"
    "nobody adds, or that is removed twice, is still a violation.\n"
    "Exit codes: 0 no automaton accepts, 1 a violation, 2 bad usage or input, 130 interrupted; 3 unknown: a value is\n"
    "added twice, removes that never returned could explain why an automaton accepts, or memory ran out.";

}  // namespace

void add_watch(Command app, int& exit_code) {
  Command command = app.add_subcommand("watch", "Watch a history as it is being written, by automata");
  command.footer(kWatchFooter);
  const auto arguments = std::make_shared<WatchArguments>();
  add_type_with_automata(command, arguments->type);
  command.add_option("FILE", arguments->path, "The history (default: standard input)").option_text("FILE");
  command.add_option("--window", arguments->window, "Rows may be out of the order of calls by so many (default: none)")
      .type_name("ROWS");
  command.add_option("--format", arguments->read.format, "text or jsonl (default: by content)").type_name("FORMAT");
  add_memory_limit_option(command, {&arguments->read.limits});
  command.callback([arguments, &exit_code] {
    const auto specification = type_with_automata(arguments->type);
    exit_code = specification == nullptr ? kBadInput : Watching(*arguments, specification).execute();
  });
}

}  // namespace linchpin::app
