// How many answers of a run were which, and the exit code that says so, the same for every command.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "app/command.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::app {

enum class Answer : std::uint8_t { linearizable, violation, unknown, error };

[[nodiscard]] constexpr Answer answer_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::linearizable: return Answer::linearizable;
    case Verdict::violation: return Answer::violation;
    default: return Answer::unknown;
  }
}

class Tally {
 public:
  void add(Answer answer) { ++counts_[static_cast<std::size_t>(answer)]; }
  [[nodiscard]] std::uint64_t of(Answer answer) const { return counts_[static_cast<std::size_t>(answer)]; }
  [[nodiscard]] bool any(Answer answer) const { return of(answer) > 0; }
  [[nodiscard]] std::uint64_t all() const { return counts_[0] + counts_[1] + counts_[2] + counts_[3]; }
  /// Of a run: an error comes before what else was found.
  [[nodiscard]] ExitCode exit_code() const {
    if (any(Answer::error)) return kBadInput;
    if (any(Answer::violation)) return kViolation;
    return any(Answer::unknown) ? kUnknown : kLinearizable;
  }

 private:
  std::array<std::uint64_t, 4> counts_ = {};
};

}  // namespace linchpin::app
