// Histories of list-append for tests: written down, drawn at random, and held against the oracle.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/list_append/monitor.hpp"
#include "types/list_append/specification.hpp"

namespace linchpin::test::transactions {

using List = std::vector<int>;

struct Part {
  bool appends = false;
  int key = 0;
  int value = 0;
  std::optional<List> list = {};  // nothing: lost
};

inline Part append(int key, int value) { return {.appends = true, .key = key, .value = value}; }
inline Part read(int key, List list) { return {.key = key, .list = std::move(list)}; }

enum class Outcome {
  ok,
  pending,
  promised,
  aborted,
  lost,
  acknowledged,  // and nothing was told but what the transaction says itself
  refused,       // pending; it would abort
  garbled        // completed by what does not fit
};
constexpr std::size_t kOutcomes = 8;

inline bool is_pending(Outcome outcome) {
  return outcome == Outcome::pending || outcome == Outcome::promised || outcome == Outcome::refused;
}

struct Transaction {
  std::vector<Part> parts;
  Outcome outcome = Outcome::ok;
  Tick call = 0;
  Tick response = 0;
  ProcessId process = kNoProcess;
  bool told_at_once = false;  // the transaction that was asked for has the lists
  bool odd = false;           // keys and elements of other kinds than integers
};

using Transactions = std::vector<Transaction>;

/// Keys and elements are numbered; those with small numbers may be of other kinds.
inline Value element_of(int number, bool odd, ValuePool& pool) {
  if (!odd || number > 3 || number < 0) return Value::integer(number);
  switch (number) {
    case 0: return pool.list({Value::integer(0)});
    case 1: return Value::boolean(false);
    case 2: return pool.string("");
    default: return pool.list({});
  }
}

/// `nil_tells`: nil stands for the empty list, and not for one that is not told.
inline Value value_of(const Part& part, bool asked, bool odd, ValuePool& pool, bool nil_tells = true) {
  const Value key = element_of(part.key, odd, pool);
  if (part.appends) return pool.list({pool.string("append"), key, element_of(part.value, odd, pool)});
  Value seen = Value::nil();
  if (!asked) {
    std::vector<Value> values;
    for (const int element : part.list.value_or(List())) values.push_back(element_of(element, odd, pool));
    seen = !part.list                                     ? Value::unknown()
           : nil_tells && values.empty() && part.key == 0 ? Value::nil()
                                                          : pool.list(values);
  }
  return pool.list({pool.string("r"), key, seen});
}

/// What is no answer to the transaction.
inline Value garbled(const Transaction& transaction, std::vector<Value> answered, ValuePool& pool) {
  Part first = transaction.parts.front();
  switch (transaction.parts.size() % 3) {
    case 0: answered.push_back(answered.front()); break;
    case 1: ++first.key; break;
    default: first.appends = !first.appends;
  }
  if (transaction.parts.size() % 3 != 0) answered.front() = value_of(first, false, transaction.odd, pool);
  return pool.list(answered);
}

inline Built build(const Transactions& transactions) {
  HistoryBuilder builder;
  ProcessId next = 1000;
  for (const Transaction& transaction : transactions) {
    const Outcome outcome = transaction.outcome;
    std::vector<Value> asked, answered;
    for (const Part& part : transaction.parts) {
      const bool told = transaction.told_at_once && part.list;
      asked.push_back(value_of(part, !told, transaction.odd, builder.pool(), outcome != Outcome::acknowledged));
      answered.push_back(value_of(part, false, transaction.odd, builder.pool()));
    }
    const bool pending = is_pending(outcome);
    const bool lost = outcome == Outcome::lost || outcome == Outcome::pending;
    const bool aborts = outcome == Outcome::aborted || outcome == Outcome::refused;
    const Value result = aborts                             ? Value::boolean(false)
                         : lost                             ? Value::unknown()
                         : outcome == Outcome::acknowledged ? Value::none()
                         : outcome == Outcome::garbled && !transaction.parts.empty()
                             ? garbled(transaction, answered, builder.pool())
                             : builder.pool().list(answered);
    builder.add({.process = transaction.process == kNoProcess ? next++ : transaction.process,
                 .method = "txn",
                 .arguments = {builder.pool().list(asked)},
                 .result = result,
                 .call = transaction.call,
                 .response = pending ? kPending : transaction.response});
  }
  static const auto kSpecification = specification_of("list-append");
  auto history = std::move(builder).build();
  if (!history) {
    std::fprintf(stderr, "transactions do not build: %s\n", history.error().to_string().c_str());
    std::abort();
  }
  Built built{kSpecification, std::make_unique<History>(std::move(*history)), {}};
  const std::array specifications{kSpecification};
  built.part = std::move((*history::split_by_object(*built.history, specifications, Ties::concurrent))[0]);
  return built;
}

inline core::Outcome decide(const Transactions& transactions) {
  const Built built = build(transactions);
  core::Budget budget{Limits{}};
  return types::list_append::decide(built.part, {}, budget);
}

/// Holds the monitor against the oracle. A core is also decided with the lists cut down to what it appends itself,
/// which is what makes it evidence for the whole history: erasing an element everywhere keeps a legal order legal.
class Check {
 public:
  ~Check() {
    if (!thorough()) return;
    std::printf("%zu histories, %zu not applicable, %zu undecided, %zu linearizable, %zu violations, core of %zu\n",
                histories, refused, undecided, linearizable, violations, largest_core);
    for (const auto& [name, count] : names) std::printf("  %s: %zu\n", name.c_str(), count);
  }

