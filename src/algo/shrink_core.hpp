// Makes a violation core of a container history smaller.
//
// Dropping all operations of a value, a look, or an empty-handed remove keeps a legal sequence legal; so whatever
// remains of a non-linearizable set after such a step and is still not linearizable proves the whole history wrong.
// Values are tried in chunks of halving size, looks and empties one by one. Lost removes stay: they could take a value
// of the core. Cost: one decision of a small part for each step, ended after `effort` operations decided in all. Tests:
// every core in the monitors' tests is decided again by the oracle or the slow reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algo/container.hpp"

namespace linchpin::algo {

struct ShrunkCore {
  std::vector<std::uint32_t> operations;  ///< ascending
  bool minimal = false;                   ///< no value, look or empty can be dropped
};

/// @param operations  not linearizable on their own
/// @param violates    (ContainerPart&) -> bool, false also when it does not know
template <class Violates>
ShrunkCore shrink_core(const ContainerHistory& whole, std::vector<std::uint32_t> operations, std::size_t effort,
                       Violates&& violates) {
  std::sort(operations.begin(), operations.end());
  operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
  bool exhausted = false;
  const auto still_violates = [&](const std::vector<std::uint32_t>& candidate) {
    const std::size_t cost = candidate.size() + 16;
    if (cost > effort) {
      exhausted = true;
      return false;
    }
    effort -= cost;
    ContainerPart part(whole, candidate);
    return violates(part);
  };
  const auto without = [&](auto&& dropped) {
    std::vector<std::uint32_t> rest;
    std::copy_if(operations.begin(), operations.end(), std::back_inserter(rest),
                 [&](std::uint32_t i) { return !dropped(i); });
    return rest;
  };

  std::vector<ValueNumber> values;
  for (const std::uint32_t i : operations) {
    if (whole.value[i] != ValueNumber::none()) values.push_back(whole.value[i]);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  // Until nothing more goes: a value that was needed may not be once others have gone.
  for (bool changed = true; changed && !exhausted;) {
    changed = false;
    for (std::size_t chunk = std::max<std::size_t>(1, values.size() / 2); chunk > 0 && !exhausted; chunk /= 2) {
      for (std::size_t from = 0; from < values.size() && !exhausted;) {
        const std::size_t to = std::min(values.size(), from + chunk);
        auto rest = without([&](std::uint32_t i) {
          return std::binary_search(values.begin() + static_cast<std::ptrdiff_t>(from),
                                    values.begin() + static_cast<std::ptrdiff_t>(to), whole.value[i]);
        });
        if (!rest.empty() && still_violates(rest)) {
          operations = std::move(rest);
          values.erase(values.begin() + static_cast<std::ptrdiff_t>(from),
                       values.begin() + static_cast<std::ptrdiff_t>(to));
          changed = true;
        } else {
          from = to;
        }
      }
    }
    const std::vector<std::uint32_t> before = operations;
    for (const std::uint32_t look : before) {
      if (exhausted) break;
      if (whole.kind[look] != ActKind::look && whole.kind[look] != ActKind::empty) continue;
      auto rest = without([&](std::uint32_t i) { return i == look; });
      if (!rest.empty() && still_violates(rest)) {
        operations = std::move(rest);
        changed = true;
      }
    }
  }
  return {std::move(operations), !exhausted};
}

}  // namespace linchpin::algo
