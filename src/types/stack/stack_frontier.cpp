#include "types/stack/stack_frontier.hpp"

#include <algorithm>

#include "linchpin/hash.hpp"

namespace linchpin::types {

using Kind = StackAct::Kind;
using Set = StackSets::Set;

algo::FixedSlots stack_slots(const history::Subhistory& part, const StackActs& acts) {
  return algo::fixed_slots(part, [&](std::uint32_t local) { return !part.pending(local) || !acts.of[local].pure(); });
}

template <class Mask>
StackFrontier<Mask>::StackFrontier(const history::Subhistory& part, const StackActs& acts)
    : part_(part), acts_(acts), slot_(stack_slots(part, acts).slot), looks_at_(acts.values.size() + 1), index_(256, 0) {
  current_.push_back({.mask = {}, .set = StackSets::kEmptyStack});
}

template <class Mask>
void StackFrontier<Mask>::open(std::uint32_t local) {
  holder_[slot_[local]] = local;
  const StackAct& act = acts_.of[local];
  if (act.kind == Kind::look) {
    looks_ |= bit(local);
    looks_at_[act.value] |= bit(local);
  } else {
    (act.pure() ? sights_ : open_).push_back(local);
  }
}

template <class Mask>
void StackFrontier<Mask>::shut(std::uint32_t local) {
  const StackAct& act = acts_.of[local];
  if (act.kind == Kind::look) {
    looks_ &= ~bit(local);
    looks_at_[act.value] &= ~bit(local);
  } else {
    std::erase(act.pure() ? sights_ : open_, local);
  }
}

template <class Mask>
void StackFrontier<Mask>::restart(const std::vector<std::uint32_t>& open) {
  open_.clear();
  sights_.clear();
  looks_ = {};
  std::fill(looks_at_.begin(), looks_at_.end(), Mask());
  current_.clear();
  sets_ = StackSets();
  for (const std::uint32_t local : open) this->open(local);
}

/// Does all pure operations that are legal, where some stacks of the set may allow more than others.
template <class Mask>
template <class Emit>
void StackFrontier<Mask>::normalize(Mask mask, Set set, Emit&& emit) {
  const std::uint32_t height = sets_.height(set);
  for (const std::uint32_t local : sights_) {
    const StackAct& act = acts_.of[local];
    bool legal = false;
    switch (act.kind) {
      case Kind::empty: legal = height == 0; break;
      case Kind::height: legal = height == act.height; break;
      case Kind::nonempty: legal = height > 0; break;
      default: legal = act.kind == Kind::free;
    }
    if (legal) mask |= bit(local);
  }
  if ((looks_ & ~mask).none()) {
    emit(mask, set);
    return;
  }
  split_.clear();
  rest_.clear();
  for (const StackSets::Edge& edge : sets_.tops(set)) {
    ((looks_at_[edge.top] & ~mask).any() ? split_ : rest_).push_back(edge);
  }
  if (split_.empty()) {
    emit(mask, set);
    return;
  }
  const Set rest = sets_.of_tops(rest_);
  if (rest != StackSets::kNothing) emit(mask, rest);
  // `emit` may not come back here, so that the list stays.
  for (const StackSets::Edge& edge : split_) emit(mask | looks_at_[edge.top], sets_.of_tops({&edge, 1}));
}

template <class Mask>
Set StackFrontier<Mask>::after(const StackAct& act, Set set) {
  ++steps_;
  if (act.height != StackAct::kAnyHeight && act.height != sets_.height(set)) return StackSets::kNothing;
  switch (act.kind) {
    case Kind::push: return sets_.push(act.value, set);
    case Kind::pop: return sets_.pop(act.value, set);
    case Kind::pop_any: return sets_.pop_any(set);
    default: return StackSets::kNothing;
  }
}

template <class Mask>
void StackFrontier<Mask>::call(std::uint32_t local) {
  open(local);
  ++steps_;
  if (!acts_.of[local].pure()) return;
  // Only the new operation can have become legal, so that masks stay distinct.
  const std::vector<Configuration> before = std::move(current_);
  current_.clear();
  for (const Configuration& each : before) {
    normalize(each.mask, each.set, [&](const Mask& mask, Set set) { current_.push_back({.mask = mask, .set = set}); });
  }
  steps_ += before.size();
}

template <class Mask>
std::size_t StackFrontier<Mask>::home_of(const Mask& mask, Phase phase) const {
  std::uint64_t hash = phase;
  for (const std::uint64_t word : mask.words()) hash = mix(hash, word);
  return hash & (index_.size() - 1);
}

template <class Mask>
std::uint32_t& StackFrontier<Mask>::place_of(const Mask& mask, Phase phase) {
  std::size_t slot = home_of(mask, phase);
  while (index_[slot] != 0 && (met_[index_[slot] - 1].mask != mask || met_[index_[slot] - 1].phase != phase)) {
    slot = (slot + 1) & (index_.size() - 1);
  }
  return index_[slot];
}

template <class Mask>
void StackFrontier<Mask>::meet(const Mask& mask, Set set, Phase phase, const Cause& cause) {
  if ((mask & ~allowed_).any()) return;
  if ((mask & bit(responder_)).any()) phase = kPassed;
  if (met_.size() * 2 > index_.size()) {
    index_.assign(2 * index_.size(), 0);
    for (std::uint32_t entry = 0; entry < met_.size(); ++entry) {
      place_of(met_[entry].mask, met_[entry].phase) = entry + 1;
    }
  }
  std::uint32_t& place = place_of(mask, phase);
  if (place == 0) {
    met_.push_back({.mask = mask, .set = set, .phase = phase});
    place = static_cast<std::uint32_t>(met_.size());
    if (phase == kPassed) {
      ++passed_;
    } else {
      layers_[mask.count()].push_back(place - 1);
    }
  } else {
    Entry& entry = met_[place - 1];
    entry.set = sets_.unite(entry.set, set);
  }
  if (recording_) {
    derivations_.push_back({.to = place - 1,
                            .from = cause.from,
                            .first = cause.first,
                            .second = cause.second,
                            .between = cause.between,
                            .part = set});
  }
}

/// What may be done during this response, by response (pending operations last), and which equal operation has to be
/// done before each: of equal ones the one that responds first goes first.
template <class Mask>
void StackFrontier<Mask>::list_enabled() {
  enabled_ = open_;
  std::sort(enabled_.begin(), enabled_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(part_.response[a], a) < std::pair(part_.response[b], b);
  });
  earlier_.assign(enabled_.size(), Mask());
  for (std::size_t i = 1; i < enabled_.size(); ++i) {
    for (std::size_t j = i; j-- > 0;) {
      if (acts_.of[enabled_[i]] != acts_.of[enabled_[j]]) continue;
      earlier_[i] = bit(enabled_[j]);
      break;
    }
  }
}

