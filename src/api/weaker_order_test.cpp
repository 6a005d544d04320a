// Levels of transactions against brute force over all orders; and that evidence is evidence for the level.
#include "api/weaker_order.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "support/list_append_check.hpp"

namespace weaker_order_test {
namespace {

using namespace linchpin;                      // NOLINT: the vocabulary of these tests
using namespace linchpin::test;                // NOLINT
using namespace linchpin::test::transactions;  // NOLINT
using types::Level;

constexpr std::array kLevels{std::pair(Level::strict, "strict-serializable"),
                             std::pair(Level::session, "strong-session-serializable"),
                             std::pair(Level::plain, "serializable")};

/// Whether a must come before b, by the level alone.
bool before(const History& history, OperationIndex a, OperationIndex b, Level level) {
  if (level == Level::strict) return !history.pending(a) && history.response(a) < history.call(b);
  if (level == Level::plain || history.process(a) == kNoProcess) return false;
  // At one tick, the one that returned then can only have been first.
  const auto at = [&](OperationIndex i) { return std::tuple(history.call(i), history.response(i), i); };
  return history.process(a) == history.process(b) && at(a) < at(b);
}

/// Whether some order of the operations at stake keeps the level and replays: every order is tried.
class EveryOrder {
 public:
  EveryOrder(const History& history, const Specification& specification, Level level,
             std::vector<OperationIndex> operations)
      : history_(history),
        level_(level),
        operations_(std::move(operations)),
        states_(specification.make_states()),
        done_(operations_.size(), false) {}

  bool explains() { return goes_on(states_->initial()); }

 private:
  bool goes_on(StateId state) {
    if (!tried_.insert({done_, state}).second) return false;
    bool complete = true;
    for (std::size_t k = 0; k < operations_.size(); ++k)
      complete = complete && (done_[k] || history_.pending(operations_[k]));
    if (complete) return true;
    for (std::size_t k = 0; k < operations_.size(); ++k) {
      if (done_[k] || !allowed(k)) continue;
      std::vector<StateId> next;
      states_->successors(state, view(operations_[k]), next);
      done_[k] = true;
      for (const StateId each : next) {
        if (goes_on(each)) return true;
      }
      done_[k] = false;
    }
    return false;
  }
  /// A pending operation that was left out does not hold up others of its process, since it is the last there.
  bool allowed(std::size_t k) const {
    for (std::size_t j = 0; j < operations_.size(); ++j) {
      if (!done_[j] && j != k && before(history_, operations_[j], operations_[k], level_)) return false;
    }
    return true;
  }
  Operation view(OperationIndex i) const {
    return {.method = 0, .arguments = history_.arguments(i), .result = history_.result(i), .pool = &history_.pool()};
  }

