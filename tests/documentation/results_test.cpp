// The table of results in docs/types.md says what the types do, and nothing else.
//
// Every method of every type is tried with each word for "done" and some others as its result, in every state that a
// few operations reach. With LINCHPIN_BLESS set the test writes the table.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "documentation/generated.hpp"
#include "documentation/markdown.hpp"
#include "linchpin/check.hpp"

namespace linchpin::results_test {
namespace {

constexpr std::string_view kHeading = "## Which results are legal\n";
constexpr std::size_t kDepth = 3;         // operations before the one that is tried
constexpr std::size_t kMostStates = 400;  // "a few operations" reach fewer, but for the Java classes

/// The options that change what results mean.
std::vector<std::string> types_with_options() {
  std::vector<std::string> types;
  for (const core::DataType& type : core::data_types()) {
    types.emplace_back(type.name);
    const auto and_with = [&](std::string_view name, std::initializer_list<std::string_view> options) {
      if (type.name != name) return;
      for (const std::string_view option : options) types.push_back(fmt::format("{} {}", name, option));
    };
    and_with("map", {"results=previous"});
    and_with("queue", {"capacity=1"});
    and_with("priority-queue", {"capacity=1"});
    and_with("stack", {"heights=yes", "heights=before"});
    and_with("deque", {"capacity=1", "work-stealing=yes"});
    and_with("log", {"append=index", "append=length"});
  }
  return types;
}

class Results {
 public:
  explicit Results(const std::string& type) : specification_(*make_specification(*TypeName::parse(type))) {
    for (std::uint16_t row = 0; row < specification_->methods().size(); ++row) add_calls(row);
    results_ = {Value::none(),
                Value::nil(),
                Value::boolean(true),
                Value::boolean(false),
                pool_.string("ok"),
                element(0),
                element(1),
                element(2),
                pool_.string("text"),
                number(0),
                number(1),
                number(2),
                pool_.list({}),
                pool_.list({element(0)}),
                pool_.list({element(0), number(0)})};
    states_ = specification_->make_states();
    explore();
  }

  /// "| methods | none | nil | ... |" for each set of methods that are alike, in the order of the method table.
  std::vector<std::string> rows() {
    std::vector<std::pair<std::string, std::string>> rows;  // cells, methods
    for (std::uint16_t row = 0; row < specification_->methods().size(); ++row) {
      const std::string cells = cells_of(row);
      const auto alike = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.first == cells; });
      const std::string name = fmt::format("`{}`", specification_->methods()[row].name);
      if (alike == rows.end()) {
        rows.emplace_back(cells, name);
      } else {
        alike->second += ", " + name;
      }
    }
    std::vector<std::string> lines;
    for (const auto& [cells, methods] : rows) lines.push_back(fmt::format("| {} |{}", methods, cells));
    return lines;
  }

 private:
  struct Call {
    std::uint16_t method;
    std::vector<Value> arguments;
  };

  static Value number(std::int64_t value) { return Value::integer(value); }
  /// What argument `i` is, so that an argument that comes back is told from the others.
  static Value element(std::size_t i) { return number(101 + static_cast<std::int64_t>(i)); }

  Operation view(const Call& call, Value result) const {
    return {.method = call.method, .arguments = call.arguments, .result = result, .process = 0, .pool = &pool_};
  }

  /// The call with each number of arguments, of the first kind that the type takes.
  void add_calls(std::uint16_t row) {
    const Method& method = specification_->methods()[row];
    for (std::size_t count = method.least; count <= method.most; ++count) {
      Call call{.method = row, .arguments = {}};
      for (std::size_t i = 0; i < count; ++i) call.arguments.push_back(element(i));
      const Value entries = pool_.list({element(0)}), pairs = pool_.list({pool_.list({element(0), element(1)})});
      const Value reads = pool_.list({pool_.list({pool_.string("read"), element(0)})});
      for (const Value last : {Value::none(), pool_.string("text"), entries, pairs, reads}) {
        if (!last.is_none() && count > 0) call.arguments.back() = last;
        if (specification_->invalid(view(call, Value::unknown())).empty()) break;
      }
      calls_.push_back(call);
      // Other elements, an index below the end, and what nothing is stored under.
      if (count > 0 && call.arguments[0].is_integer()) {
        for (const Value other : {number(100), element(3), element(1)}) {
          if (count > 1 && other == element(1)) continue;  // a second argument that comes back is none of these
          call.arguments[0] = other;
          calls_.push_back(call);
        }
      }
      // The first revision, and the version of what was never written.
      if (method.name == "compact") calls_.push_back({.method = row, .arguments = {number(1)}});
      if (method.name == "put" && count == 3)
        calls_.push_back({.method = row, .arguments = {element(0), element(1), number(0)}});
      if (method.name == "get" && count == 1) calls_.push_back({.method = row, .arguments = {number(0)}});
      if (method.name == "cas" && count == 2)
        calls_.push_back({.method = row, .arguments = {Value::nil(), element(1)}});
      const Value nothing = pool_.list({});
      if (method.name == "txn" && count == 3)
        calls_.push_back({.method = row, .arguments = {nothing, nothing, nothing}});
      if (count == 3) calls_.push_back({.method = row, .arguments = {element(0), Value::nil(), element(2)}});
    }
  }

