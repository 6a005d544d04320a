// What each operation on one key of a versioned map says about the moments at which versions end.
//
// The key goes through stages: in stage s it was written s times. Boundary b is the moment at which stage b becomes
// stage b + 1. Each operation concerns one stage or boundary and its neighbours. Tests: versioned_map_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "linchpin/value.hpp"

namespace linchpin::types::versioned_map {

enum class Role : std::uint8_t {
  ignored,          ///< pending and without effect
  free,             ///< legal in every stage, changes nothing
  sees,             ///< in stage `number`
  takes,            ///< is the write of boundary `number`
  may_take,         ///< may be, and is left out otherwise
  may_take_or_not,  ///< may be, and is legal in every stage otherwise
  tries,            ///< may be, and is in another stage than `number` otherwise
  other,            ///< in another stage than `number`
  other_present,    ///< the same, and not in stage 0
  present,          ///< not in stage 0
};

struct Requests {
  std::string obstacle;  ///< why the history cannot be read so; empty: it can
  std::vector<Role> role;
  std::vector<std::uint32_t> number;
  std::vector<Value> value;             ///< by stage, where `shown_by` knows
  std::vector<std::uint32_t> shown_by;  ///< by stage: who saw or wrote the value for certain
  std::vector<std::uint32_t> taken_by;  ///< by boundary: who wrote for certain
  /// An operation that is legal in no stage, as a core.
  std::optional<std::uint32_t> impossible;
  /// Two that saw or wrote different values of one stage, or made one stage both.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> differ;
  bool both_made = false;

  /// Whether the operation can have written boundary `number[i]`, where nobody has for certain.
  [[nodiscard]] bool may_write(const history::Subhistory& part, std::uint32_t i) const {
    const Role is = role[i];
    if (is != Role::may_take && is != Role::may_take_or_not && is != Role::tries) return false;
    const std::uint32_t stage = number[i] + 1;
    return shown_by[stage] == kNone || value[stage] == part.arguments(i)[1];
  }
};

/// O(n). @pre the part is of a versioned map
[[nodiscard]] Requests read_requests(const history::Subhistory& part);

}  // namespace linchpin::types::versioned_map