  void check(const Transactions& transactions) {
    ++histories;
    Built built = build(transactions);
    const auto applicability = types::list_append::applicable(built.part);
    if (!applicability.applies) {
      ++refused;
      return;
    }
    const auto part = std::move(built.part);
    core::Budget budget{Limits{}};
    const auto outcome = types::list_append::decide(part, {.witness = true, .reading = applicability.reading}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++undecided;
      EXPECT_EQ(outcome.reason, Reason::not_applicable) << to_text(part);
      return;
    }
    const bool truth = oracle_.linearizable(part);
    ++(truth ? linearizable : violations);
    ASSERT_EQ(truth, outcome.verdict == Verdict::linearizable) << to_text(part) << outcome.sentence;
    if (truth) {
      EXPECT_TRUE(oracle_.valid_witness(part, outcome.witness)) << to_text(part);
      return;
    }
    ++names[outcome.sentence.substr(0, outcome.sentence.find_first_of(":,"))];
    largest_core = std::max(largest_core, outcome.core.size());
    ASSERT_FALSE(outcome.core.empty());
    EXPECT_TRUE(std::is_sorted(outcome.core.begin(), outcome.core.end()));
    EXPECT_FALSE(oracle_.linearizable(history::restrict(part, outcome.core))) << to_text(part) << outcome.sentence;
    check_core(transactions, part, outcome);
  }

  /// With its lists cut down to what it appends itself. The history may be too long for the oracle.
  void check_core(const Transactions& transactions, const history::Subhistory& part, const core::Outcome& outcome) {
    EXPECT_FALSE(oracle_.linearizable(build(projected(transactions, part, outcome.core)).part))
        << to_text(part) << outcome.sentence << "\ncore: " << ::testing::PrintToString(outcome.core);
  }

  std::size_t histories = 0, refused = 0, undecided = 0, linearizable = 0, violations = 0, largest_core = 0;
  std::map<std::string, std::size_t> names;

 private:
  static Transactions projected(const Transactions& transactions, const history::Subhistory& part,
                                const std::vector<std::uint32_t>& core) {
    std::set<std::pair<int, int>> erased;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const Transaction& transaction = transactions[part.operation[i].number()];
      if (transaction.outcome == Outcome::aborted || transaction.outcome == Outcome::refused ||
          std::binary_search(core.begin(), core.end(), i))
        continue;
      for (const Part& each : transaction.parts) {
        if (each.appends) erased.emplace(each.key, each.value);
      }
    }
    Transactions kept;
    for (const std::uint32_t i : core) {
      kept.push_back(transactions[part.operation[i].number()]);
      for (Part& each : kept.back().parts) {
        if (each.list) std::erase_if(*each.list, [&](int element) { return erased.contains({each.key, element}); });
      }
    }
    return kept;
  }

  Oracle oracle_{*specification_of("list-append")};
};

/// Transactions that take effect at points of their own, and then, often, something wrong.
class Drawing {
 public:
  explicit Drawing(Random& random) : random_(random) {}

