#include "generate/anomalies.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "types/list_append/specification.hpp"

namespace linchpin::generate {

namespace {

using Element = std::int64_t;

/// Of a transaction: an append of an element, or a read of a list.
struct Part {
  bool appends = false;
  int key = 0;
  std::vector<Element> elements;
};

Part append(int key, Element element) { return {.appends = true, .key = key, .elements = {element}}; }
Part read(int key, std::vector<Element> list) { return {.key = key, .elements = std::move(list)}; }

struct Planted {
  std::vector<Part> parts;
  int first = 0, last = 1;  ///< during which stages it ran; stages come one after the other
  int process = -1;         ///< those of one number are of one process; -1: of its own
  bool aborted = false;
};

struct Anomaly {
  std::string_view name;
  std::vector<Planted> transactions;
};

/// Two transactions one after the other, of one process or of two.
std::array<Planted, 2> in_turn(Part earlier, Part later, bool one_process) {
  const int process = one_process ? 0 : -1;
  return {Planted{.parts = {std::move(earlier)}, .first = 0, .last = 0, .process = process},
          Planted{.parts = {std::move(later)}, .first = 1, .last = 1, .process = process}};
}

void add_with_times(std::vector<Anomaly>& all, bool process) {
  const auto [write, overwrite] = in_turn(append(0, 1), append(0, 2), process);
  all.push_back({process ? "G0-process" : "G0-realtime", {write, overwrite, {.parts = {read(0, {2, 1})}}}});
  const auto [early, late] = in_turn(read(0, {1}), append(0, 1), process);
  all.push_back({process ? "G1c-process" : "G1c-realtime", {early, late}});
  const auto [done, stale] = in_turn(append(0, 1), read(0, {}), process);
  all.push_back({process ? "G-single-process" : "G-single-realtime", {done, stale}});
  const auto [first, blind] = in_turn(append(1, 1), read(0, {}), process);
  all.push_back({process ? "G2-process" : "G2-realtime", {first, blind, {.parts = {append(0, 1), read(1, {})}}}});
}

const std::vector<Anomaly>& table() {
  static const std::vector<Anomaly> anomalies = [] {
    std::vector<Anomaly> all{
        {"G0",
         {{.parts = {append(0, 1), append(1, 1)}},
          {.parts = {append(0, 2), append(1, 2)}},
          {.parts = {read(0, {1, 2})}},
          {.parts = {read(1, {2, 1})}}}},
        {"G1a", {{.parts = {append(0, 1)}, .aborted = true}, {.parts = {read(0, {1})}}}},
        {"G1b", {{.parts = {append(0, 1), append(0, 2)}}, {.parts = {read(0, {1})}}}},
        {"G1c", {{.parts = {append(0, 1), read(1, {1})}}, {.parts = {append(1, 1), read(0, {1})}}}},
        {"G-single", {{.parts = {append(0, 1), append(1, 1)}}, {.parts = {read(0, {1}), read(1, {})}}}},
        {"G2", {{.parts = {append(0, 1), read(1, {})}}, {.parts = {append(1, 1), read(0, {})}}}},
        {"internal", {{.parts = {append(0, 1), read(0, {})}}}},
        {"phantom", {{.parts = {read(0, {1})}}}},
        {"duplicate", {{.parts = {append(0, 1)}}, {.parts = {read(0, {1, 1})}}}},
        {"torn", {{.parts = {append(0, 1), append(0, 2)}}, {.parts = {append(0, 3)}}, {.parts = {read(0, {1, 3, 2})}}}},
        {"incompatible order",
         {{.parts = {append(0, 1)}},
          {.parts = {append(0, 2)}},
          {.parts = {read(0, {1, 2})}},
          {.parts = {read(0, {2})}}}}};
    add_with_times(all, true);
    add_with_times(all, false);
    return all;
  }();
  return anomalies;
}

/// Keys of generated histories are not negative.
Value key_of(int number) { return Value::integer(-1 - number); }

std::array<Value, 2> asked_and_answered(const Planted& planted, ValuePool& pool) {
  std::vector<Value> asked, answered;
  for (const Part& part : planted.parts) {
    const Value key = key_of(part.key);
    if (part.appends) {
      asked.push_back(pool.list({pool.string("append"), key, Value::integer(part.elements[0])}));
      answered.push_back(asked.back());
      continue;
    }
    std::vector<Value> list;
    for (const Element element : part.elements) list.push_back(Value::integer(element));
    asked.push_back(pool.list({pool.string("r"), key, Value::nil()}));
    answered.push_back(pool.list({pool.string("r"), key, pool.list(list)}));
  }
  return {pool.list(asked), planted.aborted ? Value::boolean(false) : pool.list(answered)};
}

/// Two stages, [first, second] each, with ticks of calls near the place. Nothing: they do not differ enough.
std::optional<std::array<std::array<Tick, 2>, 2>> stages_near(const std::vector<Row>& rows, std::size_t place) {
  std::vector<Tick> ticks;
  for (std::size_t at = std::min(place, rows.size()); at < rows.size() && ticks.size() < 4; ++at) {
    if (ticks.empty() || rows[at].call > ticks.back()) ticks.push_back(rows[at].call);
  }
  if (ticks.size() < 4) return std::nullopt;
  return std::array{std::array{ticks[0], ticks[1]}, std::array{ticks[2], ticks[3]}};
}

}  // namespace

std::vector<std::string_view> anomalies() {
  std::vector<std::string_view> names;
  for (const Anomaly& anomaly : table()) names.push_back(anomaly.name);
  return names;
}

Result<void> plant(std::vector<Row>& rows, std::string_view anomaly, std::size_t place, ValuePool& pool) {
  const auto found =
      std::find_if(table().begin(), table().end(), [&](const Anomaly& each) { return each.name == anomaly; });
  if (found == table().end()) {
    return Error{.code = ErrorCode::bad_option,
                 .message = fmt::format("there is no anomaly '{}'", anomaly),
                 .hint = fmt::format("there are {}", fmt::join(anomalies(), ", "))};
  }
  const auto stages = stages_near(rows, place);
  if (!stages) {
    return Error{.code = ErrorCode::unsupported,
                 .message = "the history is too short to plant an anomaly in it",
                 .hint = "ask for more operations"};
  }
  ProcessId process = 0;
  for (const Row& row : rows) process = std::max(process, row.process);
  std::array<ProcessId, 1> shared{++process};
  for (const Planted& planted : found->transactions) {
    const auto [asked, answered] = asked_and_answered(planted, pool);
    Row row{.process = planted.process < 0 ? ++process : shared[static_cast<std::size_t>(planted.process)],
            .method = types::ListAppend::kTxn,
            .count = 1,
            .result = answered,
            .call = (*stages)[static_cast<std::size_t>(planted.first)][0],
            .response = (*stages)[static_cast<std::size_t>(planted.last)][1]};
    row.arguments[0] = asked;
    const auto after = std::upper_bound(rows.begin(), rows.end(), row.call,
                                        [](Tick call, const Row& other) { return call < other.call; });
    rows.insert(after, row);
  }
  return {};
}

}  // namespace linchpin::generate
