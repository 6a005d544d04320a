// Random register histories as in the thesis's section 3.1, and as its program draws them, and its brute force (Figure
// 3).
//
// Operations are drawn one after the other, each on a random thread, a random time after the thread's previous one.
// What comes out may be linearizable or not. By the text the kinds are equally likely: a write or a successful
// compare-and-set produces a value that no other produces, a read or a failed compare-and-set asks for one that was
// drawn before. The program (github.com/Pylyr/thesis-concurrency, utils.py) draws a value first, and whether it is for
// writing and reading or for a compare-and-set: it is written if it was not yet, else read; a compare-and-set of it to
// another one fails if it was written before, else it succeeds from the other one to it, which counts as written from
// then on, too. So half of all operations are compare-and-sets, and where the other one is never written the history
// is impossible.
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
  /// Whether failed compare-and-sets may overlap what writes, which the thesis's algorithm does not take.
  bool overlapping = false;
};

/// Where a failed compare-and-set may not overlap a write, an operation that would make one do so is drawn again (the
/// thesis draws the whole history again, which takes days for the largest). Nothing where that goes on for too long.
[[nodiscard]] std::optional<RegisterHistory> draw_register_history(const RegisterShape& shape,
                                                                   generate::Random& random);
/// As the program does, with one value more than `values`, as there; `shape.cas` and `failed_cas` are one there.
/// Nothing where a failed compare-and-set overlaps what writes: the whole history is to be drawn again. (The program
/// keeps it where it is impossible anyhow.)
[[nodiscard]] std::optional<RegisterHistory> draw_as_the_program(const RegisterShape& shape, generate::Random& random);

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
