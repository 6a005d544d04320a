// Variables that choose one option each, where some options exclude each other: a search that learns from conflicts.
//
// Conflict-driven clause learning over the literals "x chooses o". Three kinds of constraints are implicit: a variable
// has at least one option, at most one, and of the options that use the same resource at most one is chosen. All others
// are clauses that come from outside, when a choice turns out to be impossible (`refute`), or are learned from those.
// Variables are chosen in the order of their numbers, each as it was chosen before, where that is still open; so the
// user may look at the choices as a frontier that goes on and now and then back. Each learned clause knows what it
// was derived from, so that a refutation names what it rests on.
// Source: Marques-Silva and Sakallah's learning of the first unique implication point, two watched literals; nothing is
// ever forgotten or restarted. Tests: choices_test.cpp (every small problem against enumeration).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/none.hpp"

namespace linchpin::decide::lift {

class Choices {
 public:
  /// "The option is chosen", or that it is not.
  struct Literal {
    std::uint32_t packed = 0;
    static Literal chosen(std::uint32_t option) { return {option << 1}; }
    static Literal rejected(std::uint32_t option) { return {(option << 1) | 1U}; }
    [[nodiscard]] std::uint32_t option() const { return packed >> 1; }
    [[nodiscard]] bool negative() const { return (packed & 1U) != 0; }
    [[nodiscard]] Literal opposite() const { return {packed ^ 1U}; }
  };

  struct Problem {
    std::vector<std::uint32_t> begin = {0};   ///< variable x has the options begin[x] .. begin[x + 1] - 1
    std::vector<std::uint32_t> resource;      ///< by option; kNone: it excludes nothing
    std::uint32_t resources = 0;              ///< how many
    std::vector<std::uint32_t> first_choice;  ///< by variable: the option to begin with; kNone: any
    std::vector<std::uint32_t> home;          ///< by variable: the option to fall back to; kNone: any
    bool last_first = false;                  ///< of several open options the last one, not the first
  };
  /// About how many bytes a problem of so many options takes.
  static std::size_t bytes(std::size_t options) { return 40 * options; }

  explicit Choices(Problem problem);

  /// Chooses for one variable more, with what follows from that. False: there is none left, or `refuted`.
  bool extend();
  /// All variables below are chosen. Goes back when something is learned.
  [[nodiscard]] std::uint32_t frontier() const { return frontier_; }
  /// The least that the frontier was since the last time this was asked.
  std::uint32_t lowest_frontier() { return std::exchange(lowest_, frontier_); }
  [[nodiscard]] bool complete() const { return frontier_ == variables(); }
  [[nodiscard]] std::uint32_t variables() const { return static_cast<std::uint32_t>(problem_.begin.size() - 1); }
  /// The option chosen, or kNone.
  [[nodiscard]] std::uint32_t chosen(std::uint32_t variable) const { return chosen_[variable]; }
  /// The variable that holds the resource, or kNone.
  [[nodiscard]] std::uint32_t holder(std::uint32_t resource) const { return holder_[resource]; }
  /// Whether no variable has, or can still choose, an option with this resource.
  [[nodiscard]] bool unreachable(std::uint32_t resource) const { return takers_[resource] == 0; }
  [[nodiscard]] std::span<const std::uint32_t> options_of(std::uint32_t resource) const {
    return std::span(options_).subspan(options_begin_[resource],
                                       options_begin_[resource + 1] - options_begin_[resource]);
  }
  [[nodiscard]] std::uint32_t variable_of(std::uint32_t option) const { return variable_[option]; }

  /// Learns that one of the literals holds, all of which are false now. Goes back as far as needed.
  /// @param leaf  what to call this clause in `Refutation`
  void refute(std::span<const Literal> clause, std::uint32_t leaf);
  /// No choice is left.
  [[nodiscard]] bool refuted() const { return refuted_; }

