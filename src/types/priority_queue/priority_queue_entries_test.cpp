// The search over what is inside a priority queue, held against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "support/found_within.hpp"
#include "support/search_check.hpp"
#include "types/priority_queue/entries.hpp"
#include "types/priority_queue/foresight.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::priority_queue_entries_test {
namespace {

using test::below;
using test::Draft;
using test::Random;
using types::PriorityQueue;
using types::priority_queue::Entry;
using types::priority_queue::EntryAct;
using types::priority_queue::EntryActs;
using types::priority_queue::Foresight;
using types::priority_queue::kEntries;

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

/// What is inside after each operation of a witness, in one of the ways that lead on to its end: tried one by one. Of
/// two entries of a priority the one inserted first has the smaller `earliest`.
class Contents {
 public:
  using Content = std::vector<Entry>;

  Contents(const EntryActs& acts, const std::vector<std::uint32_t>& witness)
      : acts_(acts), witness_(witness), before_(witness.size() + 1) {
    possible_ = replay(0);
  }
  [[nodiscard]] bool possible() const { return possible_; }
  /// Before the k-th operation of the witness, counted from 0: ascending.
  [[nodiscard]] const Content& before(std::size_t k) const { return before_[k]; }
  /// Of entries inside, or of one to come, which is the last of its priority.
  [[nodiscard]] bool in_the_way(const Entry& other, const Entry& entry) const {
    if (other.priority != entry.priority) return acts_.better(other.priority, entry.priority);
    return acts_.by_age() && (entry.earliest < kInside || other.earliest < entry.earliest);
  }

 private:
  static constexpr std::uint32_t kInside = 1000;

  bool replay(std::size_t k) {
    if (k == witness_.size()) return true;
    const EntryAct& act = acts_[witness_[k]];
    const Content content = before_[k];
    const auto go_on = [&](Content after) {
      std::sort(after.begin(), after.end());
      before_[k + 1] = std::move(after);
      return replay(k + 1);
    };
    if (act.kind == EntryAct::Kind::insert) {
      Content after = content;
      const auto at = kInside + static_cast<std::uint32_t>(k);
      after.push_back({act.priority, act.value, at, at + 1});
      return go_on(after);
    }
    if (act.looks() || (act.kind == EntryAct::Kind::poll_any && content.empty())) {
      const bool legal = act.kind == EntryAct::Kind::empty    ? content.empty()
                         : act.kind == EntryAct::Kind::filled ? !content.empty()
                                                              : true;
      return legal && go_on(content);
    }
    for (const Entry& entry : content) {
      if (act.kind != EntryAct::Kind::poll_any && entry.value != act.value) continue;
      const auto blocks = [&](const Entry& other) { return !(other == entry) && in_the_way(other, entry); };
      if (std::any_of(content.begin(), content.end(), blocks)) continue;
      Content after = content;
      if (act.kind != EntryAct::Kind::peek) std::erase(after, entry);
      if (go_on(after)) return true;
    }
    return false;
  }

