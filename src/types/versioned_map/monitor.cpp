// Decides the history of one key of a versioned map.
//
// Each request names the version that it follows, so all that is open is when versions ended: moments.hpp finds all
// moments that fit. Precondition: one key (split first), and unconditional writes of which it is certain which version
// they made. Requests of unknown fate, and ErrMaybe in both readings, are decided exactly. Cost O(n) for a witness,
// too. Compare: decide/search (any history). Tests: versioned_map_monitor_test.cpp.
#include "types/versioned_map/monitor.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/none.hpp"
#include "core/core_proof.hpp"
#include "types/versioned_map/moments.hpp"
#include "types/versioned_map/requests.hpp"
#include "types/versioned_map/specification.hpp"

namespace linchpin::types::versioned_map {

namespace {

using history::Subhistory;

/// An order of all operations that took effect: stage by stage, the writes between. @pre moments.find_blocked() found
/// nothing
std::vector<std::uint32_t> order_of(const Subhistory& part, const Requests& requests, const Moments& moments) {
  const std::vector<Moment> ends = moments.choose();
  const auto stages = static_cast<std::uint32_t>(ends.size()) + 1;
  std::vector<std::uint32_t> writers(ends.size());
  std::vector<std::uint32_t> stage_of(part.size(), kNone);
  std::vector<bool> writes(part.size(), false);
  for (std::uint32_t b = 0; b < ends.size(); ++b) {
    writers[b] = moments.writer(b, ends[b]);
    writes[writers[b]] = true;
  }
  std::vector<std::uint32_t> begin(stages + 1, 0);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Role role = requests.role[i];
    const std::uint32_t number = requests.number[i];
    if (writes[i] || role == Role::ignored || role == Role::may_take) continue;
    std::uint32_t stage = number;
    if (role != Role::sees) {
      // Stages from the one at the call on, the first that is none of those that are excluded.
      stage =
          static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end(), moments.first_gap(i)) - ends.begin());
      const bool present = role == Role::present || role == Role::other_present;
      const bool other = role == Role::other || role == Role::other_present || role == Role::tries;
      while ((present && stage == 0) || (other && stage == number)) ++stage;
    }
    stage_of[i] = stage;
    ++begin[stage + 1];
  }
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    begin[stage + 1] += begin[stage] + (stage + 1 < stages ? 1 : 0);  // and the write that ends it
  }
  std::vector<std::uint32_t> order(begin.back());
  for (std::uint32_t b = 0; b < ends.size(); ++b) order[begin[b + 1] - 1] = writers[b];
  // Within a stage by call: none acts before the stage begins.
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (stage_of[i] != kNone) order[begin[stage_of[i]]++] = i;
  }
  return order;
}

bool violates(const Subhistory& part) {
  const Requests requests = read_requests(part);
  if (!requests.obstacle.empty()) return false;
  if (requests.impossible || requests.differ) return true;
  core::Budget unlimited{Limits{}};
  return Moments(part, requests).find_blocked(unlimited).has_value();
}

class Explanation {
 public:
  Explanation(const Subhistory& part, const Requests& requests, Moments& moments, std::uint32_t boundary)
      : part_(part), requests_(requests), moments_(moments), boundary_(boundary) {}

  core::Outcome outcome() {
    const std::uint32_t first = moments_.upper_by(boundary_), then = moments_.lower_by(boundary_);
    if (moments_.lower(boundary_) > moments_.upper(boundary_)) {
      return finish({first, then}, then,
                    fmt::format("{} returned before {} was called, but versions only go up", text(first), text(then)));
    }
    std::uint32_t width = 0;
    while (width < boundary_ && !moments_.blocked_from(boundary_ - width, boundary_)) {
      width = std::min(boundary_, 2 * width + 1);
    }
    const std::uint32_t needs = width == 0 ? who_needs(first) : first;
    return finish(concerned(boundary_ - width), needs != kNone ? std::optional(needs) : std::nullopt,
                  width == 0 ? nobody_wrote(needs, then) : no_moments(boundary_ - width));
  }

 private:
  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  [[nodiscard]] std::int64_t version(std::uint32_t stage) const {
    return part_.specification->get_if<VersionedMap>()->version_after(stage);
  }

