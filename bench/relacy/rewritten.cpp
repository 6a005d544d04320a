#include "relacy/rewritten.hpp"

// Relacy makes `delete` and others macros: what it does not include itself comes before it.
#include <array>
#include <cstddef>
#include <optional>
#include <sstream>

#include "relacy/rewritten_stack.hpp"

namespace linchpin::bench::rewritten {

namespace {

/// push, pop, push | push, pop, pop. What the calls return is not decided: that would be its user's to write, too.
struct Scenario : rl::test_suite<Scenario, 2> {
  TreiberStack stack;

  void thread(unsigned index) {
    stack.push(2 * index + 1);
    stack.pop();
    if (index == 0) {
      stack.push(2);
    } else {
      stack.pop();
    }
  }
};

Run run(rl::test_params parameters) {
  std::ostringstream told;
  parameters.output_stream = &told;
  parameters.progress_stream = &told;
  const bool clean = rl::simulate<Scenario>(parameters);
  return {.clean = clean, .schedules = parameters.stop_iteration};
}

}  // namespace

Run at_random(std::uint64_t schedules) {
  rl::test_params parameters;
  parameters.search_type = rl::sched_random;
  parameters.iteration_count = schedules;
  return run(parameters);
}

Run bounded(unsigned switches) {
  rl::test_params parameters;
  parameters.search_type = rl::sched_bound;
  parameters.context_bound = switches;
  return run(parameters);
}

}  // namespace linchpin::bench::rewritten
