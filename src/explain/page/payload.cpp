#include "explain/page/payload.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "explain/page/column.hpp"
#include "explain/page/extent.hpp"
#include "explain/page/json_writer.hpp"
#include "explain/shortened.hpp"
#include "history/events.hpp"

namespace linchpin::explain::page {

namespace {

constexpr std::size_t kLongestText = 4096;  // bytes of a string or a list; the page shows that there was more
// Integers below are exact in a JavaScript number even as a difference with two further bits.
constexpr std::int64_t kInlineInteger = std::int64_t{1} << 49;
constexpr std::size_t kPlaces = 4;  // a method's result, and its arguments 1, 2, 3 and later

/// The operations that are shown, as the page numbers them: in the order of their calls' ranks.
struct Order {
  std::vector<history::HistoryEvent> events;
  std::vector<OperationIndex> operation;  // by row
  std::vector<std::uint32_t> row;         // by operation; kNone: it is not shown

  Order(const PayloadInput& input, const std::vector<OperationIndex>& spoken)
      : events(history::sort_events(input.history, input.ties)), row(input.history.size(), kNone) {
    if (input.history.size() > input.most_operations) {
      const std::vector<bool> shown = shown_operations(input.history, events, spoken, input.most_operations);
      std::erase_if(events, [&](history::HistoryEvent event) { return !shown[event.operation().number()]; });
    }
    operation.reserve(events.size() / 2);
    for (const history::HistoryEvent event : events) {
      if (event.is_response()) continue;
      row[event.operation().number()] = static_cast<std::uint32_t>(operation.size());
      operation.push_back(event.operation());
    }
  }
  /// Whether all operations are shown.
  [[nodiscard]] bool whole() const { return operation.size() == row.size(); }
};

/// Texts, numbered in the order of first use.
class Texts {
 public:
  explicit Texts(const ValuePool& pool) : pool_(pool) {}
  /// Long lists of a core are cut to what matters among its operations.
  Texts(const ValuePool& pool, const Shortened& shortened) : pool_(pool), shortened_(&shortened) {}

  std::uint64_t index(Value value) {
    const auto [found, added] = index_.emplace(value.bits(), texts_.size());
    if (added) {
      std::string text = shortened_ != nullptr ? shortened_->text(value) : pool_.to_text(value);
      if (text.size() > kLongestText) {
        const std::size_t all = text.size();
        text.resize(kLongestText);
        text += fmt::format("… ({} bytes)", all);
      }
      texts_.push_back(std::move(text));
    }
    return found->second;
  }
  void write(JsonWriter& json) const {
    json.begin_array();
    for (const std::string& text : texts_) json.value(text);
    json.end_array();
  }
  [[nodiscard]] bool empty() const { return texts_.empty(); }

 private:
  const ValuePool& pool_;
  const Shortened* shortened_ = nullptr;
  absl::flat_hash_map<std::uint64_t, std::size_t> index_;
  std::vector<std::string> texts_;
};

/// Values as numbers: 0 none, 1 nil, 2 unknown, 3 false, 4 true, 5 + 2 d an integer, d its zigzag difference from the
/// integer before it in the same place of the same method, 6 + 2 i the text i.
class Values {
 public:
  /// @param places  where integers are written as their difference from the one before
  Values(std::size_t places, Texts& texts) : texts_(texts), previous_(places, 0) {}

  std::uint64_t code(Value value, MethodIndex method, std::size_t place) {
    return code(value, method * kPlaces + std::min(place, kPlaces - 1));
  }
  std::uint64_t code(Value value, std::size_t place) {
    switch (value.kind()) {
      case Value::Kind::none: return 0;
      case Value::Kind::nil: return 1;
      case Value::Kind::unknown: return 2;
      case Value::Kind::boolean: return value.boolean() ? 4 : 3;
      case Value::Kind::integer:
        if (std::abs(value.integer()) < kInlineInteger) {
          std::int64_t& previous = previous_[place];
          const std::int64_t difference = value.integer() - previous;
          previous = value.integer();
          return 5 + 2 * Column::zigzag(difference);
        }
        break;
      default: break;
    }
    return 6 + 2 * texts_.index(value);
  }

