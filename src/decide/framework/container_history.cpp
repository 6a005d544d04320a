// Bookkeeping of what remains of a standardised history, and what a container's roles say to the rest of the library.
#include <algorithm>
#include <numeric>

#include "linchpin/framework.hpp"

namespace linchpin {

ContainerHistory::ContainerHistory(std::vector<ValueOperations> values, std::uint32_t moments)
    : values_(std::move(values)), remaining_(values_.size()), inside_(moments, 0) {
  std::iota(remaining_.begin(), remaining_.end(), 0U);
  for (const std::uint32_t value : remaining_) count(value, 1);
}

bool ContainerHistory::may_find_empty(const Moments& moments, std::optional<std::uint32_t> except) const {
  for (std::uint32_t moment = moments.first; moment <= moments.last; ++moment) {
    if (inside_[moment] == (except && inside(*except, moment) ? 1U : 0U)) return true;
  }
  return false;
}

void ContainerHistory::erase(std::uint32_t value) {
  const auto at = std::lower_bound(remaining_.begin(), remaining_.end(), value);
  if (at == remaining_.end() || *at != value) return;
  remaining_.erase(at);
  count(value, static_cast<std::uint32_t>(-1));
}

void ContainerHistory::count(std::uint32_t value, std::uint32_t change) {
  for (std::uint32_t moment = add(value).moments.last + 1; moment < remove(value).moments.first; ++moment) {
    inside_[moment] += change;
  }
}

bool ContainerSpecification::pure(const Operation& operation) const {
  const ActKind kind = rules_->act(operation, false).kind;
  return kind == ActKind::look || kind == ActKind::missing || kind == ActKind::empty || kind == ActKind::count ||
         kind == ActKind::free || specification_->pure(operation);
}

std::optional<Value> ContainerSpecification::erasable(const Operation& operation) const {
  const Act act = rules_->act(operation, false);
  const bool names_a_value = act.kind <= ActKind::take || act.kind == ActKind::missing;
  return names_a_value && !act.value.is_unknown() ? std::optional(act.value) : std::nullopt;
}

bool ContainerSpecification::sensitive(const Operation& operation) const {
  const Act act = rules_->act(operation, false);
  return act.kind == ActKind::unclear || act.kind == ActKind::lost_take || act.kind == ActKind::count ||
         act.value.is_unknown();
}

}  // namespace linchpin
