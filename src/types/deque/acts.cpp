#include "types/deque/acts.hpp"

#include <algorithm>
#include <string>

#include "algo/dense_values.hpp"
#include "types/deque/specification.hpp"

namespace linchpin::types::deque {

namespace {

core::Applicability no(std::string why) { return {.applies = false, .why = std::move(why)}; }

}  // namespace

core::Applicability read(const history::Subhistory& part, Acts& acts) {
  const bool stealing = part.specification->get_if<WorkStealingDeque>() != nullptr;
  if (!stealing && part.specification->get_if<Deque>() == nullptr) return core::not_of_this_type("not a deque");
  const std::uint32_t n = part.size();
  algo::DenseValues dense;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (part.method[i] <= Deque::kPushBack) dense.observe(part.arguments(i)[0]);
  }
  dense.prepare();
  acts = {};
  acts.act.assign(n, Act::ignored);
  acts.value.assign(n, kNone);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (part.method[i] > Deque::kPushBack) continue;
    const Operation operation = part.view(i);
    if (!operation.acknowledged(0)) return no("a push did not happen");
    if (operation.argument(0).is_unknown()) return no("it is not known what was pushed");
    if (operation.argument(0).is_nil()) return no("nil is pushed, which a pop returns when it finds nothing");
    if (operation.argument(0).is_none()) return no("nothing is pushed");
    const auto [value, fresh] = dense.add(operation.argument(0));
    if (!fresh) {
      return no("value " + part.history->pool().to_text(operation.argument(0)) + " is pushed twice");
    }
    acts.act[i] = part.method[i] == Deque::kPushFront ? Act::push_front : Act::push_back;
    acts.value[i] = value;
    acts.push.push_back(i);
  }
  acts.pop.assign(acts.push.size(), kNone);
  acts.peeks.assign(acts.push.size(), {kNone, kNone, kNone, kNone});
  std::vector<bool> seen(acts.push.size(), false);
  bool counts = false;  // something depends on values that nobody names
  for (std::uint32_t i = 0; i < n; ++i) {
    if (part.method[i] <= Deque::kPushBack) continue;
    const Operation operation = part.view(i);
    const bool pending = part.pending(i);
    const bool pops = part.method[i] <= Deque::kPopBack;
    const bool front = part.method[i] == Deque::kPopFront || part.method[i] == Deque::kPeekFront;
    if (pending && !pops) continue;
    if (stealing && WorkStealingDeque::gave_up(operation)) {
      if (!pending) acts.act[i] = Act::free;
      continue;
    }
    if (operation.result_unknown()) {
      if (pops && !pending) return no("the result of a pop is unknown");
      acts.act[i] = !pops ? Act::free : front ? Act::spare_front : Act::spare_back;
      acts.spare = acts.spare || pops;
      continue;
    }
    if (pending) return no("a pending pop has a result");
    if (part.method[i] == Deque::kIsEmpty) {
      if (!says_true(operation) && !says_false(operation)) return no("is_empty has an answer that is no truth value");
      acts.act[i] = says_true(operation) ? Act::empty : Act::nonempty;
      counts = counts || says_false(operation);
      continue;
    }
    if (part.method[i] == Deque::kSize) {
      if (!is_integer(operation.result)) return no("a size is no number");
      const std::int64_t number = operation.pool->integer_of(operation.result);
      if (number == 0) {  // tells no number of values that erasing some would change
        acts.act[i] = Act::empty;
        continue;
      }
      acts.act[i] = Act::size;
      if (number > 0 && number < kNone) {
        acts.value[i] = static_cast<std::uint32_t>(number);
      } else {
        acts.wrong = {i};
        acts.why = "no deque holds that many values";
      }
      counts = true;
      continue;
    }
    if (operation.result.is_nil()) {
      acts.act[i] = Act::empty;
      continue;
    }
    acts.act[i] = pops ? (front ? Act::pop_front : Act::pop_back) : (front ? Act::peek_front : Act::peek_back);
    const std::uint32_t value = dense.find(operation.result);
    if (value == algo::DenseValues::kNone) {
      acts.wrong = {i};
      acts.why = "nobody had pushed " + part.history->pool().to_text(operation.result);
      continue;
    }
    acts.value[i] = value;
    seen[value] = true;
    if (!pops) {
      std::uint32_t* const extremes = acts.peeks[value].data() + (front ? 0 : 2);
      if (extremes[0] == kNone || part.response[i] < part.response[extremes[0]]) extremes[0] = i;
      extremes[1] = i;  // in the order of calls
      continue;
    }
    if (acts.pop[value] != kNone) {
      acts.wrong = {acts.push[value], acts.pop[value], i};
      acts.why = part.history->pool().to_text(operation.result) + " is pushed once and popped twice";
    }
    acts.pop[value] = i;
  }
  for (std::uint32_t value = 0; value < acts.push.size(); ++value) {
    if (!part.pending(acts.push[value])) continue;
    if (counts) return no("a push is pending where the number of values is told");
    if (!seen[value]) acts.act[acts.push[value]] = Act::ignored;
  }
  if (acts.spare && counts) return no("a pop is pending where the number of values is told");
  std::sort(acts.wrong.begin(), acts.wrong.end());
  return {.applies = true, .why = "no value is pushed twice"};
}

}  // namespace linchpin::types::deque
