#include "research/automata/simulate.hpp"

#include <algorithm>

namespace linchpin::automata {

namespace {

constexpr std::uint8_t kUncoloured = 1U << 7U;  // among the colours that a value may still have
static_assert(kNoColour != 0);

/// One run, or all those that differ only in colours that have made no difference yet.
struct Run {
  StateIndex state = 0;
  std::uint32_t reg = 0;
  std::uint8_t used = 0;               // single colours that are settled
  std::vector<std::uint8_t> possible;  // by value: a set of colours; 0 until it is first seen
};

class Simulation {
 public:
  Simulation(const Automaton& automaton, const Execution& execution)
      : automaton_(automaton), execution_(execution), colours_(static_cast<Colour>(automaton.colours.size())) {
    all_ = static_cast<std::uint8_t>(kUncoloured | ((1U << colours_) - 1));
    for (Colour c = 0; c < colours_; ++c) {
      if (!automaton.colours[c].crowd) single_ = static_cast<std::uint8_t>(single_ | (1U << c));
    }
    begin();
  }

  std::optional<AcceptingRun> run(std::size_t most_runs, bool* gave_up) {
    for (std::size_t at = 0; at < execution_.letters.size() && !runs_.empty(); ++at) {
      next_.clear();
      for (Run& run : runs_) {
        if (step(run, execution_.letters[at])) return accepted(at + 1);
      }
      runs_.swap(next_);
      if (runs_.size() > most_runs) {
        if (gave_up != nullptr) *gave_up = true;
        return std::nullopt;
      }
    }
    for (const Run& run : runs_) {
      if (automaton_.states[run.state].acceptance == Acceptance::at_end) {
        accepting_ = run;
        return accepted(execution_.letters.size());
      }
    }
    return std::nullopt;
  }

 private:
  void begin() {
    Run run;
    run.possible.resize(execution_.values, 0);
    if (automaton_.registers == 0) {
      runs_.push_back(run);
      return;
    }
    std::vector<std::uint32_t> guesses;
    for (const Letter& letter : execution_.letters) {
      if (letter.method == Method::add && !letter.response) guesses.push_back(execution_.priority[letter.value]);
    }
    std::sort(guesses.begin(), guesses.end());
    guesses.erase(std::unique(guesses.begin(), guesses.end()), guesses.end());
    for (const std::uint32_t guess : guesses) {
      run.reg = guess;
      runs_.push_back(run);
    }
  }

  /// What follows after the letter goes to next_; true when a run accepts at once.
  bool step(Run& run, const Letter& letter) {
    const std::uint8_t before = run.possible[letter.value] == 0 ? all_ : run.possible[letter.value];
    std::uint8_t after = before & kUncoloured;
    for (Colour colour = 0; colour < colours_; ++colour) {
      const auto bit = static_cast<std::uint8_t>(1U << colour);
      if ((before & bit) == 0) continue;
      const bool settled = before == bit;
      if (!settled && (run.used & single_ & bit) != 0) continue;  // another value has it
      const Transition* const transition = automaton_.find(run.state, letter.method, letter.response, colour);
      if (transition == nullptr || !execution_.holds(transition->action.guard, letter.value, run.reg)) continue;
      if (transition->to == run.state) {
        after |= bit;
        continue;
      }
      Run moved = run;
      moved.state = transition->to;
      moved.possible[letter.value] = bit;
      moved.used |= bit;
      if (automaton_.states[moved.state].acceptance == Acceptance::at_once) {
        accepting_ = std::move(moved);
        return true;
      }
      next_.push_back(std::move(moved));
    }
    if (after == 0) return false;
    run.possible[letter.value] = after;
    next_.push_back(std::move(run));
    return false;
  }

  /// The accepting run, spelled out.
  [[nodiscard]] std::optional<AcceptingRun> accepted(std::size_t letters) const {
    std::vector<Colour> colour(execution_.values, kNoColour);
    for (std::uint32_t value = 0; value < execution_.values; ++value) {
      for (Colour c = 0; c < colours_; ++c) {
        if (accepting_.possible[value] == (1U << c)) colour[value] = c;
      }
    }
    auto found = replay(automaton_, execution_, colour, accepting_.reg);
    if (found) found->letters = letters;
    return found;
  }

  const Automaton& automaton_;
  const Execution& execution_;
  Colour colours_;
  std::uint8_t all_ = 0, single_ = 0;
  std::vector<Run> runs_, next_;
  Run accepting_;
};

}  // namespace

std::optional<AcceptingRun> simulate(const Automaton& automaton, const Execution& execution, std::size_t most_runs,
                                     bool* gave_up) {
  return Simulation(automaton, execution).run(most_runs, gave_up);
}

std::optional<AcceptingRun> replay(const Automaton& automaton, const Execution& execution,
                                   const std::vector<Colour>& colour, std::uint32_t reg) {
  AcceptingRun run{.letters = 0, .colour = colour, .reg = reg, .states = {0}};
  StateIndex state = 0;
  for (const Letter& letter : execution.letters) {
    if (colour[letter.value] != kNoColour) {
      const Transition* const transition = automaton.find(state, letter.method, letter.response, colour[letter.value]);
      if (transition == nullptr || !execution.holds(transition->action.guard, letter.value, reg)) return std::nullopt;
      state = transition->to;
    }
    ++run.letters;
    run.states.push_back(state);
    if (automaton.states[state].acceptance == Acceptance::at_once) return run;
  }
  if (automaton.states[state].acceptance != Acceptance::at_end) return std::nullopt;
  return run;
}

}  // namespace linchpin::automata