  std::vector<StateId> successors(StateId state, const Call& call, Value result) {
    std::vector<StateId> after;
    if (specification_->invalid(view(call, result)).empty()) states_->successors(state, view(call, result), after);
    return after;
  }

  void explore() {
    reached_ = {states_->initial()};
    std::set<StateId> known(reached_.begin(), reached_.end());
    std::size_t begin = 0;
    for (std::size_t depth = 0; depth < kDepth; ++depth) {
      const std::size_t end = reached_.size();
      for (; begin < end && reached_.size() < kMostStates; ++begin) {
        for (const Call& call : calls_) {
          for (const StateId next : successors(reached_[begin], call, Value::unknown())) {
            if (known.insert(next).second) reached_.push_back(next);
          }
        }
      }
    }
  }

  /// "yes": legal at first; "later": in another state; "": nowhere.
  template <class Wanted>
  std::string when(std::uint16_t row, Wanted&& wanted) {
    for (const StateId state : reached_) {
      for (const Call& call : calls_) {
        if (call.method != row) continue;
        std::vector<Value> results = results_;
        results.insert(results.end(), call.arguments.begin(), call.arguments.end());
        const bool legal = std::any_of(results.begin(), results.end(), [&](Value result) {
          return wanted(call, result) && !successors(state, call, result).empty();
        });
        if (legal) return state == reached_.front() ? "yes" : "later";
      }
    }
    return "";
  }

  std::string cells_of(std::uint16_t row) {
    std::string cells;
    const auto cell = [&](const std::string& text) { cells += fmt::format(" {} |", text); };
    const auto same = [](Value value) { return [value](const Call&, Value result) { return result == value; }; };
    for (std::size_t word = 0; word < 5; ++word) cell(when(row, same(results_[word])));
    std::string arguments;
    for (std::size_t i = 0; i < specification_->methods()[row].most; ++i) {
      const std::string legal = when(row, [&](const Call& call, Value result) {
        return i < call.arguments.size() && result == call.arguments[i] && !result.is_nil();
      });
      if (!legal.empty()) arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", i + 1, legal);
    }
    cell(arguments);
    cell(when(row, [](const Call& call, Value result) {
      return result.is_integer() &&
             std::find(call.arguments.begin(), call.arguments.end(), result) == call.arguments.end();
    }));
    return cells;
  }

  mutable ValuePool pool_;
  std::shared_ptr<const Specification> specification_;
  std::unique_ptr<StateTable> states_;
  std::vector<Call> calls_;
  std::vector<Value> results_;
  std::vector<StateId> reached_;  // the initial one first
};

std::string expected_table() {
  std::string table =
      "| type | methods | `none` | `nil` | `true` | `false` | `ok` | an argument | another integer |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  std::vector<std::pair<std::vector<std::string>, std::string>> all;  // rows, types
  for (const std::string& type : types_with_options()) {
    const std::vector<std::string> rows = Results(type).rows();
    const auto alike = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == rows; });
    if (alike == all.end()) {
      all.emplace_back(rows, fmt::format("`{}`", type));
    } else {
      alike->second += fmt::format(", `{}`", type);
    }
  }
  for (const auto& [rows, types] : all) {
    for (const std::string& row : rows) table += fmt::format("| {} {}\n", types, row);
  }
  return table;
}

TEST(Documentation, SaysWhichResultsAreLegal) {
  const std::filesystem::path path = documentation::root() / "docs/types.md";
  const std::string page = documentation::content_of(path);
  const std::size_t heading = page.find(kHeading);
  ASSERT_NE(heading, std::string::npos);
  const std::size_t begin = page.find("| type |", heading);
  ASSERT_NE(begin, std::string::npos);
  std::size_t end = begin;
  while (end < page.size() && page[end] == '|') end = page.find('\n', end) + 1;
  documentation::expect_generated(path, page, begin, end, expected_table());
}

}  // namespace
}  // namespace linchpin::results_test
