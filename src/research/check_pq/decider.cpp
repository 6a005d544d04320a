#include "research/check_pq/decider.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/none.hpp"
#include "core/data_type.hpp"
#include "research/check_pq/gap_points.hpp"
#include "research/check_pq/left_right_constraint.hpp"
#include "research/check_pq/procedure.hpp"
#include "research/check_pq/single_priority.hpp"
#include "research/check_pq/witness.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::research {

namespace {

using namespace check_pq;  // NOLINT: the paper's vocabulary

/// Above this many operations linearizations are not looked for.
constexpr std::uint32_t kMostByDefinition = 24;
/// Above this many operations a core is not made smaller value by value.
constexpr std::size_t kMostShrunk = 200;

core::Applicability applicable_to(const history::Subhistory& part, std::uint32_t most) {
  const auto* const queue = part.specification->get_if<types::PriorityQueue>();
  if (queue == nullptr) return core::not_of_this_type("not a priority queue");
  if (queue->capacity) return {false, "the priority queue has a capacity"};
  if (part.size() > most) return {false, fmt::format("there are more than {} operations", most)};
  std::string obstacle = read_execution(part).obstacle;
  return obstacle.empty() ? core::Applicability{true, "no value is put twice"}
                          : core::Applicability{false, std::move(obstacle)};
}

/// Why an execution is not linearizable, with the values (and the remove that found nothing) that show it.
struct Cause {
  Projection projection;
  std::string sentence;
};

class Explanation {
 public:
  Explanation(const history::Subhistory& part, const Execution& execution) : part_(part), execution_(execution) {}

  [[nodiscard]] Cause of(const std::pair<std::uint32_t, std::uint32_t>& pair) const {
    const auto [a, b] = pair;
    if (a == b) return cause({b}, fmt::format("rm({0}) happens before put({0})", name(b)));
    return cause({a, b},
                 fmt::format("put({}) happens before put({}), of the same priority, but {}", name(a), name(b),
                             execution_.values[a].rm ? fmt::format("rm({}) happens before rm({})", name(b), name(a))
                                                     : fmt::format("only {} is removed", name(b))));
  }

  [[nodiscard]] Cause of(const Stuck& stuck) const {
    const Projection& e = stuck.projection;
    switch (stuck.gamma) {
      case Gamma::empty_remove: {
        for (const std::uint32_t o : e.empties) {
          const auto cover = covering_values_of_empty(e, o);
          if (cover.empty()) continue;
          Cause found = cause(cover, fmt::format("{} is covered by {}", name_of_empty(o), names(cover)));
          found.projection.empties = {o};
          return found;
        }
        break;
      }
      case Gamma::unmatched_max_priority: return {e, "no value that is never removed can be the last one put"};
      case Gamma::matched_max_priority: return of_matched(e);
    }
    return {e, "no remove that found nothing has a moment"};
  }

 private:
  [[nodiscard]] Cause of_matched(const Projection& e) const {
    const std::uint32_t member =
        *std::find_if(e.values.begin(), e.values.end(), [&](std::uint32_t v) { return e.maximal(v); });
    const Projection part = e.up_to_priority_of(member);
    for (const std::uint32_t x : part.values) {
      if (!execution_.same(x, member)) continue;
      const auto cover = covering_values(part, x);
      if (cover.empty()) continue;
      std::vector<std::uint32_t> values = cover;
      values.push_back(x);
      return cause(values, fmt::format("{} is covered by {}", name(x), names(cover)));
    }
    const auto late = removed_too_late(part, member);
    if (!late) return {part, "no value of maximal priority can be the last one removed"};
    std::string put_before = fmt::format("{} is put before {}", name(late->y), name(late->x));
    if (late->by_way_of != kNone) put_before += fmt::format(" (by way of {})", name(late->by_way_of));
    return {part, fmt::format("{}, but the rightmost gap-point of {} is before the call of {}({})", put_before,
                              name(late->x), waits_for_put(part, *late) ? "put" : "rm", name(late->y))};
  }

  [[nodiscard]] bool waits_for_put(const Projection& part, const TooLate& late) const {
    return execution_.values[late.y].put.call > rightmost_gap_point(part, late.x);
  }
  [[nodiscard]] Cause cause(std::vector<std::uint32_t> values, std::string sentence) const {
    std::sort(values.begin(), values.end());
    return {{.execution = &execution_, .values = std::move(values), .empties = {}}, std::move(sentence)};
  }
  [[nodiscard]] std::string name(std::uint32_t value) const {
    return part_.history->pool().to_text(part_.arguments(execution_.values[value].put_local)[0]);
  }
  /// The paper has removes only; what says that nothing is there in other words keeps its own.
  [[nodiscard]] std::string name_of_empty(std::uint32_t empty) const {
    const std::uint32_t local = execution_.empties[empty].local;
    const bool removes = part_.specification->methods()[part_.method[local]].name == "poll";
    return removes ? "rm(empty)" : part_.history->describe(part_.operation[local]);
  }
  [[nodiscard]] std::string names(const std::vector<std::uint32_t>& values) const {
    std::string text;
    for (const std::uint32_t value : values) text += (text.empty() ? "" : ", ") + name(value);
    return text;
  }

