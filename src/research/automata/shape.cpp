#include "research/automata/shape.hpp"

#include <fmt/format.h>

namespace linchpin::automata {

namespace {

constexpr StateIndex kNoState = 0xffff;

class ShapeAutomaton {
 public:
  explicit ShapeAutomaton(const Shape& shape) : shape_(shape) {
    made_.name = shape.name;
    made_.summary = shape.summary;
    made_.source = shape.source;
    made_.colours = shape.colours;
    made_.registers = shape.registers;
    made_.implied = shape.implied;
    made_.precondition = shape.precondition;
  }

  Automaton make() {
    const std::size_t n = shape_.word.size();
    for (std::size_t at = 0; at < n; ++at) {
      for (unsigned count = 0; count < 3; ++count) {
        index_.push_back(has(at, count) ? add_state(Acceptance::no) : kNoState);
      }
    }
    accepting_ = add_state(Acceptance::at_once);
    for (std::size_t at = 0; at < n; ++at) {
      for (unsigned count = 0; count < 3; ++count) {
        if (has(at, count)) leave(at, count);
      }
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool within(std::size_t at) const { return shape_.window && at > shape_.window->begin; }
  /// Whether there is a state before the word's action `at` with so many values of the crowd in the container.
  [[nodiscard]] bool has(std::size_t at, unsigned count) const {
    if (!shape_.window) return count == 0;
    if (within(at)) return count >= 1;
    return count == 0 || (count == 1 && at >= shape_.window->added_from);
  }
  [[nodiscard]] StateIndex state(std::size_t at, unsigned count) const {
    return at == shape_.word.size() ? accepting_ : index_[3 * at + count];
  }

  StateIndex add_state(Acceptance acceptance) {
    const auto number = static_cast<StateIndex>(made_.states.size());
    made_.states.push_back({fmt::format("q{}", number), acceptance});
    return number;
  }
  void add(StateIndex from, const Action& action, StateIndex to) { made_.transitions.push_back({from, action, to}); }

  void leave(std::size_t at, unsigned count) {
    const StateIndex from = state(at, count);
    const Action& next = shape_.word[at];
    const bool begins = shape_.window && at == shape_.window->begin;
    if (!begins || count == 1) add(from, next, state(at + 1, count));  // the window begins covered
    for (const Action& action : shape_.free) add(from, action, from);
    if (shape_.window) crowd(at, count);
  }

  void crowd(std::size_t at, unsigned count) {
    const Window& window = *shape_.window;
    const StateIndex from = state(at, count);
    if (at >= window.added_from) add(from, call_add(window.crowd, window.guard), from);
    if (within(at)) add(from, ret_remove(window.crowd), from);
    if (count < 2 && has(at, count + 1)) add(from, ret_add(window.crowd), state(at, count + 1));
    if (within(at) && count == 2) add(from, call_remove(window.crowd), state(at, 1));
  }

  const Shape& shape_;
  Automaton made_;
  std::vector<StateIndex> index_;  // 3 * position + count
  StateIndex accepting_ = 0;
};

}  // namespace

Automaton make_automaton(const Shape& shape) { return ShapeAutomaton(shape).make(); }

}  // namespace linchpin::automata
