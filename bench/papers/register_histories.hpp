// Random register histories as in the thesis's section 3.1, and its brute force (Figure 3).
//
// Operations are drawn one after the other, each on a random thread, a random time after the thread's previous one: a
// write or a successful compare-and-set produces a value that no other produces, a read or a failed compare-and-set
// asks for one that was drawn before. What comes out may be linearizable or not.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "generate/random.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::papers {

enum class RegisterCall : std::uint8_t { write, read, cas, failed_cas };

struct RegisterOperation {
  std::uint32_t thread = 0;
  RegisterCall call = RegisterCall::write;
  std::int64_t expected = 0;  ///< of a compare-and-set
  std::int64_t value = 0;     ///< written or read
  Tick begin = 0, end = 0;
};

/// By thread, each in its own order.
using RegisterHistory = std::vector<std::vector<RegisterOperation>>;

struct RegisterShape {
  std::uint32_t threads = 1, operations = 7, values = 3;
  bool cas = false, failed_cas = false;
  /// Whether failed compare-and-sets may overlap writes, which the thesis's algorithm does not take.
  bool overlapping = false;
};

/// Where a failed compare-and-set may not overlap a write, an operation that would make one do so is drawn again (the
/// thesis draws the whole history again, which takes days for the largest). Nothing where that goes on for too long.
[[nodiscard]] std::optional<RegisterHistory> draw_register_history(const RegisterShape& shape,
                                                                   generate::Random& random);

/// The register starts undefined, and everything but a write needs a value.
[[nodiscard]] TypeName register_type();
/// A history of a cas-register with writes, reads and compare-and-sets, all of which returned; nothing where some value
/// is no integer.
[[nodiscard]] std::optional<RegisterHistory> register_history(const History& history);
[[nodiscard]] Result<History> to_history(const RegisterHistory& history);

/// Wing and Gong's search without any memory, as printed, but that the first linearization ends it. Exponential.
/// @return nothing after so many steps
[[nodiscard]] std::optional<bool> linearizable_by_brute_force(const RegisterHistory& history,
                                                              std::uint64_t steps = UINT64_MAX);

}  // namespace linchpin::papers
