// Histories of transactions on registers for tests: written down, and drawn at random.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/sketch.hpp"

namespace linchpin::test::registers {

inline constexpr int kNil = -1;  // a read that says nothing

struct Part {
  bool writes = false;
  int key = 0;
  int value = 0;
};
inline Part write(int key, int value) { return {.writes = true, .key = key, .value = value}; }
inline Part read(int key, int value) { return {.writes = false, .key = key, .value = value}; }

enum class Outcome { ok, pending, promised, lost };

struct Transaction {
  std::vector<Part> parts;
  Tick call = 0;
  Tick response = 0;
  Outcome outcome = Outcome::ok;
};
using Transactions = std::vector<Transaction>;

inline Value value_of(const Part& part, bool asked, ValuePool& pool) {
  const bool told = part.writes || (!asked && part.value != kNil);
  return pool.list({pool.string(part.writes ? "w" : "r"), Value::integer(part.key),
                    told ? Value::integer(part.value) : Value::nil()});
}

inline Built build(const Transactions& transactions, const std::shared_ptr<const Specification>& specification) {
  HistoryBuilder builder;
  ProcessId process = 0;
  for (const Transaction& transaction : transactions) {
    std::vector<Value> asked, answered;
    for (const Part& part : transaction.parts) {
      asked.push_back(value_of(part, true, builder.pool()));
      answered.push_back(value_of(part, false, builder.pool()));
    }
    const bool pending = transaction.outcome == Outcome::pending || transaction.outcome == Outcome::promised;
    const bool lost = transaction.outcome == Outcome::lost || transaction.outcome == Outcome::pending;
    builder.add({.process = process++,
                 .method = "txn",
                 .arguments = {builder.pool().list(asked)},
                 .result = lost ? Value::unknown() : builder.pool().list(answered),
                 .call = transaction.call,
                 .response = pending ? kPending : transaction.response});
  }
  auto history = std::move(builder).build();
  EXPECT_TRUE(history);
  Built built{specification, std::make_unique<History>(std::move(*history)), {}};
  const std::array specifications{specification};
  built.part = std::move((*history::split_by_object(*built.history, specifications, Ties::concurrent))[0]);
  return built;
}

/// Transactions that take effect at moments of their own, and then, often, reads that saw something else.
inline Transactions draw(Random& random, int initial) {
  const std::size_t size = 1 + below(random, 8);
  const Tick ticks = 2 + static_cast<Tick>(below(random, 3 * size + 1));
  const int keys = 1 + static_cast<int>(below(random, 3));
  const double odd = std::array{0.0, 0.1, 0.4}[below(random, 3)];
  Transactions all(size);
  std::vector<std::pair<Tick, std::size_t>> moments;
  int next = 10;
  for (std::size_t t = 0; t < size; ++t) {
    Transaction& made = all[t];
    made.call = static_cast<Tick>(below(random, static_cast<std::size_t>(ticks)));
    made.response = made.call + static_cast<Tick>(below(random, 1 + below(random, 8)));
    if (chance(random, odd)) made.outcome = static_cast<Outcome>(1 + below(random, 3));
    const bool pending = made.outcome == Outcome::pending || made.outcome == Outcome::promised;
    const Tick last = pending ? ticks + 4 : made.response;
    moments.emplace_back(made.call + static_cast<Tick>(below(random, static_cast<std::size_t>(last - made.call + 1))),
                         t);
    for (std::size_t k = 1 + below(random, 3); k > 0; --k) {
      const int key = static_cast<int>(below(random, static_cast<std::size_t>(keys)));
      made.parts.push_back(chance(random, 0.5) ? write(key, next++) : read(key, kNil));
    }
  }
  std::sort(moments.begin(), moments.end());
  std::map<int, int> holds;
  for (const auto& [moment, t] : moments) {
    const bool pending = all[t].outcome == Outcome::pending || all[t].outcome == Outcome::promised;
    std::map<int, int> after = holds;
    for (Part& part : all[t].parts) {
      if (part.writes) {
        after[part.key] = part.value;
      } else if (!chance(random, 0.1)) {
        const auto held = after.find(part.key);
        part.value = held != after.end() ? held->second : initial;
      }
    }
    if (!pending || chance(random, 0.6)) holds = after;
  }
  for (std::size_t wrong = below(random, 3); wrong > 0; --wrong) {
    Transaction& changed = all[below(random, size)];
    Part& part = changed.parts[below(random, changed.parts.size())];
    if (part.writes) {
      if (chance(random, 0.05)) part.value = 10 + static_cast<int>(below(random, 4));
    } else {
      part.value = chance(random, 0.2) ? initial + static_cast<int>(below(random, 2))
                                       : 10 + static_cast<int>(below(random, static_cast<std::size_t>(next - 9)));
    }
  }
  return all;
}

}  // namespace linchpin::test::registers
