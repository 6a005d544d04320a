// What every data type promises, held against every registered type on all states that a table of sample operations
// reaches: the hooks of a specification are promises, and deciders rely on each of them.
#include <algorithm>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "history/text_notation.hpp"
#include "types/contract_samples.hpp"

namespace linchpin::types {

void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.type; }

namespace {

constexpr std::uint64_t kSeed = 20250101;

struct Label {
  std::uint16_t method = 0;
  std::vector<Value> arguments;
  Value result;
  ProcessId process = kNoProcess;

  [[nodiscard]] Operation operation(const ValuePool& pool) const {
    return {.method = method, .arguments = arguments, .result = result, .process = process, .pool = &pool};
  }
};

class Contract : public testing::TestWithParam<const Sample*> {
 protected:
  void SetUp() override {
    const auto type = TypeName::parse(GetParam()->type);
    ASSERT_TRUE(type);
    const core::DataType* found = core::find_data_type(type->name);
    ASSERT_NE(found, nullptr);
    auto made = found->make(*type);
    ASSERT_TRUE(made) << made.error().to_string();
    specification_ = *made;
    states_ = specification_->make_states();
    make_labels();
    explore();
  }

  std::vector<Value> parse(std::string_view text) {
    std::vector<Value> values;
    while (true) {
      while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
      if (text.empty()) return values;
      const auto value = history::parse_value(text, pool_);
      EXPECT_TRUE(value);
      if (!value) return values;
      values.push_back(*value);
    }
  }

  void make_labels() {
    for (const SampleMethod& sample : GetParam()->methods) {
      const auto row = specification_->find_method(sample.method);
      ASSERT_TRUE(row) << sample.method;
      std::vector<Value> results = parse(sample.results);
      results.push_back(Value::unknown());
      for (const ProcessId process : {ProcessId{0}, ProcessId{1}}) {
        for (const std::string& arguments : sample.arguments) {
          for (const Value result : results) {
            labels_.push_back({*row, parse(arguments), result, specification_->uses_process() ? process : kNoProcess});
            EXPECT_EQ(specification_->invalid(labels_.back().operation(pool_)), "");
          }
        }
        if (!specification_->uses_process()) break;
      }
    }
  }

  void explore() {
    reachable_ = {states_->initial()};
    for (std::size_t i = 0; i < reachable_.size() && reachable_.size() < kMostStates; ++i) {
      for (const Label& label : labels_) {
        for (const StateId next : successors(reachable_[i], label)) {
          if (std::find(reachable_.begin(), reachable_.end(), next) == reachable_.end()) reachable_.push_back(next);
        }
      }
    }
  }

  std::vector<StateId> successors(StateId state, const Label& label) {
    std::vector<StateId> next;
    states_->successors(state, label.operation(pool_), next);
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    return next;
  }

  /// The states after the run; none: illegal.
  std::vector<StateId> replay(const std::vector<Label>& run) {
    std::vector<StateId> current = {states_->initial()};
    for (const Label& label : run) {
      std::set<StateId> next;
      for (const StateId state : current) {
        for (const StateId after : successors(state, label)) next.insert(after);
      }
      current.assign(next.begin(), next.end());
    }
    return current;
  }

  /// A legal run of up to `length` operations, each of which `accepts`.
  template <class Accepts>
  std::vector<Label> random_run(std::size_t length, std::mt19937_64& random, Accepts&& accepts) {
    std::vector<Label> run;
    std::vector<StateId> current = {states_->initial()};
    for (std::size_t tries = 0; tries < 40 * length && run.size() < length; ++tries) {
      const Label& label = labels_[random() % labels_.size()];
      if (!accepts(label)) continue;
      std::set<StateId> next;
      for (const StateId state : current) {
        for (const StateId after : successors(state, label)) next.insert(after);
      }
      if (next.empty()) continue;
      current.assign(next.begin(), next.end());
      run.push_back(label);
    }
    return run;
  }

