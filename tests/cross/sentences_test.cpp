// What sentences about violations claim, held against the whole history as it was recorded, on random small violations:
// who was inside and when, what returned before what was called, what was open, and which values fit into no order.
//
// Each decider that was asked for and each that is chosen, with its core made smaller and as it comes. Queues, stacks,
// priority queues, bags and deques have a table of all that may be said of them: a sentence that none of its rows takes
// is a failure, so that a new one comes with its claim. LINCHPIN_CROSS_COUNT sets the number of histories of all types.
#include <regex>
#include <set>

#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "decide/choose.hpp"
#include "linchpin/check.hpp"
#include "linchpin/explain.hpp"
#include "linchpin/parsing.hpp"
#include "support/oracle.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::sentences_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests
using history::Rank;

/// What is true of a history in which each value is added once: read from it directly, by no decider.
class Facts {
 public:
  explicit Facts(const Built& built) : part_(built.part), oracle_(*built.specification) {
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
  [[nodiscard]] const std::vector<std::uint32_t>& described(const std::string& operation) const {
    return find(described_, operation);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& adds(const std::string& value) const { return find(adds_, value); }
  [[nodiscard]] const std::vector<std::uint32_t>& removes(const std::string& value) const {
    return find(removes_, value);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& named(const std::string& value) const { return find(named_, value); }
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
    Rank from = history::kNoRank, to = 0;
  };
  [[nodiscard]] Inside inside(const std::string& value) const {
    Inside inside;
    for (const std::uint32_t i : find(shown_, value)) {
      inside.from = std::min(inside.from, part_.response[i]);
      inside.to = std::max(inside.to, part_.call[i]);
    }
    if (removes(value).empty()) inside.to = history::kNoRank;
    return inside;
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
  [[nodiscard]] std::size_t pending() const { return part_.pending_count; }
  [[nodiscard]] const history::Subhistory& part() const { return part_; }

 private:
  using Table = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
  [[nodiscard]] static const std::vector<std::uint32_t>& find(const Table& table, const std::string& key) {
    static const std::vector<std::uint32_t> kNone;
    const auto entry = table.find(key);
    return entry == table.end() ? kNone : entry->second;
  }
  [[nodiscard]] std::string text(Value value) const { return part_.history->pool().to_text(value); }

  const history::Subhistory& part_;
  Oracle oracle_;
  Table described_, adds_, removes_, named_, shown_;
};

using Words = std::smatch;

/// The values of "6, 5 and 4", "6, then 5" or "6 or 5", their priorities left out.
std::vector<std::string> values_of(std::string text) {
  text = std::regex_replace(text, std::regex(R"( \(priority [^)]*\))"), "");
  text = std::regex_replace(text, std::regex(R"((, then | and | or |, ))"), " ");
  std::vector<std::string> values;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) values.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return values;
}

bool any_of(const std::vector<std::uint32_t>& operations, const std::function<bool(std::uint32_t)>& holds) {
  return std::any_of(operations.begin(), operations.end(), holds);
}

/// What may be said, and when it is true.
struct Row {
  std::string text;
  std::regex words;
  std::function<bool(Facts&, const Words&)> holds;
};

bool covered_and_first(Facts& facts, const Words& words) {
  const std::vector<std::string> values = values_of(words[3]);
  const std::string removed = values_of(words[2])[0];
  for (const std::string& value : values) {
    if (!facts.goes_first(value, removed)) return false;
  }
  return any_of(facts.returned(words[1], removed), [&](std::uint32_t i) { return facts.covered(i, values); });
}
bool found_empty_among(Facts& facts, const Words& words) {
  return any_of(facts.returned(words[1], words[2]),
                [&](std::uint32_t i) { return facts.covered(i, values_of(words[3])); });
}
bool was_empty_among(Facts& facts, const Words& words) {
  return any_of(facts.described(words[1]), [&](std::uint32_t i) { return facts.covered(i, values_of(words[2])); });
}
bool together_impossible(Facts& facts, const Words& words) { return facts.impossible(values_of(words[1])); }
bool happens_before(Facts& facts, const Words& words) {
  return any_of(facts.described(words[1]), [&](std::uint32_t a) {
    return any_of(facts.described(words[2]), [&](std::uint32_t b) { return facts.before(a, b); });
  });
}
/// Nothing that writes the value was called before the operation returned.
bool nobody_had_written(Facts& facts, const Words& words) {
  const history::Subhistory& part = facts.part();
  return any_of(facts.described(words[1]), [&](std::uint32_t i) {
    for (std::uint32_t other = 0; other < part.size(); ++other) {
      // What exchanges may have found another value, or the same.
      const bool writes = part.specification->methods()[part.method[other]].name == "write" &&
                          part.history->pool().to_text(part.arguments(other).back()) == words[2];
      if (other != i && writes && part.call[other] < part.response[i]) return false;
    }
    return true;
  });
}
/// An operation of the value has no moment outside those of better values before the other is called.
bool no_gap_before(Facts& facts, const std::string& late, std::uint32_t add, std::uint32_t remove, bool by_add) {
  const history::Subhistory& part = facts.part();
  Rank rightmost = 0;
  bool any = false;
  const std::uint32_t put = facts.adds(late)[0], rm = facts.removes(late)[0];
  for (Rank moment = std::max(part.call[put], part.call[rm]); moment < part.response[rm]; ++moment) {
    bool open = true;
    for (std::uint32_t other = 0; other < part.size(); ++other) {
      if (part.arguments(other).empty()) continue;
      const std::string name = part.history->pool().to_text(part.arguments(other)[0]);
      if (!facts.goes_first(name, late)) continue;
      const Facts::Inside inside = facts.inside(name);
      open = open && !(inside.from <= moment && moment < inside.to);
    }
    if (open) rightmost = moment;
    any = any || open;
  }
  return !any || rightmost < part.call[by_add ? add : remove];
}

const std::vector<Row>& rows() {
  static const std::string kOperation = R"((\w+\([^)]*\)(?: -> \S+?| pending)?))";
  static const std::string kValue = R"((\S+(?: \(priority [^)]*\))?))";
  static const std::vector<std::pair<std::string, std::function<bool(Facts&, const Words&)>>> kTexts = {
      // Any container with adds and removes: types/container_binding.hpp.
      {R"((\w+) returned (\S+), which nobody had \w+)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], words[2]), [&](std::uint32_t i) {
           return !any_of(facts.adds(words[2]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
         });
       }},
      {R"((\S+) (?:was|is) \w+ once and \w+ twice)",
       [](Facts& facts, const Words& words) {
         return facts.adds(words[1]).size() == 1 && facts.removes(words[1]).size() >= 2;
       }},
      {R"((\w+) returned (\S+) before (\w+)\(([^,)]*)[^)]*\) was called)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], words[2]),
                       [&](std::uint32_t i) { return facts.before(i, facts.adds(words[4]).at(0)); });
       }},
      {R"((\w+) returned (\S+), but was called when the (\w+) that returned (\S+) had ended)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.returned(words[1], words[2]), [&](std::uint32_t late) {
           return any_of(facts.returned(words[3], words[4]),
                         [&](std::uint32_t gone) { return facts.removed(gone) && facts.before(gone, late); });
         });
       }},
      {R"((\w+) returned (\S+) although (\S+) was in the \w+ during the whole call: \w+ before, (?:not \w+ by then|\w+ after))",
       found_empty_among},
      {R"((\w+) returned (\S+) although at each moment of the call (.*) was in the \w+)", found_empty_among},
      // Queues: types/queue/conflict.hpp.
      {kOperation + R"(, but nobody had \w+ (\S+))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           return !any_of(facts.adds(words[2]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
         });
       }},
      {kOperation + " found the queue empty, but (\\S+) was inside during the whole call: .*", was_empty_among},
      {kOperation + " found the queue empty, but at each moment of the call a value was inside: ([^;]*)",
       was_empty_among},
      {kOperation + " returned before " + kOperation + " was called, though " + kOperation + " had returned before " +
           kOperation + " was called",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]),
                       [&](std::uint32_t a) {
                         return any_of(facts.described(words[2]), [&](std::uint32_t b) { return facts.before(a, b); });
                       }) &&
                any_of(facts.described(words[3]), [&](std::uint32_t a) {
                  return any_of(facts.described(words[4]), [&](std::uint32_t b) { return facts.before(a, b); });
                });
       }},
      {kOperation + R"( came too early: (\S+) was ahead of (\S+) in the queue \()" + kOperation +
           " had returned before " + kOperation + R"( was called\) and had not left yet)",
       [](Facts& facts, const Words& words) {
         const std::string first = words[2];
         return any_of(facts.described(words[1]),
                       [&](std::uint32_t i) {
                         return !any_of(facts.removes(first),
                                        [&](std::uint32_t gone) { return facts.call(gone) < facts.response(i); });
                       }) &&
                any_of(facts.described(words[4]), [&](std::uint32_t a) {
                  return any_of(facts.described(words[5]), [&](std::uint32_t b) { return facts.before(a, b); });
                });
       }},
      {kOperation + R"( saw (\S+) at the front, which .*; but in that time (\S+) was seen there too, by )" + kOperation,
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[2], words[3]});
       }},
      {R"((\S+) must leave before (\S+) and \S+ before (\S+), having been seen at the front before the other's last operation, though \S+ was in the queue before \S+ was enqueued)",
       [](Facts& facts, const Words& words) {
         return facts.impossible({words[1], words[2], words[3]});
       }},
      // Stacks: types/stack/monitor.cpp.
      {R"((\w+) returned (\S+) although (\S+), pushed after it, was (?:on top|above it) during the whole call)",
       [](Facts& facts, const Words& words) {
         const std::string upper = words[3];
         return facts.inside(words[2]).from < facts.call(facts.adds(upper).at(0)) &&
                any_of(facts.returned(words[1], words[2]), [&](std::uint32_t i) { return facts.covered(i, {upper}); });
       }},
      {R"((\S+ and \S+) were both in the stack and each must have lain above the other)", together_impossible},
      {R"((.*) cannot be nested: each has an operation during which some other of them was certainly in the way)",
       together_impossible},
      // Priority queues: types/priority_queue/monitor.cpp.
      {R"((\w+) returned )" + kValue + " although " + kValue +
           R"(, which goes first, was in the queue during the whole call: inserted before, (?:polled after|not polled by then))",
       covered_and_first},
      {R"((\w+) returned )" + kValue +
           " although it is covered by (.*): at each moment of the call one of these, which go first, was in the queue",
       covered_and_first},
      {"equal priorities leave in the order of insertion, (.*)",
       [](Facts& facts, const Words& words) {
         std::vector<std::string> all;
         static const std::regex kNamed(R"((\S+?),? \(priority [^)]*\)|(?:^|, |and |since )(\d+)|before (\d+))");
         const std::string text = words[1];
         for (std::sregex_iterator each(text.begin(), text.end(), kNamed), end; each != end; ++each) {
           for (std::size_t group = 1; group < each->size(); ++group) {
             if ((*each)[group].matched) all.push_back((*each)[group]);
           }
         }
         return facts.impossible(all);
       }},
      // Bags: types/bag/monitor.cpp.
      {kOperation + " returned before " + kOperation + " was called", happens_before},
      {kOperation + " was called after " + kOperation + " had returned",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t a) {
           return any_of(facts.described(words[1]), [&](std::uint32_t b) { return facts.before(a, b); });
         });
       }},
      {kOperation + R"(, but (\S+) was inside during the whole call)", was_empty_among},
      {kOperation + " found the bag empty, but at every moment of it a value was inside: (.*)", was_empty_among},
      // The published definitions: decide/framework.
      {R"(the operations on (.*) fit into no order)", together_impossible},
      {kOperation + " and " + kOperation + " removed one value, which was added once",
       [](Facts& facts, const Words& words) {
         const auto& first = facts.described(words[1]);
         return !first.empty() && !facts.described(words[2]).empty() &&
                (facts.described(words[1]) != facts.described(words[2]) || first.size() >= 2 || words[1] != words[2]);
       }},
      {R"((.*) block each other: each has an operation for which another of them leaves no moment)",
       together_impossible},
      {kOperation + ", but nothing adds this value",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]), [&](std::uint32_t i) {
           const std::string said = words[1];
           return facts.adds(said.substr(said.rfind(' ') + 1)).empty() && facts.response(i) != 0;
         });
       }},
      {kOperation + " saw nothing inside, but at each moment of it a value was",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[1]),
                       [&](std::uint32_t i) { return facts.covered(i, facts.all_values()); });
       }},
      // Lifts: decide/lift/violation.cpp.
      {R"((\S+) was \w+ before anybody could have \w+ it)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.named(words[1]), [&](std::uint32_t i) {
           return !any_of(facts.adds(words[1]), [&](std::uint32_t add) { return facts.call(add) < facts.response(i); });
         });
       }},
      {R"((\S+) was \w+ more often than it had been \w+)",
       [](Facts& facts, const Words& words) { return facts.removes(words[1]).size() > facts.adds(words[1]).size(); }},
      {"whichever of the equal values .*", [](Facts&, const Words&) { return false; }},  // none are equal
      // Registers, and whatever one reads: algo/regularity.cpp, algo/chains.cpp.
      {kOperation + R"(: nobody had written (\S+), and it is not the initial value)", nobody_had_written},
      {kOperation + " returned before " + kOperation + R"( was called, and nothing had written (\S+) before)",
       [](Facts& facts, const Words& words) { return happens_before(facts, words); }},
      {kOperation + R"( saw the initial value \S+, but )" + kOperation + " had returned before it was called",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t a) {
           return any_of(facts.described(words[1]), [&](std::uint32_t b) { return facts.before(a, b); });
         });
       }},
      {kOperation + " returned before " + kOperation + " was called, (?:and can only come after it|but .* only .*)",
       happens_before},
      {kOperation + R"( saw a value that was gone: )" + kOperation +
           R"( was called when all that wrote (\S+) had returned, and returned before .* was called)",
       [](Facts& facts, const Words& words) {
         return any_of(facts.described(words[2]), [&](std::uint32_t over) {
           return any_of(facts.described(words[1]), [&](std::uint32_t late) { return facts.before(over, late); });
         });
       }},
      // Any search.
      {"no order of the operations explains every result", [](Facts&, const Words&) { return true; }},
      // Check-PQ: research/check_pq/decider.cpp.
      {R"(rm\((\S+)\) happens before put\((\S+)\))",
       [](Facts& facts, const Words& words) {
         return facts.before(facts.removes(words[1]).at(0), facts.adds(words[2]).at(0));
       }},
      {R"((\S+) was removed and never put)",
       [](Facts& facts, const Words& words) {
         return facts.adds(words[1]).empty() && !facts.removes(words[1]).empty();
       }},
      {R"(put\((\S+)\) happens before put\((\S+)\), of the same priority, but rm\((\S+)\) happens before rm\((\S+)\))",
       [](Facts& facts, const Words& words) {
         return facts.before(facts.adds(words[1]).at(0), facts.adds(words[2]).at(0)) &&
                facts.before(facts.removes(words[3]).at(0), facts.removes(words[4]).at(0));
       }},
      {R"(put\((\S+)\) happens before put\((\S+)\), of the same priority, but only (\S+) is removed)",
       [](Facts& facts, const Words& words) {
         return facts.before(facts.adds(words[1]).at(0), facts.adds(words[2]).at(0)) &&
                facts.removes(words[1]).empty() && !facts.removes(words[3]).empty();
       }},
      {R"(rm\(empty\) is covered by (.*))",
       [](Facts& facts, const Words& words) {
         return any_of(facts.removes("nil"), [&](std::uint32_t i) { return facts.covered(i, values_of(words[1])); });
       }},
      {kOperation + " is covered by (.*)", was_empty_among},
      {R"((\S+) is covered by (.*))",
       [](Facts& facts, const Words& words) {
         for (const std::string& value : values_of(words[2])) {
           if (!facts.goes_first(value, words[1])) return false;
         }
         return any_of(facts.removes(words[1]), [&](std::uint32_t i) { return facts.covered(i, values_of(words[2])); });
       }},
      {R"((\S+) is put before (\S+)(?: \(by way of (\S+)\))?, but the rightmost gap-point of (\S+) is before the call of (put|rm)\((\S+)\))",
       [](Facts& facts, const Words& words) {
         const std::uint32_t add = facts.adds(words[1]).at(0);
         const std::uint32_t remove = facts.removes(words[1]).empty() ? add : facts.removes(words[1])[0];
         return no_gap_before(facts, words[4], add, remove, words[5] == "put");
       }},
      {"no linearization satisfies \\w+-Seq", [](Facts&, const Words&) { return true; }},
      {"no value of maximal priority can be the last one removed", [](Facts&, const Words&) { return true; }},
  };
  static const std::vector<Row> kRows = [] {
    std::vector<Row> made;
    for (const auto& [words, holds] : kTexts) made.push_back({words, std::regex(words), holds});
    return made;
  }();
  return kRows;
}

