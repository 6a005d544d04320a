// Decrease and conquer: decides container types of your own in polynomial time.
//
// A container is a type whose legal sequences stay legal when every operation of one value is dropped. If no value is
// added twice, its histories are decided value by value: find a value whose operations can be dropped without changing
// the answer, drop them, repeat. The history is linearizable iff no value remains. The type says how such a value is
// found:
//
//   struct JobPool {  // any job may be taken, but urgent ones first
//     // State, methods, initial, step: as in linchpin/specification.hpp
//     static linchpin::Act act(const linchpin::Operation& operation, bool pending) {
//       if (operation.method != kTake) return {linchpin::ActKind::add, operation.argument(0)};
//       if (operation.result.is_nil()) return {linchpin::ActKind::empty};
//       return {linchpin::ActKind::take, operation.result};
//     }
//     static std::optional<std::uint32_t> linearizability_preserving_value(const linchpin::ContainerHistory& history) {
//       ... // a value of history.values(), or nothing
//     }
//   };
//   options.specification = linchpin::specify_container<JobPool>("job-pool");   // check() does the rest
//
// examples/custom_container has the whole of it. `linearizability_preserving_value` sees a standardised history:
//   - every value is added once and removed once; a value that nobody removes is removed after everything else;
//   - intervals are tightened: an add ends before any other operation of its value must, a remove begins after any
//     other has begun, a look lies between the two; every value, without its misses, is linearizable by itself;
//   - operations that saw nothing inside have been checked, and are gone; so are pending operations that nobody saw.
// A type of which `static constexpr bool overwrites = true` holds one value, in whose place each add puts its own, as a
// register does: nothing takes it out, its "remove" is its being overwritten, at any moment after all of its operations
// have begun, and what saw nothing inside came before every add.
// It must return a value v such that the history without v is linearizable only if the history with v is, and nothing
// only if there is none. For any linearizable history some value must qualify: if none is found, the answer is
// "violation". Compare a new type with the search: --decider search, and tests/contract/custom_container_test.cpp.
//
// Preconditions, checked: no value is added twice, no completed operation has an unclear act. Pending removes that
// took an unknown value are tried with every value that is left: exponential in their number. Cost: one call of
// linearizability_preserving_value for each value; a witness by O(n log n) further runs, for short histories.
// Source: Efficient decrease-and-conquer linearizability monitoring (docs/papers/README.md), Algorithm 1 and
// Theorem 4.6; the standard form is its section 5; the definitions at the end of this header are its 6.1, 7.1, 8.1
// and 9.1, and its Lemma 4.7.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linchpin/act.hpp"
#include "linchpin/specification.hpp"

namespace linchpin {

/// The moments in which an operation may take effect. Any number of operations fit into one moment, in any order;
/// a happens before b iff a.last < b.first.
struct Moments {
  std::uint32_t first = 0, last = 0;
  [[nodiscard]] bool before(const Moments& other) const { return last < other.first; }
};

struct ContainerOperation {
  ActKind kind = ActKind::unclear;
  Moments moments;
};

/// A history in standard form, and what remains of it. Values are numbers.
class ContainerHistory {
 public:
  /// One value: its operations, its add and remove first.
  struct ValueOperations {
    std::uint32_t value = 0;
    Operation added;  ///< the add as the specification sees it: arguments such as a priority
    std::vector<ContainerOperation> operations;
  };

  /// @param values   by number; `operations` of each are its add, its remove, and the others
  /// @param moments  every moment is below
  ContainerHistory(std::vector<ValueOperations> values, std::uint32_t moments);

  /// The values that remain, ascending.
  [[nodiscard]] std::span<const std::uint32_t> values() const { return remaining_; }
  /// Every moment is below.
  [[nodiscard]] std::uint32_t moments() const { return static_cast<std::uint32_t>(inside_.size()); }

  [[nodiscard]] const ContainerOperation& add(std::uint32_t value) const { return values_[value].operations[0]; }
  [[nodiscard]] const ContainerOperation& remove(std::uint32_t value) const { return values_[value].operations[1]; }
  /// All of them, the add and the remove first.
  [[nodiscard]] std::span<const ContainerOperation> operations(std::uint32_t value) const {
    return values_[value].operations;
  }
  [[nodiscard]] const Operation& added(std::uint32_t value) const { return values_[value].added; }

  /// Whether the value is certainly inside at the moment: its add must have happened, and its remove cannot.
  [[nodiscard]] bool inside(std::uint32_t value, std::uint32_t moment) const {
    return add(value).moments.last < moment && moment < remove(value).moments.first;
  }
  /// How many of the remaining values are certainly inside at the moment.
  [[nodiscard]] std::uint32_t inside(std::uint32_t moment) const { return inside_[moment]; }
  /// Whether in some of the moments no remaining value is certainly inside, `except` not counted.
  [[nodiscard]] bool may_find_empty(const Moments& moments, std::optional<std::uint32_t> except = std::nullopt) const;

  /// Drops every operation of a remaining value.
  void erase(std::uint32_t value);

 private:
  void count(std::uint32_t value, std::uint32_t change);

