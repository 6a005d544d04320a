#include "types/juc/demands.hpp"

#include <cstdlib>

#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

using history::Rank;
using Kind = Deed::Kind;

constexpr std::uint32_t kNotNamed = 0xffffffffU;

/// How many elements are inside, or -1. `capacity`: -1 where there is none.
std::int64_t told_by(const Operation& operation, std::int64_t capacity) {
  if (operation.result_unknown() || !operation.result.is_integer()) return -1;
  const std::int64_t number = operation.result.integer();
  if (operation.method == SequenceMethods::kSize) return number;
  const bool told_room = operation.method == SequenceMethods::kRemainingCapacity && capacity >= 0;
  return told_room && number >= 0 && number <= capacity ? capacity - number : -1;
}

/// The place of the element among those that are named, or kNotNamed.
std::uint32_t place_of(Element element, const std::vector<Element>& distinct) {
  const auto at = std::lower_bound(distinct.begin(), distinct.end(), element);
  return at == distinct.end() || *at != element ? kNotNamed : static_cast<std::uint32_t>(at - distinct.begin());
}

}  // namespace

Demands::Demands(const history::Subhistory& part, const Deeds& deeds, const Foresight& foresight)
    : part_(part), deeds_(deeds), told_(part.size(), -1), demands_(kMost) {
  std::int64_t capacity = -1;
  const auto* const queue = part.specification->get_if<FifoQueue>();
  if (queue != nullptr && !queue->always_room) capacity = queue->capacity;
  if (const auto* const deque = part.specification->get_if<LinkedDeque>()) capacity = deque->capacity;
  for (Local x = 0; x < part.size(); ++x) {
    told_[x] = told_by(part.view(x), capacity);
    if (asks(x, foresight)) asking_.push_back(x);
  }
  std::sort(asking_.begin(), asking_.end(), [&](Local a, Local b) { return part_.response[a] < part_.response[b]; });
}

bool Demands::asks(Local x, const Foresight& foresight) const {
  const Deed& deed = deeds_.of[x];
  if (part_.pending(x) || deed.elements.empty() || deed.elements.size() > kMostListed) return false;
  const bool asks = deed.kind == Kind::lists || deed.kind == Kind::takes || deed.kind == Kind::looks ||
                    deed.kind == Kind::finds || deed.kind == Kind::removes;
  return asks && std::any_of(deed.elements.begin(), deed.elements.end(),
                             [&](Element element) { return !foresight.of[element].once(); });
}

/// Calls `visit` with the place of each element that the operation can put in, at its end.
template <class Visit>
void Demands::each_supply(const Demand& demand, Local adder, Visit&& visit) const {
  const Deed& deed = deeds_.of[adder];
  if (deed.kind != Kind::adds && deed.kind != Kind::may_add) return;
  const bool front = deeds_.collection == Collection::deque && deed.end == End::front;
  for (const Element element : deed.elements) {
    const std::uint32_t place = place_of(element, demand.distinct);
    if (place != kNotNamed) visit(2 * place + (front ? 1 : 0));
  }
}

void Demands::look(Rank moment, std::span<const Local> changes) {
  count_ = 0;
  const auto first =
      std::partition_point(asking_.begin(), asking_.end(), [&](Local x) { return part_.response[x] < moment; });
  for (auto at = first; at != asking_.end() && count_ < kMost && part_.response[*at] < moment + kSoon; ++at) {
    if (look_at(demands_[count_], *at, moment, changes)) ++count_;
  }
}

bool Demands::look_at(Demand& demand, Local x, Rank moment, std::span<const Local> changes) {
  const Deed& deed = deeds_.of[x];
  demand.by = x;
  demand.is_open = part_.call[x] < moment;
  demand.distinct = deed.sorted;
  demand.distinct.erase(std::unique(demand.distinct.begin(), demand.distinct.end()), demand.distinct.end());
  demand.listed.clear();
  if (deed.kind == Kind::lists) {
    for (const Element element : deed.elements) demand.listed.push_back(place_of(element, demand.distinct));
  }
  demand.to_come.assign(2 * demand.distinct.size(), 0);
  const auto next =
      std::partition_point(part_.call.begin(), part_.call.end(), [&](Rank call) { return call < moment; });
  for (auto y = static_cast<Local>(next - part_.call.begin()); y < part_.size(); ++y) {
    if (part_.call[y] > part_.response[x]) break;
    each_supply(demand, y, [&](std::uint32_t place) { ++demand.to_come[place]; });
  }
  if (!may_be_in_want(demand)) return false;
  demand.open.clear();
  for (const Local y : changes) {
    each_supply(demand, y, [&](std::uint32_t place) { demand.open.push_back({.by = y, .place = place}); });
  }
  return true;
}