/// Beginnings and ends that are said of any type.
constexpr std::string_view kPendingRemoves = ", and no choice of values for the pending ";

struct Tally {
  std::map<std::string, std::size_t> said;  // by row
  std::set<std::string> unknown;            // sentences that no row takes
};

/// Nothing if what is said of the violation is true of the history, else why not.
std::string untrue(const Built& built, Facts& facts, const ObjectVerdict& verdict, Tally& tally) {
  std::string sentence = verdict.violation->sentence;
  if (sentence.empty()) return "nothing is said";
  if (verdict.why.find("values repeat") != std::string::npos && facts.each_added_once()) return "values do not repeat";
  if (sentence.find("pending") != std::string::npos && facts.pending() == 0) return "nothing is pending";
  const bool open = sentence.find(kPendingRemoves) != std::string::npos;
  if (open) sentence.resize(sentence.find(kPendingRemoves));
  // Operations by their own words, whatever else is said of them.
  static const std::regex kQuoted(R"(\b\w+\([^()]*\) -> \S*[^\s,:;)])");
  for (std::sregex_iterator each(sentence.begin(), sentence.end(), kQuoted), end; each != end; ++each) {
    std::string quoted = each->str();
    if (facts.described(quoted).empty() && quoted.find('[') == std::string::npos) {
      return fmt::format("nobody recorded {}", quoted);
    }
  }
  for (const Row& row : rows()) {
    Words words;
    if (!std::regex_match(sentence, words, row.words)) continue;
    ++tally.said[row.text];
    const bool container = built.specification->name().find("queue") != std::string::npos ||
                           built.specification->name().starts_with("stack") ||
                           built.specification->name().starts_with("bag") ||
                           built.specification->name().starts_with("deque");
    if (container && !facts.each_added_once()) return {};  // which of the equal ones is meant is not said
    return row.holds(facts, words) ? "" : "it is not so";
  }
  if (sentence.find(" fits no order") == std::string::npos) tally.unknown.insert(sentence);
  return {};
}

