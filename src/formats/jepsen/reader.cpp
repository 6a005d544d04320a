// Reads Jepsen's histories in EDN (docs/formats/jepsen.md).
//
// Maps are events in the order of the list; an event's index is its tick. Operations are kept aside until the history
// ends, because a later :fail may undo one, then handed to the builder in the order of their invocations.
// What counts as an argument and what as a result depends on :f alone (roles.hpp). Tests: jepsen_test.cpp.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/names.hpp"
#include "base/string_map.hpp"
#include "formats/jepsen/edn.hpp"
#include "formats/jepsen/event.hpp"
#include "formats/jepsen/fault_log.hpp"
#include "formats/jepsen/format.hpp"
#include "formats/jepsen/roles.hpp"
#include "formats/text_place.hpp"
#include "formats/utf8.hpp"

namespace linchpin::formats::jepsen {

namespace {

using edn::Fault;
using edn::Token;
using edn::TokenKind;

constexpr std::size_t kMostFields = 64;  // of a history; what other keys say is passed over

/// What an event of a call says beside the operation.
struct CallField {
  std::size_t call = 0;
  std::uint32_t name = 0;  // index into the reader's names of fields
  Value value;
};

struct Call {
  ProcessId process = kNoProcess;
  std::int64_t client = 0;  // the process as written
  ObjectIndex object = 0;
  std::uint32_t method = 0;        // index into the reader's methods
  Value key = Value::none();       // of an independent history
  Value invoked = Value::nil();    // the invocation's value
  Value completed = Value::nil();  // the :ok's value
  Tick call = 0;
  Tick response = kPending;
  bool dropped = false;  // it did not happen
  bool failed = false;   // it happened and found another value than it expected
  Place place;
};

/// What comments before a history tell, as the writer puts them there.
struct Told {
  std::optional<TypeName> type;
  bool independent = false;
  bool fail_constraint = false;
};

/// @param before  the text up to the history
Told told_before(std::string_view before) {
  constexpr std::string_view kBlanks = " ,\t\r\n";
  Told told;
  while (true) {
    before = before.substr(0, before.find_last_not_of(kBlanks) + 1);
    const std::size_t begin = before.rfind('\n') + 1;
    const std::string_view line = before.substr(begin);
    if (!line.starts_with(';')) return told;
    if (line.starts_with(kTypeComment) && !told.type) {
      if (const auto type = TypeName::parse(line.substr(kTypeComment.size()))) told.type = *type;
    } else if (line.starts_with(kOptionsComment)) {
      told.independent = line.find(kIndependent) != std::string_view::npos;
      told.fail_constraint = line.find(kFailConstraint) != std::string_view::npos;
    }
    before = before.substr(0, begin);
  }
}

class HistoryReader {
 public:
  /// @param begin  where it begins in the source
  HistoryReader(const core::Source& source, const ReadOptions& options, edn::Reader& reader, std::size_t begin)
      : source_(source), options_(options), reader_(reader), told_(told_before(source.bytes.substr(0, begin))) {
    builder_.set_source(source.name);
    reader_.set_pool(builder_.pool());
  }

  /// An event whose map begins with `open`; false: the reader's fault says why.
  bool event(const Token& open, LineCounter& places) {
    Event event{.offset = open.offset};
    if (!read_event(reader_, pool(), source_.bytes, options_.field, open, event)) return false;
    const Tick tick = tick_++;
    if (!event.client) {
      faults_.add(event, tick);
      return true;
    }
    if (event.type == EventType::invoke) return invoke(event, tick, places.at(open.offset));
    return complete(event, tick);
  }

  Result<History> build() && {
    const TypeName type = options_.type ? *options_.type : told_.type ? *told_.type : guess_type();
    const bool with_aborted = keeps_aborted(type);
    builder_.set_type(type);
    builder_.reserve(calls_.size());
    // In the order of the calls; of one call what its completion says replaces what its invocation says.
    std::stable_sort(fields_.begin(), fields_.end(), [](const auto& a, const auto& b) { return a.call < b.call; });
    std::size_t next = 0;
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      const Call& call = calls_[c];
      const bool aborted = call.dropped && with_aborted && methods_[call.method].role == Role::transaction;
      const bool kept = !call.dropped || aborted;
      const OperationIndex operation = kept ? add(call) : 0;
      Annotation failed{.begin = call.call, .end = call.response};
      if (!kept && options_.mark_failed) {
        failed.text = fmt::format("{} {} failed", methods_[call.method].name, pool().to_text(call.invoked));
        failed.process = fmt::to_string(call.client);
      }
      for (; next < fields_.size() && fields_[next].call == c; ++next) {
        const std::string& name = field_names_[fields_[next].name];
        if (kept) builder_.field(operation, name, fields_[next].value);
        if (!kept && options_.mark_failed) {
          failed.text += fmt::format(", {} {}", name, pool().to_text(fields_[next].value));
        }
      }
      if (!kept && options_.mark_failed) builder_.annotate(std::move(failed));
    }
    if (source_.limits != nullptr) source_.limits->take(field_names_.size() * builder_.size() * sizeof(Value));
    for (Annotation& annotation : faults_.annotations()) builder_.annotate(std::move(annotation));
    return std::move(builder_).build();
  }

