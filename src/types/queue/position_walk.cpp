#include "types/queue/position_walk.hpp"

#include <algorithm>

#include "algo/dense_values.hpp"
#include "linchpin/hash.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

using history::Rank;

PositionWalk::PositionWalk(const history::Subhistory& part, Takes takes)
    : part_(part),
      takes_(takes),
      tracks_{PositionTrack(part), PositionTrack(part), PositionTrack(part), PositionTrack(part)} {
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (part.method[local] == Queue::kEnqueue) {
      tracks_[kEnqueues].add(local);
    } else if (part.pending(local) && part.result(local).is_unknown()) {
      if (part.method[local] == Queue::kDequeue) wildcards_.push_back(local);
    } else if (part.result(local).is_nil()) {
      if (!part.pending(local)) tracks_[kEmpties].add(local);
    } else if (part.method[local] == Queue::kDequeue) {
      tracks_[kDequeues].add(local);
    } else if (!part.pending(local)) {
      tracks_[kPeeks].add(local);
    }
  }
  for (PositionTrack& track : tracks_) track.prepare();
  number_values();
}

void PositionWalk::begin(PositionStarts starts, std::size_t far) {
  undo_to(0);
  frames_.clear();
  starts_ = std::move(starts);
  next_start_ = 0;
  far_ = far;
  deepest_ = 0;
  memo_.emplace(tracks_, numbers_, values_);
  status_ = Status::going;
  for (const Placement& each : starts_.base) place(each.kind, each.member);
}

void PositionWalk::next_start() {
  if (next_start_ == starts_.more.size()) {
    status_ = Status::nowhere;
    return;
  }
  undo_to(starts_.base.size());
  for (const Placement& each : starts_.more[next_start_++]) place(each.kind, each.member);
  latest_ = starts_.latest;
  wildcards_used_ = 0;
  enter();
}

Rank PositionWalk::least(std::initializer_list<Kind> kinds) const {
  Rank rank = Rank::none();
  for (const Kind kind : kinds) rank = std::min(rank, tracks_[kind].least_response());
  return rank;
}

void PositionWalk::number_values() {
  algo::DenseValues numbers;
  const auto each = [&](auto&& body) {
    for (std::uint32_t i = 0; i < tracks_[kEnqueues].end(); ++i) body(kEnqueues, value_of_enqueue(i));
    for (std::uint32_t i = 0; i < tracks_[kDequeues].end(); ++i) body(kDequeues, value_of(kDequeues, i));
  };
  each([&](Kind, Value value) { numbers.observe(value); });
  numbers.prepare();
  each([&](Kind kind, Value value) {
    const auto [number, fresh] = numbers.add(value);
    values_ += fresh ? 1 : 0;
    numbers_[kind].push_back(number);
  });
}

/// What a placed member adds to the hash of how many of each value are placed.
std::uint64_t PositionWalk::weight(Kind kind, std::uint32_t member) const {
  return kind == kEnqueues || kind == kDequeues ? mix(kind, numbers_[kind][member].number()) : 0;
}

void PositionWalk::place(Kind kind, std::uint32_t member) {
  placed_ += weight(kind, member);
  turns_.push_back(tracks_[kind].turn());
  trail_.push_back({kind, member});
  tracks_[kind].place(member);
  if (kind == kDequeues || kind == kPeeks) latest_ = std::max(latest_, tracks_[kind].call(member) + 1);
}

void PositionWalk::undo_to(std::size_t length) {
  for (; trail_.size() > length; trail_.pop_back(), turns_.pop_back()) {
    if (trail_.back().member == kNone) continue;  // a pending dequeue: counted apart
    tracks_[trail_.back().kind].put_back(trail_.back().member, turns_.back());
    placed_ -= weight(trail_.back().kind, trail_.back().member);
  }
}

/// Whether rE > mx. `latest_` is one more than mx, so that 0 means that nothing is placed.
bool PositionWalk::enqueues_follow() const { return tracks_[kEnqueues].least_response() >= latest_; }

void PositionWalk::enter() {
  Frame frame{.trail = trail_.size(), .placed = 0, .choices = {}, .latest = latest_, .wildcards_used = wildcards_used_};
  if (enqueues_follow()) {
    const Rank bound = least({kEnqueues, kDequeues, kPeeks});
    PositionTrack& empties = tracks_[kEmpties];
    while (empties.first() != empties.end() && empties.call(empties.first()) < bound) place(kEmpties, empties.first());
  }
  frame.placed = trail_.size();
  if (tracks_[kDequeues].finished() && tracks_[kPeeks].finished() && tracks_[kEmpties].finished()) {
    status_ = Status::found;
    return;
  }
  if (memo_->insert(key(), placed_, latest_)) list_choices(frame);
  frames_.push_back(std::move(frame));
  deepest_ = std::max(deepest_, depth());
  if (depth() >= far_) status_ = Status::got_away;
}

PositionKey PositionWalk::key() {
  PositionKey key{};
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    key.masks[kind] = tracks_[kind].mask();
    key.turns[kind] = tracks_[kind].turn();
  }
  key.turns[kKinds] = wildcards_used_;
  return key;
}