/// The states that were tried, and what would have been returned there: executed again, one step after the other.
std::string untrue_attempts(const Built& built, const ObjectExplanation& explanation) {
  if (!explanation.blocked || explanation.start) return {};
  const auto local_of = [&](OperationIndex i) {
    return static_cast<std::uint32_t>(std::find(built.part.operation.begin(), built.part.operation.end(), i) -
                                      built.part.operation.begin());
  };
  const Operation blocked = built.part.view(local_of(*explanation.blocked));
  const auto states = built.specification->make_states();
  for (const Attempt& attempt : explanation.attempts) {
    std::vector<StateId> reached = {states->initial()}, next;
    for (const Step& step : attempt.order.steps) {
      next.clear();
      for (const StateId each : reached) states->successors(each, built.part.view(local_of(step.operation)), next);
      std::swap(reached, next);
    }
    std::erase_if(reached,
                  [&](StateId each) { return states->describe(each, built.history->pool()) != attempt.state; });
    if (reached.empty()) return fmt::format("the state {} cannot be reached so", attempt.state);
    if (attempt.then_blocked) continue;
    const auto legal = [&](Value result) {
      Operation operation = blocked;
      operation.result = result;
      next.clear();
      for (const StateId each : reached) states->successors(each, operation, next);
      return !next.empty() && (result.is_unknown() || built.specification->invalid(operation).empty());
    };
    for (const std::string& result : attempt.results) {
      std::vector<Value> candidates = {Value::nil(), Value::boolean(true), Value::boolean(false)};
      for (std::uint32_t i = 0; i < built.part.size(); ++i) {
        candidates.push_back(built.part.result(i));
        for (const Value argument : built.part.arguments(i)) candidates.push_back(argument);
      }
      for (std::int64_t number = -20; number <= 100; ++number) candidates.push_back(Value::integer(number));
      bool any = result.front() == '[';  // lists: heights, in stack_sets_test.cpp
      for (const Value each : candidates) any = any || (built.history->pool().to_text(each) == result && legal(each));
      if (!any) return fmt::format("in {} it would not return {}", attempt.state, result);
    }
    if (attempt.refusal == "is not possible" && legal(Value::unknown())) return "it is possible";
  }
  return {};
}

