// Reads Jepsen's histories in EDN (docs/formats/jepsen.md).
//
// Maps are events in the order of the list; an event's index is its tick. Operations are kept aside until the history
// ends, because a later :fail may undo one, then handed to the builder in the order of their invocations.
// What counts as an argument and what as a result depends on :f alone (roles.hpp). Tests: jepsen_test.cpp.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/names.hpp"
#include "base/string_map.hpp"
#include "formats/jepsen/edn.hpp"
#include "formats/jepsen/format.hpp"
#include "formats/jepsen/roles.hpp"
#include "formats/text_place.hpp"
#include "formats/utf8.hpp"

namespace linchpin::formats::jepsen {

namespace {

using edn::Fault;
using edn::Token;
using edn::TokenKind;

constexpr std::string_view kEventHint = "an event is {:process 0, :type :invoke, :f :write, :value 3}";

enum class EventType : std::uint8_t { invoke, ok, fail, info };

/// One map of the history.
struct Event {
  std::size_t offset = 0;
  EventType type = EventType::invoke;
  bool client = false;            // the process is an integer
  std::int64_t process = 0;       // of a client
  std::string_view process_name;  // of any other
  std::string_view f;
  bool has_value = false;
  Value value = Value::nil();
  std::string_view value_text;    // as written
  std::int64_t field = kNoField;  // of the name that was asked for
};

struct Call {
  ProcessId process = kNoProcess;
  ObjectIndex object = 0;
  std::uint32_t method = 0;        // index into the reader's methods
  Value key = Value::none();       // of an independent history
  Value invoked = Value::nil();    // the invocation's value
  Value completed = Value::nil();  // the :ok's value
  Tick call = 0;
  Tick response = kPending;
  bool dropped = false;  // it did not happen
  bool failed = false;   // it happened and found another value than it expected
  std::int64_t field = kNoField;
  Place place;
};

class HistoryReader {
 public:
  HistoryReader(const core::Source& source, const ReadOptions& options, edn::Reader& reader)
      : source_(source), options_(options), reader_(reader) {
    builder_.set_source(source.name);
    reader_.set_pool(builder_.pool());
  }

  /// An event whose map begins with `open`; false: the reader's fault says why.
  bool event(const Token& open, LineCounter& places) {
    Event event{.offset = open.offset};
    if (!parse(open, event)) return false;
    const Tick tick = tick_++;
    if (!event.client) return annotate(event, tick);
    if (event.type == EventType::invoke) return invoke(event, tick, places.at(open.offset));
    return complete(event, tick);
  }