 private:
  Texts& texts_;
  std::vector<std::int64_t> previous_;
};

/// The columns in the order in which they follow the JSON, which has their names and lengths.
class Columns {
 public:
  Column& add(std::string_view column_name) { return columns_.emplace_back(column_name, Column()).second; }
  void write(JsonWriter& json) const {
    json.begin_array();
    for (const auto& [column_name, column] : columns_) {
      json.begin_array().value(column_name).value(column.bytes().size()).end_array();
    }
    json.end_array();
  }
  void append_to(std::string& out) const {
    for (const auto& [column_name, column] : columns_) out += column.bytes();
  }

 private:
  std::vector<std::pair<std::string, Column>> columns_;
};

Tick tick_of(const History& history, history::HistoryEvent event) {
  return event.is_response() ? history.response(event.operation()) : history.call(event.operation());
}

std::uint64_t distance(Tick from, Tick to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);  // may pass 2^63
}

/// Each event's distance from the one before, and what it is: 0 a call, s + 1 the return of the operation in slot s.
/// A call takes the slot that was freed last, or a new one.
void write_events(const History& history, const Order& order, Columns& columns) {
  Column ticks;
  Column kinds;
  std::vector<std::uint32_t> slot(history.size());
  std::vector<std::uint32_t> free;
  std::uint32_t slots = 0;
  Tick before = order.events.empty() ? 0 : tick_of(history, order.events.front());
  for (const history::HistoryEvent event : order.events) {
    const Tick tick = tick_of(history, event);
    ticks.number(distance(before, tick));
    before = tick;
    std::uint32_t& own = slot[event.operation().number()];
    if (event.is_response()) {
      kinds.number(own + std::uint64_t{1});
      free.push_back(own);
      continue;
    }
    kinds.number(0);
    if (free.empty()) {
      own = slots++;
    } else {
      own = free.back();
      free.pop_back();
    }
  }
  columns.add("ticks") = std::move(ticks);
  columns.add("events") = std::move(kinds);
}

void write_processes(const History& history, const Order& order, Columns& columns, JsonWriter& json) {
  absl::flat_hash_map<ProcessId, std::uint32_t> index;
  Column column;
  json.name("processes").begin_array();
  for (const OperationIndex i : order.operation) {
    const ProcessId process = history.process(i);
    if (process == kNoProcess) {
      column.number(0);
      continue;
    }
    const auto [found, added] = index.emplace(process, static_cast<std::uint32_t>(index.size() + 1));
    if (added) json.value(history.process_name(process));
    column.number(found->second);
  }
  json.end_array();
  if (!index.empty()) columns.add("process") = std::move(column);
}

/// Where the type lists each method: one method has one colour, whichever a history begins with.
void write_method_ranks(const PayloadInput& input, JsonWriter& json) {
  json.name("methodRanks").begin_array();
  for (const std::string& method : input.history.method_names()) {
    std::optional<std::uint16_t> rank;
    for (const history::Subhistory& part : input.parts) {
      if (!rank) rank = part.specification->find_method(method);
    }
    json.value(rank.value_or(0));
  }
  json.end_array();
}

void write_keys(const PayloadInput& input, const Order& order, Columns& columns, JsonWriter& json) {
  Texts keys(input.history.pool());
  std::vector<std::uint32_t> key(input.history.size(), 0);
  for (const history::Subhistory& part : input.parts) {
    if (!part.specification->has_keys()) continue;
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      if (const auto found = part.specification->key(part.view(local))) {
        key[part.operation[local].number()] = static_cast<std::uint32_t>(keys.index(*found) + 1);
      }
    }
  }
  json.name("keys");
  keys.write(json);
  if (keys.empty()) return;
  Column& column = columns.add("key");
  for (const OperationIndex i : order.operation) column.number(key[i.number()]);
}