/// What `check` says of a history in the native text.
std::string said_of(const std::string& text, const std::string& decider = "", bool shrink = true) {
  auto histories = parse_histories(text);
  if (!histories || !(*histories)[0]) return "not read";
  CheckOptions options;
  options.decider = decider;
  options.shrink = shrink;
  const auto checked = check(*(*histories)[0], options);
  if (!checked || checked->verdict != Verdict::violation) return "no violation";
  return checked->objects[0].why + "; " + checked->objects[0].violation->sentence;
}

// Figure 5 of the paper on priority queues: nothing is pending, and rm(d) is called after what was refuted.
TEST(Sentences, AreAboutWhatWasRecordedAndByTheDeciderThatIsNamed) {
  const std::string figure = R"(# linchpin 1
# type: priority-queue ties=fifo
0 0 1 insert 1 4
1 2 3 insert 2 4
2 4 12 poll -> 2
3 5 6 insert 3 1
4 7 20 poll -> 1
5 13 14 poll -> 3
)";
  const std::string paper =
      "asked for; 1 is put before 2, but the rightmost gap-point of 2 is before the call of rm(1)";
  EXPECT_EQ(said_of(figure, "check-pq"), paper);
  EXPECT_EQ(said_of(figure, "check-pq", false), paper);
  EXPECT_EQ(said_of(figure),
            "no value is inserted twice; equal priorities leave in the order of insertion, 1 (priority 4) was inserted "
            "before 2 (priority 4) and 2 (priority 4) can be polled only before 1 (priority 4), since 3 (priority 1) "
            "goes first while in the queue");
}