  std::vector<ValueOperations> values_;
  std::vector<std::uint32_t> remaining_;
  std::vector<std::uint32_t> inside_;  // by moment: how many remaining values are certainly inside
};

/// What a type's rules for decrease-and-conquer must have.
template <class S>
concept ContainerStruct = requires(const S& s, const Operation& operation, bool pending,
                                   const ContainerHistory& history) {
  { s.act(operation, pending) } -> std::same_as<Act>;
  { s.linearizability_preserving_value(history) } -> std::same_as<std::optional<std::uint32_t>>;
};

/// The algorithm: erases linearizability-preserving values as long as there are any. The history is linearizable iff
/// nothing remains; what remains is not linearizable on its own.
template <ContainerStruct S>
void decrease_and_conquer(const S& rules, ContainerHistory& history) {
  while (!history.values().empty()) {
    const std::optional<std::uint32_t> value = rules.linearizability_preserving_value(history);
    if (!value) return;
    history.erase(*value);
  }
}

/// The same behind one interface: what deciders see.
class ContainerRules {
 public:
  virtual ~ContainerRules() = default;
  /// What the operation did; of a pending one what it did if it took effect and changed something.
  [[nodiscard]] virtual Act act(const Operation& operation, bool pending) const = 0;
  virtual void decrease(ContainerHistory& history) const = 0;
  /// Whether an add takes the place of the value that is inside, and nothing else takes it out.
  [[nodiscard]] virtual bool overwrites() const { return false; }
};

template <ContainerStruct S>
class ContainerRulesOf final : public ContainerRules {
 public:
  explicit ContainerRulesOf(S rules) : rules_(std::move(rules)) {}
  [[nodiscard]] Act act(const Operation& operation, bool pending) const override {
    return rules_.act(operation, pending);
  }
  void decrease(ContainerHistory& history) const override { decrease_and_conquer(rules_, history); }
  [[nodiscard]] bool overwrites() const override {
    if constexpr (requires { S::overwrites; }) return S::overwrites;
    return false;
  }

 private:
  S rules_;
};

/// A specification with such rules; all else is the specification's. Made by `specify_container`.
class ContainerSpecification final : public Specification {
 public:
  ContainerSpecification(std::shared_ptr<const Specification> specification,
                         std::unique_ptr<const ContainerRules> rules)
      : specification_(std::move(specification)), rules_(std::move(rules)) {}

  [[nodiscard]] const ContainerRules& rules() const { return *rules_; }

  [[nodiscard]] std::string_view name() const override { return specification_->name(); }
  [[nodiscard]] std::span<const Method> methods() const override { return specification_->methods(); }
  [[nodiscard]] bool uses_process() const override { return specification_->uses_process(); }
  [[nodiscard]] std::unique_ptr<StateTable> make_states() const override { return specification_->make_states(); }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const override { return specification_->make_replay(); }
  /// What only sees something changes nothing.
  [[nodiscard]] bool pure(const Operation& operation) const override;
  [[nodiscard]] bool has_keys() const override { return specification_->has_keys(); }
  [[nodiscard]] std::optional<Value> key(const Operation& operation) const override {
    return specification_->key(operation);
  }
  /// The values of a container can be dropped; that is what makes it one.
  [[nodiscard]] bool has_erasable_values() const override { return true; }
  [[nodiscard]] std::optional<Value> erasable(const Operation& operation) const override;
  [[nodiscard]] bool sensitive(const Operation& operation) const override;
  [[nodiscard]] std::optional<Value> overwrites(const Operation& operation) const override {
    return specification_->overwrites(operation);
  }
  [[nodiscard]] std::string invalid(const Operation& operation) const override {
    return specification_->invalid(operation);
  }
  [[nodiscard]] bool has_invalid() const override { return specification_->has_invalid(); }

 private:
  std::shared_ptr<const Specification> specification_;
  std::unique_ptr<const ContainerRules> rules_;
};

/// Makes a specification that is decided by decrease-and-conquer out of a struct (see the head of this file).
template <class S>
requires SpecificationStruct<S> && ContainerStruct<S>
[[nodiscard]] std::shared_ptr<const Specification> specify_container(std::string name, S type = {}) {
  return std::make_shared<ContainerSpecification>(specify<S>(std::move(name), type),
                                                  std::make_unique<ContainerRulesOf<S>>(type));
}

/// Lemma 4.7, for registers: no other value has to come both before it and after it. A container that overwrites.
[[nodiscard]] std::optional<std::uint32_t> compatible_value(const ContainerHistory& history);

/// Definition 6.1, safe, for sets and bags: what missed the value may have come before it or after it.
[[nodiscard]] std::optional<std::uint32_t> safe_value(const ContainerHistory& history);

/// Definition 7.1, potentially bottom, for stacks: each operation has a moment when nothing else need be inside.
[[nodiscard]] std::optional<std::uint32_t> potentially_bottom_value(const ContainerHistory& history);

/// Definition 8.1, potentially front, for queues: no value must be enqueued before it, nor be at the front before it.
[[nodiscard]] std::optional<std::uint32_t> potentially_front_value(const ContainerHistory& history);

/// Definition 9.1, potentially minimal, for priority queues: among the values of the worst class one whose looks and
/// remove have each a moment when nothing better need be inside and, where equal ones leave in the order of insertion,
/// that no equal one must precede.
/// @param better  whether the first value goes before the second; a weak order
[[nodiscard]] std::optional<std::uint32_t> potentially_minimal_value(
    const ContainerHistory& history, const std::function<bool(std::uint32_t, std::uint32_t)>& better, bool fifo_ties);

}  // namespace linchpin
