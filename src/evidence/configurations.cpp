#include "evidence/configurations.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "evidence/core.hpp"

namespace linchpin::evidence {

Configurations::Configurations(const History& history, std::span<const OperationIndex> operations,
                               const Specification& specification, Ties ties, core::Budget& budget)
    : history_(history),
      operations_(operations),
      specification_(specification),
      ties_(ties),
      binding_(history, specification),
      states_(specification.make_states()),
      budget_(budget) {}

std::optional<Configurations::Set> Configurations::before(Tick tick) {
  const std::vector<Event> events = events_before(tick);
  std::size_t open = 0, most = 0;
  for (const Event& event : events) {
    open = event.response ? open - 1 : open + 1;
    most = std::max(most, open);
  }
  words_ = most / 64 + 1;
  current_ = {with({}, states_->initial())};
  for (const Event& event : events) {
    if (!(event.response ? respond(event.operation) : call(event.operation))) return std::nullopt;
  }
  Set all = std::move(current_);
  if (!close(all, places())) return std::nullopt;
  return all;
}

std::optional<Configurations::Set> Configurations::from(Configuration configuration,
                                                        std::span<const OperationIndex> operations) {
  Places places;
  for (const OperationIndex i : operations) places.push_back(place_of(i));
  look(configuration, places);
  Set all = {std::move(configuration)};
  if (!close(all, places)) return std::nullopt;
  return all;
}

std::vector<OperationIndex> Configurations::open() const {
  std::vector<OperationIndex> open;
  for (const std::size_t place : places()) open.push_back(open_[place]->operation);
  std::sort(open.begin(), open.end());
  return open;
}

Configurations::Configuration Configurations::with(std::span<const OperationIndex> done, StateId state) const {
  Configuration each{.done = Bits(words_, 0), .state = state};
  for (const OperationIndex i : done) flip(each.done, place_of(i));
  return each;
}

std::vector<Configurations::Event> Configurations::events_before(Tick end) const {
  std::vector<Event> events;
  for (const OperationIndex i : operations_) {
    if (history_.call(i) >= end) continue;
    events.push_back({history_.call(i), 1, false, i});
    if (history_.pending(i) || history_.response(i) >= end) continue;
    const bool first = ties_ == Ties::response_first && history_.call(i) < history_.response(i);
    events.push_back({history_.response(i), first ? 0 : 2, true, i});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return std::tie(a.tick, a.kind) < std::tie(b.tick, b.kind); });
  return events;
}

std::size_t Configurations::place_of(OperationIndex i) const {
  const auto found =
      std::find_if(open_.begin(), open_.end(), [i](const auto& open) { return open && open->operation == i; });
  return static_cast<std::size_t>(found - open_.begin());
}

Configurations::Places Configurations::places() const {
  Places places;
  for (std::size_t place = 0; place < open_.size(); ++place) {
    if (open_[place]) places.push_back(place);
  }
  return places;
}

bool Configurations::call(OperationIndex i) {
  const auto free = std::find(open_.begin(), open_.end(), std::nullopt);
  const auto own = static_cast<std::size_t>(free - open_.begin());
  if (free == open_.end()) open_.emplace_back();
  const Operation operation = binding_.view(i);
  Open opened{.operation = i, .pure = specification_.pure(operation), .sooner = Bits(words_, 0)};
  for (const std::size_t place : places()) {
    Open& other = *open_[place];
    if (!do_the_same(binding_.view(other.operation), operation)) continue;
    if (history_.response(other.operation) <= history_.response(i)) {
      flip(opened.sooner, place);
    } else {
      flip(other.sooner, own);
    }
  }
  const bool pure = opened.pure;
  open_[own] = std::move(opened);
  if (!pure) return true;
  Set looked;
  for (Configuration each : current_) {
    if (++steps_ > kMostSteps || budget_.spent()) return false;
    look(each, std::array{own});
    looked.insert(std::move(each));
  }
  current_ = std::move(looked);
  return true;
}

bool Configurations::respond(OperationIndex i) {
  const std::size_t own = place_of(i);
  Set passed, met;
  std::vector<Configuration> todo;
  const auto meet = [&](Configuration each) {
    if (bit(each.done, own)) {
      flip(each.done, own);  // from now on that is taken for granted
      passed.insert(std::move(each));
    } else if (met.insert(each).second) {
      todo.push_back(std::move(each));
    }
  };
  for (const Configuration& each : current_) meet(each);
  const Places all = places();
  while (!todo.empty()) {
    const Configuration each = std::move(todo.back());
    todo.pop_back();
    if (!each_after(each, all, meet)) return false;
  }
  current_ = std::move(passed);
  open_[own].reset();
  for (auto& other : open_) {
    if (other && bit(other->sooner, own)) flip(other->sooner, own);
  }
  return true;
}

bool Configurations::close(Set& all, std::span<const std::size_t> places) {
  std::vector<Configuration> todo(all.begin(), all.end());
  while (!todo.empty()) {
    const Configuration each = std::move(todo.back());
    todo.pop_back();
    const auto meet = [&](Configuration next) {
      if (all.insert(next).second) todo.push_back(std::move(next));
    };
    if (!each_after(each, places, meet)) return false;
  }
  return true;
}

template <class Visit>
bool Configurations::each_after(const Configuration& from, std::span<const std::size_t> places, Visit&& visit) {
  for (const std::size_t place : places) {
    const Open& open = *open_[place];
    if (open.pure || bit(from.done, place)) continue;
    bool others_first = false;
    for (std::size_t word = 0; word < words_; ++word) others_first |= (open.sooner[word] & ~from.done[word]) != 0;
    if (others_first) continue;
    if (++steps_ > kMostSteps || budget_.spent()) return false;
    after(from.state, place, successors_);
    for (const StateId state : successors_) {
      Configuration next{.done = from.done, .state = state};
      flip(next.done, place);
      look(next, places);
      visit(std::move(next));
    }
  }
  return true;
}

void Configurations::look(Configuration& each, std::span<const std::size_t> places) {
  for (const std::size_t place : places) {
    if (!open_[place]->pure || bit(each.done, place)) continue;
    after(each.state, place, seen_);
    if (!seen_.empty()) flip(each.done, place);
  }
}

void Configurations::after(StateId state, std::size_t place, std::vector<StateId>& states) {
  states.clear();
  states_->successors(state, binding_.view(open_[place]->operation), states);
}

}  // namespace linchpin::evidence
