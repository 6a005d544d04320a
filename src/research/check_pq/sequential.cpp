#include "research/check_pq/sequential.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>

namespace linchpin::research::check_pq {

namespace {

using Kind = Step::Kind;
using Steps = std::span<const Step>;

bool has(Steps steps, const Step& step) { return std::find(steps.begin(), steps.end(), step) != steps.end(); }

/// Whether every value that is put, and that `counts`, is also removed.
template <class Counts>
bool matched(Steps steps, Counts&& counts) {
  return std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
    return step.kind != Kind::put || !counts(step.which) || has(steps, {Kind::rm, step.which});
  });
}

template <class Counts>
bool has_put(Steps steps, Counts&& counts) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const Step& step) { return step.kind == Kind::put && counts(step.which); });
}

bool larger_is_put(const Execution& execution, Steps steps, std::uint32_t x) {
  return has_put(steps, [&](std::uint32_t d) { return execution.smaller(x, d); });
}

Sequence without(const Sequence& sequence, const std::function<bool(const Step&)>& drop) {
  Sequence rest;
  std::remove_copy_if(sequence.begin(), sequence.end(), std::back_inserter(rest), drop);
  return rest;
}

}  // namespace

bool empty_remove_seq(const Sequence& sequence, std::uint32_t o) {
  const auto at = std::find(sequence.begin(), sequence.end(), Step{Kind::rm_empty, o});
  return at != sequence.end() && matched(Steps(sequence.begin(), at), [](std::uint32_t) { return true; });
}

bool unmatched_max_priority_seq(const Execution& execution, const Sequence& sequence, std::uint32_t x, Text text) {
  const auto at = std::find(sequence.begin(), sequence.end(), Step{Kind::put, x});
  if (at == sequence.end() || larger_is_put(execution, sequence, x)) return false;
  // Printed, x need not be unmatched itself.
  if (text == Text::mended && has(sequence, {Kind::rm, x})) return false;
  return !has_put(Steps(at + 1, sequence.end()), [&](std::uint32_t d) { return execution.same(d, x); });
}

bool matched_max_priority_seq(const Execution& execution, const Sequence& sequence, std::uint32_t x, Text text) {
  const auto put = std::find(sequence.begin(), sequence.end(), Step{Kind::put, x});
  const auto rm = std::find(put, sequence.end(), Step{Kind::rm, x});
  if (rm == sequence.end()) return false;
  const Steps all(sequence), u_and_v(sequence.begin(), rm), v_and_w(put + 1, sequence.end()), w(rm + 1, sequence.end());
  const auto same = [&](std::uint32_t d) { return execution.same(d, x); };
  if (larger_is_put(execution, all, x) || !matched(all, same)) return false;
  if (!matched(u_and_v, [&](std::uint32_t d) { return execution.smaller(d, x); })) return false;
  if (has_put(v_and_w, same)) return false;
  // Printed, values of the same priority may be removed after x, though they were put before it; so may x, once more.
  if (text == Text::printed) return true;
  const bool again = has(Steps(sequence.begin(), put), {Kind::rm, x});
  return !again &&
         std::none_of(w.begin(), w.end(), [&](const Step& step) { return step.kind == Kind::rm && same(step.which); });
}

bool check_pq_seq(const Execution& execution, const Sequence& sequence, Text text) {
  if (sequence.empty()) return true;
  std::vector<std::uint32_t> values, empties;
  for (const Step& step : sequence) (step.kind == Kind::rm_empty ? empties : values).push_back(step.which);
  if (!empties.empty()) {
    const auto o = std::find_if(empties.begin(), empties.end(),
                                [&](std::uint32_t candidate) { return empty_remove_seq(sequence, candidate); });
    if (o == empties.end()) return false;
    return check_pq_seq(execution,
                        without(sequence,
                                [&](const Step& step) {
                                  return step == Step{Kind::rm_empty, *o};
                                }),
                        text);
  }
  const bool unmatched = std::any_of(sequence.begin(), sequence.end(), [&](const Step& step) {
    return step.kind == Kind::put && !has(sequence, {Kind::rm, step.which}) &&
           !larger_is_put(execution, sequence, step.which);
  });
  const auto x = std::find_if(values.begin(), values.end(), [&](std::uint32_t candidate) {
    return unmatched ? unmatched_max_priority_seq(execution, sequence, candidate, text)
                     : matched_max_priority_seq(execution, sequence, candidate, text);
  });
  if (x == values.end()) return false;
  return check_pq_seq(execution, without(sequence, [&](const Step& step) { return step.which == *x; }), text);
}

}  // namespace linchpin::research::check_pq
