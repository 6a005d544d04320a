#include "types/mvcc_kv/needed_looks.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "core/core_proof.hpp"
#include "types/mvcc_kv/execution.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Subhistory;
using Locals = std::vector<std::uint32_t>;

constexpr std::size_t kFirstLooks = 4, kTimesMore = 4, kMostLooks = 1024;
constexpr double kLeastSeconds = 0.25, kMostSeconds = 10;

/// Those that tell a revision and changed nothing, the nearest ones first.
Locals looks_near(const Subhistory& part, const Locals& core, std::int64_t revision) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> near;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Operation operation = part.view(i);
    if (part.pending(i) || !part.specification->pure(operation)) continue;
    const Answer answer = answer_of(operation);
    const bool in_core = std::binary_search(core.begin(), core.end(), i);
    if (answer.revision && !in_core) near.emplace_back(std::abs(*answer.revision - revision), i);
  }
  const std::size_t most = std::min(near.size(), kMostLooks);
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(most), near.end());
  Locals looks;
  for (std::size_t k = 0; k < most; ++k) looks.push_back(near[k].second);
  return looks;
}

Locals joined(const Locals& core, Locals looks) {
  std::sort(looks.begin(), looks.end());
  Locals all;
  std::set_union(core.begin(), core.end(), looks.begin(), looks.end(), std::back_inserter(all));
  return all;
}

}  // namespace

Locals with_needed_looks(const Subhistory& part, Locals core, std::int64_t revision,
                         const std::function<bool(const Subhistory&)>& violates, core::Budget& budget) {
  core::Budget own(budget, std::clamp(budget.seconds(), kLeastSeconds, kMostSeconds));
  const auto proves = [&](const Locals& looks) {
    return violates(history::restrict(part, core::with_what_may_matter(part, joined(core, looks))));
  };
  const Locals near = looks_near(part, core, revision);
  Locals looks;
  for (std::size_t count = kFirstLooks;; count *= kTimesMore) {
    looks.assign(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(std::min(count, near.size())));
    if (own.spent_now()) return core;
    if (proves(looks)) break;
    if (count >= near.size()) return core;
  }
  for (std::size_t chunk = std::max<std::size_t>(1, looks.size() / 2); !looks.empty(); chunk /= 2) {
    // The nearest ones stay longest.
    for (std::size_t end = looks.size(); end > 0 && !own.spent_now();) {
      const std::size_t begin = end > chunk ? end - chunk : 0;
      Locals rest = looks;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin), rest.begin() + static_cast<std::ptrdiff_t>(end));
      if (proves(rest)) looks = std::move(rest);
      end = begin;
    }
    if (chunk == 1 || own.spent_now()) break;
  }
  return joined(core, std::move(looks));
}

}  // namespace linchpin::types::mvcc_kv