TEST(Sentences, OfAStackWithHeightsTellTheHeight) {
  const auto stack = [](const std::string& heights, const std::string& rows) {
    return said_of("# linchpin 1\n# type: stack heights=" + heights + "\n" + rows);
  };
  const std::string why = "results carry heights: one set of stacks for each set of done operations; ";
  const auto fits_none = [&](const std::string& operation, const std::string& state, const std::string& answer) {
    return why + operation + " fits no order: while it was open, the stack was " + state + ", top last, where it " +
           answer;
  };
  EXPECT_EQ(stack("before", "0 0 1 push 7 -> 0\n0 2 3 push 1 -> 0\n"),
            fits_none("push(1) -> 0", "[7]", "would return 1"));
  EXPECT_EQ(stack("before", "0 0 1 push 1 -> 0\n0 2 3 pop -> nil\n"),
            fits_none("pop() -> nil", "[1]", "would return [1 1]"));
  EXPECT_EQ(stack("before", "0 0 1 push 0 -> 5\n"), fits_none("push(0) -> 5", "[]", "would return 0"));
  EXPECT_EQ(stack("before", "0 0 1 pop -> [1 1]\n"), fits_none("pop() -> [1 1]", "[]", "would return [nil 0]"));
  EXPECT_EQ(stack("yes", "0 0 1 push 7 -> 1\n0 2 3 pop -> [7 1]\n"),
            fits_none("pop() -> [7 1]", "[7]", "would return [7 0]"));
}