  /// What the refutation rests on: clauses given to `refute`, and implicit constraints.
  struct Refutation {
    std::vector<std::uint32_t> leaves, variables, resources;
  };
  /// @pre refuted()
  [[nodiscard]] Refutation refutation() const;
  [[nodiscard]] std::size_t learned() const { return clauses_.size(); }
  /// Options and literals that were looked at so far: what all this costs.
  [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }

 private:
  enum class Kind : std::uint32_t { clause, variable, resource, fixed, choice };
  /// Why a literal holds, and what a clause was derived from: a clause, the at-least-one of a variable, the at-most-one
  /// of a variable or resource with the option `by`, or an option that is fixed whatever is chosen.
  struct Ground {
    Kind kind = Kind::choice;
    std::uint32_t index = 0;
    std::uint32_t by = kNone;
  };
  struct Clause {
    std::uint32_t begin = 0, size = 0;       // in literals_
    std::uint32_t next[2] = {kNone, kNone};  // of the clauses that watch the same literal: clause << 1 | which
    std::uint32_t leaf = kNone;
    std::uint32_t grounds = 0, grounds_end = 0;  // in grounds_
  };
  enum : std::uint8_t { kOpen, kTrue, kFalse };

  [[nodiscard]] bool holds(Literal literal) const {
    return value_[literal.option()] == (literal.negative() ? kFalse : kTrue);
  }
  [[nodiscard]] bool fails(Literal literal) const {
    return value_[literal.option()] == (literal.negative() ? kTrue : kFalse);
  }
  [[nodiscard]] std::uint32_t level_of(Literal literal) const { return level_[literal.option()]; }
  void assign(Literal literal, Ground ground);
  void back_to(std::uint32_t level);
  /// Follows what is assigned to its ends; false: `conflict_` and `conflict_ground_` say what went wrong.
  bool propagate();
  bool exclude(std::uint32_t option, std::span<const std::uint32_t> others, Kind kind, std::uint32_t index);
  bool visit_watchers(Literal failed);
  /// Propagates and learns until nothing is wrong, or everything.
  void settle();
  /// Learns from the conflict, whose latest literal is of the present level.
  void learn();
  std::uint32_t add_clause(std::span<const Literal> literals);
  void watch(std::uint32_t clause, std::uint32_t which);
  /// The literals that make `ground` imply the option: all false.
  void premises(std::uint32_t option, const Ground& ground, std::vector<Literal>& out) const;
  [[nodiscard]] std::uint32_t present_level() const { return static_cast<std::uint32_t>(level_begin_.size()); }
  [[nodiscard]] std::uint32_t guess(std::uint32_t variable) const;
  /// Counts are those of the values; nothing is held twice; what lies before the frontier is chosen. O(options).
  void check_invariants() const;

  Problem problem_;
  std::vector<std::uint32_t> variable_;                 // by option
  std::vector<std::uint32_t> every_;                    // 0, 1, 2, ...: the options of a variable as a span
  std::vector<std::uint32_t> options_begin_, options_;  // by resource
  std::vector<std::uint8_t> value_;                     // by option
  std::vector<std::uint32_t> level_;                    // by option
  std::vector<Ground> ground_;                          // by option
  std::vector<std::uint32_t> left_;                     // by variable: options not rejected
  std::vector<std::uint32_t> takers_;                   // by resource: options not rejected
  std::vector<std::uint32_t> chosen_, saved_;           // by variable
  std::vector<std::uint32_t> holder_;                   // by resource
  std::vector<std::uint32_t> trail_;                    // options, as assigned
  std::vector<std::uint32_t> level_begin_;              // in trail_
  std::size_t followed_ = 0;                            // in trail_
  std::uint32_t frontier_ = 0, lowest_ = 0;
  std::vector<std::uint32_t> watch_;  // by literal
  std::vector<Clause> clauses_;
  std::vector<Literal> literals_;
  std::vector<Ground> grounds_;
  std::vector<std::uint8_t> seen_;  // by option, while learning
  std::vector<Literal> conflict_, premises_;
  Ground conflict_ground_;
  bool refuted_ = false;
  std::uint64_t looked_at_ = 0;
};

}  // namespace linchpin::decide::lift
