// Queues online. A run of "order" has read a's add and then the call of b's, and accepts when b's remove returns,
// unless that of a is called before. For a b, any a will do that is in and whose add returned before that of b was
// called; if there is one, then so is the one whose add returned first among those that are in. So the values that are
// in, in the order in which their adds returned, are all there is to remember.
//
// Memory: what is in, and values that left behind a first one that stays: those were added while it was being added
// (else they are its violation), so they are no more than the adds that were open then. After an alarm its first value
// counts as gone. O(1) an event, amortised.
#include <deque>

#include "research/automata/online/order_watch.hpp"

namespace linchpin::automata {

namespace {

class QueueOrder final : public OrderWatch {
 public:
  explicit QueueOrder(const OnlineValues& values) : values_(values) {}

  void add_returned(Slot value) override {
    if (values_[value].in) in_.push_back({value, values_[value].serial});
  }
  void remove_called(Slot /*value*/, bool /*was_in*/) override {}
  std::optional<Alarm> remove_returned(Slot value) override {
    while (!in_.empty() && !still_in(in_.front())) in_.pop_front();
    if (in_.empty()) return std::nullopt;
    const OnlineValue& first = values_[in_.front().value];
    if (first.add_returned >= values_[value].add_called) return std::nullopt;
    in_.pop_front();
    return Alarm{.automaton = "order", .values = {{"a", first.name.to_text()}, {"b", values_[value].name.to_text()}}};
  }

 private:
  struct Tenant {
    Slot value;
    std::uint64_t serial;
  };
  [[nodiscard]] bool still_in(const Tenant& tenant) const {
    return values_[tenant.value].serial == tenant.serial && values_[tenant.value].in;
  }

  const OnlineValues& values_;
  std::deque<Tenant> in_;  // in the order in which adds returned; some have left
};

}  // namespace

std::unique_ptr<OrderWatch> watch_queue_order(const OnlineValues& values) {
  return std::make_unique<QueueOrder>(values);
}

}  // namespace linchpin::automata
