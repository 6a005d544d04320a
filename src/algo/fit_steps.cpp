#include "algo/fit_steps.hpp"

#include <algorithm>
#include <utility>

namespace linchpin::algo {

namespace {

constexpr std::uint32_t kNoStep = 0xffffffffU;

}  // namespace

// Slot p is the moment after the first p operations of the order.
bool fit_steps(const history::Subhistory& part, std::span<const std::uint32_t> produced, std::size_t values,
               bool initial_defined, std::span<const LateStep> steps, std::vector<std::uint32_t>& order) {
  const std::size_t size = order.size();
  std::vector<std::size_t> place(part.size(), 0);  // 1 + position; for late ones the slot
  std::vector<std::size_t> begins(values, size + 1), ends(values, size + 1);
  std::size_t defined = initial_defined ? 0 : size + 1;  // the first slot with a defined value
  std::uint32_t current = initial_defined ? 0 : kNoStep;
  if (initial_defined) begins[0] = 0;
  for (std::size_t p = 0; p < size; ++p) {
    const std::uint32_t i = order[p];
    place[i] = p + 1;
    if (produced[i] == kNoStep) continue;
    if (current != kNoStep) ends[current] = p + 1;
    current = produced[i];
    begins[current] = p + 1;
    defined = std::min(defined, p + 1);
  }
  std::vector<std::size_t> last(steps.size(), size);  // the last slot allowed by what is called after the return
  std::vector<std::uint32_t> index(part.size(), kNoStep);
  for (std::uint32_t k = 0; k < steps.size(); ++k) index[steps[k].operation] = k;
  std::size_t least = size + 1;
  for (auto event = part.events.rbegin(); event != part.events.rend(); ++event) {
    const std::uint32_t i = event->operation();
    if (event->is_response()) {
      if (index[i] != kNoStep) last[index[i]] = least - 1;
    } else if (index[i] == kNoStep && place[i] > 0) {
      least = std::min(least, place[i]);
    }
  }
  std::vector<std::pair<std::size_t, std::uint32_t>> fitted;
  std::size_t slot = 0;  // no earlier than all that has returned
  for (const history::Event event : part.events) {
    const std::uint32_t i = event.operation();
    if (event.is_response()) {
      slot = std::max(slot, place[i]);
      continue;
    }
    const std::uint32_t k = index[i];
    if (k == kNoStep) continue;
    std::size_t chosen = slot;
    if (steps[k].differs) {
      chosen = std::max(chosen, defined);
      const std::uint32_t value = steps[k].value;
      if (value != kNoStep && begins[value] <= chosen && chosen < ends[value]) chosen = ends[value];
    }
    if (chosen > last[k]) return false;
    place[i] = chosen;
    fitted.emplace_back(chosen, i);
  }
  std::stable_sort(fitted.begin(), fitted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::uint32_t> merged;
  merged.reserve(size + fitted.size());
  std::size_t next = 0;
  for (std::size_t p = 0; p <= size; ++p) {
    for (; next < fitted.size() && fitted[next].first == p; ++next) merged.push_back(fitted[next].second);
    if (p < size) merged.push_back(order[p]);
  }
  order = std::move(merged);
  return true;
}

}  // namespace linchpin::algo
