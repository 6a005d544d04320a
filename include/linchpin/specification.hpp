// Specifications: what a data type does when its operations run one after the other.
//
// A specification is a small struct: a state, a table of methods, and `step`, which says whether an operation is legal
// in a state and advances it. That is all a user writes to have the whole library check a type of their own:
//
//   struct Counter {
//     using State = std::int64_t;
//     enum Method : std::uint16_t { add, get };
//     static constexpr std::array methods{linchpin::Method{"add", 1}, linchpin::Method{"get", 0}};
//     static State initial() { return 0; }
//     static bool step(State& state, const linchpin::Operation& operation) {
//       if (operation.method == add) { state += operation.argument(0).integer(); return true; }
//       return operation.returns(linchpin::Value::integer(state));
//     }
//   };
//   auto specification = linchpin::specify<Counter>("counter");
//
// Optional members make deciding faster or the evidence smaller; each is a promise that tests can hold a type to:
//   bool pure(op)                        the operation never changes a state in which it is legal
//   std::optional<Value> key(op)         the type is a product over keys, and this operation touches one
//   std::optional<Value> erasable(op)    the value that the operation is about: dropping every operation of a value
//                                        keeps a legal sequence legal, if no operation left is sensitive
//   bool sensitive(op)                   dropping other operations' values may make this operation illegal (size)
//   std::optional<Value> overwrites(op)  the place that the operation overwrites: it is always legal, changes something
//                                        somewhere, and what it leaves does not depend on an operation that overwrites
//                                        the same place directly before it (a write; a put that tells nothing)
//   std::string invalid(op)              why these arguments make no sense for the method; empty when they do
//   bool judges_results()                `invalid` refuses results, too: it is asked of operations without arguments
//   static constexpr bool reads_partial_results   a result may be a list that holds `?` ([[read x ?]]), and the step
//                                        takes that for lost; other types' histories with such a result are refused
//   std::string describe(state, pool)    the state for people
//   std::size_t bytes(state)             heap bytes of a state, for memory limits
//   static constexpr bool uses_process   legality depends on the calling process (a mutex with an owner)
//   void step(state, op, emit)           instead of bool step: nondeterministic, emit(next) for each successor
//   std::unique_ptr<Replay> make_replay()  nondeterministic, but one order of operations can be executed in place
//
// A state needs `==` and a hash: integers, strings, vectors, maps, pairs, optionals of these, or a `hash()` member.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "linchpin/hash.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "linchpin/value.hpp"

namespace linchpin {

template <class S>
concept DeterministicSpecification = requires(const S& s, typename S::State& state, const Operation& operation) {
  { s.step(state, operation) } -> std::same_as<bool>;
};

template <class S>
concept NondeterministicSpecification = requires(const S& s, const typename S::State& state, const Operation& operation,
                                                 void (*emit)(typename S::State)) {
  s.step(state, operation, emit);
};

/// What a user's struct must have. The compiler's message names the member that is missing.
template <class S>
concept SpecificationStruct = requires(const S& s) {
  typename S::State;
  { s.initial() } -> std::convertible_to<typename S::State>;
  {std::span<const Method>(S::methods)};
}
&&std::equality_comparable<typename S::State> && (DeterministicSpecification<S> || NondeterministicSpecification<S>);

namespace detail {

/// What `read` returns; when it misreads the operation, the operation goes along with the exception.
template <class Read>
decltype(auto) reading(const Operation& operation, Read&& read) {
  try {
    return read();
  } catch (const MisreadOperation&) {
    throw;
  } catch (const Misread& misread) {
    throw MisreadOperation(misread, operation);
  }
}

template <SpecificationStruct S>
class StateTableOf final : public StateTable {
 public:
  using State = typename S::State;
  explicit StateTableOf(const S& specification) : specification_(specification), index_(64, 0) {}

  StateId initial() override { return intern(State(specification_.initial())); }

  void successors(StateId state, const Operation& operation, std::vector<StateId>& out) override {
    if constexpr (DeterministicSpecification<S>) {
      scratch_ = states_[state];
      const bool legal = reading(operation, [&]() -> bool { return specification_.step(scratch_, operation); });
      if (legal) out.push_back(intern(std::move(scratch_)));
    } else {
      const State from = states_[state];  // a copy: interning may move the table
      reading(operation, [&] {
        specification_.step(from, operation, [&](State next) { out.push_back(intern(std::move(next))); });
      });
    }
  }

