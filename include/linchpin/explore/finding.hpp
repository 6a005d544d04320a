// What an exploration finds. Without the standard library's templates, since the runtime that stands beneath the code
// under test includes it, too.
#pragma once

#include <cstdint>

namespace linchpin {

enum class ExploreFinding : std::uint8_t {
  none,
  not_linearizable,
  race,
  use_after_free,
  out_of_bounds,
  double_free,
  bad_free,
  leak,
  deadlock,
  lost_wakeup,
  endless,  ///< more steps than allowed, or none for too long
  exception,
  assertion,
  crash,
  misuse,          ///< of a lock: unlocked by another thread, destroyed while held
  undecided,       ///< a history could not be decided within its limits
  nondeterminism,  ///< a schedule did not repeat itself
  unsupported,
};

}  // namespace linchpin
