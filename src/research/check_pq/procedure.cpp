#include "research/check_pq/procedure.hpp"

#include <algorithm>

namespace linchpin::research::check_pq {

namespace {

/// One step: what is left once a remove or a value that satisfies the predicate is gone; nothing where none does.
std::optional<Projection> one_step(const Projection& e, Gamma gamma, const Predicates& predicates) {
  if (gamma == Gamma::empty_remove) {
    for (const std::uint32_t o : e.empties) {
      if (predicates.empty_remove(e, o)) return e.without_empty(o);
    }
    return std::nullopt;
  }
  for (const std::uint32_t x : e.values) {
    const bool holds = gamma == Gamma::unmatched_max_priority ? predicates.unmatched_max_priority(e, x)
                                                              : predicates.matched_max_priority(e, x);
    if (holds) return e.without_value(x);
  }
  return std::nullopt;
}

}  // namespace

Gamma which_gamma(const Projection& e) {
  if (!e.empties.empty()) return Gamma::empty_remove;
  const bool unmatched = std::any_of(e.values.begin(), e.values.end(),
                                     [&](std::uint32_t v) { return !e.execution->values[v].rm && e.maximal(v); });
  return unmatched ? Gamma::unmatched_max_priority : Gamma::matched_max_priority;
}

std::optional<Stuck> check_pq_conc(Projection e, const Predicates& predicates, const std::function<bool()>& go_on) {
  while (!e.empty() && (go_on == nullptr || go_on())) {
    const Gamma gamma = which_gamma(e);
    auto rest = one_step(e, gamma, predicates);
    if (!rest) return Stuck{gamma, std::move(e)};
    e = std::move(*rest);
  }
  return std::nullopt;
}

bool check_pq_conc_nonrec(const Projection& e, const Predicates& predicates) {
  return e.empty() || one_step(e, which_gamma(e), predicates).has_value();
}

}  // namespace linchpin::research::check_pq