void write_operations(const PayloadInput& input, const Order& order, Texts& texts, Columns& columns) {
  const History& history = input.history;
  Values values(history.method_names().size() * kPlaces, texts);
  Column methods;
  Column counts;
  Column arguments;
  Column results;
  std::vector<std::int64_t> usual(history.method_names().size(), 0);  // how many arguments the last one had
  for (const OperationIndex i : order.operation) {
    const MethodIndex method = history.method(i);
    methods.number(method);
    const auto count = static_cast<std::int64_t>(history.arguments(i).size());
    counts.difference(count - usual[method]);
    usual[method] = count;
    for (std::size_t k = 0; k < history.arguments(i).size(); ++k) {
      arguments.number(values.code(history.arguments(i)[k], method, k + 1));
    }
    results.number(values.code(history.result(i), method, 0));
  }
  columns.add("method") = std::move(methods);
  columns.add("argument counts") = std::move(counts);
  columns.add("arguments") = std::move(arguments);
  columns.add("results") = std::move(results);

  if (history.objects().size() > 1) {
    Column& column = columns.add("object");
    for (const OperationIndex i : order.operation) column.number(history.object(i).number());
  }
  if (!order.whole() || !std::is_sorted(order.operation.begin(), order.operation.end())) {
    Column& column = columns.add("number");
    std::int64_t expected = 0;
    for (const OperationIndex i : order.operation) {
      column.difference(std::int64_t{i.number()} - expected);
      expected = std::int64_t{i.number()} + 1;
    }
  }
  if (!order.operation.empty() && history.place(order.operation.front()).line > 0) {
    Column& column = columns.add("line");
    std::int64_t before = 0;
    for (const OperationIndex i : order.operation) {
      column.difference(static_cast<std::int64_t>(history.place(i).line) - before);
      before = history.place(i).line;
    }
  }
}

/// What operations carry besides, two columns a field: how far apart the rows are that have none, and the values of
/// those that have one.
void write_fields(const History& history, const Order& order, Texts& texts, Columns& columns, JsonWriter& json) {
  json.name("fields").begin_array();
  for (std::size_t k = 0; k < history.fields().size(); ++k) {
    const Field& field = history.fields()[k];
    json.value(field.name);
    Values codes(1, texts);
    Column without, values;
    std::uint64_t since = 0;
    for (const OperationIndex i : order.operation) {
      ++since;
      if (field.values[i.number()].is_none()) {
        without.number(since);
        since = 0;
      } else {
        values.number(codes.code(field.values[i.number()], 0));
      }
    }
    columns.add(fmt::format("field {} without", k)) = std::move(without);
    columns.add(fmt::format("field {}", k)) = std::move(values);
  }
  json.end_array();
}

/// Orders of operations and the states that they lead through.
class Linearizations {
 public:
  Linearizations(const Order& order, Columns& columns) : order_(order), columns_(columns) {}

  /// The number under which the page finds it.
  std::size_t add(const Linearization& linearization) {
    std::int64_t expected = 0;
    std::size_t count = 0;
    for (const Step& step : linearization.steps) {
      if (order_.row[step.operation.number()] == kNone) continue;
      const std::int64_t row = order_.row[step.operation.number()];
      steps_.difference(row - expected);
      expected = row + 1;
      ++count;
    }
    // With steps left out, a state is not the one before it and what the step between them made.
    const std::size_t states = count == linearization.steps.size() ? linearization.states : 0;
    json_.begin_object().field("steps", count).field("states", states);
    json_.field("initial", linearization.initial).end_object();
    // A step changes little of a long state: what both begin and end with is not repeated.
    std::string_view before = linearization.initial;
    for (std::size_t k = 0; k < states; ++k) {
      const std::string_view state = linearization.steps[k].state;
      const std::size_t most = std::min(before.size(), state.size());
      std::size_t head = 0;
      while (head < most && before[head] == state[head]) ++head;
      std::size_t tail = 0;
      while (tail < most - head && before[before.size() - 1 - tail] == state[state.size() - 1 - tail]) ++tail;
      states_.number(head);
      states_.number(tail);
      states_.number(state.size() - head - tail);
      states_.append(state.substr(head, state.size() - head - tail));
      before = state;
    }
    return count_++;
  }

  void write(JsonWriter& json) {
    json_.end_array();
    json.name("linearizations").raw(json_.text());
    if (count_ == 0) return;
    columns_.add("steps") = std::move(steps_);
    columns_.add("states") = std::move(states_);
  }

