// How inputs are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "linchpin/history.hpp"
#include "linchpin/limits.hpp"

namespace linchpin {

/// What `:fail` means for an operation that read or changed nothing.
enum class FailPolicy : std::uint8_t {
  format_default,  ///< Jepsen EDN: drop; Jepsen text logs: constraint
  drop,            ///< it did not happen
  constraint,      ///< a failed CAS says that the state was not the expected value
};

struct ReadOptions {
  std::string format;            ///< empty: by content
  std::optional<TypeName> type;  ///< overrides the input's
  bool independent = false;      ///< Jepsen EDN: values are [key value]
  FailPolicy fail = FailPolicy::format_default;
  /// Of reading itself: bytes resident in the process, and an early end, which is an error (too_large, interrupted).
  Limits limits = {};
  /// Jepsen EDN: the key of an event that has to be an integer, kept as a field (see Field) even if it is time or
  /// index.
  std::string field;
  /// Jepsen EDN: what did not happen (`:fail`) is told by annotations of its process, instead of being left out.
  bool mark_failed = false;
  /// Reports of etcd's tests: leases may have expired, at any time that is a second after their grant or later.
  bool leases_expire = false;
};

}  // namespace linchpin