  [[nodiscard]] bool anybody_can_write() const {
    const auto writes = moments_.writes(boundary_);
    return std::any_of(writes.begin(), writes.end(), [&](std::uint32_t i) { return requests_.may_write(part_, i); });
  }
  /// The first operation of the version, or where others can have made it with another value, who shows its value.
  [[nodiscard]] std::uint32_t who_needs(std::uint32_t first) const {
    const std::uint32_t shows = requests_.shown_by[boundary_ + 1];
    return shows != kNone && first != kNone && !anybody_can_write() ? shows : first;
  }
  [[nodiscard]] std::string nobody_wrote(std::uint32_t first, std::uint32_t then) const {
    if (first == kNone) return no_moments(boundary_);
    if (!anybody_can_write()) {
      const bool shown = requests_.shown_by[boundary_ + 1] == first;
      const std::string value = part_.history->pool().to_text(requests_.value[boundary_ + 1]);
      return fmt::format("{} needs version {}{}, which nobody can have made", text(first), version(boundary_ + 1),
                         shown ? fmt::format(" with the value {}", value) : "");
    }
    const std::string after = then == kNone ? "" : fmt::format("between the call of {} and ", text(then));
    return fmt::format("{} needs version {}, but none that can have made it was open {}", text(first),
                       version(boundary_ + 1), after.empty() ? "by its return" : after + "its return");
  }
  [[nodiscard]] std::string no_moments(std::uint32_t first) const {
    return fmt::format("versions {} to {} cannot have ended at any moments that fit what these operations saw",
                       version(first), version(boundary_));
  }

  /// All that says something about the boundaries from `first` to the blocked one.
  [[nodiscard]] std::vector<std::uint32_t> concerned(std::uint32_t first) const {
    std::vector<std::uint32_t> core;
    for (std::uint32_t b = first; b <= boundary_; ++b) {
      core.insert(core.end(),
                  {moments_.lower_by(b), moments_.upper_by(b), requests_.taken_by[b], requests_.shown_by[b + 1]});
      const auto writes = moments_.writes(b), excluded = moments_.excluded(b);
      core.insert(core.end(), writes.begin(), writes.end());
      core.insert(core.end(), excluded.begin(), excluded.end());
    }
    add_placed_elsewhere(core);
    return core;
  }
  /// Writes that do not tell their version might have made the one that is missing, but for what shows their values.
  void add_placed_elsewhere(std::vector<std::uint32_t>& core) const {
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      if (requests_.role[i] != Role::takes || part_.method[i] != VersionedMap::kWrite) continue;
      if (part_.specification->get_if<VersionedMap>()->made(part_.view(i))) continue;
      if (part_.call[i] < moments_.upper(boundary_))
        core.insert(core.end(), {i, requests_.shown_by[requests_.number[i] + 1]});
    }
  }

  [[nodiscard]] core::Outcome finish(std::vector<std::uint32_t> core, std::optional<std::uint32_t> blocked,
                                     std::string sentence) const {
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    if (!core.empty() && core.back() == kNone) core.pop_back();
    if (!core::core_proves(part_, core, violates)) {
      core.clear();
      for (std::uint32_t i = 0; i < part_.size(); ++i) {
        if (requests_.role[i] != Role::ignored && requests_.role[i] != Role::free) core.push_back(i);
      }
    }
    return {
        .verdict = Verdict::violation, .core = std::move(core), .blocked = blocked, .sentence = std::move(sentence)};
  }

  const Subhistory& part_;
  const Requests& requests_;
  Moments& moments_;
  std::uint32_t boundary_;
};

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<VersionedMap>() == nullptr) return core::not_of_this_type("not a versioned map");
  auto requests = std::make_shared<Requests>(read_requests(part));
  if (!requests->obstacle.empty()) return {false, std::move(requests->obstacle)};
  return {.applies = true,
          .why = "one key, and for every write it is certain which version it made or followed",
          .reading = std::move(requests)};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto requests = core::reading_of<Requests>(part, options, applicable);
  if (requests == nullptr) return core::not_applicable();
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  const auto text = [&](std::uint32_t i) { return part.history->describe(part.operation[i]); };
  if (requests->impossible) {
    const std::uint32_t i = *requests->impossible;
    return {.verdict = Verdict::violation,
            .core = {i},
            .blocked = i,
            .sentence = fmt::format("{} is impossible: no order of the other operations leads there", text(i))};
  }
  if (requests->differ) {
    const auto [a, b] = *requests->differ;
    return {.verdict = Verdict::violation,
            .core = {std::min(a, b), std::max(a, b)},
            .sentence =
                fmt::format("{} and {} {}", text(a), text(b),
                            requests->both_made ? "both made one version" : "have different values of one version")};
  }
  Moments moments(part, *requests);
  const std::optional<std::uint32_t> blocked = moments.find_blocked(budget);
  if (blocked) return Explanation(part, *requests, moments, *blocked).outcome();
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  return {.verdict = Verdict::linearizable,
          .witness = options.witness ? order_of(part, *requests, moments) : std::vector<std::uint32_t>()};
}

}  // namespace linchpin::types::versioned_map
