// Planted bugs of the classic kinds, which have to be found (stress/planted.hpp): by both commands, or by exploring
// alone.
#include "stress/planted.hpp"

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kSlots = kExplored ? 4 : 4096;

}  // namespace

Result<Plan> plan_missing_retry() {
  return plan_of(as::stack, [] { return std::make_unique<planted::MissingRetry<Nodes>>(); });
}
Result<Plan> plan_aba() {
  return plan_of(as::stack, [] { return std::make_unique<planted::Aba<kSlots>>(); });
}
Result<Plan> plan_split_size() {
  Plan plan = plan_of(as::queue, [] { return planted::SplitSize(); });
  for (auto& action : plan.actions) {
    if (action.methods[0] == "size") action.weight = 1;
  }
  return plan;
}
Result<Plan> plan_lost_update() {
  return plan_of(as::counter, [] { return planted::LostUpdate(); });
}
Result<Plan> plan_early_unlock() {
  return plan_of(as::map, [] { return planted::EarlyUnlock(); });
}
Result<Plan> plan_check_then_act() {
  return plan_of(as::queue, [] { return std::make_unique<planted::CheckThenAct<kSlots>>(); });
}
Result<Plan> plan_missing_release() {
  return plan_of(as::stack, [] { return std::make_unique<planted::MissingRelease<Nodes>>(); });
}
Result<Plan> plan_missing_acquire() {
  return plan_of(as::stack, [] { return std::make_unique<planted::MissingAcquire<Nodes>>(); });
}
Result<Plan> plan_wrong_fence() {
  return plan_of(as::queue, [] { return std::make_unique<planted::FencedRing<std::memory_order_acquire>>(); });
}
Result<Plan> plan_early_delete() {
  return plan_of(as::stack, [] { return std::make_unique<planted::EarlyDelete>(); });
}
Result<Plan> plan_aba_of_oldest() {
  return plan_of(as::stack, [] { return std::make_unique<planted::AbaOfOldest<2>>(); });
}
Result<Plan> plan_lost_wakeup() {
  using Queue = planted::Blocking<false>;
  Operations<Queue, Plan::TurnType> operations;
  operations.add("enqueue", [](Queue& queue, Fresh value) { queue.enqueue(value); });
  operations.add("dequeue", [](Queue& queue) { return queue.take(); });
  return plan_of(
      "queue", [] { return std::make_unique<Queue>(); }, operations);
}
Result<Plan> plan_lock_order() {
  return plan_of(as::atomic_register, [] { return std::make_unique<planted::TwoLocks>(); });
}

}  // namespace linchpin::app
