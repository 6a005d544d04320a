// Reads a queue's history value by value, and finds what is wrong with single values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/decider.hpp"
#include "types/queue/conflict.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

/// Which value each operation is about.
struct Reading {
  std::vector<ValueNumber> value_of;  // by operation; none: there is none
  std::uint32_t values = 0;
};

/// Fills `reading` where the monitor applies: no value is enqueued twice, and results say what the monitor needs.
[[nodiscard]] core::Applicability read(const Subhistory& part, Reading& reading);

/// Reads the history value by value; a conflict where one value alone shows one. Uses the reading up.
[[nodiscard]] std::optional<Conflict> gather(const Subhistory& part, Reading& reading, Values& values);

}  // namespace linchpin::types::queue