template <class Mask>
void StackFrontier<Mask>::begin_response(std::uint32_t local, std::size_t enough, const Mask& allowed) {
  responder_ = local;
  allowed_ = allowed;
  enough_ = enough;
  passed_ = 0;
  left_out_ = false;
  if (met_.size() * 8 > index_.size()) {
    index_.assign(std::max<std::size_t>(256, index_.size() / 2), 0);
  } else {
    for (const Entry& entry : met_) {
      // Every slot on the way of an entry belongs to some entry: all are cleared.
      for (std::size_t slot = home_of(entry.mask, entry.phase); index_[slot] != 0;
           slot = (slot + 1) & (index_.size() - 1)) {
        index_[slot] = 0;
      }
    }
  }
  met_.clear();
  derivations_.clear();
  for (auto& layer : layers_) layer.clear();
  layer_ = 0;
  in_layer_ = 0;
  list_enabled();
  for (const Configuration& each : current_) meet(each.mask, each.set, kPopping, {});
  const StackAct& act = acts_.of[local];
  if (act.kind != Kind::pop || acts_.feel_height) return;
  for (std::uint32_t entry = 0, last = static_cast<std::uint32_t>(met_.size()); entry < last; ++entry) {
    if (met_[entry].phase == kPopping) push_then_respond(entry);
  }
}