// Both pops are called before the push: a core of one of them, which the push would explain, would prove nothing.
TEST(Sentences, SayThatAValueWasRemovedTwiceWhereItsAddIsCalledLast) {
  EXPECT_EQ(said_of("# linchpin 1\n# type: stack\n0 0 7 pop -> 1\n1 2 11 pop -> 1\n2 3 9 push 1\n"),
            "no value is pushed twice; 1 was pushed once and popped twice");
}

class SentencesOf : public testing::TestWithParam<cross::Subject> {};

TEST_P(SentencesOf, RandomViolationsAreTrueOfWhatWasRecorded) {
  const cross::Subject& subject = GetParam();
  const auto specification = specification_of(subject.type);
  const std::size_t count = random_histories(200'000) / cross::monitored_subjects().size() / 20 + 1;
  Random random(20240611);
  Tally tally;
  std::size_t violations = 0;
  const auto states = specification->make_states();
  for (std::size_t histories = 0; histories < count && !HasFailure();) {
    if (states->bound() > 100'000) states->retain({});
    const RandomShape shape{.operations = 2 + below(random, 9),
                            .most_open = 1 + below(random, 5),
                            .pending = std::array{0.0, 0.0, 0.0, 0.2}[below(random, 4)],
                            .by_simulation = below(random, 8) != 0,
                            .processes = subject.processes == 0 ? 0 : 1 + below(random, subject.processes)};
    Sketch sketch = random_sketch(random, *states, subject.start(random), shape);
    mutate(random, sketch, subject.results);
    if (!valid(sketch) || !takes(*specification, sketch)) continue;
    ++histories;
    const Built built = build(specification, sketch);
    if (Oracle(*specification).linearizable(built.part)) continue;
    ++violations;
    Facts facts(built);
    std::vector<std::string> deciders = {""};
    for (const core::Decider* const decider : decide::all_deciders()) {
      if (decider->name.starts_with("planted") || decider->kind == core::Kind::search) continue;
      if (decider->applicable(built.part).applies) deciders.emplace_back(decider->name);
    }
    for (const std::string& decider : deciders) {
      for (const bool shrink : {true, false}) {
        CheckOptions options;
        options.specification = specification;
        options.decider = decider;
        options.shrink = shrink;
        options.threads = 1;
        options.verify = Verify::never;
        const auto checked = check(*built.history, options);
        ASSERT_TRUE(checked);
        if (checked->verdict != Verdict::violation) continue;
        const ObjectVerdict& object = checked->objects[0];
        std::string why = untrue(built, facts, object, tally);
        if (why.empty()) {
          const auto explanation = explain_verdict(*built.history, *checked, options);
          ASSERT_TRUE(explanation);
          why = untrue_attempts(built, explanation->objects[0]);
        }
        EXPECT_EQ(why, "") << subject.type << " by " << object.decider << (decider.empty() ? "" : ", asked for")
                           << (shrink ? "" : ", not shrunk") << ": " << object.violation->sentence
                           << "\n  why: " << object.why << "\n"
                           << to_text(built.part);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(violations, count / 20);
  if (std::getenv("LINCHPIN_SENTENCES") != nullptr) {
    for (const auto& [row, times] : tally.said) std::printf("%6zu %s\n", times, row.c_str());
    for (const std::string& sentence : tally.unknown) std::printf("       not in the table: %s\n", sentence.c_str());
  }
  const std::string type(subject.type.substr(0, subject.type.find(' ')));
  if (type == "stack" || type == "priority-queue" || subject.name == "Queue") {
    EXPECT_TRUE(tally.unknown.empty()) << "not in the table: " << *tally.unknown.begin();
  }
}

INSTANTIATE_TEST_SUITE_P(Random, SentencesOf, testing::ValuesIn(cross::monitored_subjects()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace linchpin::sentences_test