  Result<History> build() && {
    if (options_.type) {
      builder_.set_type(*options_.type);
    } else {
      builder_.set_type(guess_type());
    }
    builder_.reserve(calls_.size());
    for (const Call& call : calls_) {
      if (!call.dropped) add(call);
    }
    for (Annotation& annotation : annotations_) builder_.annotate(std::move(annotation));
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

  // --- one map ---

  bool parse(const Token& open, Event& event) {
    enum : unsigned { kProcess = 1, kType = 2, kF = 4, kValue = 8, kOwnField = 16 };
    unsigned seen = 0;
    while (true) {
      const Token key = reader_.next();
      if (key.kind == TokenKind::close && key.bracket == open.bracket) break;
      if (key.kind == TokenKind::end) {
        return reader_.fail(open.offset, ErrorCode::truncated, "the text ends inside an event", "is the file cut off?");
      }
      if (!reader_.skip(key)) return false;
      unsigned which = 0;
      if (key.kind == TokenKind::keyword) {
        which = key.text == "process" ? kProcess
                : key.text == "type"  ? kType
                : key.text == "f"     ? kF
                : key.text == "value" ? kValue
                : is_field(key.text)  ? kOwnField
                                      : 0U;
      }
      if ((seen & which) != 0) {
        return reader_.fail(key.offset, ErrorCode::syntax, fmt::format(":{} stands twice in an event", key.text),
                            "a map's keys are distinct");
      }
      seen |= which;
      const Token first = reader_.next();
      if (first.kind == TokenKind::close && first.bracket == open.bracket) {
        return reader_.fail(key.offset, ErrorCode::syntax, "a map's last key has no value", std::string(kEventHint));
      }
      if (first.kind == TokenKind::end) {
        return reader_.fail(open.offset, ErrorCode::truncated, "the text ends inside an event", "is the file cut off?");
      }
      const bool good = which == kProcess ? process(first, event)
                        : which == kType  ? type(first, event)
                        : which == kF     ? f(first, event)
                        : which == kValue ? value(first, event)
                        : which != 0      ? field(first, event)
                                          : reader_.skip(first);
      if (!good) return false;
    }
    for (const auto& [bit, name] : {std::pair{kProcess, ":process"}, {kType, ":type"}, {kF, ":f"}}) {
      if ((seen & bit) != 0) continue;
      return fail(event, ErrorCode::missing_field, fmt::format("the event has no {}", name), std::string(kEventHint));
    }
    return true;
  }

  bool process(const Token& token, Event& event) {
    event.client = token.kind == TokenKind::number && edn::to_integer(token.text, event.process);
    event.process_name = token.text;
    return reader_.skip(token);
  }

  bool type(const Token& token, Event& event) {
    static constexpr std::array kTypes{std::pair{"invoke", EventType::invoke}, std::pair{"ok", EventType::ok},
                                       std::pair{"fail", EventType::fail}, std::pair{"info", EventType::info}};
    const bool is_word =
        token.kind == TokenKind::keyword || token.kind == TokenKind::symbol || token.kind == TokenKind::string;
    for (const auto& [name, type] : kTypes) {
      if (!is_word || token.text != name) continue;
      event.type = type;
      return true;
    }
    if (!reader_.skip(token)) return false;
    return reader_.fail(token.offset, ErrorCode::syntax, "not a type of event", "one of :invoke, :ok, :fail, :info");
  }

  bool f(const Token& token, Event& event) {
    const bool is_word = token.kind == TokenKind::keyword || token.kind == TokenKind::string ||
                         (token.kind == TokenKind::symbol && token.text != "nil");
    if (!reader_.skip(token)) return false;
    if (!is_word || token.text.empty()) {
      return reader_.fail(token.offset, ErrorCode::missing_field, ":f names no function", "for example :f :write");
    }
    event.f = token.text;
    return true;
  }

  [[nodiscard]] bool is_field(std::string_view key) const { return !options_.field.empty() && key == options_.field; }

  bool field(const Token& token, Event& event) {
    if (!reader_.skip(token)) return false;
    if (token.kind == TokenKind::symbol && token.text == "nil") return true;
    if (token.kind == TokenKind::number && edn::to_integer(token.text, event.field) && event.field != kNoField) {
      return true;
    }
    return reader_.fail(token.offset, ErrorCode::bad_number, fmt::format(":{} is not an integer", options_.field),
                        "an order is that of integers of 64 bits; nil: the operation has none");
  }

  bool value(const Token& token, Event& event) {
    event.has_value = true;
    if (!reader_.value(token, event.value)) return false;
    event.value_text = source_.bytes.substr(token.offset, reader_.offset() - token.offset);
    return true;
  }

  // --- operations ---

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
              .method = method(event.f),
              .invoked = event.value,
              .call = tick,
              .field = event.field,
              .place = place};
    if (options_.independent) {
      if (!split_key(event, call.key, call.invoked)) return false;
      call.object = builder_.object(key_name(call.key));
    } else {
      call.object = builder_.object("");
    }
    if (methods_[call.method].role == Role::swap && !check_pair(event, call.invoked)) return false;
    process.open = calls_.size();
    calls_.push_back(call);
    return true;
  }

