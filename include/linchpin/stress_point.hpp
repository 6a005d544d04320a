// For the code of containers: places where it is interesting to be interrupted.
//
//   Node* first = top.load();
//   ...
//   linchpin::stress_point();   // between looking and acting
//   if (top.compare_exchange_weak(first, first->next)) ...
//
// In a stress run (linchpin/stress.hpp) threads pause or take turns here, so that schedules are chosen and do not
// depend on the machine. In any other run it is a load and a branch. This header needs no library and no other header.
#pragma once

namespace linchpin {

namespace stress_plan {
/// What a thread of a stress run does at such places.
struct AtPoint {
  void (*reach)(AtPoint& own);
};
/// The calling thread's; null outside a run.
inline constinit thread_local AtPoint* at_point = nullptr;
}  // namespace stress_plan

inline void stress_point() {
  if (stress_plan::AtPoint* const own = stress_plan::at_point; own != nullptr) own->reach(*own);
}

}  // namespace linchpin
