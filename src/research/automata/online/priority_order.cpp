// Priority queues online.
//
// "order": as for queues (queue_order.cpp), among the values of one priority.
// "covered": a run for b lives from the moment at which b's add and remove are both called, as long as some better
// value is in: one that covers b until it is itself removed, then any other. Which one does not matter: whoever is in
// covers. "overtaken": b has left while a's run for "covered" lives, and a was added before b. Where b's calls do not
// both come before that of a's remove, b's own run lives too. So the runs are at most the removes that are open.
//
// Memory: what is in, and what is open. An event costs O(log n) for n values that are in, and O(k) for k open removes
// when a cover leaves or a remove returns; with partially ordered priorities a look for a cover visits each priority
// that is in and may be better.
#include <algorithm>
#include <limits>

#include <absl/container/btree_set.h>

#include "base/none.hpp"
#include "research/automata/online/order_watch.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::automata {

namespace {

using types::PriorityQueue;

class PriorityOrder final : public OrderWatch {
 public:
  PriorityOrder(const OnlineValues& values, const PriorityQueue& specification, const ValuePool& pool)
      : values_(values), fifo_ties_(specification.fifo_ties), in_(Sooner{specification.order, &pool}) {}

  void add_called(Slot value) override {
    if (values_[value].remove_called != 0) open_window(value);
  }
  void add_returned(Slot value) override {
    if (values_[value].in) in_.insert(entry(value));
  }
  void remove_called(Slot value, bool was_in) override {
    if (was_in) {
      in_.erase(entry(value));
      const auto uncovered = [&](Window& window) {
        if (window.cover != value) return false;
        window.cover = cover_of(window.value);
        return window.cover == kNone;
      };
      windows_.erase(std::remove_if(windows_.begin(), windows_.end(), uncovered), windows_.end());
    }
    if (values_[value].add_called != 0) open_window(value);
  }

  std::optional<Alarm> remove_returned(Slot value) override {
    const OnlineValue& b = values_[value];
    const auto own = std::find_if(windows_.begin(), windows_.end(), [&](const Window& w) { return w.value == value; });
    if (own != windows_.end()) {
      const Slot cover = own->cover;
      windows_.erase(own);
      return Alarm{.automaton = covered_name(b),
                   .values = {{"b", b.name.to_text()}, {"d", values_[cover].name.to_text()}}};
    }
    if (!fifo_ties_) return std::nullopt;
    const auto equal = in_.lower_bound(Entry{b.priority, 0, 0});
    if (equal != in_.end() && equal->priority == b.priority && equal->returned < b.add_called) {
      return Alarm{.automaton = "order",
                   .values = {{"a", values_[equal->value].name.to_text()}, {"b", b.name.to_text()}}};
    }
    for (const Window& window : windows_) {
      const OnlineValue& a = values_[window.value];
      if (a.priority != b.priority || a.add_returned == 0 || a.add_returned >= b.add_called) continue;
      return Alarm{
          .automaton = overtaken_name(a, b),
          .values = {{"a", a.name.to_text()}, {"b", b.name.to_text()}, {"d", values_[window.cover].name.to_text()}}};
    }
    return std::nullopt;
  }

  void priorities_moved(const ValuePool& pool) override {
    in_ = absl::btree_set<Entry, Sooner>(Sooner{in_.key_comp().order, &pool});
    for (Slot value = 0; value < values_.slots(); ++value) {
      if (values_[value].in) in_.insert(entry(value));
    }
  }

  [[nodiscard]] std::size_t runs() const override { return windows_.size(); }

 private:
  /// A value that is in; those of one priority stand together, in the order in which their adds returned.
  struct Entry {
    Value priority;
    Moment returned = 0;
    Slot value = kNone;
  };
  /// In a total order that extends the priorities' own.
  struct Sooner {
    types::PriorityOrder order;
    const ValuePool* pool;
    [[nodiscard]] bool sooner(Value left, Value right) const {
      if (order.total() && left.is_integer() && right.is_integer()) {
        const bool largest_first = order.kind() == types::PriorityOrder::Kind::largest;
        return largest_first ? left.integer() > right.integer() : left.integer() < right.integer();
      }
      return order.extended(left, right, *pool) < 0;
    }
    bool operator()(const Entry& left, const Entry& right) const {
      if (left.priority != right.priority) return sooner(left.priority, right.priority);
      return left.returned < right.returned;
    }
  };
  /// A value whose remove may have taken effect since, if only it had not been covered.
  struct Window {
    Slot value;
    Slot cover;
  };

  [[nodiscard]] Entry entry(Slot value) const { return {values_[value].priority, values_[value].add_returned, value}; }

  /// A value that is in and strictly better, or none.
  [[nodiscard]] Slot cover_of(Slot value) const {
    const Sooner by = in_.key_comp();
    const Value priority = values_[value].priority;
    for (auto at = in_.begin(); at != in_.end() && by.sooner(at->priority, priority);) {
      if (by.order.total() || by.order.before(at->priority, priority, *by.pool)) return at->value;
      at = in_.upper_bound(Entry{at->priority, std::numeric_limits<Moment>::max(), 0});
    }
    return kNone;
  }

  void open_window(Slot value) {
    const Slot cover = cover_of(value);
    if (cover != kNone) windows_.push_back({value, cover});
  }

  static std::string covered_name(const OnlineValue& b) {
    const bool returned = b.add_returned != 0;
    if (b.add_called > b.remove_called) return returned ? "covered-3" : "covered-4";
    if (!returned) return "covered-5";
    return b.add_returned < b.remove_called ? "covered-1" : "covered-2";
  }
  static std::string overtaken_name(const OnlineValue& a, const OnlineValue& b) {
    if (b.remove_called > b.add_called) return "overtaken-1-1";
    if (b.remove_called < a.add_called) return "overtaken-2-3";
    return b.remove_called < a.add_returned ? "overtaken-2-2" : "overtaken-2-1";
  }

  const OnlineValues& values_;
  bool fifo_ties_;
  absl::btree_set<Entry, Sooner> in_;
  std::vector<Window> windows_;  // in no order
};

}  // namespace

std::unique_ptr<OrderWatch> watch_priority_order(const OnlineValues& values, const Specification& specification,
                                                 const ValuePool& pool) {
  return std::make_unique<PriorityOrder>(values, *specification.get_if<PriorityQueue>(), pool);
}

}  // namespace linchpin::automata
