#include "algo/fit_steps.hpp"

#include <algorithm>
#include <optional>

namespace linchpin::algo {

namespace {

struct Fitted {
  std::uint32_t slot, operation;
};

/// Where each step can take effect, by call; nothing where one cannot. Slot p is the moment after the first p
/// operations of the order.
std::optional<std::vector<Fitted>> find_slots(const history::Subhistory& part, std::span<const ValueNumber> produced,
                                              bool initial_defined, std::span<const LateStep> steps,
                                              std::span<const std::uint32_t> order) {
  constexpr std::uint32_t kLate = 0x80000000U;
  const auto size = static_cast<std::uint32_t>(order.size());
  std::vector<std::uint32_t> place(part.size(), 0);  // 1 + position; kLate + number, and then the slot
  // By slot: the value that is there, and the first slot with another one.
  std::vector<ValueNumber> value(size + 1, initial_defined ? ValueNumber(0) : ValueNumber::none());
  std::vector<std::uint32_t> ends(size + 1, size + 1);
  std::uint32_t defined = initial_defined ? 0 : size + 1;  // the first slot with a defined value
  for (std::uint32_t p = 0; p < size; ++p) {
    const std::uint32_t i = order[p];
    place[i] = p + 1;
    value[p + 1] = produced[i] == ValueNumber::none() ? value[p] : produced[i];
    if (produced[i] != ValueNumber::none()) defined = std::min(defined, p + 1);
  }
  for (std::uint32_t p = size; p-- > 0;) ends[p] = value[p + 1] == value[p] ? ends[p + 1] : p + 1;
  std::vector<std::uint32_t> last(steps.size(), size);  // the last slot allowed by what is called after the return
  for (std::uint32_t k = 0; k < steps.size(); ++k) place[steps[k].operation] = kLate + k;
  std::uint32_t least = size + 1;
  for (auto event = part.events().rbegin(); event != part.events().rend(); ++event) {
    const std::uint32_t i = event->operation();
    if (event->is_response()) {
      if (place[i] >= kLate) last[place[i] - kLate] = least - 1;
    } else if (place[i] < kLate && place[i] > 0) {
      least = std::min(least, place[i]);
    }
  }
  std::vector<Fitted> fitted;
  fitted.reserve(steps.size());
  std::uint32_t slot = 0;  // no earlier than all that has returned
  for (const history::Event event : part.events()) {
    const std::uint32_t i = event.operation();
    if (event.is_response()) {
      slot = std::max(slot, place[i]);
      continue;
    }
    if (place[i] < kLate) continue;
    const std::uint32_t k = place[i] - kLate;
    std::uint32_t chosen = slot;
    if (steps[k].differs) {
      chosen = std::max(chosen, defined);
      const bool same = chosen <= size && steps[k].value != ValueNumber::none() && value[chosen] == steps[k].value;
      if (same) chosen = ends[chosen];
    }
    if (chosen > last[k]) return std::nullopt;
    place[i] = chosen;
    fitted.push_back({chosen, i});
  }
  return fitted;
}

}  // namespace

bool fit_steps(const history::Subhistory& part, std::span<const ValueNumber> produced, bool initial_defined,
               std::span<const LateStep> steps, std::vector<std::uint32_t>& order) {
  std::optional<std::vector<Fitted>> found = find_slots(part, produced, initial_defined, steps, order);
  if (!found) return false;
  std::vector<Fitted>& fitted = *found;
  std::stable_sort(fitted.begin(), fitted.end(), [](const Fitted& a, const Fitted& b) { return a.slot < b.slot; });
  std::vector<std::uint32_t> merged;
  const auto size = static_cast<std::uint32_t>(order.size());
  merged.reserve(size + fitted.size());
  std::size_t next = 0;
  for (std::uint32_t p = 0; p <= size; ++p) {
    for (; next < fitted.size() && fitted[next].slot == p; ++next) merged.push_back(fitted[next].operation);
    if (p < size) merged.push_back(order[p]);
  }
  order = std::move(merged);
  return true;
}

}  // namespace linchpin::algo
