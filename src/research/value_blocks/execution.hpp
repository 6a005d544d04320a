// Register histories as the thesis of Daychman sees them ([5] below): writes, reads, true and false CASes of one
// address, all of which returned; no value is written twice, by a write or a true CAS; the register starts undefined;
// and no false CAS overlaps a write.
//
// Whether a true CAS counts as a write of the fourth condition the thesis does not say. It has to: that only one value
// is in memory between two writes (section 2.5.3) is wrong otherwise. Times are ranks, so that no two are equal.
//
// [5] Mark Daychman: Linearization of concurrent data structures. Bachelor thesis, École Polytechnique, 2023. Figures
// and sections are numbered as there; where a figure had to be mended docs/papers says how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::research::value_blocks {

enum class CallKind : std::uint8_t { write, read, true_cas, false_cas };

struct Call {
  CallKind kind = CallKind::write;
  std::uint32_t local = kNone;    ///< in the sub-history
  std::uint32_t value = kNone;    ///< that it writes or reads; of a false CAS: that was not there
  std::uint32_t compare = kNone;  ///< of a true CAS: the value that it replaces
  history::Rank start = 0, end = 0;

  [[nodiscard]] bool writes() const { return kind == CallKind::write || kind == CallKind::true_cas; }
};

struct Execution {
  std::vector<Call> calls;                             ///< by start
  std::vector<std::vector<std::uint32_t>> by_value;    ///< calls on each value, a true CAS on both; no false CASes
  std::vector<std::uint32_t> write_of;                 ///< the call that writes each value, or kNone
  std::vector<std::uint32_t> true_cases, false_cases;  /// calls
  std::vector<Value> values;                           ///< by number

  [[nodiscard]] const Call& write(std::uint32_t value) const { return calls[write_of[value]]; }
};

struct Reading {
  std::string obstacle;  ///< why the thesis does not take the history; empty where it does
  bool other_type = false;
  Execution execution;
};

/// Reads a register or a compare-and-set register. O(n^2), for the fourth condition.
[[nodiscard]] Reading read_execution(const history::Subhistory& part);

}  // namespace linchpin::research::value_blocks