 private:
  [[nodiscard]] ValuePool& pool() { return builder_.pool(); }

  struct Method {
    std::string name;
    MethodIndex index = 0;
    Role role = Role::other;
    bool used = false;  // index is set
  };
  struct Process {
    std::optional<std::size_t> open;  // its open call
    bool ended = false;               // by :info
  };

  bool fail(const Event& event, ErrorCode code, std::string message, std::string hint) {
    return reader_.fail(event.offset, code, std::move(message), std::move(hint));
  }

  // --- operations ---

  /// What the event says beside the operation, for the call.
  void keep_fields(const Event& event, std::size_t call) {
    for (const auto& [name, value] : event.fields) {
      std::size_t k = 0;
      while (k < field_names_.size() && field_names_[k] != name) ++k;
      if (k == field_names_.size()) {
        if (k == kMostFields) continue;
        field_names_.emplace_back(name);
      }
      fields_.push_back({.call = call, .name = static_cast<std::uint32_t>(k), .value = value});
    }
  }

  ProcessId process_id(std::int64_t number) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    return number >= 0 && number <= kMost ? static_cast<ProcessId>(number) : builder_.process(fmt::to_string(number));
  }

  std::uint32_t method(std::string_view f) {
    if (last_method_ < methods_.size() && methods_[last_method_].name == f) return last_method_;
    const auto found = method_index_.find(f);
    if (found != method_index_.end()) return last_method_ = found->second;
    last_method_ = static_cast<std::uint32_t>(methods_.size());
    methods_.push_back({.name = std::string(f), .role = role_of(f)});
    method_index_.emplace(std::string(f), last_method_);
    return last_method_;
  }

  bool invoke(const Event& event, Tick tick, Place place) {
    Process& process = processes_[event.process];
    if (process.open) {
      return fail(event, ErrorCode::overlapping_operations,
                  fmt::format("process {} invokes {} while its {} is open", event.process, event.f,
                              methods_[calls_[*process.open].method].name),
                  "a process runs one operation at a time");
    }
    if (process.ended) {
      return fail(
          event, ErrorCode::after_pending,
          fmt::format("process {} invokes {} after an operation whose outcome is unknown", event.process, event.f),
          "after :info a client goes on as a new process");
    }
    Call call{.process = process_id(event.process),
              .client = event.process,
              .method = method(event.f),
              .invoked = event.value,
              .call = tick,
              .place = place};
    if (independent_) {
      if (!split_key(event, call.key, call.invoked)) return false;
      call.object = builder_.object(key_name(call.key));
    } else {
      call.object = builder_.object("");
    }
    if (methods_[call.method].role == Role::swap && !check_pair(event, call.invoked)) return false;
    process.open = calls_.size();
    calls_.push_back(call);
    keep_fields(event, *process.open);
    return true;
  }

  bool complete(const Event& event, Tick tick) {
    Process& process = processes_[event.process];
    if (!process.open) {
      if (event.type == EventType::info) {
        faults_.add(event, tick);
        return true;
      }
      return fail(event, ErrorCode::return_without_call,
                  fmt::format("process {} completes {}, which it did not invoke", event.process, event.f),
                  "every :ok and :fail follows an :invoke of the same process");
    }
    Call& call = calls_[*process.open];
    if (methods_[call.method].name != event.f) {
      return fail(event, ErrorCode::return_without_call,
                  fmt::format("process {} completes {} while its {} is open", event.process, event.f,
                              methods_[call.method].name),
                  "the completion has the :f of its invocation");
    }
    keep_fields(event, *process.open);
    process.open.reset();
    const Role role = methods_[call.method].role;
    switch (event.type) {
      case EventType::info: process.ended = true; return true;
      case EventType::fail:
        if (fail_is_constraint_ && role == Role::swap) {
          call.failed = true;
          call.response = tick;
        } else {
          call.dropped = true;
          call.response = tick;
        }
        return true;
      default: break;
    }
    call.response = tick;
    call.completed = event.value;
    if (independent_ && !event.value.is_nil()) {
      Value key;
      if (!split_key(event, key, call.completed)) return false;
      if (key != call.key) {
        return fail(event, ErrorCode::return_without_call, "the completion has another key than its invocation",
                    "both are [key value] with the same key");
      }
    }
    // :ok overwrites the invocation's value; nil says nothing new.
    if (role == Role::put && !call.completed.is_nil()) call.invoked = call.completed;
    if (role == Role::swap && call.completed.is_list()) {
      if (!check_pair(event, call.completed)) return false;
      call.invoked = call.completed;
    }
    return true;
  }

