// Types that execute a witness on something else than their states: both say the same of every run of operations.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "linchpin/check.hpp"

namespace linchpin {
namespace {

struct Drawn {
  std::uint16_t method = 0;
  std::vector<Value> arguments;
  Value result;
};

class Executed : public ::testing::TestWithParam<const char*> {
 protected:
  Executed() {
    const auto type = TypeName::parse(GetParam());
    specification_ = *make_specification(*type);
    for (std::int64_t i = 0; i < 4; ++i) arguments_.push_back(Value::integer(i));
    for (const std::int64_t odd : {-1, 64, (1 << 22) - 1, 1 << 22, (1 << 24) - 1, 1 << 24})
      arguments_.push_back(Value::integer(odd));
    arguments_.push_back(pool_.string("a"));
    arguments_.push_back(pool_.string(""));
    for (const char* kind : {"read", "write"}) {
      for (std::int64_t key = 0; key < 2; ++key) {
        for (std::int64_t value = 0; value < 2; ++value) {
          const Value micro = pool_.list({pool_.string(kind), Value::integer(key), Value::integer(value)});
          arguments_.push_back(pool_.list({micro}));
        }
      }
    }
    results_ = arguments_;
    for (const Value value : {Value::none(), Value::nil(), Value::unknown(), Value::boolean(true),
                              Value::boolean(false), pool_.string("aa"), pool_.list({})}) {
      results_.push_back(value);
    }
    for (std::int64_t i = 0; i < 4; ++i) {
      for (std::int64_t k = 0; k < 4; ++k) results_.push_back(pool_.list({Value::integer(i), Value::integer(k)}));
      results_.push_back(pool_.list({Value::integer(i)}));
    }
  }

  Operation view(const Drawn& drawn) const {
    return {.method = drawn.method, .arguments = drawn.arguments, .result = drawn.result, .pool = &pool_};
  }

  Drawn draw() {
    Drawn drawn;
    do {
      drawn.method = static_cast<std::uint16_t>(random_() % specification_->methods().size());
      const Method& method = specification_->methods()[drawn.method];
      drawn.arguments.resize(method.least + random_() % (method.most - method.least + 1U));
      for (Value& argument : drawn.arguments) argument = arguments_[random_() % arguments_.size()];
      drawn.result = results_[random_() % results_.size()];
    } while (!specification_->invalid(view(drawn)).empty());
    return drawn;
  }

  ValuePool pool_;
  std::shared_ptr<const Specification> specification_;
  std::vector<Value> arguments_, results_;
  std::mt19937_64 random_{20261122};
};

TEST_P(Executed, SaysWhatTheStatesSay) {
  std::size_t legal = 0, illegal = 0;
  for (int run = 0; run < 300; ++run) {
    const auto states = specification_->make_states();
    std::vector<StateId> possible{states->initial()};  // several where a lost result leaves it open
    std::vector<Drawn> before;
    auto replay = specification_->make_replay();
    for (int draws = 0; draws < 200 && before.size() < 30; ++draws) {
      Drawn drawn = draw();
      std::vector<StateId> after;
      for (const StateId state : possible) states->successors(state, view(drawn), after);
      std::sort(after.begin(), after.end());
      after.erase(std::unique(after.begin(), after.end()), after.end());
      ASSERT_EQ(replay->step(view(drawn)), !after.empty())
          << specification_->methods()[drawn.method].name << " -> " << pool_.to_text(drawn.result) << " in "
          << states->describe(possible.front(), pool_);
      if (!after.empty()) {
        ++legal;
        possible = std::move(after);
        before.push_back(std::move(drawn));
        continue;
      }
      ++illegal;  // and nothing may be executed after it
      replay = specification_->make_replay();
      for (const Drawn& each : before) ASSERT_TRUE(replay->step(view(each)));
    }
  }
  EXPECT_GT(legal, 1000U);
  EXPECT_GT(illegal, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Types, Executed,
                         ::testing::Values("queue", "queue capacity=2", "deque", "deque capacity=2", "set", "map",
                                           "map absent=empty-string", "map results=previous", "array",
                                           "array initial=0", "multi-register", "multi-register initial=0", "bag",
                                           "priority-queue", "priority-queue ties=fifo"));

}  // namespace
}  // namespace linchpin