void PositionWalk::list_choices(Frame& frame) {
  const PositionTrack& enqueues = tracks_[kEnqueues];
  const Rank bound = least({kEnqueues, kDequeues, kPeeks, kEmpties});
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t i = enqueues.first(); i != enqueues.end() && enqueues.call(i) < bound; i = enqueues.after(i)) {
    const auto same = std::find_if(candidates.begin(), candidates.end(),
                                   [&](std::uint32_t other) { return value_of_enqueue(other) == value_of_enqueue(i); });
    if (same == candidates.end()) {
      candidates.push_back(i);
    } else if (enqueues.response(i) < enqueues.response(*same)) {
      *same = i;
    }
  }
  for (const std::uint32_t enqueue : candidates) list_choices_of(enqueue, frame);
  const bool wildcards_last = takes_ != Takes::as_returned;
  std::stable_sort(frame.choices.begin(), frame.choices.end(), [&](const Choice& a, const Choice& b) {
    return wildcards_last && a.wildcard != b.wildcard ? b.wildcard : a.order < b.order;
  });
}

/// Tries the enqueue, with the peeks of its value, to see which dequeues can follow; puts everything back.
void PositionWalk::list_choices_of(std::uint32_t enqueue, Frame& frame) {
  const std::size_t before = trail_.size();
  const Rank latest_before = latest_;
  const Value value = value_of_enqueue(enqueue);
  place(kEnqueues, enqueue);
  place_free_peeks(value);
  for (std::uint32_t branched = 0;; ++branched) {
    list_dequeues(enqueue, branched, value, frame);
    if (!place_next_peek(value)) break;
    place_free_peeks(value);
  }
  undo_to(before);
  latest_ = latest_before;
}

std::uint32_t PositionWalk::next_peek(Value value) const {
  const PositionTrack& peeks = tracks_[kPeeks];
  const Rank bound = least({kDequeues, kEmpties, kPeeks});
  for (std::uint32_t i = peeks.first(); i != peeks.end() && peeks.call(i) < bound; i = peeks.after(i)) {
    if (value_of(kPeeks, i) == value) return i;
  }
  return kNone;
}

/// Peeks of the front value whose placement forbids nothing.
void PositionWalk::place_free_peeks(Value value) {
  for (std::uint32_t i = next_peek(value); i != kNone; i = next_peek(value)) {
    const bool harmless = tracks_[kEmpties].finished() || tracks_[kPeeks].call(i) + 1 <= latest_ ||
                          tracks_[kPeeks].call(i) < tracks_[kEnqueues].least_response();
    if (!harmless) return;
    place(kPeeks, i);
  }
}

bool PositionWalk::place_next_peek(Value value) {
  const std::uint32_t i = next_peek(value);
  if (i == kNone) return false;
  place(kPeeks, i);
  return true;
}

void PositionWalk::list_dequeues(std::uint32_t enqueue, std::uint32_t branched, Value value, Frame& frame) {
  const PositionTrack& dequeues = tracks_[kDequeues];
  const Rank own = tracks_[kEnqueues].response(enqueue);
  const Rank bound = least({kDequeues, kEmpties, kPeeks});
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = dequeues.first(); i != dequeues.end() && dequeues.call(i) < bound; i = dequeues.after(i)) {
    if (value_of(kDequeues, i) != value) continue;
    // Members come by call: an earlier one with a smaller response beats this one in both.
    if (!kept.empty() && dequeues.response(kept.back()) <= dequeues.response(i)) continue;
    if (tracks_[kEmpties].finished()) kept.clear();
    kept.push_back(i);
  }
  for (const std::uint32_t i : kept) {
    frame.choices.push_back({enqueue, branched, i, false, std::min(own, dequeues.response(i))});
  }
  if (wildcards_used_ < wildcards_.size() && part_.call[wildcards_[wildcards_used_]] < bound) {
    const Rank order = takes_ == Takes::last_as_called ? Rank(0) : own;  // they come by call
    frame.choices.push_back({enqueue, branched, kNone, true, order});
  }
  // The last position may keep its value.
  if (dequeues.finished() && tracks_[kPeeks].finished() && tracks_[kEmpties].finished()) {
    frame.choices.push_back({enqueue, branched, kNone, false, own});
  }
}

void PositionWalk::advance() {
  if (frames_.empty()) {
    next_start();
    return;
  }
  Frame& frame = frames_.back();
  undo_to(frame.placed);
  latest_ = frame.latest;
  wildcards_used_ = frame.wildcards_used;
  if (frame.tried == frame.choices.size()) {
    undo_to(frame.trail);
    frames_.pop_back();
    return;
  }
  const Choice choice = frame.choices[frame.tried++];
  const Value value = value_of_enqueue(choice.enqueue);
  place(kEnqueues, choice.enqueue);
  place_free_peeks(value);
  for (std::uint32_t k = 0; k < choice.branched_peeks; ++k) {
    place_next_peek(value);
    place_free_peeks(value);
  }
  if (choice.dequeue != kNone) {
    place(kDequeues, choice.dequeue);
  } else if (choice.wildcard) {
    turns_.push_back(0);
    trail_.push_back({kDequeues, kNone});
    latest_ = std::max(latest_, part_.call[wildcards_[wildcards_used_++]] + 1);
  }
  enter();
}

}  // namespace linchpin::types::queue