  bool check_pair(const Event& event, Value value) {
    if (value.is_list() && pool().elements_of(value).size() == 2) return true;
    return fail(event, ErrorCode::bad_arguments, "the value of :cas is not a pair", "write [old new]");
  }

  bool split_key(const Event& event, Value& key, Value& value) {
    const bool pair = event.value.is_list() && pool().elements_of(event.value).size() == 2;
    if (!pair) {
      return fail(event, ErrorCode::bad_arguments, "the value of an independent history is not [key value]",
                  "is the history of one object? then read it without --independent");
    }
    key = pool().elements_of(event.value)[0];
    value = pool().elements_of(event.value)[1];
    return true;
  }

  std::string key_name(Value key) { return key.is_string() ? std::string(pool().text_of(key)) : pool().to_text(key); }

  OperationIndex add(const Call& call) {
    Method& method = methods_[call.method];
    if (!method.used) {
      method.used = true;
      method.index = builder_.method(method.name);
    }
    const bool pending = call.response == kPending;
    Value result = pending ? Value::unknown() : Value::none();
    switch (method.role) {
      case Role::get:
        if (!call.invoked.is_nil()) builder_.argument(call.invoked);
        [[fallthrough]];
      case Role::take:
        if (!pending) result = call.completed;
        break;
      case Role::read:
        if (!pending) result = call.completed.is_nil() ? Value::unknown() : call.completed;
        break;
      case Role::put: builder_.argument(call.invoked); break;
      case Role::swap:
        for (const Value part : pool().elements_of(call.invoked)) builder_.argument(part);
        if (!pending) result = call.completed.is_boolean() ? call.completed : Value::boolean(!call.failed);
        break;
      case Role::transaction:
        builder_.argument(call.invoked);
        if (!pending) result = call.completed.is_nil() ? Value::unknown() : call.completed;
        if (call.dropped) result = Value::boolean(false);
        break;
      case Role::other:
        if (!call.invoked.is_nil()) builder_.argument(call.invoked);
        if (!pending && call.completed != call.invoked) result = call.completed;
        break;
    }
    return builder_.add(call.process, call.object, method.index, result, call.call, call.response, call.place);
  }

  /// The type that has all the functions invoked.
  [[nodiscard]] TypeName guess_type() {
    struct Row {
      const char* type;
      std::string_view functions;
    };
    static constexpr std::array kRows{Row{"cas-register", "read write cas"}, Row{"multi-register", "txn"},
                                      Row{"mutex", "acquire release"}, Row{"queue", "enqueue dequeue"},
                                      Row{"set", "add read"}};
    if (std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) { return appends(call); })) {
      return TypeName{.name = "list-append", .options = {}};
    }
    for (const Row& row : kRows) {
      const auto known = [&](const Method& method) { return base::is_listed(row.functions, method.name); };
      if (!methods_.empty() && std::all_of(methods_.begin(), methods_.end(), known)) {
        return TypeName{.name = row.type, .options = {}};
      }
    }
    return {};
  }

  /// Whether it is a transaction with an append.
  [[nodiscard]] bool appends(const Call& call) {
    if (methods_[call.method].role != Role::transaction || !call.invoked.is_list()) return false;
    const ValuePool& values = pool();
    const std::span<const Value> parts = values.elements_of(call.invoked);
    return std::any_of(parts.begin(), parts.end(), [&](Value part) {
      if (!part.is_list()) return false;
      const std::span<const Value> fields = values.elements_of(part);
      return !fields.empty() && fields[0].is_string() && values.text_of(fields[0]) == "append";
    });
  }

  const core::Source& source_;
  const ReadOptions& options_;
  edn::Reader& reader_;
  const Told told_;
  const bool independent_ = options_.independent || told_.independent;
  const bool fail_is_constraint_ =
      options_.fail == FailPolicy::constraint || (options_.fail == FailPolicy::format_default && told_.fail_constraint);
  HistoryBuilder builder_;
  Tick tick_ = 0;  // of the next event
  std::vector<Call> calls_;
  std::vector<CallField> fields_;
  std::vector<std::string> field_names_;
  std::vector<Method> methods_;
  base::StringMap<std::uint32_t> method_index_;
  std::uint32_t last_method_ = 0;
  absl::flat_hash_map<std::int64_t, Process> processes_;
  FaultLog faults_;
};