  std::string describe(StateId state, const ValuePool& pool) const override {
    if constexpr (requires {
                    { specification_.describe(states_[state], pool) } -> std::convertible_to<std::string>;
                  }) {
      return specification_.describe(states_[state], pool);
    } else if constexpr (std::same_as<State, Value>) {
      return pool.to_text(states_[state]);
    } else if constexpr (std::integral<State>) {
      return std::to_string(states_[state]);
    } else {
      return "state " + std::to_string(state);
    }
  }

  std::size_t bytes() const override {
    return states_.capacity() * (sizeof(State) + sizeof(std::uint64_t)) + index_.capacity() * sizeof(StateId) + heap_;
  }
  std::size_t growth() const override {
    const bool states_grow = free_.size() < kFewStates && states_.size() + kFewStates > states_.capacity();
    return (states_grow ? 2 * states_.capacity() * (sizeof(State) + sizeof(std::uint64_t)) : 0) +
           ((used() + kFewStates) * 2 > index_.size() ? 2 * index_.size() * sizeof(StateId) : 0);
  }
  std::size_t bound() const override { return states_.size(); }

  void retain(std::span<const StateId> live) override {
    StateId end = 0;
    for (const StateId id : live) end = std::max(end, id + 1);
    states_.resize(end);
    hashes_.resize(end);
    live_.assign(end, false);
    for (const StateId id : live) live_[id] = true;
    free_.clear();
    heap_ = 0;
    for (StateId id = static_cast<StateId>(states_.size()); id-- > 0;) {
      if (live_[id]) {
        heap_ += heap_bytes(states_[id]);
      } else {
        states_[id] = State();
        free_.push_back(id);
      }
    }
    std::size_t capacity = 64;
    while (capacity < 2 * (used() + 1)) capacity *= 2;
    rebuild(capacity);
  }

 private:
  static constexpr std::size_t kFewStates = 256;

  static std::size_t heap_bytes(const State& state) {
    if constexpr (requires {
                    { S::bytes(state) } -> std::convertible_to<std::size_t>;
                  }) {
      return S::bytes(state);
    } else if constexpr (requires {
                           state.capacity();
                           typename State::value_type;
                         }) {
      return state.capacity() * sizeof(typename State::value_type);
    } else if constexpr (requires {
                           state.size();
                           typename State::value_type;
                         }) {
      return state.size() * (sizeof(typename State::value_type) + 4 * sizeof(void*));
    } else {
      return 0;
    }
  }

  StateId intern(State&& state) {
    if ((used() + 1) * 2 > index_.size()) rebuild(index_.size() * 2);
    const std::uint64_t hash = hash_of(state);
    std::size_t slot = hash & (index_.size() - 1);
    while (index_[slot] != 0) {
      const StateId id = index_[slot] - 1;
      if (hashes_[id] == hash && states_[id] == state) return id;
      slot = (slot + 1) & (index_.size() - 1);
    }
    heap_ += heap_bytes(state);
    StateId id = 0;
    if (free_.empty()) {
      id = static_cast<StateId>(states_.size());
      states_.push_back(std::move(state));
      hashes_.push_back(hash);
      live_.push_back(true);
    } else {
      id = free_.back();
      free_.pop_back();
      states_[id] = std::move(state);
      hashes_[id] = hash;
      live_[id] = true;
    }
    index_[slot] = id + 1;
    return id;
  }

  [[nodiscard]] std::size_t used() const { return states_.size() - free_.size(); }

  void rebuild(std::size_t capacity) {
    index_.assign(capacity, 0);
    for (StateId id = 0; id < states_.size(); ++id) {
      if (!live_[id]) continue;
      std::size_t slot = hashes_[id] & (capacity - 1);
      while (index_[slot] != 0) slot = (slot + 1) & (capacity - 1);
      index_[slot] = id + 1;
    }
  }

  S specification_;
  std::vector<State> states_;          // by id
  std::vector<std::uint64_t> hashes_;  // by id
  std::vector<bool> live_;             // by id; not live iff on the free list
  std::vector<StateId> free_;          // ids that hold nothing
  std::vector<StateId> index_;         // open addressing, power of two; id + 1, 0 empty
  std::size_t heap_ = 0;
  State scratch_{};
};

/// One state, changed in place.
template <SpecificationStruct S>
class ReplayInPlace final : public Replay {
 public:
  explicit ReplayInPlace(const S& specification) : specification_(specification), state_(specification_.initial()) {}
  bool step(const Operation& operation) override {
    return reading(operation, [&]() -> bool { return specification_.step(state_, operation); });
  }