  const History& history_;
  Level level_;
  std::vector<OperationIndex> operations_;
  std::unique_ptr<StateTable> states_;
  std::vector<bool> done_;
  std::set<std::pair<std::vector<bool>, StateId>> tried_;
};

bool explained(const History& history, const Specification& specification, Level level) {
  std::vector<OperationIndex> all(history.size());
  for (OperationIndex i = 0; i < all.size(); ++i) all[i.number()] = i;
  return EveryOrder(history, specification, level, all).explains();
}

ObjectVerdict verdict_at(const History& history, const std::string& type, const char* level) {
  CheckOptions options;
  options.type = *TypeName::parse(type + " level=" + level);
  options.threads = 1;
  options.verify = Verify::thoroughly;
  const auto verdict = check(history, options);
  EXPECT_TRUE(verdict) << verdict.error().to_string();
  return verdict->objects[0];
}

std::string shown(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text += fmt::format("{} {} {} {}\n", history.process_name(history.process(i)), history.call(i),
                        history.pending(i) ? -1 : history.response(i), history.describe(i));
  }
  return text;
}

/// Holds the verdicts of all levels against brute force. How many there were of each: [level][explained].
void check_levels(const History& history, const std::string& type, std::size_t (&counts)[3][2]) {
  const auto specification = specification_of(type);
  bool weaker = false;
  for (std::size_t l = 0; l < kLevels.size(); ++l) {
    const auto& [level, name] = kLevels[l];
    const bool truth = explained(history, *specification, level);
    const ObjectVerdict verdict = verdict_at(history, type, name);
    ++counts[l][truth ? 1 : 0];
    ASSERT_EQ(verdict.verdict, truth ? Verdict::linearizable : Verdict::violation)
        << name << " by " << verdict.decider << "\n"
        << shown(history);
    ASSERT_TRUE(verdict.refused_evidence.empty()) << name << "\n" << shown(history);
    ASSERT_TRUE(!weaker || truth || level == Level::session) << "what is so at a level is so at weaker ones";
    weaker = truth;
    if (truth) {
      const std::vector<OperationIndex>& order = verdict.witness->order;
      for (std::size_t a = 0; a < order.size(); ++a) {
        for (std::size_t b = a + 1; b < order.size(); ++b) {
          ASSERT_FALSE(before(history, order[b], order[a], level)) << name << "\n" << shown(history);
        }
      }
    } else {
      ASSERT_FALSE(EveryOrder(history, *specification, level, verdict.violation->core).explains()) << name << "\n"
                                                                                                   << shown(history);
    }
  }
}

TEST(Levels, DifferInWhichOrderCounts) {
  // A read that is too old: for another client; for the client that appended; and two that see it the other way round.
  Transactions transactions{{.parts = {append(0, 1)}, .call = 1, .response = 2, .process = 0},
                            {.parts = {read(0, {})}, .call = 3, .response = 4, .process = 1}};
  const auto verdicts = [&] {
    const Built built = build(transactions);
    std::vector<Verdict> all;
    for (const auto& [level, name] : kLevels) all.push_back(verdict_at(*built.history, "list-append", name).verdict);
    return all;
  };
  constexpr Verdict kYes = Verdict::linearizable, kNo = Verdict::violation;
  EXPECT_EQ(verdicts(), (std::vector{kNo, kYes, kYes}));
  transactions[1].process = 0;
  EXPECT_EQ(verdicts(), (std::vector{kNo, kNo, kYes}));
  transactions = {{.parts = {append(0, 1), read(1, {})}, .call = 1, .response = 9},
                  {.parts = {append(1, 2), read(0, {})}, .call = 1, .response = 9}};
  EXPECT_EQ(verdicts(), (std::vector{kNo, kNo, kNo}));
}

TEST(Levels, NameNothingThatDoesNotCount) {
  const Transactions transactions{{.parts = {append(0, 1)}, .call = 1, .response = 2, .process = 0},
                                  {.parts = {read(0, {})}, .call = 3, .response = 4, .process = 0}};
  const Built built = build(transactions);
  const ObjectVerdict session = verdict_at(*built.history, "list-append", "strong-session-serializable");
  EXPECT_EQ(session.decider, "list-append-monitor");
  EXPECT_EQ(session.type, "list-append level=strong-session-serializable");
  EXPECT_TRUE(session.violation->sentence.starts_with("G-single-process:")) << session.violation->sentence;
  EXPECT_EQ(session.core_checked, true);
  const ObjectVerdict plain = verdict_at(*built.history, "list-append", "serializable");
  EXPECT_EQ(plain.decider, "list-append-monitor");
  EXPECT_EQ(plain.witness->order, (std::vector<OperationIndex>{1, 0}));
  EXPECT_EQ(plain.witness_checked, true);
}

TEST(Levels, KeepTheOnlyOrderInWhichAProcessCanHaveRun) {
  // Called at one tick: what returned then was first, what is pending was last, wherever they stand in the recording.
  const Built later{build({{.parts = {read(0, {5})}, .call = 2, .response = 3, .process = 0},
                           {.parts = {append(0, 5)}, .call = 2, .response = 2, .process = 0}})};
  EXPECT_EQ(verdict_at(*later.history, "list-append", "strong-session-serializable").verdict, Verdict::linearizable);
  const Built pending{build({{.parts = {append(0, 4)}, .outcome = Outcome::pending, .call = 6, .process = 0},
                             {.parts = {append(0, 3)}, .call = 6, .response = 6, .process = 0},
                             {.parts = {read(0, {3, 4})}, .call = 8, .response = 9, .process = 1}})};
  EXPECT_EQ(verdict_at(*pending.history, "list-append", "strong-session-serializable").verdict, Verdict::linearizable);
}

TEST(Levels, RefuseOtherNames) {
  const Built built = build({{.parts = {append(0, 1)}, .call = 1, .response = 2}});
  CheckOptions options;
  options.type = *TypeName::parse("list-append level=snapshot");
  const auto verdict = check(*built.history, options);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, ErrorCode::bad_option);
}

