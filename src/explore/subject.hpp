// What a schedule runs: a container's methods in a scenario, or threads by hand; without their types.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/runtime/engine.hpp"
#include "explore/scenario/scenario.hpp"
#include "linchpin/explore.hpp"

namespace linchpin::explorer {

/// The engine calls it within a schedule, where memory is the arena's: what it keeps must not be allocated there.
class Subject {
 public:
  virtual ~Subject() = default;
  [[nodiscard]] virtual unsigned threads() const = 0;
  virtual void set_up() = 0;
  virtual void body(unsigned thread) = 0;
  virtual void tear_down() = 0;

  /// As the engine wants it. The subject must outlive its use.
  [[nodiscard]] Program program();
};

class ContainerSubject final : public Subject {
 public:
  explicit ContainerSubject(explore_plan::Plan plan);

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  Vocabulary& vocabulary() { return vocabulary_; }
  [[nodiscard]] const std::string& type() const { return plan_.type; }
  [[nodiscard]] const std::vector<std::string>& methods() const { return methods_; }
  void set_scenario(Scenario scenario) { scenario_ = std::move(scenario); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

  [[nodiscard]] unsigned threads() const override { return static_cast<unsigned>(scenario_.threads.size()); }
  void set_up() override;
  void body(unsigned thread) override;
  void tear_down() override;

 private:
  using Owner = std::shared_ptr<void>;
  void call(const Call& call);
  Owner& owner() { return *std::launder(reinterpret_cast<Owner*>(owner_)); }

  explore_plan::Plan plan_;
  std::vector<std::string> methods_;     // by their numbers
  std::vector<unsigned> first_methods_;  // of each action
  Vocabulary vocabulary_;
  Scenario scenario_;
  // Of the current schedule. A schedule that is given up leaves it behind, and its memory goes with the arena.
  alignas(Owner) std::byte owner_[sizeof(Owner)];
};

class ThreadsSubject final : public Subject {
 public:
  explicit ThreadsSubject(explore_plan::Program program) : program_(std::move(program)) {}

  [[nodiscard]] unsigned threads() const override { return static_cast<unsigned>(program_.threads.size()); }
  void set_up() override;
  void body(unsigned thread) override;
  void tear_down() override;
  /// What the latest schedule ended with; empty: nothing is observed.
  [[nodiscard]] const char* outcome() const { return outcome_; }

 private:
  using Owner = std::shared_ptr<void>;
  Owner& owner() { return *std::launder(reinterpret_cast<Owner*>(owner_)); }

  explore_plan::Program program_;
  char outcome_[256] = {};
  alignas(Owner) std::byte owner_[sizeof(Owner)];
};

}  // namespace linchpin::explorer
