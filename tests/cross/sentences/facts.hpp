// What is true of a small history in which somebody claims a violation: read from the history itself, by no decider.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/verdict.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"

namespace linchpin::sentences {

using history::Rank;

class Facts {
 public:
  explicit Facts(const test::Built& built)
      : part_(built.part), specification_(built.specification), oracle_(*specification_) {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      described_[part_.history->describe(part_.operation[i])].push_back(i);
      const std::string_view method = part_.specification->methods()[part_.method[i]].name;
      const Value value = part_.arguments(i).empty() ? part_.result(i) : part_.arguments(i)[0];
      const bool adds = method.starts_with("push") || method == "enqueue" || method == "insert" || method == "add";
      const bool removes = method.starts_with("pop") || method == "dequeue" || method == "poll" || method == "take" ||
                           method == "remove";
      // What says that it did nothing is about no value.
      named_[text(value)].push_back(i);
      const bool idle = part_.result(i) == Value::boolean(false) && !part_.arguments(i).empty();
      if (idle) continue;
      if (adds) adds_[text(value)].push_back(i);
      if (removes) removes_[text(value)].push_back(i);
      shown_[text(value)].push_back(i);
    }
  }

  [[nodiscard]] bool each_added_once() const {
    return std::all_of(adds_.begin(), adds_.end(), [](const auto& each) { return each.second.size() == 1; });
  }
  /// Whether two operations add or write the same value.
  [[nodiscard]] bool some_repeat() const {
    std::map<std::string, std::size_t> written;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (!part_.arguments(i).empty()) ++written[text(part_.arguments(i).back())];
    }
    return std::any_of(written.begin(), written.end(), [](const auto& each) { return each.second >= 2; });
  }
  [[nodiscard]] const std::vector<std::uint32_t>& described(const std::string& operation) const {
    return find(described_, operation);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& adds(const std::string& value) const { return find(adds_, value); }
  [[nodiscard]] const std::vector<std::uint32_t>& removes(const std::string& value) const {
    return find(removes_, value);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& named(const std::string& value) const { return find(named_, value); }
  /// Operations with the value for any argument, or for their result.
  [[nodiscard]] std::vector<std::uint32_t> about(const std::string& value) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      bool is = text(part_.result(i)) == value;
      for (const Value argument : part_.arguments(i)) is = is || text(argument) == value;
      if (is) found.push_back(i);
    }
    return found;
  }
  [[nodiscard]] bool removed(std::uint32_t operation) const {
    return std::any_of(removes_.begin(), removes_.end(), [&](const auto& each) {
      return std::find(each.second.begin(), each.second.end(), operation) != each.second.end();
    });
  }
  /// Every value that was added.
  [[nodiscard]] std::vector<std::string> all_values() const {
    std::vector<std::string> values;
    for (const auto& [value, operations] : adds_) values.push_back(value);
    return values;
  }
  /// How many operations of core and context that add a value, and how many that may remove one: those that returned
  /// before it was called (`before`), or all that were called before it returned.
  [[nodiscard]] std::size_t added_when(std::uint32_t operation, bool before) const {
    return count_when(adds_, operation, before);
  }
  [[nodiscard]] std::size_t removed_when(std::uint32_t operation, bool before) const {
    return count_when(removes_, operation, before);
  }
  /// Operations of a method that returned a value: "poll returned 7".
  [[nodiscard]] std::vector<std::uint32_t> returned(const std::string& method, const std::string& value) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const std::string result = part_.result(i).is_nil() ? "empty" : text(part_.result(i));
      if (part_.arguments(i).empty() && result == value &&
          part_.history->method_name(part_.history->method(part_.operation[i])) == method) {
        found.push_back(i);
      }
    }
    return found;
  }

  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const { return part_.happens_before(a, b); }
  [[nodiscard]] Rank call(std::uint32_t i) const { return part_.call[i]; }
  [[nodiscard]] Rank response(std::uint32_t i) const { return part_.response[i]; }

  /// From the first response that shows the value to the last call that does, to the end where nobody removed it.
  struct Inside {
    Rank from = history::Rank::none(), to = 0;
  };
  [[nodiscard]] Inside inside(const std::string& value) const {
    Inside inside;
    for (const std::uint32_t i : find(shown_, value)) {
      inside.from = std::min(inside.from, part_.response[i]);
      inside.to = std::max(inside.to, part_.call[i]);
    }
    if (removes(value).empty()) inside.to = history::Rank::none();
    return inside;
  }
  /// How many values were certainly inside.
  [[nodiscard]] std::size_t certainly_inside(Rank moment) const {
    return static_cast<std::size_t>(std::count_if(adds_.begin(), adds_.end(), [&](const auto& each) {
      const Inside within = inside(each.first);
      return within.from <= moment && moment < within.to;
    }));
  }
  /// Whether at each moment of the operation one of the values was certainly inside.
  [[nodiscard]] bool covered(std::uint32_t operation, const std::vector<std::string>& values) const {
    if (part_.pending(operation)) return false;
    for (Rank moment = part_.call[operation]; moment < part_.response[operation]; ++moment) {
      const bool any = std::any_of(values.begin(), values.end(), [&](const std::string& value) {
        const Inside within = inside(value);
        return within.from <= moment && moment < within.to;
      });
      if (!any) return false;
    }
    return true;
  }
  /// Whether the first value's priority goes before the second's: by the numbers, or the relation 0<1, 0<2, 1<3, 2<3.
  [[nodiscard]] bool goes_first(const std::string& a, const std::string& b) const {
    if (adds(a).empty() || adds(b).empty()) return false;
    const auto priority = [&](const std::string& value) {
      return part_.history->pool().integer_of(part_.arguments(adds(value)[0]).back());
    };
    const std::string_view type = part_.specification->name();
    if (type.find("order=largest") != type.npos) return priority(a) > priority(b);
    if (type.find("order=0<1") != type.npos && priority(a) == 1 && priority(b) == 2) return false;
    return priority(a) < priority(b);
  }
  /// The operations of these values, and those that are also given, fit into no order.
  [[nodiscard]] bool impossible(const std::vector<std::string>& values, std::vector<std::uint32_t> also = {}) {
    std::set<std::uint32_t> locals(also.begin(), also.end());
    for (const std::string& value : values) {
      for (const std::uint32_t i : find(named_, value)) locals.insert(i);
    }
    const std::vector<std::uint32_t> chosen(locals.begin(), locals.end());
    return !chosen.empty() && !oracle_.linearizable(history::restrict(part_, chosen));
  }

  /// The core of what is claimed now.
  void claim(const Violation& violation) {
    core_.clear();
    shown_operations_.clear();
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const OperationIndex own = part_.operation[i];
      const auto is_in = [&](const auto& some) { return std::find(some.begin(), some.end(), own) != some.end(); };
      if (is_in(violation.core)) core_.push_back(i);
      if (is_in(violation.core) || is_in(violation.context)) shown_operations_.push_back(i);
    }
    proves_ = !core_.empty() && violation.context.empty() && !violation.start && violation.minimal;
  }
  /// Whether the operation is of the core, and what is left of the core without it has a linearization. A core that is
  /// not the smallest, goes on from a state, or is refuted among others only, says nothing of that.
  [[nodiscard]] bool stands_in_the_way(const std::string& operation) {
    if (!proves_) return true;
    return any(described(operation), [&](std::uint32_t i) {
      if (!of_core(i)) return false;
      std::vector<std::uint32_t> rest = core_without(i);
      // What saw what it did is impossible without it.
      const std::vector<std::uint32_t> whole = rest;
      std::erase_if(rest, [&](std::uint32_t other) { return !possible(other, whole); });
      return fits(rest);
    });
  }
  /// Whether nothing that is in force while the operation is open, or just before it returns, allows an operation of
  /// this method, with this result: it is put into the core in the operation's place.
  [[nodiscard]] bool never_while(const std::string& operation, std::string_view method,
                                 const std::vector<Value>& arguments, Value result, bool at_the_end) {
    if (!proves_) return true;
    return any(described(operation), [&](std::uint32_t i) {
      if (!of_core(i)) return false;
      test::Sketch sketch = sketch_of(core_without(i));
      test::SketchedOperation probe = sketched(i);
      const auto methods = specification_->methods();
      const auto named = std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == method; });
      if (named == methods.end()) return false;
      probe.method = static_cast<std::uint16_t>(named - methods.begin());
      probe.arguments = arguments;
      probe.result = result;
      if (at_the_end) probe.call = probe.response - 1;
      sketch.push_back(std::move(probe));
      return !oracle_.linearizable(test::build(specification_, sketch).part);
    });
  }
  /// Whether some of the operations have a linearization with this one among them.
  [[nodiscard]] bool possible(std::uint32_t operation) { return some_fit({operation}, all()); }
  [[nodiscard]] bool possible(std::uint32_t operation, const std::vector<std::uint32_t>& among) {
    return some_fit({operation}, among);
  }
  /// The same, with both among them.
  [[nodiscard]] bool possible_with(std::uint32_t operation, std::uint32_t other) {
    return operation == other || some_fit({operation, other}, all());
  }
  /// Whether the core, with its context, refutes: of what was recorded, nothing that was open then or later makes room
  /// for it. What had returned before is another question: the core may begin behind a quiet point.
  [[nodiscard]] bool core_refutes(const Violation& violation) {
    if (violation.core.empty() || violation.start) return true;
    std::vector<std::uint32_t> given, later;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      for (const auto* const operations : {&violation.core, &violation.context}) {
        if (std::find(operations->begin(), operations->end(), part_.operation[i]) != operations->end())
          given.push_back(i);
      }
    }
    const Rank begin = part_.call[given.front()];  // local indices are in the order of calls
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (part_.response[i] > begin) later.push_back(i);
    }
    return !some_fit(given, later);
  }

  [[nodiscard]] std::string_view method(std::uint32_t i) const {
    return part_.specification->methods()[part_.method[i]].name;
  }
  [[nodiscard]] std::string argument(std::uint32_t i, std::size_t position) const {
    return position < part_.arguments(i).size() ? text(part_.arguments(i)[position]) : "";
  }
  [[nodiscard]] std::string result(std::uint32_t i) const { return text(part_.result(i)); }
  [[nodiscard]] std::string type() const { return std::string(specification_->name()); }
  [[nodiscard]] std::size_t pending() const { return part_.pending_count; }
  [[nodiscard]] const history::Subhistory& part() const { return part_; }

 private:
  using Table = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
  [[nodiscard]] std::size_t count_when(const Table& operations, std::uint32_t operation, bool before) const {
    std::size_t count = 0;
    for (const auto& [value, those] : operations) {
      if (value == text(Value::nil())) continue;  // found nothing
      for (const std::uint32_t i : those) {
        if (!std::binary_search(shown_operations_.begin(), shown_operations_.end(), i)) continue;
        count += (before ? part_.happens_before(i, operation) : part_.call[i] < part_.response[operation]) ? 1 : 0;
      }
    }
    return count;
  }
  [[nodiscard]] static const std::vector<std::uint32_t>& find(const Table& table, const std::string& key) {
    static const std::vector<std::uint32_t> kNone;
    const auto entry = table.find(key);
    return entry == table.end() ? kNone : entry->second;
  }
  template <typename Predicate>
  [[nodiscard]] static bool any(const std::vector<std::uint32_t>& operations, Predicate holds) {
    return std::any_of(operations.begin(), operations.end(), holds);
  }
  [[nodiscard]] bool of_core(std::uint32_t i) const { return std::binary_search(core_.begin(), core_.end(), i); }
  [[nodiscard]] std::vector<std::uint32_t> core_without(std::uint32_t i) const {
    std::vector<std::uint32_t> rest = core_;
    std::erase(rest, i);
    return rest;
  }
  [[nodiscard]] bool fits(const std::vector<std::uint32_t>& locals) {
    return locals.empty() || oracle_.linearizable(history::restrict(part_, locals));
  }
  /// Whether the given operations, with some of the others, have a linearization.
  [[nodiscard]] bool some_fit(std::vector<std::uint32_t> given, std::vector<std::uint32_t> others) {
    std::sort(given.begin(), given.end());
    std::erase_if(others, [&](std::uint32_t i) { return std::binary_search(given.begin(), given.end(), i); });
    for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << others.size(); ++chosen) {
      std::vector<std::uint32_t> locals = given;
      for (std::uint32_t k = 0; k < others.size(); ++k) {
        if ((chosen >> k & 1) != 0) locals.push_back(others[k]);
      }
      std::sort(locals.begin(), locals.end());
      if (fits(locals)) return true;
    }
    return false;
  }
  [[nodiscard]] std::vector<std::uint32_t> all() const {
    std::vector<std::uint32_t> locals(part_.size());
    std::iota(locals.begin(), locals.end(), 0);
    return locals;
  }
  [[nodiscard]] test::SketchedOperation sketched(std::uint32_t i) const {
    const auto held = [&](Value value) { return test::sketch_pool().import(value, part_.history->pool()); };
    test::SketchedOperation operation{.method = static_cast<std::uint16_t>(part_.method[i]),
                                      .result = held(part_.result(i)),
                                      .call = 2 * Tick{part_.call[i].number()},
                                      .response = part_.pending(i) ? kPending : 2 * Tick{part_.response[i].number()},
                                      .process = part_.view(i).process};
    for (const Value argument : part_.arguments(i)) operation.arguments.push_back(held(argument));
    return operation;
  }
  [[nodiscard]] test::Sketch sketch_of(const std::vector<std::uint32_t>& locals) const {
    test::Sketch sketch;
    for (const std::uint32_t i : locals) sketch.push_back(sketched(i));
    return sketch;
  }
  [[nodiscard]] std::string text(Value value) const { return part_.history->pool().to_text(value); }

  const history::Subhistory& part_;
  std::shared_ptr<const Specification> specification_;
  test::Oracle oracle_;
  std::vector<std::uint32_t> core_;
  std::vector<std::uint32_t> shown_operations_;  // core and context
  bool proves_ = false;
  Table described_, adds_, removes_, named_, shown_;
};

}  // namespace linchpin::sentences