bool Demands::may_be_in_want(Demand& demand) {
  demand.scarce.clear();
  if (demand.listed.empty()) {
    for (std::size_t place = 0; place < demand.distinct.size(); ++place) {
      const bool comes = demand.to_come[2 * place] + demand.to_come[2 * place + 1] > 0;
      if (!comes) demand.scarce.push_back(demand.distinct[place]);
    }
    return !demand.scarce.empty();
  }
  // At the back alone: what can be put in at the front as well would be enough sooner.
  supply_ = demand.to_come;
  demand.enough_from = demand.listed.size();
  while (demand.enough_from > 0 && supply_[2 * std::size_t{demand.listed[demand.enough_from - 1]}]-- > 0) {
    --demand.enough_from;
  }
  return demand.enough_from > 0;
}

bool Demands::is_met_by_what_comes(const Demand& demand, const std::vector<Element>& inside) const {
  if (demand.listed.empty()) {
    return std::all_of(demand.scarce.begin(), demand.scarce.end(), [&](Element element) {
      return std::find(inside.begin(), inside.end(), element) != inside.end();
    });
  }
  return is_printed_in_order(demand) && printed_until(demand, inside, 0) >= demand.enough_from;
}

std::size_t Demands::printed_until(const Demand& demand, const std::vector<Element>& inside, std::size_t from) const {
  const std::vector<Element>& printed = deeds_.of[demand.by].elements;
  for (std::size_t at = 0; at < inside.size() && from < printed.size(); ++at)
    from += inside[at] == printed[from] ? 1 : 0;
  return from;
}

std::int64_t Demands::apart(Local x, const std::vector<Element>& inside) const {
  const Deed& deed = deeds_.of[x];
  const auto has = [](const std::vector<Element>& list, Element v) {
    return std::find(list.begin(), list.end(), v) != list.end();
  };
  const auto size = static_cast<std::int64_t>(inside.size());
  switch (deed.kind) {
    case Kind::lists: {
      if (deed.elements.size() > kMostListed) return 0;
      const std::vector<Element>& listed = deed.elements;
      std::size_t most = 0;
      const std::size_t beginnings = deeds_.collection == Collection::queue ? 1 : listed.size();
      for (std::size_t from = 0; from < beginnings; ++from) {
        std::size_t to = from;
        for (std::size_t at = 0; at < inside.size() && to < listed.size(); ++at) to += inside[at] == listed[to] ? 1 : 0;
        most = std::max(most, to - from);
      }
      return static_cast<std::int64_t>(listed.size() - 2 * most) + size;
    }
    case Kind::takes:
    case Kind::looks: {
      if (deeds_.collection == Collection::heap) return 0;
      const Element wanted = deed.elements.front();
      const auto until = deed.end == End::front ? std::find(inside.begin(), inside.end(), wanted) - inside.begin()
                                                : std::find(inside.rbegin(), inside.rend(), wanted) - inside.rbegin();
      if (until < size) return until;
      return deeds_.collection == Collection::queue ? size + 1 : 1;
    }
    case Kind::finds:
    case Kind::removes:
      return std::count_if(deed.sorted.begin(), deed.sorted.end(), [&](Element v) { return !has(inside, v); });
    case Kind::misses: return std::count_if(inside.begin(), inside.end(), [&](Element v) { return deed.has(v); });
    case Kind::only: return std::count_if(inside.begin(), inside.end(), [&](Element v) { return !deed.has(v); });
    case Kind::is_empty: return size;
    default: break;
  }
  return told_[x] < 0 ? 0 : std::abs(told_[x] - size);
}

bool Demands::can_be_met(const Demand& demand, const std::vector<Element>& inside) {
  if (is_printed_in_order(demand)) return can_be_printed(demand, inside);
  missing_.assign(demand.distinct.size(), demand.listed.empty() ? 1 : 0);
  for (const std::uint32_t place : demand.listed) ++missing_[place];
  for (const Element element : inside) {
    const std::uint32_t place = place_of(element, demand.distinct);
    if (place != kNotNamed && missing_[place] > 0) --missing_[place];
  }
  for (std::size_t place = 0; place < missing_.size(); ++place) {
    if (missing_[place] > supply_[2 * place] + supply_[2 * place + 1]) return false;
  }
  return true;
}

/// For each beginning that can be put in at the front: behind it what was inside as far as it goes, and the rest at the
/// back.
bool Demands::can_be_printed(const Demand& demand, const std::vector<Element>& inside) {
  const std::vector<std::uint32_t>& listed = demand.listed;
  for (std::size_t from = 0;; ++from) {
    const std::size_t to = printed_until(demand, inside, from);
    missing_.assign(demand.distinct.size(), 0);
    bool enough = true;
    for (std::size_t at = to; at < listed.size() && enough; ++at) {
      enough = ++missing_[listed[at]] <= supply_[2 * std::size_t{listed[at]}];
    }
    if (enough) return true;
    if (from == listed.size()) return false;
    std::uint32_t& left = supply_[2 * std::size_t{listed[from]} + 1];
    if (left == 0) return false;
    --left;
  }
}

}  // namespace linchpin::types::juc