 private:
  const Order& order_;
  Columns& columns_;
  Column steps_;
  Column states_;
  JsonWriter json_ = JsonWriter().begin_array();
  std::size_t count_ = 0;
};

void write_rows(const Order& order, std::span<const OperationIndex> operations, JsonWriter& json) {
  json.begin_array();
  for (const OperationIndex i : operations) {
    if (order.row[i.number()] != kNone) json.value(order.row[i.number()]);
  }
  json.end_array();
}

/// Where it ended, for whatever reason.
std::optional<OperationIndex> blocked_operation(const ObjectVerdict& verdict, const ObjectExplanation& explanation) {
  if (explanation.blocked) return explanation.blocked;
  if (verdict.violation && explanation.core.empty()) return verdict.violation->blocked;
  return verdict.reached;
}

void write_object(const Order& order, const ObjectVerdict& verdict, const ObjectExplanation* explanation,
                  Linearizations& linearizations, JsonWriter& json) {
  json.begin_object().field("name", verdict.name).field("type", verdict.type);
  json.field("verdict", name(verdict.verdict)).field("reason", name(verdict.reason));
  json.field("decider", verdict.decider).field("why", verdict.why);
  json.field("operations", verdict.operations).field("pending", verdict.pending);
  if (explanation != nullptr) {
    if (verdict.refused_order) {
      json.name("refusedOrder").begin_object().field("sentence", verdict.refused_order->sentence).name("operations");
      write_rows(order, verdict.refused_order->operations, json);
      json.end_object();
    }
    json.field("sentence", explanation->sentence).field("minimal", explanation->minimal);
    if (explanation->start) {
      json.name("start").begin_object().field("tick", std::to_string(explanation->start->tick));
      json.field("state", explanation->start->state).field("type", explanation->start->type).end_object();
    }
    json.name("core");
    write_rows(order, explanation->core, json);
    if (!explanation->context.empty()) {
      json.name("context");
      write_rows(order, explanation->context, json);
    }
    const auto blocked = blocked_operation(verdict, *explanation);
    if (blocked && order.row[(*blocked).number()] != kNone) json.field("blocked", order.row[(*blocked).number()]);
    json.name("attempts").begin_array();
    for (const Attempt& attempt : explanation->attempts) {
      json.begin_object().field("order", linearizations.add(attempt.order));
      json.field("state", with_short_texts(attempt.state)).field("refusal", with_short_texts(attempt.refusal));
      if (attempt.then_blocked) json.field("thenBlocked", order.row[(*attempt.then_blocked).number()]);
      json.end_object();
    }
    json.end_array().field("attemptsInAll", explanation->attempts_in_all);
    if (explanation->linearization) {
      json.field("order", linearizations.add(*explanation->linearization));
    } else if (explanation->core.empty() && verdict.violation) {
      // No small proof: how far one comes is better than nothing.
      Linearization longest;
      for (const OperationIndex i : verdict.violation->longest) longest.steps.push_back({.operation = i});
      json.field("order", linearizations.add(longest));
    }
    json.name("omitted");
    write_rows(order, explanation->omitted, json);
  }
  json.end_object();
}

void write_annotations(const History& history, std::span<const std::size_t> shown, Tick base, JsonWriter& json) {
  const auto relative = [base](Tick tick) { return static_cast<std::int64_t>(distance(base, tick)); };
  json.name("annotations").begin_array();
  for (const std::size_t a : shown) {
    const Annotation& annotation = history.annotations()[a];
    json.begin_object().name("begin").value(relative(annotation.begin));
    if (annotation.end) json.name("end").value(relative(*annotation.end));
    json.field("text", annotation.text).field("process", annotation.process).field("colour", annotation.colour);
    json.end_object();
  }
  json.end_array();
}

