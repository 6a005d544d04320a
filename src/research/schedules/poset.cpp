#include "research/schedules/poset.hpp"

#include <algorithm>

#include <absl/container/flat_hash_map.h>

#include "base/none.hpp"

namespace linchpin::research {

namespace {

/// One chain a process; false where some operation has no process, or two of one process touch.
bool chains_of_processes(const history::Subhistory& part, std::uint32_t first, OperationPoset& poset) {
  absl::flat_hash_map<ProcessId, std::uint32_t> chain_of;
  std::vector<std::uint32_t> latest;  // by chain
  for (std::uint32_t i = 0; i < poset.size(); ++i) {
    const ProcessId process = part.history->process(part.operation[first + i]);
    if (process == kNoProcess) return false;
    const auto [found, fresh] = chain_of.try_emplace(process, static_cast<std::uint32_t>(latest.size()));
    if (fresh) {
      latest.push_back(i);
    } else if (poset.before(latest[found->second], i)) {
      latest[found->second] = i;
    } else {
      return false;
    }
    poset.chain[i] = found->second;
  }
  poset.chains = static_cast<std::uint32_t>(latest.size());
  return true;
}

/// First fit, which on intervals takes as many chains as operations are ever open at once.
void chains_by_first_fit(OperationPoset& poset) {
  std::vector<std::uint32_t> latest;  // by chain
  for (std::uint32_t i = 0; i < poset.size(); ++i) {
    const auto fits =
        std::find_if(latest.begin(), latest.end(), [&](std::uint32_t last) { return poset.before(last, i); });
    poset.chain[i] = static_cast<std::uint32_t>(fits - latest.begin());
    if (fits == latest.end()) {
      latest.push_back(i);
    } else {
      *fits = i;
    }
  }
  poset.chains = static_cast<std::uint32_t>(latest.size());
}

}  // namespace

OperationPoset OperationPoset::of(const history::Subhistory& part, std::uint32_t first, std::uint32_t last) {
  OperationPoset poset;
  poset.beyond.assign(last - first, last - first);
  poset.chain.assign(last - first, kNone);
  const auto calls = part.call.begin() + first;
  const auto calls_end = part.call.begin() + last;
  for (std::uint32_t i = 0; i < poset.size(); ++i) {
    if (part.pending(first + i)) continue;
    poset.beyond[i] = static_cast<std::uint32_t>(std::upper_bound(calls, calls_end, part.response[first + i]) - calls);
  }
  if (!chains_of_processes(part, first, poset)) chains_by_first_fit(poset);
  return poset;
}

std::uint32_t OperationPoset::concurrency() const {
  // The most are open at a call; those open at the call of i are the earlier ones that do not happen before it.
  std::uint32_t most = 0;
  std::vector<std::uint32_t> closing(size() + 1, 0);  // by number: operations that happen before it and later ones only
  for (const std::uint32_t next : beyond) ++closing[next];
  std::uint32_t open = 0;
  for (std::uint32_t i = 0; i < size(); ++i) {
    open += 1;
    open -= closing[i];
    most = std::max(most, open);
  }
  return most;
}

std::uint64_t OperationPoset::concurrent_pairs() const {
  std::uint64_t pairs = 0;
  for (std::uint32_t i = 0; i < size(); ++i) pairs += beyond[i] - i - 1;  // later ones that it does not happen before
  return pairs;
}

bool is_schedule(const OperationPoset& poset, const Schedule& schedule) {
  if (schedule.size() != poset.size()) return false;
  std::vector<bool> done(poset.size(), false);
  std::uint32_t latest_call = 0;
  for (const std::uint32_t operation : schedule) {
    if (operation >= poset.size() || done[operation]) return false;
    if (poset.before(operation, latest_call)) return false;
    done[operation] = true;
    latest_call = std::max(latest_call, operation);
  }
  return true;
}

}  // namespace linchpin::research
