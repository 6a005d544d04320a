#include "explain/page/extent.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

namespace linchpin::explain::page {

namespace {

/// How far a place is from the nearest of some, which are ascending; 0 where there are none.
template <class Number>
std::uint64_t distance_to(std::span<const Number> places, Number place) {
  if (places.empty()) return 0;
  const auto apart = [](Number a, Number b) {
    return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                 : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
  };
  const auto next = std::lower_bound(places.begin(), places.end(), place);
  std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
  if (next != places.end()) nearest = apart(*next, place);
  if (next != places.begin()) nearest = std::min(nearest, apart(*std::prev(next), place));
  return nearest;
}

struct Candidate {
  std::uint64_t distance;
  std::size_t place;  // in time or in the input: the earlier one of two at one distance
  std::size_t index;

  bool operator<(const Candidate& other) const {
    return distance != other.distance ? distance < other.distance : place < other.place;
  }
};

/// The nearest come first.
void keep_nearest(std::vector<Candidate>& candidates, std::size_t most) {
  if (candidates.size() <= most) return;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most), candidates.end());
  candidates.resize(most);
}

}  // namespace

std::vector<OperationIndex> spoken_of(const HistoryVerdict& verdict, const Explanation& explanation) {
  std::vector<OperationIndex> spoken;
  const auto add = [&](std::span<const OperationIndex> operations) {
    spoken.insert(spoken.end(), operations.begin(), operations.end());
  };
  for (const ObjectExplanation& object : explanation.objects) {
    add(object.core);
    add(object.context);
    if (object.blocked) spoken.push_back(*object.blocked);
    for (const Attempt& attempt : object.attempts) {
      for (const Step& step : attempt.order.steps) spoken.push_back(step.operation);
      if (attempt.then_blocked) spoken.push_back(*attempt.then_blocked);
    }
  }
  for (const ObjectVerdict& object : verdict.objects) {
    if (object.refused_order) add(object.refused_order->operations);
    if (object.reached) spoken.push_back(*object.reached);
    if (object.violation && object.violation->blocked) spoken.push_back(*object.violation->blocked);
  }
  std::sort(spoken.begin(), spoken.end());
  spoken.erase(std::unique(spoken.begin(), spoken.end()), spoken.end());
  return spoken;
}

std::vector<bool> shown_operations(const History& history, const std::vector<history::HistoryEvent>& events,
                                   const std::vector<OperationIndex>& spoken, std::size_t most) {
  std::vector<bool> shown(history.size(), history.size() <= most);
  if (history.size() <= most) return shown;
  for (const OperationIndex i : spoken) shown[i.number()] = true;
  if (spoken.size() >= most) return shown;
  std::vector<std::size_t> places;  // of the events of what is spoken of
  for (std::size_t at = 0; at < events.size(); ++at) {
    if (shown[events[at].operation().number()]) places.push_back(at);
  }
  std::vector<Candidate> others;
  others.reserve(history.size() - spoken.size());
  for (std::size_t at = 0; at < events.size(); ++at) {
    const OperationIndex i = events[at].operation();
    if (events[at].is_response() || shown[i.number()]) continue;
    others.push_back({distance_to(std::span<const std::size_t>(places), at), at, i.number()});
  }
  keep_nearest(others, most - spoken.size());
  for (const Candidate& other : others) shown[other.index] = true;
  return shown;
}

std::vector<std::size_t> shown_annotations(const History& history, const std::vector<OperationIndex>& spoken,
                                           std::size_t most) {
  std::vector<std::size_t> shown(history.annotations().size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() <= most) return shown;
  std::vector<Tick> ticks;
  for (const OperationIndex i : spoken) {
    ticks.push_back(history.call(i));
    if (!history.pending(i)) ticks.push_back(history.response(i));
  }
  std::sort(ticks.begin(), ticks.end());
  std::vector<Candidate> candidates;
  candidates.reserve(shown.size());
  for (const std::size_t a : shown) {
    const Annotation& annotation = history.annotations()[a];
    const std::uint64_t begin = distance_to(std::span<const Tick>(ticks), annotation.begin);
    const std::uint64_t end = distance_to(std::span<const Tick>(ticks), annotation.end.value_or(annotation.begin));
    candidates.push_back({std::min(begin, end), a, a});
  }
  keep_nearest(candidates, most);
  shown.clear();
  for (const Candidate& candidate : candidates) shown.push_back(candidate.index);
  std::sort(shown.begin(), shown.end());
  return shown;
}

}  // namespace linchpin::explain::page
