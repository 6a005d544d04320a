// What the library promises itself: preconditions of its parts, and invariants of its structures. Checked in debug
// builds, under sanitizers, by fuzzers and by ./dev cross (LINCHPIN_ASSERTIONS); a release trusts them.
//
// Where more than one condition belongs together, a member function check_invariants() has them:
// LINCHPIN_INVARIANTS(check_invariants()) calls it where assertions are checked, and is nothing elsewhere.
#pragma once

#ifdef LINCHPIN_ASSERTIONS

#include "linchpin/contract.hpp"

#define LINCHPIN_ASSERT(condition)    \
  ((condition) ? static_cast<void>(0) \
               : ::linchpin::detail::misused(#condition, "an assumption does not hold", __FILE__, __LINE__))
#define LINCHPIN_INVARIANTS(check) (check)

#else

// Not evaluated, but what they name is used.
#define LINCHPIN_ASSERT(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#define LINCHPIN_INVARIANTS(check) static_cast<void>(static_cast<decltype(check)*>(nullptr))

#endif
