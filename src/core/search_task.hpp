// A search that can be run a bit at a time, so that several searches can take turns.
#pragma once

#include <cstdint>
#include <utility>

#include "core/decider.hpp"

namespace linchpin::core {

class SearchTask {
 public:
  virtual ~SearchTask() = default;
  /// Goes on for about `steps` steps (executions of the specification) or until the budget is spent.
  /// True: decided, or the budget is spent; see `outcome`.
  virtual bool run(std::uint64_t steps, Budget& budget) = 0;
  /// The verdict; unknown with how far the search got while it is undecided.
  [[nodiscard]] virtual Outcome outcome() const = 0;
  /// Whose outcome it is, where that is not known from the outside; else null.
  [[nodiscard]] virtual const Decider* decided_by() const { return nullptr; }
  /// How many operations have returned where the search stands; for progress.
  [[nodiscard]] virtual std::uint32_t passed() const = 0;
};

/// In the place of a search that is not needed, or cannot be made: its outcome is known.
class Decided final : public SearchTask {
 public:
  explicit Decided(Outcome outcome) : outcome_(std::move(outcome)) {}
  bool run(std::uint64_t /*steps*/, Budget& /*budget*/) override { return true; }
  [[nodiscard]] Outcome outcome() const override { return outcome_; }
  [[nodiscard]] std::uint32_t passed() const override { return 0; }

 private:
  Outcome outcome_;
};

}  // namespace linchpin::core
