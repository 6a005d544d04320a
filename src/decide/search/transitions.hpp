// What a general search runs on: labels instead of operations, interned states, and a cache of steps.
//
// Operations with the same method, arguments and result (and process, where the type looks at it) carry one label; the
// specification is executed once for each pair of state and label that occurs.
// Design: docs/design/search.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "history/subhistory.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::decide {

using Label = std::uint32_t;

/// Memory is asked for between steps, and a step adds up to so many entries to a table.
inline constexpr std::size_t kEntriesAhead = 256;

/// The labels of a sub-history. Equal labels are interchangeable for a specification.
class Labels {
 public:
  explicit Labels(const history::Subhistory& part);
  [[nodiscard]] Label of(std::uint32_t local) const { return of_[local]; }
  /// Never changes a state in which it is legal (Specification::pure).
  [[nodiscard]] bool pure(Label label) const { return pure_[label]; }
  /// What it overwrites (Specification::overwrites), numbered; kNowhere: nothing as a whole.
  [[nodiscard]] std::uint32_t overwrites(Label label) const { return overwrites_[label]; }
  [[nodiscard]] bool any_overwrites() const { return any_overwrites_; }
  [[nodiscard]] const Operation& operation(Label label) const { return operations_[label]; }
  [[nodiscard]] std::size_t count() const { return operations_.size(); }

  static constexpr std::uint32_t kNowhere = 0xffffffffU;

 private:
  std::vector<Label> of_;
  std::vector<std::uint32_t> overwrites_;
  bool any_overwrites_ = false;
  std::vector<bool> pure_;
  std::vector<Operation> operations_;
};

/// Steps of a specification, cached. Not thread-safe.
class Transitions {
 public:
  Transitions(const history::Subhistory& part, const Labels& labels);

  [[nodiscard]] StateId initial() { return states_->initial(); }
  /// The states after an operation labelled `label`; empty: illegal. The span is valid until the next call.
  [[nodiscard]] std::span<const StateId> after(StateId state, Label label);
  [[nodiscard]] bool legal(StateId state, Label label) { return !after(state, label).empty(); }
  [[nodiscard]] std::string describe(StateId state) const;

  [[nodiscard]] std::size_t bytes() const;
  /// Bytes that the next few calls may take at once because a table grows.
  [[nodiscard]] std::size_t growth() const;
  /// Forgets all states but `live`, and the cached steps.
  void retain(std::span<const StateId> live);

 private:
  struct Successors {
    std::uint32_t first = 0;  // the only one, or an index into `many_`
    std::uint32_t count = 0;
  };
  struct Entry {
    std::uint64_t key = kEmpty;  // state << 32 | label
    Successors successors;
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  static constexpr std::uint32_t kNotYet = ~std::uint32_t{0};
  static constexpr std::size_t kNear = std::size_t{1} << 14;

  [[nodiscard]] std::span<const StateId> span_of(const Successors& successors) const {
    if (successors.count <= 1) return {&successors.first, successors.count};
    return {&many_[successors.first], successors.count};
  }
  /// Executes the specification.
  Successors execute(StateId state, Label label);
  std::span<const StateId> after_hashed(StateId state, Label label);
  void grow();

  const Labels& labels_;
  const History& history_;
  const bool with_processes_;  // the specification's states may name processes
  std::unique_ptr<StateTable> states_;
  std::vector<Successors> near_;  // by state * labels + label, the first kNear of them: no hashing; count kNotYet
  std::vector<Entry> entries_;    // all others; open addressing, a power of two
  std::size_t used_ = 0;
  std::vector<StateId> many_;  // successors of nondeterministic steps, one run an entry
  std::vector<StateId> scratch_;
};

}  // namespace linchpin::decide