/// What is left out, and how much of what there is in all.
void write_left_out(const History& history, const Order& order, std::size_t annotations, JsonWriter& json) {
  if (order.whole() && annotations == history.annotations().size()) return;
  std::vector<std::size_t> all(history.method_names().size(), 0);
  std::vector<std::size_t> pending(all.size(), 0);
  std::vector<std::size_t> shown(all.size(), 0);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    ++all[history.method(i)];
    pending[history.method(i)] += history.pending(i) ? 1 : 0;
    shown[history.method(i)] += order.row[i.number()] != kNone ? 1 : 0;
  }
  json.name("leftOut").begin_object();
  json.field("operations", history.size()).field("annotations", history.annotations().size());
  json.field("shownAnnotations", annotations).name("methods").begin_array();
  for (std::size_t m = 0; m < all.size(); ++m) {
    json.begin_object().field("name", history.method_names()[m]).field("operations", all[m]);
    json.field("pending", pending[m]).field("shown", shown[m]).end_object();
  }
  json.end_array().end_object();
}

void write_interleaving(const Order& order, const Interleaving& interleaving, JsonWriter& json) {
  json.name("interleaving").begin_object();
  json.field("finding", interleaving.finding);
  json.name("message").begin_array();
  for (std::string_view rest = interleaving.message; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    json.value(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  json.end_array();
  json.field("scenario", interleaving.scenario).field("token", interleaving.token);
  json.name("steps").begin_array();
  for (const InterleavingStep& step : interleaving.steps) {
    json.begin_object().field("thread", step.thread);
    if (step.operation) json.field("row", order.row[(*step.operation).number()]);
    json.field("what", step.what).field("value", step.value).field("where", step.where);
    json.field("function", step.function).field("note", step.note).end_object();
  }
  json.end_array().end_object();
}

/// With the operations of all cores, and what is said of them.
Shortened shortened_cores(const PayloadInput& input) {
  std::vector<OperationIndex> operations;
  std::string sentences;
  for (const ObjectExplanation& each : input.explanation.objects) {
    operations.insert(operations.end(), each.core.begin(), each.core.end());
    sentences += each.sentence;
    sentences += ' ';
  }
  return {input.history, operations, sentences};
}

}  // namespace

std::string payload(const PayloadInput& input) {
  const History& history = input.history;
  const HistoryVerdict& verdict = input.verdict;
  const std::vector<OperationIndex> spoken = spoken_of(verdict, input.explanation);
  const Order order(input, spoken);
  const std::vector<std::size_t> annotations = shown_annotations(history, spoken, input.most_annotations);
  const Tick base = order.events.empty() ? 0 : tick_of(history, order.events.front());
  Columns columns;
  JsonWriter json;
  json.begin_object().field("label", input.label);
  json.field("verdict", name(verdict.verdict)).field("reason", name(verdict.reason));
  json.field("operations", order.operation.size());
  json.field("pending", std::count_if(order.operation.begin(), order.operation.end(),
                                      [&](OperationIndex i) { return history.pending(i); }));
  json.field("eventCount", order.events.size()).field("seconds", verdict.seconds);
  // As text: a number of JavaScript holds 53 bits, and clocks that count nanoseconds since 1970 need 61.
  json.field("base", std::to_string(base));
  json.name("methods").begin_array();
  for (const std::string& method : history.method_names()) json.value(method);
  json.end_array();
  write_method_ranks(input, json);
  write_events(history, order, columns);
  write_processes(history, order, columns, json);
  write_keys(input, order, columns, json);
  const Shortened shortened = shortened_cores(input);
  Texts texts(history.pool(), shortened);
  write_operations(input, order, texts, columns);
  write_fields(history, order, texts, columns, json);
  json.name("texts");
  texts.write(json);
  write_annotations(history, annotations, base, json);
  write_left_out(history, order, annotations.size(), json);
  if (input.interleaving != nullptr) write_interleaving(order, *input.interleaving, json);

  Linearizations linearizations(order, columns);
  json.name("objects").begin_array();
  for (const ObjectVerdict& object : verdict.objects) {
    const auto& explained = input.explanation.objects;
    const auto found = std::find_if(explained.begin(), explained.end(),
                                    [&object](const ObjectExplanation& each) { return each.object == object.object; });
    write_object(order, object, found == explained.end() ? nullptr : &*found, linearizations, json);
  }
  json.end_array();
  linearizations.write(json);
  json.name("columns");
  columns.write(json);
  json.end_object();

  std::string out;
  const auto length = static_cast<std::uint32_t>(json.text().size());
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(length >> shift);
  out += json.text();
  columns.append_to(out);
  return out;
}

}  // namespace linchpin::explain::page
