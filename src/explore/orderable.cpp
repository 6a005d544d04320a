#include "explore/orderable.hpp"

#include <memory>
#include <utility>

#include <absl/container/flat_hash_set.h>

namespace linchpin::explorer {

namespace {

constexpr std::size_t kMostConfigurations = 2'000'000;  // some seconds

class Search {
 public:
  Search(const history::Subhistory& part, const std::vector<std::uint64_t>& before)
      : part_(part), before_(before), states_(part.specification->make_states()) {
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      if (!part.pending(i)) wanted_ |= std::uint64_t{1} << i;
    }
  }

  std::optional<bool> run() {
    const bool found = from(0, states_->initial());
    if (!found && refuted_.size() > kMostConfigurations) return std::nullopt;
    return found;
  }

 private:
  bool from(std::uint64_t done, StateId state) {
    if ((wanted_ & ~done) == 0) return true;
    if (refuted_.size() > kMostConfigurations || refuted_.contains(std::pair(done, state))) return false;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if ((done & bit) != 0 || (before_[i] & ~done) != 0) continue;
      std::vector<StateId> next;
      states_->successors(state, part_.view(i), next);
      for (const StateId after : next) {
        if (from(done | bit, after)) return true;
      }
    }
    refuted_.insert(std::pair(done, state));
    return false;
  }

  const history::Subhistory& part_;
  const std::vector<std::uint64_t>& before_;
  std::unique_ptr<StateTable> states_;
  std::uint64_t wanted_ = 0;  // must be executed: they have returned
  absl::flat_hash_set<std::pair<std::uint64_t, StateId>> refuted_;
};

}  // namespace

std::optional<bool> orderable(const history::Subhistory& part, const std::vector<std::uint64_t>& before) {
  return Search(part, before).run();
}

}  // namespace linchpin::explorer
