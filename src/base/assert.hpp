// What the library promises itself: preconditions of its parts, and invariants of its structures. Checked in debug
// builds, under sanitizers, by fuzzers and by ./dev cross (LINCHPIN_ASSERTIONS); a release trusts them.
//
// Where a condition is costly, it stands in a member function check_invariants(), and is called at steps that are rare:
// LINCHPIN_INVARIANTS(object).
#pragma once

#ifdef LINCHPIN_ASSERTIONS

#include "linchpin/contract.hpp"

#define LINCHPIN_ASSERT(condition)    \
  ((condition) ? static_cast<void>(0) \
               : ::linchpin::detail::misused(#condition, "an assumption does not hold", __FILE__, __LINE__))
#define LINCHPIN_INVARIANTS(object) (object).check_invariants()

#else

#define LINCHPIN_ASSERT(condition) static_cast<void>(0)
#define LINCHPIN_INVARIANTS(object) static_cast<void>(0)

#endif