  const history::Subhistory& part_;
  const Execution& execution_;
};

/// Why the projection is not linearizable; nothing where it is.
std::optional<Cause> refute_projection(const Projection& e, const Predicates& predicates, bool graphs,
                                       const Explanation& explanation, const std::function<bool()>& go_on) {
  if (graphs) {
    if (const auto pair = single_priority_violation(e)) return explanation.of(*pair);
  }
  const auto stuck = check_pq_conc(e, predicates, go_on);
  if (!stuck) return std::nullopt;
  if (graphs) return explanation.of(*stuck);
  static constexpr std::array kNames{"EmptyRemove", "UnmatchedMaxPriority", "MatchedMaxPriority"};
  return Cause{stuck->projection,
               fmt::format("no linearization satisfies {}-Seq", kNames[static_cast<std::size_t>(stuck->gamma)])};
}

core::Outcome decide_by(const history::Subhistory& part, const Predicates& predicates, bool graphs, bool want_witness,
                        core::Budget& budget) {
  core::Outcome outcome;
  const Reading reading = read_execution(part);
  if (!reading.obstacle.empty()) {
    outcome.reason = Reason::not_applicable;
    return outcome;
  }
  if (reading.mismatch) {
    outcome.verdict = Verdict::violation;
    outcome.core = reading.mismatch->locals;
    outcome.core_minimal = true;
    outcome.sentence = reading.mismatch->sentence;
    return outcome;
  }
  const Explanation explanation(part, reading.execution);
  const auto go_on = [&] { return !budget.spent_now(); };
  const auto refute = [&](const Projection& e) { return refute_projection(e, predicates, graphs, explanation, go_on); };
  std::optional<Cause> cause = refute(Projection::whole(reading.execution));
  if (budget.spent_now()) {
    outcome.reason = budget.reason();
    return outcome;
  }
  if (!cause) {
    outcome.verdict = Verdict::linearizable;
    if (want_witness && part.size() <= kMostByDefinition) {
      outcome.witness = linearization(reading.execution, ByGraphs());
    }
    return outcome;
  }
  // What is not linearizable stays so when something is added, so that one pass leaves nothing that can be dropped.
  if (cause->projection.values.size() <= kMostShrunk) {
    outcome.core_minimal = true;
    const auto keep_smaller = [&](const Projection& smaller) {
      std::optional<Cause> other = refute(smaller);
      if (other && go_on()) cause = Cause{smaller, std::move(other->sentence)};
      outcome.core_minimal = outcome.core_minimal && go_on();
    };
    for (const std::uint32_t v : std::vector(cause->projection.values))
      keep_smaller(cause->projection.without_value(v));
    for (const std::uint32_t o : std::vector(cause->projection.empties))
      keep_smaller(cause->projection.without_empty(o));
  }
  outcome.verdict = Verdict::violation;
  outcome.sentence = cause->sentence;
  for (const std::uint32_t v : cause->projection.values) {
    const PutAndRemove& value = reading.execution.values[v];
    outcome.core.push_back(value.put_local);
    if (value.rm) outcome.core.push_back(value.rm_local);
  }
  for (const std::uint32_t o : cause->projection.empties) outcome.core.push_back(reading.execution.empties[o].local);
  std::sort(outcome.core.begin(), outcome.core.end());
  return outcome;
}

core::Applicability graphs_applicable(const history::Subhistory& part) { return applicable_to(part, 0xffffffffU); }
core::Applicability definition_applicable(const history::Subhistory& part) {
  return applicable_to(part, kMostByDefinition);
}
core::Outcome decide_by_graphs(const history::Subhistory& part, const core::DeciderOptions& options,
                               core::Budget& budget) {
  return decide_by(part, ByGraphs(), true, options.witness, budget);
}
core::Outcome decide_by_definition(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget) {
  return decide_by(part, ByDefinition(Text::mended), false, options.witness, budget);
}

constexpr std::array kCheckPq{
    core::Decider{.name = "check-pq",
                  .kind = core::Kind::published,
                  .about = {.types = "priority-queue",
                            .when = "on request; no value is inserted twice",
                            .method = "the recursive procedure, with criteria on graphs",
                            .cost = "O(n^4)",
                            .source = "Bouajjani, Enea, Wang, 2017: docs/papers/concurrent-priority-queues.md"},
                  .applicable = &graphs_applicable,
                  .at_once = &decide_by_graphs},
    core::Decider{
        .name = "check-pq-definition",
        .kind = core::Kind::published,
        .about = {.types = "priority-queue",
                  .when = "on request; no value is inserted twice",
                  .method = "the recursive procedure, looking for the linearizations that its criteria stand for",
                  .cost = "exponential",
                  .source = "Bouajjani, Enea, Wang, 2017: docs/papers/concurrent-priority-queues.md"},
        .applicable = &definition_applicable,
        .at_once = &decide_by_definition},
};

}  // namespace

std::span<const core::Decider> check_pq_deciders() { return kCheckPq; }

}  // namespace linchpin::research