TEST(Levels, OfListsAgreeWithBruteForce) {
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20240608));
  std::size_t counts[3][2] = {};
  for (std::size_t i = random_histories(5'000); i > 0 && !HasFatalFailure(); --i) {
    Transactions transactions = Drawing(random).draw();
    if (i % 3 == 0) repeat(transactions, 1 + static_cast<int>(below(random, 4)));
    check_levels(*build(transactions).history, "list-append", counts);
  }
  for (const auto& level : counts) {
    EXPECT_GT(level[0], 0U);
    EXPECT_GT(level[1], 0U);
  }
  // Not strict over sessions: what a process called again at the tick of a return, it did after it, but real time does
  // not say so.
  EXPECT_GT(counts[0][0], counts[2][0]);
  EXPECT_GT(counts[1][0], counts[2][0]);
}

/// Transactions on registers, of which some see what they could have seen.
History draw_registers(Random& random) {
  HistoryBuilder builder;
  const std::size_t size = 1 + below(random, 6), keys = 1 + below(random, 2), clients = 1 + below(random, 3);
  std::vector<Tick> now(clients, 0);
  std::vector<bool> over(clients, false);
  const bool each_once = chance(random, 0.5);
  const std::size_t values = chance(random, 0.7) ? 3 : 100;
  std::size_t written = 0;
  std::vector<HistoryBuilder::Operation> rows;
  for (std::size_t t = 0; t < size; ++t) {
    const std::size_t client = below(random, clients);
    if (over[client]) continue;
    std::vector<Value> asked, answered;
    for (std::size_t k = 1 + below(random, 3); k > 0; --k) {
      const Value key = Value::integer(static_cast<std::int64_t>(below(random, keys)));
      const Value seen = Value::integer(static_cast<std::int64_t>(below(random, 4)));
      if (chance(random, 0.5)) {
        const Value value = Value::integer(static_cast<std::int64_t>(each_once ? ++written : below(random, values)));
        asked.push_back(builder.pool().list({builder.pool().string("w"), key, value}));
        answered.push_back(asked.back());
      } else {
        asked.push_back(builder.pool().list({builder.pool().string("r"), key, Value::nil()}));
        answered.push_back(builder.pool().list({builder.pool().string("r"), key, seen}));
      }
    }
    const Tick call = now[client] + static_cast<Tick>(below(random, 6));
    over[client] = chance(random, 0.1);
    now[client] = call + static_cast<Tick>(below(random, 6));
    rows.push_back({.process = static_cast<ProcessId>(client),
                    .method = "txn",
                    .arguments = {builder.pool().list(asked)},
                    .result = over[client] ? Value::unknown() : builder.pool().list(answered),
                    .call = call,
                    .response = over[client] ? kPending : now[client]});
  }
  std::shuffle(rows.begin(), rows.end(), random);
  for (const auto& row : rows) builder.add(row);
  return *std::move(builder).build();
}

