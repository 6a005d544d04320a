#include "types/stack/check.hpp"
#include "types/stack_run.hpp"

namespace linchpin::types {

StackRun run_stack(algo::ContainerHistory& history, bool want_witness, core::Budget& budget) {
  StackCheck check(history);
  switch (check.run(budget, want_witness)) {
    case StackCheck::Result::spent: return {};
    case StackCheck::Result::linearizable:
      return {.result = StackRun::Result::linearizable,
              .witness = want_witness ? check.witness() : std::vector<std::uint32_t>(),
              .core = {}};
    default: return {.result = StackRun::Result::violation, .witness = {}, .core = check.core()};
  }
}

}  // namespace linchpin::types
