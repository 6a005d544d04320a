#include "types/queue/fixed_order.hpp"

#include <algorithm>
#include <tuple>

namespace linchpin::types::queue {

namespace {

using algo::CountPathInput;
using algo::CountStep;

/// An end of a window, to be sorted: calls before responses at one moment, each in the order of the values.
struct OrderedEnd {
  Moment moment;
  bool response;
  std::uint32_t place;
  std::uint32_t op;
};

/// Nobody sees when it gets to the front.
bool in_no_order(const CountedValue& value) { return value.remove == kNone && !value.looked_at; }

}  // namespace

FixedOrder::FixedOrder(const history::Subhistory& part, const CountedHistory& history, OrderedBy by)
    : part_(part), history_(history), by_(by) {
  values_ = passage();
  make_input();
  if (!impossible_) paths_ = algo::CountPaths::begin(input_, true);
}

std::vector<std::uint32_t> FixedOrder::passage() const {
  std::vector<std::pair<std::int64_t, std::uint32_t>> keys;
  for (std::uint32_t v = 0; v < history_.values.size(); ++v) {
    const CountedValue& value = history_.values[v];
    std::int64_t key = std::int64_t{value.leaves_after} + value.leaves_by;
    if (by_ == OrderedBy::all) key += std::int64_t{value.enters_after} + value.enters_by;
    if (value.remove == kNone) key += std::int64_t{1} << 40;  // behind all that leave
    if (in_no_order(value)) key += std::int64_t{1} << 41;
    keys.emplace_back(key, v);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  order.reserve(keys.size());
  for (const auto& [key, v] : keys) order.push_back(v);
  return order;
}

void FixedOrder::make_input() {
  const std::size_t count = values_.size();
  std::vector<Moment> enters_after(count), enters_by(count), leaves_after(count), leaves_by(count);
  Moment entered = -1;
  Moment left = -1;
  std::size_t ordered = 0;
  bool stays = false;
  for (std::size_t k = 0; k < count; ++k) {
    const CountedValue& value = history_.values[values_[k]];
    enters_after[k] = std::max(entered, value.enters_after);
    leaves_after[k] = std::max(left, value.leaves_after);
    if (in_no_order(value)) continue;
    if (value.looked_at && stays) impossible_ = true;  // nobody sees past a value that stays
    stays = stays || value.remove == kNone;
    entered = enters_after[k];
    left = leaves_after[k];
    ordered = k + 1;
  }
  Moment enters = history_.perhaps();
  Moment seen_behind = history_.perhaps();
  for (std::size_t k = count; k-- > 0;) {
    const CountedValue& value = history_.values[values_[k]];
    enters = std::min(enters, value.enters_by);
    enters_by[k] = k < ordered ? enters : value.enters_by;
    if (value.remove != kNone) {
      leaves_by[k] = std::min(value.leaves_by, seen_behind);
      seen_behind = leaves_by[k];
      impossible_ = impossible_ || leaves_after[k] >= leaves_by[k];
    }
    seen_behind = std::min(seen_behind, value.front_by);
    impossible_ = impossible_ || enters_after[k] >= enters_by[k];
  }
  if (impossible_) return;

  std::vector<OrderedEnd> ends;
  ends.reserve(static_cast<std::size_t>(history_.end));
  input_.operations.resize(part_.size());
  const auto window = [&](std::uint32_t op, std::uint32_t place, CountStep step, Moment after, Moment by) {
    CountPathInput::Operation& operation = input_.operations[op];
    operation.step = step;
    ends.push_back({after, false, place, op});
    if (by >= history_.end) return;
    operation.deadline = static_cast<std::uint32_t>(by);
    ends.push_back({by, true, place, op});
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    const CountedValue& value = history_.values[values_[k]];
    window(value.add, k, CountStep::up, enters_after[k], enters_by[k]);
    if (value.remove != kNone) window(value.remove, k, CountStep::down, leaves_after[k], leaves_by[k]);
  }
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    if (part_.pending(i)) continue;
    const auto call = static_cast<Moment>(part_.call[i]);
    const auto response = static_cast<Moment>(part_.response[i]);
    if (history_.act[i] == CountedAct::nothing) window(i, i, CountStep::free, call, response);
    if (history_.act[i] != CountedAct::count) continue;
    window(i, i, CountStep::look, call, response);
    input_.operations[i].least = history_.range[i].least;
    input_.operations[i].most = history_.range[i].most;
  }
  std::sort(ends.begin(), ends.end(), [](const OrderedEnd& a, const OrderedEnd& b) {
    return std::tie(a.moment, a.response, a.place, a.op) < std::tie(b.moment, b.response, b.place, b.op);
  });
  input_.ends.reserve(ends.size());
  for (const OrderedEnd& end : ends) {
    input_.ends.push_back({static_cast<std::uint32_t>(end.moment),
                           end.response ? history::Event::response(end.op) : history::Event::call(end.op)});
  }
  input_.lowest = 0;
  input_.highest = history_.capacity;
}

std::vector<std::uint32_t> FixedOrder::order() const {
  const std::vector<algo::CountPaths::Done> done = paths_->order();
  // Where each value entered, and left, in that order.
  std::vector<std::size_t> entered(history_.values.size(), 0), left(values_.size(), 0);
  std::vector<std::uint32_t> place(history_.values.size(), 0);
  for (std::uint32_t k = 0; k < values_.size(); ++k) place[values_[k]] = k;
  for (std::size_t at = 0; at < done.size(); ++at) {
    const std::uint32_t op = done[at].operation;
    if (history_.act[op] == CountedAct::add) entered[history_.value[op]] = at + 1;
    if (history_.act[op] == CountedAct::remove) left[place[history_.value[op]]] = at + 1;
  }
  for (std::size_t k = 1; k < left.size(); ++k) left[k] = std::max(left[k], left[k - 1]);
  // A look comes as soon as its value is at the front, and it is called.
  struct Look {
    std::size_t after;  // so many of `done`
    std::uint32_t op;
  };
  std::vector<Look> looks;
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    if (history_.act[i] != CountedAct::look) continue;
    const std::uint32_t value = history_.value[i];
    const std::uint32_t k = place[value];
    const std::size_t called = static_cast<std::size_t>(
        std::partition_point(done.begin(), done.end(),
                             [&](const algo::CountPaths::Done& each) { return each.moment <= part_.call[i]; }) -
        done.begin());
    looks.push_back({std::max({entered[value], k == 0 ? std::size_t{0} : left[k - 1], called}), i});
  }
  std::sort(looks.begin(), looks.end(), [](const Look& a, const Look& b) { return a.after < b.after; });
  std::vector<std::uint32_t> order;
  order.reserve(done.size() + looks.size());
  std::size_t next = 0;
  for (std::size_t at = 0; at <= done.size(); ++at) {
    for (; next < looks.size() && looks[next].after == at; ++next) order.push_back(looks[next].op);
    if (at < done.size()) order.push_back(done[at].operation);
  }
  return order;
}

}  // namespace linchpin::types::queue
