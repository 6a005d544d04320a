// Writes a history as Jepsen's EDN (docs/formats/jepsen.md): the inverse of reader.cpp where there is one.
//
// Events are written in the order of their ticks, calls before responses at one tick, so that happens-before stays as
// it is; ticks themselves become positions. A process that calls at the tick at which it responds, or that has a name,
// goes on under a new number. What reads back differently is refused. Tests: jepsen_test.cpp.
#include <algorithm>
#include <charconv>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/jepsen/edn.hpp"
#include "formats/jepsen/format.hpp"
#include "formats/jepsen/roles.hpp"
#include "formats/utf8.hpp"
#include "history/events.hpp"
#include "history/process_names.hpp"

namespace linchpin::formats::jepsen {

namespace {

/// Whether the text reads back as a keyword.
bool is_keyword(std::string_view text) {
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    if (!plain) return false;
  }
  return !text.empty();
}

/// Whether a key of that name reads back: keywords may hold more than the methods' names.
bool is_name_of_field(std::string_view text) {
  constexpr std::string_view kMarks = "-_.*+!?$&=<>/";
  const auto fits = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  };
  return !text.empty() && text[0] != '/' && std::all_of(text.begin(), text.end(), fits);
}

class Writer {
 public:
  Writer(const History& history, std::string& out) : history_(history), out_(out), number_(history.size()) {}

  Result<void> run() {
    independent_ = history_.objects().size() > 1 || !history_.objects()[0].name.empty();
    for (const std::string& name : history_.method_names()) {
      if (!is_keyword(name)) return unsupported(0, "a method's name that is no keyword");
      roles_.push_back(role_of(name));
    }
    for (const Field& field : history_.fields()) {
      const bool taken = base::is_listed("process type f value", field.name);
      if (!is_name_of_field(field.name) || taken) return unsupported(OperationIndex::none(), "a field of such a name");
    }
    for (const Object& object : history_.objects()) {
      if (!is_utf8(object.name)) return unsupported(0, "an object's name that is not UTF-8");
    }
    for (const Object& object : history_.objects()) {
      if (object.type != history_.objects()[0].type) {
        return unsupported(OperationIndex::none(), "objects of several types");
      }
    }
    const std::string type = history_.objects()[0].type.to_string();
    if (type.find_first_of("\r\n") != std::string::npos) {
      return unsupported(OperationIndex::none(), "a type of several lines");
    }
    if (!type.empty()) out_.append(kTypeComment).append(type).append("\n");
    tell_options();
    number_processes();
    const std::vector<Annotated> notes = annotations();
    std::size_t note = 0;
    out_ += '[';
    for (const history::HistoryEvent event : history::sort_events(history_, Ties::concurrent)) {
      const OperationIndex i = event.operation();
      const Tick tick = event.is_response() ? history_.response(i) : history_.call(i);
      for (; note < notes.size() && notes[note].tick <= tick; ++note) out_ += notes[note].text;
      const bool written = event.is_response() ? completion(i) : invocation(i);
      if (!written) return unsupported(i, problem_);
    }
    for (; note < notes.size(); ++note) out_ += notes[note].text;
    if (out_.ends_with("\n ")) out_.resize(out_.size() - 2);
    out_ += "]\n";
    return {};
  }

 private:
  struct Annotated {
    Tick tick;
    std::string text;
  };

  [[nodiscard]] Error unsupported(OperationIndex i, std::string_view what) const {
    const Place place = i < history_.size() ? history_.place(i) : Place{};
    return Error{.code = ErrorCode::unsupported,
                 .source = history_.source(),
                 .line = place.line,
                 .column = place.column,
                 .message = fmt::format("Jepsen's EDN cannot say {}{}", what,
                                        i < history_.size() ? fmt::format(": {}", history_.describe(i)) : ""),
                 .hint = "write the native text, jsonl or binary format"};
  }

  bool refuse(std::string_view problem) {
    problem_ = problem;
    return false;
  }