  bool complete(const Event& event, Tick tick) {
    Process& process = processes_[event.process];
    if (!process.open) {
      if (event.type == EventType::info) return annotate(event, tick);
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
    process.open.reset();
    if (event.field != kNoField) call.field = event.field;  // what the store answered
    const Role role = methods_[call.method].role;
    switch (event.type) {
      case EventType::info: process.ended = true; return true;
      case EventType::fail:
        if (options_.fail == FailPolicy::constraint && role == Role::swap) {
          call.failed = true;
          call.response = tick;
        } else {
          call.dropped = true;
        }
        return true;
      default: break;
    }
    call.response = tick;
    call.completed = event.value;
    if (options_.independent && !event.value.is_nil()) {
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

  void add(const Call& call) {
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
        break;
      case Role::other:
        if (!call.invoked.is_nil()) builder_.argument(call.invoked);
        if (!pending && call.completed != call.invoked) result = call.completed;
        break;
    }
    const OperationIndex operation =
        builder_.add(call.process, call.object, method.index, result, call.call, call.response, call.place);
    if (call.field != kNoField) builder_.field(operation, options_.field, call.field);
  }

  /// The type that has all the functions invoked.
  [[nodiscard]] TypeName guess_type() const {
    struct Row {
      const char* type;
      std::string_view functions;
    };
    static constexpr std::array kRows{Row{"cas-register", "read write cas"}, Row{"multi-register", "txn"},
                                      Row{"mutex", "acquire release"}, Row{"queue", "enqueue dequeue"},
                                      Row{"set", "add read"}};
    for (const Row& row : kRows) {
      const auto known = [&](const Method& method) { return base::is_listed(row.functions, method.name); };
      if (!methods_.empty() && std::all_of(methods_.begin(), methods_.end(), known)) {
        return TypeName{.name = row.type, .options = {}};
      }
    }
    return {};
  }

  // --- annotations ---

  /// A fault and its end pair up: start and stop, or start-x and stop-x, of one process. Jepsen logs each twice, when
  /// it begins to act and when it has acted: the fault lasts from the first start to the last stop.
  bool annotate(const Event& event, Tick tick) {
    const auto suffix = [&](std::string_view word) -> std::optional<std::string_view> {
      if (!event.f.starts_with(word)) return std::nullopt;
      const std::string_view rest = event.f.substr(word.size());
      if (!rest.empty() && rest[0] != '-') return std::nullopt;
      return rest;
    };
    const std::string name(event.process_name);
    if (const auto kind = suffix("start")) {
      const auto [fault, fresh] = faults_.try_emplace({name, std::string(*kind)}, annotations_.size());
      if (!fresh && !annotations_[fault->second].end) {
        annotations_[fault->second].text = text_of(event);
        return true;
      }
      fault->second = annotations_.size();
      annotations_.push_back({.begin = tick, .text = text_of(event), .process = name});
      return true;
    }
    if (const auto kind = suffix("stop")) {
      const auto fault = faults_.find({name, std::string(*kind)});
      if (fault != faults_.end()) {
        annotations_[fault->second].end = tick;
        return true;
      }
    }
    annotations_.push_back({.begin = tick, .text = text_of(event), .process = name});
    return true;
  }

  static std::string text_of(const Event& event) {
    std::string text(event.f);
    if (event.value_text.empty() || event.value_text == "nil") return text;
    text += ' ';
    constexpr std::size_t kMost = 200;
    std::string_view value = event.value_text;
    if (value.size() > kMost) {
      std::size_t cut = kMost;
      while ((static_cast<unsigned char>(value[cut]) & 0xc0U) == 0x80) --cut;  // not inside a character
      value = value.substr(0, cut);
    }
    text += value;
    if (value.size() < event.value_text.size()) text += "...";
    return text;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  edn::Reader& reader_;
  HistoryBuilder builder_;
  Tick tick_ = 0;  // of the next event
  std::vector<Call> calls_;
  std::vector<Method> methods_;
  base::StringMap<std::uint32_t> method_index_;
  std::uint32_t last_method_ = 0;
  absl::flat_hash_map<std::int64_t, Process> processes_;
  std::vector<Annotation> annotations_;
  std::map<std::pair<std::string, std::string>, std::size_t> faults_;  // (process, kind) to its last annotation
};

/// The forms at the top: a stream of maps, or vectors and lists of maps.
class FileReader {
 public:
  FileReader(const core::Source& source, const ReadOptions& options, const core::Emit& emit)
      : source_(source), options_(options), emit_(emit), reader_(source.bytes), places_(source.bytes) {}

  void run() {
    bool any = false;
    std::optional<HistoryReader> stream;
    while (true) {
      const Token token = reader_.next();
      if (token.kind == TokenKind::end) break;
      const bool sequence = token.kind == TokenKind::open && token.bracket != '}';
      if (sequence && !stream) {
        HistoryReader history(source_, options_, reader_);
        if (!events(token, history)) return give_fault();
        if (!emit_(std::move(history).build())) return;
      } else {
        if (!stream) stream.emplace(source_, options_, reader_);
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