/// The forms at the top: a stream of maps, or vectors and lists of maps.
class FileReader {
 public:
  FileReader(const core::Source& source, const ReadOptions& options, const core::Emit& emit)
      : source_(source), options_(options), emit_(emit), reader_(source.bytes, source.limits), places_(source.bytes) {}

  void run() {
    bool any = false;
    std::optional<HistoryReader> stream;
    while (true) {
      const Token token = reader_.next();
      if (token.kind == TokenKind::end) break;
      const bool sequence = token.kind == TokenKind::open && token.bracket != '}';
      if (sequence && !stream) {
        HistoryReader history(source_, options_, reader_, token.offset);
        if (!events(token, history)) return give_fault();
        if (!emit_(std::move(history).build())) return;
      } else {
        if (!stream) stream.emplace(source_, options_, reader_, token.offset);
        if (!is_event(token) || !stream->event(token, places_)) return give_fault();
      }
      any = true;
    }
    if (stream) {
      emit_(std::move(*stream).build());
    } else if (!any) {
      reader_.fail(0, ErrorCode::truncated, "the input holds no history", std::string(kEventHint));
      give_fault();
    }
  }

 private:
  bool events(const Token& open, HistoryReader& history) {
    while (true) {
      const Token token = reader_.next();
      if (token.kind == TokenKind::close && token.bracket == open.bracket) return true;
      if (token.kind == TokenKind::end) {
        return reader_.fail(token.offset, ErrorCode::truncated,
                            fmt::format("the '{}' that ends the history is missing", open.bracket),
                            "is the file cut off?");
      }
      if (!is_event(token) || !history.event(token, places_)) return false;
    }
  }

  bool is_event(const Token& token) {
    if (token.kind == TokenKind::open && token.bracket == '}' && !token.set) return true;
    if (token.kind == TokenKind::fault) return false;
    return reader_.fail(token.offset, ErrorCode::syntax, "not a map", std::string(kEventHint));
  }

  void give_fault() {
    const Fault& fault = reader_.fault();
    LineCounter counter(source_.bytes);
    counter.advance(fault.offset);
    emit_(Error{.code = fault.code,
                .source = source_.name,
                .line = counter.line(),
                .column = counter.column(),
                .message = fault.message,
                .hint = fault.hint});
  }

  const core::Source& source_;
  const ReadOptions& options_;
  const core::Emit& emit_;
  edn::Reader reader_;
  LineCounter places_;
};

}  // namespace

int detect(std::string_view head) {
  // The first form: past blanks, comments and a tag such as #jepsen.history.Op.
  std::size_t at = 0;
  while (at < head.size() &&
         (head[at] == ';' || std::string_view(" ,\t\r\n").find(head[at]) != std::string_view::npos)) {
    at = head[at] == ';' ? std::min(head.find('\n', at), head.size()) : at + 1;
  }
  if (head.starts_with(kTypeComment) || head.starts_with(kOptionsComment)) return 95;  // also where it is empty
  if (at == head.size() || std::string_view("[({#").find(head[at]) == std::string_view::npos) return 0;
  const auto has = [&](std::string_view text) { return head.find(text, at) != std::string_view::npos; };
  if (!has(":process") || !has(":type") || !has(":f")) return 0;
  return has(":key ") ? 40 : 90;  // with :key it is a key-value log of Porcupine's tests
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  if (!is_utf8(source.bytes)) {
    LineCounter counter(source.bytes);
    counter.advance(first_invalid_utf8(source.bytes));
    emit(Error{.code = ErrorCode::encoding,
               .source = source.name,
               .line = counter.line(),
               .column = counter.column(),
               .message = "the text is not UTF-8",
               .hint = "EDN is UTF-8: convert the file"});
    return;
  }
  FileReader(source, options, emit).run();
}

}  // namespace linchpin::formats::jepsen