  /// Numbers stay; names, absent processes and processes that call at the tick of their last response get fresh ones.
  void number_processes() {
    std::int64_t fresh = 0;
    for (OperationIndex i = 0; i < history_.size(); ++i) {
      if ((history_.process(i) & history::kNamedProcess) == 0) {
        fresh = std::max(fresh, std::int64_t{history_.process(i)} + 1);
      }
    }
    absl::flat_hash_map<ProcessId, std::int64_t> number_of;
    absl::flat_hash_set<std::int64_t> open;
    for (const history::HistoryEvent event : history::sort_events(history_, Ties::concurrent)) {
      const OperationIndex i = event.operation();
      const ProcessId process = history_.process(i);
      if (event.is_response()) {
        open.erase(number_[i.number()]);
        continue;
      }
      if (process == kNoProcess) {
        number_[i.number()] = fresh++;
        continue;
      }
      const bool named = (process & history::kNamedProcess) != 0;
      const auto [entry, first] = number_of.try_emplace(process, named ? fresh : std::int64_t{process});
      if (first && named) ++fresh;
      if (open.contains(entry->second)) entry->second = fresh++;
      number_[i.number()] = entry->second;
      open.insert(number_[i.number()]);
    }
  }

  /// Annotations as events of the nemesis, in the order of their ticks.
  std::vector<Annotated> annotations() const {
    std::vector<Annotated> events;
    const auto add = [&](Tick tick, std::string_view f, const Annotation& annotation) {
      std::string text = "{:process ";
      edn::append_string(text, annotation.process.empty() ? "nemesis" : annotation.process);
      text += fmt::format(", :type :info, :f :{}, :value ", f);
      edn::append_string(text, annotation.text);
      text += "}\n ";
      events.push_back({tick, std::move(text)});
    };
    std::size_t number = 0;
    for (const Annotation& annotation : history_.annotations()) {
      // A number each keeps faults apart that overlap.
      if (annotation.end) {
        add(annotation.begin, fmt::format("start-{}", number), annotation);
        add(*annotation.end, fmt::format("stop-{}", number), annotation);
      } else {
        add(annotation.begin, "note", annotation);
      }
      ++number;
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const Annotated& a, const Annotated& b) { return a.tick < b.tick; });
    return events;
  }

  bool value(Value value) {
    const ValuePool& pool = history_.pool();
    switch (value.kind()) {
      case Value::Kind::none: return refuse("a value that is absent");
      case Value::Kind::unknown: return refuse("an unknown value here");
      case Value::Kind::nil: out_ += "nil"; return true;
      case Value::Kind::boolean: out_ += value.boolean() ? "true" : "false"; return true;
      case Value::Kind::integer:
      case Value::Kind::big_integer: out_ += fmt::to_string(pool.integer_of(value)); return true;
      case Value::Kind::string:
        if (!is_utf8(pool.text_of(value))) return refuse("a string that is not UTF-8");
        edn::append_string(out_, pool.text_of(value));
        return true;
      case Value::Kind::list: break;
    }
    return values(pool.elements_of(value));
  }
  bool values(std::span<const Value> list) {
    out_ += '[';
    bool first = true;
    for (const Value element : list) {
      if (!first) out_ += ' ';
      first = false;
      if (!value(element)) return false;
    }
    out_ += ']';
    return true;
  }

  void begin(OperationIndex i, std::string_view type) {
    out_ += fmt::format("{{:process {}, :type :{}, :f :{}, :value ", number_[i.number()], type,
                        history_.method_name(history_.method(i)));
    if (!independent_) return;
    const std::string& name = history_.objects()[history_.object(i).number()].name;
    std::int64_t key = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), key);
    out_ += '[';
    if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size() && name == fmt::to_string(key)) {
      out_ += name;
    } else {
      edn::append_string(out_, name);
    }
    out_ += ' ';
  }
  /// @param answered  whether the store's numbers stand here: in the completion, or where there is none
  bool end(OperationIndex i, bool answered) {
    if (independent_) out_ += ']';
    for (const Field& field : history_.fields()) {
      if (!answered || field.values[i.number()].is_none()) continue;
      if (field.values[i.number()].is_list()) return refuse("a list as a field");  // it reads back as its text
      out_ += fmt::format(", :{} ", field.name);
      if (!value(field.values[i.number()])) return false;
    }
    out_ += "}\n ";
    return true;
  }

  bool invocation(OperationIndex i) {
    const Value result = history_.result(i);
    if (history_.pending(i) && !result.is_none() && !result.is_unknown())
      return refuse("what a pending call will return");
    begin(i, "invoke");
    if (!arguments(i)) return false;
    return end(i, history_.pending(i));
  }

  /// What an invocation's `:value` says.
  bool arguments(OperationIndex i) {
    const std::span<const Value> arguments = history_.arguments(i);
    switch (roles_[history_.method(i)]) {
      case Role::read:
      case Role::take:
        if (!arguments.empty()) return refuse("arguments of this function");
        out_ += "nil";
        return true;
      case Role::swap: return arguments.size() == 2 ? values(arguments) : refuse("a CAS without two arguments");
      case Role::put:
      case Role::transaction:
        return arguments.size() == 1 ? value(arguments[0]) : refuse("any but one argument of this function");
      case Role::get:
      case Role::other: break;
    }
    if (arguments.empty()) {
      out_ += "nil";
      return true;
    }
    if (arguments.size() > 1) return refuse("several arguments of this function");
    return arguments[0].is_nil() ? refuse("nil as an argument of this function") : value(arguments[0]);
  }

  [[nodiscard]] bool is_failed_swap(OperationIndex i) const {
    return roles_[history_.method(i)] == Role::swap && history_.result(i) == Value::boolean(false);
  }
  /// Without which it would read back differently.
  void tell_options() {
    bool any_failed = false;
    for (OperationIndex i = 0; i < history_.size() && !any_failed; ++i) any_failed = is_failed_swap(i);
    if (!independent_ && !any_failed) return;
    out_.append(kOptionsComment);
    if (independent_) out_.append(kIndependent);
    if (any_failed) out_.append(independent_ ? " " : "").append(kFailConstraint);
    out_ += '\n';
  }

  bool completion(OperationIndex i) {
    const Value result = history_.result(i);
    const std::span<const Value> arguments = history_.arguments(i);
    const Role role = roles_[history_.method(i)];
    // A CAS that failed is Jepsen's :fail, which reads back under the policy `constraint`; so is an aborted transaction
    // of lists.
    const bool aborted =
        role == Role::transaction && keeps_aborted(history_.objects()[history_.object(i).number()].type);
    const bool failed = is_failed_swap(i) || (aborted && result == Value::boolean(false));
    begin(i, failed ? "fail" : "ok");
    bool good = true;
    if (aborted && failed) {
      good = value(arguments[0]);
      return good && end(i, true);
    }
    switch (role) {
      case Role::read:
      case Role::transaction:
        if (result.is_nil()) return refuse("a result of nil of this function: it means unknown there");
        if (result.is_unknown()) {
          out_ += "nil";
        } else {
          good = value(result);
        }
        break;
      case Role::take:
      case Role::get: good = value(result); break;
      case Role::put:
        if (!result.is_none() && !result.is_unknown()) return refuse("a result of this function");
        good = value(arguments[0]);
        break;
      case Role::swap:
        if (!result.is_boolean()) return refuse("any but a truth value as the result of a CAS");
        good = values(arguments);
        break;
      case Role::other: {
        const Value invoked = arguments.empty() ? Value::nil() : arguments[0];
        if (result == invoked) return refuse("a result equal to the argument");
        good = value(result.is_none() ? invoked : result);
        break;
      }
    }
    return good && end(i, true);
  }

  const History& history_;
  std::string& out_;
  std::vector<std::int64_t> number_;  // by operation: its process there
  std::vector<Role> roles_;           // by method
  bool independent_ = false;          // values are [key value]
  std::string_view problem_;
};

}  // namespace

Result<void> write(const History& history, std::string& out) {
  const std::size_t before = out.size();
  auto written = Writer(history, out).run();
  if (!written) out.resize(before);
  return written;
}

}  // namespace linchpin::formats::jepsen