/// The other normal form of a pop's block: the value pushed, and popped at once by the responder.
template <class Mask>
void StackFrontier<Mask>::push_then_respond(std::uint32_t from) {
  const Entry entry = met_[from];
  const StackAct& act = acts_.of[responder_];
  for (const std::uint32_t push : enabled_) {
    const StackAct& other = acts_.of[push];
    if (other.kind != Kind::push || other.value != act.value || (entry.mask & bit(push)).any()) continue;
    Mask between;
    normalize(entry.mask | bit(push), after(other, entry.set), [&](const Mask& mask, Set) { between = mask; });
    ++steps_;
    normalize(between | bit(responder_), entry.set, [&](const Mask& mask, Set set) {
      meet(mask, set, kPassed, {.from = from, .first = push, .second = responder_, .between = between});
    });
    return;  // equal ones that respond later wait
  }
}

template <class Mask>
void StackFrontier<Mask>::take(std::uint32_t from, std::uint32_t local, const Mask& mask, Set set, Phase phase) {
  const Set next = after(acts_.of[local], set);
  if (next == StackSets::kNothing) return;
  normalize(mask | bit(local), next, [&](const Mask& reached, Set stacks) {
    meet(reached, stacks, phase, {.from = from, .first = local, .second = kNone, .between = {}});
  });
}

template <class Mask>
bool StackFrontier<Mask>::expand() {
  while (in_layer_ == layers_[layer_].size()) {
    if (layer_ == kSlots) return true;
    ++layer_;
    in_layer_ = 0;
    if (passed_ >= enough_ && layer_ < kSlots) {
      left_out_ = true;
      return true;
    }
  }
  const std::uint32_t at = layers_[layer_][in_layer_++];
  const Entry entry = met_[at];
  const StackAct& responder = acts_.of[responder_];
  const bool any_order = acts_.feel_height;
  const bool pushes_help = any_order || (responder.kind != Kind::pop && responder.kind != Kind::empty);
  for (std::size_t i = 0; i < enabled_.size(); ++i) {
    const std::uint32_t local = enabled_[i];
    if ((entry.mask & bit(local)).any() || (earlier_[i] & ~entry.mask).any()) continue;
    if (acts_.of[local].pops()) {
      if (any_order || entry.phase == kPopping) take(at, local, entry.mask, entry.set, kPopping);
    } else if (pushes_help) {
      take(at, local, entry.mask, entry.set, any_order ? kPopping : kPushing);
    }
  }
  return false;
}

template <class Mask>
bool StackFrontier<Mask>::finish_response() {
  const Mask own = bit(responder_);
  bool any = false;
  for (const Entry& entry : met_) {
    if (entry.phase != kPassed) continue;
    if (!any) current_.clear();
    any = true;
    current_.push_back({.mask = entry.mask & ~own, .set = entry.set});
  }
  if (any) shut(responder_);
  return any;
}

template <class Mask>
bool StackFrontier<Mask>::narrow(std::size_t width) {
  if (current_.size() <= width) return false;
  const history::Rank now = part_.response[responder_];
  ahead_.clear();
  for (const Configuration& each : current_) {
    std::uint64_t ahead = 0;
    for (Mask mask = each.mask; mask.any(); mask.drop_first()) {
      const std::uint32_t local = holder_[mask.first()];
      ahead += part_.pending(local) ? part_.ranks() : part_.response[local] - now;
    }
    ahead_.push_back({ahead, each});
  }
  const auto less = [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.mask < b.second.mask;
  };
  std::nth_element(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(width), ahead_.end(), less);
  current_.resize(width);
  for (std::size_t i = 0; i < width; ++i) current_[i] = ahead_[i].second;
  return true;
}

template <class Mask>
std::uint32_t StackFrontier<Mask>::passed(const Mask& mask) const {
  for (std::uint32_t entry = 0; entry < met_.size(); ++entry) {
    if (met_[entry].phase == kPassed && met_[entry].mask == mask) return entry;
  }
  return kNone;
}

template <class Mask>
std::size_t StackFrontier<Mask>::growth() const {
  std::size_t bytes = sets_.growth();
  if (met_.size() + kSlots > met_.capacity()) bytes += 2 * met_.capacity() * sizeof(Entry);
  if ((met_.size() + kSlots) * 2 > index_.size()) bytes += 2 * index_.size() * sizeof(std::uint32_t);
  return bytes;
}

template class StackFrontier<algo::NarrowMask>;
template class StackFrontier<algo::WideMask>;

}  // namespace linchpin::types