  std::string text(const Label& label) {
    std::string out(specification_->methods()[label.method].name);
    for (const Value argument : label.arguments) out += fmt::format(" {}", pool_.to_text(argument));
    return fmt::format("{} -> {}", out, pool_.to_text(label.result));
  }
  std::string text(const std::vector<Label>& run) {
    std::string out;
    for (const Label& label : run) out += fmt::format("{}\n", text(label));
    return out;
  }

  ValuePool pool_;
  std::shared_ptr<const Specification> specification_;
  std::unique_ptr<StateTable> states_;
  std::vector<Label> labels_;
  std::vector<StateId> reachable_;
};

TEST_P(Contract, PureLabelsNeverChangeAState) {
  for (const Label& label : labels_) {
    if (!specification_->pure(label.operation(pool_))) continue;
    for (const StateId state : reachable_) {
      for (const StateId next : successors(state, label)) {
        ASSERT_EQ(next, state) << text(label) << " in " << states_->describe(state, pool_);
      }
    }
  }
}

TEST_P(Contract, LabelsThatNeverChangeAStateArePure) {
  for (const Label& label : labels_) {
    if (specification_->pure(label.operation(pool_))) continue;
    bool legal = false;
    bool changes = false;
    for (const StateId state : reachable_) {
      for (const StateId next : successors(state, label)) {
        legal = true;
        changes = changes || next != state;
      }
    }
    EXPECT_TRUE(!legal || changes) << text(label);
  }
}

TEST_P(Contract, WhatIsOverwrittenMakesNoDifference) {
  for (const Label& first : labels_) {
    const auto place = specification_->overwrites(first.operation(pool_));
    if (!place) continue;
    ASSERT_FALSE(specification_->pure(first.operation(pool_))) << text(first);
    for (const Label& second : labels_) {
      if (specification_->overwrites(second.operation(pool_)) != place) continue;
      for (const StateId state : reachable_) {
        const std::vector<StateId> between = successors(state, first);
        ASSERT_FALSE(between.empty()) << text(first) << " in " << states_->describe(state, pool_);
        for (const StateId next : between) {
          ASSERT_EQ(successors(next, second), successors(state, second))
              << text(first) << ", " << text(second) << " in " << states_->describe(state, pool_);
        }
      }
    }
  }
}

TEST_P(Contract, EveryMethodIsSampledAndIsLegalSomewhere) {
  std::set<std::uint16_t> seen;
  for (const Label& label : labels_) {
    for (const StateId state : reachable_) {
      if (!successors(state, label).empty()) seen.insert(label.method);
    }
  }
  EXPECT_EQ(seen.size(), specification_->methods().size());
}

TEST_P(Contract, UnknownResultsAcceptWhatSomeResultAccepts) {
  if (!GetParam()->complete_results) GTEST_SKIP() << "a state of " << GetParam()->type << " stands for several";
  for (const Label& label : labels_) {
    if (!label.result.is_unknown()) continue;
    for (const StateId state : reachable_) {
      std::set<StateId> expected;
      for (const Label& other : labels_) {
        if (other.method != label.method || other.arguments != label.arguments || other.process != label.process ||
            other.result.is_unknown()) {
          continue;
        }
        for (const StateId next : successors(state, other)) expected.insert(next);
      }
      const std::vector<StateId> found = successors(state, label);
      ASSERT_EQ(std::vector<StateId>(expected.begin(), expected.end()), found)
          << text(label) << " in " << states_->describe(state, pool_);
    }
    if (HasFatalFailure()) return;
  }
}

TEST_P(Contract, RunsSplitByKeyAreLegalAndSoAreInterleavings) {
  if (!specification_->has_keys()) GTEST_SKIP() << "no keys";
  std::mt19937_64 random(kSeed);
  const auto key = [&](const Label& label) { return specification_->key(label.operation(pool_)); };
  for (int round = 0; round < 300; ++round) {
    const auto run = random_run(12, random, [&](const Label& label) { return key(label).has_value(); });
    std::map<std::uint64_t, std::vector<Label>> parts;
    for (const Label& label : run) parts[key(label)->bits()].push_back(label);
    for (const auto& [bits, part] : parts) ASSERT_FALSE(replay(part).empty()) << "seed " << kSeed << "\n" << text(run);

    // Runs of each key on its own, then mixed.
    std::map<std::uint64_t, std::vector<Label>> apart;
    for (const auto& [bits, part] : parts) {
      const std::uint64_t wanted = bits;
      apart[bits] =
          random_run(6, random, [&](const Label& label) { return key(label) && key(label)->bits() == wanted; });
    }
    std::vector<std::uint64_t> turns;
    for (const auto& [bits, part] : apart) turns.insert(turns.end(), part.size(), bits);
    std::shuffle(turns.begin(), turns.end(), random);
    std::vector<Label> mixed;
    std::map<std::uint64_t, std::size_t> at;
    for (const std::uint64_t bits : turns) mixed.push_back(apart[bits][at[bits]++]);
    ASSERT_FALSE(replay(mixed).empty()) << "seed " << kSeed << "\n" << text(mixed);
  }
}

TEST_P(Contract, IllegalRunsOfOneKeyStayIllegalAmongOthers) {
  if (!specification_->has_keys()) GTEST_SKIP() << "no keys";
  std::mt19937_64 random(kSeed);
  const auto key = [&](const Label& label) { return specification_->key(label.operation(pool_)); };
  for (int round = 0; round < 300; ++round) {
    auto run = random_run(8, random, [&](const Label& label) { return key(label).has_value(); });
    const Label& label = labels_[random() % labels_.size()];
    if (!key(label)) continue;
    std::vector<Label> alone;
    for (const Label& other : run) {
      if (key(other) == key(label)) alone.push_back(other);
    }
    alone.push_back(label);
    run.push_back(label);
    ASSERT_EQ(replay(alone).empty(), replay(run).empty()) << "seed " << kSeed << "\n" << text(run);
  }
}

TEST_P(Contract, DroppingAllOperationsOfAValueKeepsRunsLegal) {
  if (!specification_->has_erasable_values()) GTEST_SKIP() << "no values to drop";
  std::mt19937_64 random(kSeed);
  const auto value = [&](const Label& label) { return specification_->erasable(label.operation(pool_)); };
  for (int round = 0; round < 1000; ++round) {
    const auto run =
        random_run(12, random, [&](const Label& label) { return !specification_->sensitive(label.operation(pool_)); });
    std::set<std::uint64_t> values;
    for (const Label& label : run) {
      if (value(label)) values.insert(value(label)->bits());
    }
    for (const std::uint64_t dropped : values) {
      std::vector<Label> rest;
      for (const Label& label : run) {
        if (!value(label) || value(label)->bits() != dropped) rest.push_back(label);
      }
      ASSERT_FALSE(replay(rest).empty()) << "seed " << kSeed << "\n" << text(run);
    }
  }
}

TEST_P(Contract, PendingOperationsAreNoObstacleToDroppingAValue) {
  if (!specification_->has_erasable_values()) GTEST_SKIP() << "no values to drop";
  std::mt19937_64 random(kSeed);
  const auto value = [&](const Label& label) { return specification_->erasable(label.operation(pool_)); };
  const auto pending = [](const Label& label) { return label.result.is_unknown(); };
  for (int round = 0; round < 1000; ++round) {
    const auto run = random_run(12, random, [&](const Label& label) {
      return pending(label) || !specification_->sensitive(label.operation(pool_));
    });
    std::set<std::uint64_t> values;
    for (const Label& label : run) {
      if (value(label)) values.insert(value(label)->bits());
    }
    for (const std::uint64_t dropped : values) {
      std::vector<StateId> current = {states_->initial()};
      for (const Label& label : run) {
        if (value(label) && value(label)->bits() == dropped) continue;
        std::set<StateId> next;
        if (pending(label)) next.insert(current.begin(), current.end());  // left out
        for (const StateId state : current) {
          for (const StateId after : successors(state, label)) next.insert(after);
        }
        current.assign(next.begin(), next.end());
      }
      ASSERT_FALSE(current.empty()) << "seed " << kSeed << "\n" << text(run);
    }
  }
}

TEST_P(Contract, DistinctStatesHaveDistinctDescriptions) {
  std::map<std::string, StateId> descriptions;
  for (const StateId state : reachable_) {
    const auto [entry, fresh] = descriptions.try_emplace(states_->describe(state, pool_), state);
    EXPECT_TRUE(fresh) << entry->first;
  }
  EXPECT_GT(states_->bytes(), 0U);
  EXPECT_GE(states_->bound(), reachable_.size());
}

TEST_P(Contract, RetainedStatesKeepTheirIds) {
  std::map<StateId, std::string> kept;
  std::vector<StateId> live;
  for (std::size_t i = 0; i < reachable_.size(); i += 2) {
    live.push_back(reachable_[i]);
    kept[reachable_[i]] = states_->describe(reachable_[i], pool_);
  }
  const std::size_t bound = states_->bound();
  states_->retain(live);
  EXPECT_EQ(states_->bound(), 1 + *std::max_element(live.begin(), live.end())) << "what is above them is given up";
  EXPECT_EQ(states_->initial(), reachable_[0]);
  for (const auto& [state, description] : kept) EXPECT_EQ(states_->describe(state, pool_), description);
  // What was forgotten comes back, possibly under another id; what was kept is found again.
  std::map<std::string, StateId> by_description;
  for (const auto& [state, description] : kept) by_description[description] = state;
  for (const StateId state : live) {
    for (const Label& label : labels_) {
      for (const StateId next : successors(state, label)) {
        const auto known = by_description.find(states_->describe(next, pool_));
        if (known != by_description.end()) {
          ASSERT_EQ(known->second, next) << known->first;
        }
      }
    }
  }
  // Freed ids are used again.
  if (reachable_.size() < kMostStates) {
    EXPECT_LE(states_->bound(), bound);
  }
}

std::string test_name(const testing::TestParamInfo<const Sample*>& info) {
  std::string name;
  for (const char c : info.param->type) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

/// Pointers: samples are large, and would be copied at every start of the binary.
std::vector<const Sample*> all_samples() {
  static const std::vector<Sample> samples = contract_samples();
  std::vector<const Sample*> all;
  for (const Sample& sample : samples) all.push_back(&sample);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Types, Contract, testing::ValuesIn(all_samples()), test_name);

TEST(ContractSamples, CoverEveryRegisteredType) {
  std::set<std::string_view> sampled;
  for (const Sample& sample : contract_samples()) {
    const auto type = TypeName::parse(sample.type);
    ASSERT_TRUE(type);
    const core::DataType* found = core::find_data_type(type->name);
    ASSERT_NE(found, nullptr) << sample.type;
    sampled.insert(found->name);
  }
  for (const core::DataType& type : core::data_types()) EXPECT_TRUE(sampled.contains(type.name)) << type.name;
}

TEST(Registry, NamesAndAliasesAreUnambiguous) {
  const auto plain = [](std::string_view name) {
    std::string out;
    for (const char c : name) {
      if (c != '-' && c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
  };
  std::set<std::string> types;
  for (const core::DataType& type : core::data_types()) {
    std::istringstream names(std::string(type.name) + " " + std::string(type.aliases));
    for (std::string name; names >> name;) EXPECT_TRUE(types.insert(plain(name)).second) << name;
    const auto specification = type.make({.name = std::string(type.name), .options = {}});
    ASSERT_TRUE(specification) << type.name;
    EXPECT_EQ((*specification)->name(), type.name);
    std::set<std::string> methods;
    for (const Method& method : (*specification)->methods()) {
      std::istringstream method_names(std::string(method.name) + " " + std::string(method.aliases));
      for (std::string name; method_names >> name;) {
        EXPECT_TRUE(methods.insert(plain(name)).second) << type.name << " " << name;
      }
    }
  }
}

TEST(Registry, UnknownOptionsAndValuesAreErrors) {
  for (const core::DataType& type : core::data_types()) {
    const auto made = type.make({.name = std::string(type.name), .options = {{"colour", "red"}}});
    ASSERT_FALSE(made) << type.name;
    EXPECT_EQ(made.error().code, ErrorCode::bad_option) << type.name;
  }
}

}  // namespace
}  // namespace linchpin::types