TEST(Levels, OfRegistersAgreeWithBruteForce) {
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20240609));
  std::size_t counts[3][2] = {};
  for (std::size_t i = random_histories(5'000); i > 0 && !HasFatalFailure(); --i) {
    check_levels(draw_registers(random), chance(random, 0.5) ? "multi-register" : "multi-register initial=0", counts);
  }
  // Not strict over sessions: what a process called again at the tick of a return, it did after it, but real time does
  // not say so.
  EXPECT_GT(counts[0][0], counts[2][0]);
  EXPECT_GT(counts[1][0], counts[2][0]);
  EXPECT_GT(counts[2][0], 0U);
}

/// One client writes a key again and again, by the numbers given; another reads it, each value so much later.
History write_and_read(const std::vector<int>& written, const std::vector<int>& seen, Tick later) {
  HistoryBuilder builder;
  const auto add = [&](ProcessId process, const char* what, int number, Tick call) {
    Value asked = builder.pool().list(
        {builder.pool().string(what), Value::integer(0), *what == 'r' ? Value::nil() : Value::integer(number)});
    Value answered = builder.pool().list({builder.pool().string(what), Value::integer(0), Value::integer(number)});
    builder.add({.process = process,
                 .method = "txn",
                 .arguments = {builder.pool().list({asked})},
                 .result = builder.pool().list({answered}),
                 .call = call,
                 .response = call + 1});
  };
  for (std::size_t i = 0; i < written.size(); ++i) add(0, "w", written[i], 10 * static_cast<Tick>(i));
  for (std::size_t i = 0; i < seen.size(); ++i) add(1, "r", seen[i], 10 * static_cast<Tick>(i) + later);
  return *std::move(builder).build();
}

std::vector<int> numbers(int size, int different) {
  std::vector<int> all;
  for (int i = 0; i < size; ++i) all.push_back(i % different);
  return all;
}

TEST(Levels, KeepSessionsOfRegistersThatReadLateInLargeHistories) {
  constexpr int kSize = 2000;
  const std::vector<int> once = numbers(kSize, kSize);
  const History late = write_and_read(once, once, 5005);
  EXPECT_EQ(verdict_at(late, "multi-register", "strict-serializable").verdict, Verdict::violation);
  for (const char* const level : {"strong-session-serializable", "serializable"}) {
    const ObjectVerdict verdict = verdict_at(late, "multi-register", level);
    EXPECT_EQ(verdict.verdict, Verdict::linearizable) << level;
    EXPECT_EQ(verdict.decider, "multi-register-monitor") << level;
    EXPECT_EQ(verdict.witness_checked, true) << level;
  }
  std::vector<int> back = once;
  std::swap(back[1000], back[1001]);
  const History stale = write_and_read(once, back, 5005);
  const ObjectVerdict session = verdict_at(stale, "multi-register", "strong-session-serializable");
  EXPECT_EQ(session.verdict, Verdict::violation);
  EXPECT_EQ(session.core_checked, true);
  EXPECT_NE(session.violation->sentence.find("came before"), std::string::npos) << session.violation->sentence;
  EXPECT_LE(session.violation->core.size(), 5U);
  EXPECT_EQ(verdict_at(stale, "multi-register", "serializable").verdict, Verdict::linearizable);
}

TEST(Levels, AcceptWhatIsStrictWhereValuesRepeat) {
  const std::vector<int> repeated = numbers(3000, 3);
  const History history = write_and_read(repeated, repeated, 5);
  for (const char* const level : {"strong-session-serializable", "serializable"}) {
    const ObjectVerdict verdict = verdict_at(history, "multi-register", level);
    EXPECT_EQ(verdict.verdict, Verdict::linearizable) << level;
    EXPECT_EQ(verdict.decider, "stricter-level") << level;
    EXPECT_EQ(verdict.witness_checked, true) << level;
  }
}

}  // namespace
}  // namespace weaker_order_test
