// Refutes logs by entries that are written only once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::types::log_ {

/// Two or three operations that no other can reconcile.
struct Contradiction {
  std::vector<std::uint32_t> operations;  ///< ascending
  std::string sentence;
};

[[nodiscard]] std::optional<Contradiction> find_contradiction(const history::Subhistory& part);

}  // namespace linchpin::types::log_
