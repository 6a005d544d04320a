// The choices that a history with repeated values leaves open: which addition each removal and look is about.
//
// A *variable* is an operation that took or saw a value, its *options* the additions of that value called before it
// returned, in the order of their calls; before them "nothing", for a pending removal, for one whose result is lost,
// and for a look that may have seen the initial value. Variables are ordered by their responses, pending ones first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/none.hpp"
#include "core/lift.hpp"

namespace linchpin::decide::lift {

class Matching {
 public:
  /// An operation that none of the additions of its value can explain.
  struct Fault {
    std::uint32_t operation = 0;
    bool too_many = false;  ///< other removals have used them up
  };

  /// Of one value so much was added that some of it is left where an operation found nothing.
  struct Remainder {
    std::uint32_t found_nothing = 0;
    std::vector<std::uint32_t> group;  ///< additions of it, then fewer removals: all that can have taken one of these
  };

  Matching(const history::Subhistory& part, const core::LiftHistory& read);

  struct Variable {
    std::uint32_t operation = 0;
    std::uint32_t first = 0, count = 0;  ///< its additions, in `adds`
    bool may_be_nothing = false;
    bool takes = false;
    [[nodiscard]] std::uint32_t options() const { return count + (may_be_nothing ? 1 : 0); }
  };
  [[nodiscard]] std::span<const Variable> variables() const { return variables_; }
  /// The addition of the variable's option; kNone: nothing.
  [[nodiscard]] std::uint32_t add_of(const Variable& variable, std::uint32_t option) const {
    if (variable.may_be_nothing && option-- == 0) return kNone;
    return adds_[variable.first + option];
  }
  /// By operation; kNone.
  [[nodiscard]] std::uint32_t variable_of(std::uint32_t operation) const { return variable_of_[operation]; }
  [[nodiscard]] std::uint64_t options() const { return options_; }  ///< of all variables together
  /// Whether some removal may have taken any value.
  [[nodiscard]] bool any_lost() const { return any_lost_; }
  [[nodiscard]] bool any_lost_that_returned() const { return any_lost_that_returned_; }

  /// The value an operation is about, as a number; those about none, and lost ones, have `values()`.
  [[nodiscard]] std::uint32_t value_of(std::uint32_t operation) const { return value_of_[operation]; }
  [[nodiscard]] std::uint32_t values() const { return values_; }
  /// The first addition of the value of that number.
  [[nodiscard]] std::uint32_t first_add(std::uint32_t value) const { return adds_[begin_[value]]; }
  [[nodiscard]] std::uint32_t add_count(std::uint32_t value) const { return begin_[value + 1] - begin_[value]; }

  /// Picks for each variable the oldest, newest or nearest addition that is left. Exact where no removal is pending or
  /// lost: a fault then says that there are fewer additions than removals. O(n).
  [[nodiscard]] std::optional<Fault> guess(std::vector<std::uint32_t>& option) const;

  /// Refutes by counting, or says nothing: before an operation that found nothing more additions of some value have
  /// returned than removals that can have taken it were called before it returned. The k-th addition to return and the
  /// k-th removal to be called leave something inside between them, whatever is matched with what. The group is the
  /// latest one. O(n log n), and the values times the removals that lost their results, where that is not too much.
  [[nodiscard]] std::optional<Remainder> remainder() const;

 private:
  [[nodiscard]] Remainder remainder_of(std::uint32_t value, std::uint32_t found_nothing) const;
  /// Whether the operation can have taken the value.
  [[nodiscard]] bool may_take(std::uint32_t operation, std::uint32_t value) const {
    const ActKind kind = read_.acts.kind[operation];
    return kind == ActKind::lost_take || (kind == ActKind::take && value_of_[operation] == value);
  }

  const history::Subhistory& part_;
  const core::LiftHistory& read_;
  std::vector<Variable> variables_;
  std::vector<std::uint32_t> variable_of_, value_of_;
  std::vector<std::uint32_t> adds_, begin_;  // by value; then, where needed, all of them
  std::uint32_t values_ = 0;
  std::uint64_t options_ = 0;
  bool any_lost_ = false, any_lost_that_returned_ = false;
};

}  // namespace linchpin::decide::lift