 private:
  S specification_;
  typename S::State state_;
};

/// All states that are possible, where operations do not determine them.
class ReplayOfStates final : public Replay {
 public:
  explicit ReplayOfStates(std::unique_ptr<StateTable> states)
      : states_(std::move(states)), possible_{states_->initial()} {}

  bool step(const Operation& operation) override {
    next_.clear();
    for (const StateId state : possible_) {
      if (has_to_end(possible_.size())) return false;
      states_->successors(state, operation, next_);
    }
    std::sort(next_.begin(), next_.end());
    next_.erase(std::unique(next_.begin(), next_.end()), next_.end());
    possible_.swap(next_);
    if (states_->bytes() > most_bytes_) {
      states_->retain(possible_);
      most_bytes_ = 2 * states_->bytes() + kFewBytes;
    }
    return !possible_.empty();
  }

 private:
  static constexpr std::size_t kFewBytes = std::size_t{1} << 20;

  std::unique_ptr<StateTable> states_;
  std::vector<StateId> possible_, next_;
  std::size_t most_bytes_ = kFewBytes;  // then states that are over are forgotten
};

template <SpecificationStruct S>
class SpecificationOf final : public Specification {
 public:
  SpecificationOf(std::string name, S specification)
      : name_(std::move(name)), specification_(std::move(specification)) {}
  std::string_view name() const override { return name_; }
  std::span<const Method> methods() const override { return std::span<const Method>(S::methods); }
  bool uses_process() const override {
    if constexpr (requires { S::uses_process; }) return S::uses_process;
    return false;
  }
  std::unique_ptr<StateTable> make_states() const override { return std::make_unique<StateTableOf<S>>(specification_); }
  std::unique_ptr<Replay> make_replay() const override {
    if constexpr (requires { specification_.make_replay(); }) {
      return specification_.make_replay();
    } else if constexpr (DeterministicSpecification<S>) {
      return std::make_unique<ReplayInPlace<S>>(specification_);
    } else {
      return std::make_unique<ReplayOfStates>(make_states());
    }
  }
  bool pure(const Operation& operation) const override {
    if constexpr (requires { specification_.pure(operation); }) {
      return reading(operation, [&] { return specification_.pure(operation); });
    }
    return false;
  }
  bool has_keys() const override {
    return requires(const S& s, const Operation& o) { s.key(o); };
  }
  std::optional<Value> key(const Operation& operation) const override {
    if constexpr (requires { specification_.key(operation); }) {
      return reading(operation, [&] { return specification_.key(operation); });
    }
    return std::nullopt;
  }
  bool has_erasable_values() const override {
    return requires(const S& s, const Operation& o) { s.erasable(o); };
  }
  std::optional<Value> erasable(const Operation& operation) const override {
    if constexpr (requires { specification_.erasable(operation); }) {
      return reading(operation, [&] { return specification_.erasable(operation); });
    }
    return std::nullopt;
  }
  bool sensitive(const Operation& operation) const override {
    if constexpr (requires { specification_.sensitive(operation); }) {
      return reading(operation, [&] { return specification_.sensitive(operation); });
    }
    return false;
  }
  std::optional<Value> overwrites(const Operation& operation) const override {
    if constexpr (requires { specification_.overwrites(operation); }) {
      return reading(operation, [&] { return specification_.overwrites(operation); });
    }
    return std::nullopt;
  }
  std::string invalid(const Operation& operation) const override {
    if constexpr (requires { specification_.invalid(operation); }) {
      return reading(operation, [&] { return specification_.invalid(operation); });
    }
    return {};
  }
  bool has_invalid() const override {
    return requires(const S& s, const Operation& o) { s.invalid(o); };
  }
  bool judges_results() const override {
    if constexpr (requires { specification_.judges_results(); }) return specification_.judges_results();
    return false;
  }
  bool reads_partial_results() const override {
    if constexpr (requires { S::reads_partial_results; }) return S::reads_partial_results;
    return false;
  }

 private:
  const void* content(const std::type_info& type) const override {
    return type == typeid(S) ? &specification_ : nullptr;
  }

  std::string name_;
  S specification_;
};

}  // namespace detail

/// Makes a specification that every decider accepts out of a struct (see the head of this file).
template <SpecificationStruct S>
[[nodiscard]] std::shared_ptr<const Specification> specify(std::string name, S specification = {}) {
  return std::make_shared<detail::SpecificationOf<S>>(std::move(name), std::move(specification));
}

}  // namespace linchpin