  Transactions draw() {
    const std::size_t size = 1 + below(random_, 7);
    const Tick ticks = 2 + static_cast<Tick>(below(random_, 3 * size + 1));
    const int keys = 1 + static_cast<int>(below(random_, 3));
    const double odd = std::array{0.0, 0.1, 0.4}[below(random_, 3)];
    const bool other_kinds = chance(random_, 0.1), told_at_once = chance(random_, 0.1);
    Transactions all(size);
    std::vector<std::pair<Tick, std::size_t>> points;
    int next = 0;
    for (std::size_t t = 0; t < size; ++t) {
      Transaction& made = all[t];
      made.call = static_cast<Tick>(below(random_, static_cast<std::size_t>(ticks)));
      made.response = made.call + static_cast<Tick>(below(random_, 1 + below(random_, 8)));
      if (chance(random_, odd)) made.outcome = static_cast<Outcome>(1 + below(random_, 4));
      if (chance(random_, odd / 4)) made.outcome = static_cast<Outcome>(below(random_, kOutcomes));
      made.told_at_once = told_at_once;
      made.odd = other_kinds;
      const bool pending = is_pending(made.outcome);
      const Tick last = pending ? ticks + 4 : made.response;
      points.emplace_back(made.call + static_cast<Tick>(below(random_, static_cast<std::size_t>(last - made.call + 1))),
                          t);
      for (std::size_t k = chance(random_, odd / 8) ? 0 : 1 + below(random_, 3); k > 0; --k) {
        const int key = static_cast<int>(below(random_, static_cast<std::size_t>(keys)));
        made.parts.push_back(chance(random_, 0.5) ? append(key, next++) : read(key, {}));
      }
    }
    if (next > 1 && chance(random_, 0.01)) repeat(all, next);
    std::sort(points.begin(), points.end());
    std::map<int, List> lists;
    for (const auto& [point, t] : points) {
      const bool pending = is_pending(all[t].outcome);
      const bool aborts = all[t].outcome == Outcome::aborted || all[t].outcome == Outcome::refused;
      const bool happens = !aborts && !(pending && chance(random_, 0.4));
      std::map<int, List> after = lists;
      for (Part& part : all[t].parts) {
        if (part.appends) {
          after[part.key].push_back(part.value);
        } else {
          part.list = after[part.key];
        }
      }
      if (happens) lists = after;
    }
    for (std::size_t k = below(random_, 3); k > 0; --k) damage(all, next);
    if (chance(random_, 0.2)) lose(all);
    number_processes(all);
    return all;
  }

 private:
  void repeat(Transactions& all, int next) {
    for (Transaction& transaction : all) {
      for (Part& part : transaction.parts) {
        if (part.appends && part.value == next - 1) part.value = 0;
      }
    }
  }

  void lose(Transactions& all) {
    for (Transaction& transaction : all) {
      for (Part& part : transaction.parts) {
        if (!part.appends && chance(random_, 0.2)) part.list.reset();
      }
    }
  }

  void damage(Transactions& all, int next) {
    Transaction& one = all[below(random_, all.size())];
    Transaction& other = all[below(random_, all.size())];
    switch (below(random_, 5)) {
      case 0:
        if (&one != &other) {
          std::swap(one.call, other.call);
          std::swap(one.response, other.response);
        }
        return;
      case 1: {
        const Tick shift = static_cast<Tick>(below(random_, 9)) - 4;
        one.call += shift;
        one.response += shift;
        return;
      }
      case 2: one.outcome = static_cast<Outcome>(below(random_, kOutcomes)); return;
      default: break;
    }
    if (one.parts.empty()) return;
    Part& part = one.parts[below(random_, one.parts.size())];
    if (part.appends || !part.list) return;
    List& list = *part.list;
    switch (below(random_, 5)) {
      case 0:
        if (!list.empty()) list.pop_back();
        return;
      case 1: list.push_back(static_cast<int>(below(random_, static_cast<std::size_t>(next) + 1))); return;
      case 2:
        if (list.size() > 1) std::swap(list[below(random_, list.size())], list[below(random_, list.size())]);
        return;
      case 3:
        if (!list.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(below(random_, list.size())));
        return;
      default:
        for (const Part& seen : other.parts) {
          if (!seen.appends && seen.list && seen.key == part.key) list = List(*seen.list);
        }
    }
  }

  /// Some histories have clients that call again.
  void number_processes(Transactions& all) {
    if (chance(random_, 0.5)) return;
    std::vector<std::size_t> order(all.size());
    for (std::size_t t = 0; t < all.size(); ++t) order[t] = t;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(all[a].call, all[a].response, a) < std::tuple(all[b].call, all[b].response, b);
    });
    std::vector<Tick> free_from;
    for (const std::size_t t : order) {
      const bool pending = is_pending(all[t].outcome);
      std::size_t process = 0;
      while (process < free_from.size() && free_from[process] > all[t].call) ++process;
      if (process == free_from.size()) free_from.push_back(0);
      free_from[process] = pending ? kPending : all[t].response;
      all[t].process = static_cast<ProcessId>(process);
    }
  }

  Random& random_;
};

/// The same transactions over so many elements a key.
inline void repeat(Transactions& all, int elements) {
  for (auto& transaction : all) {
    for (auto& part : transaction.parts) {
      part.value %= elements;
      if (!part.list) continue;
      for (int& element : *part.list) element %= elements;
    }
  }
}

}  // namespace linchpin::test::transactions