  const EntryActs& acts_;
  const std::vector<std::uint32_t>& witness_;
  std::vector<Content> before_;
  bool possible_ = false;
};

/// After each response, what a witness has done by then is not hopeless: it leads to the end.
void expect_hope(const history::Subhistory& part, const std::vector<std::uint32_t>& witness) {
  const EntryActs acts(part);
  const Contents contents(acts, witness);
  ASSERT_TRUE(contents.possible());
  Foresight foresight(part, acts);
  for (history::Rank rank = 0; rank < part.ranks(); ++rank) {
    if (!part.events()[rank].is_response()) continue;
    std::size_t done = 0;
    for (std::size_t k = 0; k < witness.size(); ++k) {
      if (part.response[witness[k]] <= rank) done = k + 1;
    }
    const auto is_done = [&](std::uint32_t x) {
      return std::find(witness.begin(), witness.begin() + static_cast<std::ptrdiff_t>(done), x) !=
             witness.begin() + static_cast<std::ptrdiff_t>(done);
    };
    foresight.look(rank);
    foresight.begin(contents.before(done));
    for (std::uint32_t x = 0; x < part.size(); ++x) {
      if (part.call[x] < rank && !is_done(x)) foresight.comes(x);
    }
    std::uint64_t steps = 0;
    EXPECT_FALSE(foresight.hopeless(
        is_done, [&](const Entry& other, const Entry& entry) { return contents.in_the_way(other, entry); }, steps))
        << test::to_text(part) << testing::PrintToString(witness) << rank.number();
  }
}

class PriorityQueueEntries : public testing::TestWithParam<std::tuple<std::string, std::size_t>> {};

TEST_P(PriorityQueueEntries, AgreeWithTheOracle) {
  const auto& [type, width] = GetParam();
  test::SearchCheck check{.specification = test::specification_of(type),
                          .applicable = kEntries.applicable,
                          .decide =
                              [width = width](const history::Subhistory& part, core::Budget& budget) {
                                const auto search =
                                    types::priority_queue::start_few_entries(part, {.witness = true}, width);
                                while (!search->run(10'000, budget)) {
                                }
                                core::Outcome outcome = search->outcome();
                                if (outcome.verdict == Verdict::linearizable) expect_hope(part, outcome.witness);
                                return outcome;
                              },
                          .results = {number(1), number(2), number(3), Value::nil()}};
  const bool total = type.find('<') == std::string::npos;
  const auto drafter = [total](Random& random) {
    const Value value = below(random, 12) == 0 ? Value::boolean(true) : number(1 + below(random, 3));
    const Value priority = below(random, 8) == 0 && total ? Value::nil() : number(1 + below(random, 3));
    switch (below(random, 9)) {
      case 0:
      case 1:
      case 2: return Draft{PriorityQueue::kInsert, {value, priority}, {Value::none()}};
      case 3:
      case 4:
      case 5: return Draft{PriorityQueue::kPoll, {}, {value, Value::nil()}};
      case 6: return Draft{PriorityQueue::kPeek, {}, {value, Value::nil()}};
      case 7: return Draft{PriorityQueue::kSize, {}, {Value::unknown()}};
      default: return Draft{PriorityQueue::kIsEmpty, {}, {Value::boolean(true), Value::boolean(false)}};
    }
  };
  check.random(drafter, 11, 20000);
  EXPECT_GT(check.applied, check.drawn / 3);
}

/// 1 is inside behind 2; the poll that returns 1 is due.
bool hopeless_with(const test::SketchedOperation& more, std::size_t already_done) {
  const test::Sketch sketch{
      {PriorityQueue::kInsert, {number(1), number(2)}, Value::none(), 0, 1},
      {PriorityQueue::kInsert, {number(2), number(1)}, Value::none(), 2, 3},
      {PriorityQueue::kPoll, {}, number(1), 4, 8},
      more,
  };
  const test::Built built = test::build(test::specification_of("priority-queue"), sketch);
  const EntryActs acts(built.part);
  Foresight foresight(built.part, acts);
  foresight.look(3);  // both inserts returned
  std::vector<Entry> inside{{0, acts[1].value, 0, 1}, {1, acts[0].value, 0, 1}};
  inside.erase(inside.begin(), inside.begin() + static_cast<std::ptrdiff_t>(already_done));
  foresight.begin(inside);
  std::uint64_t steps = 0;
  return foresight.hopeless([](std::uint32_t) { return false; },
                            [](const Entry& other, const Entry& entry) { return other.priority < entry.priority; },
                            steps);
}

TEST(PriorityQueueForesight, KnowsWhetherWhatIsInTheWayCanLeaveInTime) {
  const auto poll = [](Value result, Tick call, Tick response) {
    return test::SketchedOperation{PriorityQueue::kPoll, {}, result, call, response};
  };
  EXPECT_FALSE(hopeless_with(poll(number(2), 5, 6), 0));
  EXPECT_FALSE(hopeless_with(poll(number(2), 7, 9), 0));         // called in time
  EXPECT_TRUE(hopeless_with(poll(number(2), 9, 10), 0));         // too late
  EXPECT_TRUE(hopeless_with(poll(number(1), 7, 9), 0));          // takes something else
  EXPECT_FALSE(hopeless_with(poll(Value::unknown(), 7, 9), 0));  // may take it
  EXPECT_FALSE(hopeless_with(poll(Value::unknown(), 7, kPending), 0));
  EXPECT_FALSE(hopeless_with({PriorityQueue::kInsert, {number(1), number(0)}, Value::none(), 7, 9}, 0));
  EXPECT_TRUE(hopeless_with({PriorityQueue::kInsert, {number(1), number(3)}, Value::none(), 7, 9}, 0));
  EXPECT_TRUE(hopeless_with({PriorityQueue::kInsert, {number(1), number(0)}, Value::none(), 9, 10}, 0));
  EXPECT_FALSE(hopeless_with({PriorityQueue::kInsert, {number(1), number(3)}, Value::none(), 7, 9}, 1));  // 2 has left
}

TEST(PriorityQueueEntriesSearch, SoonFindsInWhichOrderEqualsWereInserted) {
  for (const char* const type : {"priority-queue ties=fifo", "priority-queue order=componentwise"}) {
    generate::Plan plan;
    plan.type = *TypeName::parse(type);
    plan.operations = 1000;
    plan.processes = 12;
    plan.in_flight = 8;
    plan.values = 5;
    plan.pending = 10;
    plan.seed = 1;
    test::expect_found_within(4'000'000, plan, kEntries);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, PriorityQueueEntries,
    testing::Combine(testing::Values("priority-queue", "priority-queue ties=fifo",
                                     "priority-queue order=largest ties=fifo", "priority-queue order=1<2,1<3",
                                     "priority-queue order=1<2,1<3 ties=fifo", "priority-queue order=1<3 ties=fifo"),
                     testing::Values(1, 24)));

}  // namespace
}  // namespace linchpin::priority_queue_entries_test
