// Operations of the object under test, as the bound methods announce them.
#include <cinttypes>
#include <cstdio>

#include "explore/runtime/engine.hpp"

namespace linchpin::explore_plan {

// As linchpin/explore/turn.hpp declares them; that header is not for this side, since it is made of templates that the
// code under test shares.
void operation_called(unsigned method, const std::uint64_t* arguments, unsigned count, unsigned wide);
void operation_returned(std::uint64_t result, bool wide);
void operation_cancelled();
[[noreturn]] void operation_refused(std::uint64_t number);

void operation_called(unsigned method, const std::uint64_t* arguments, unsigned count, unsigned wide) {
  const explorer::Inside inside;
  explorer::engine.call(method, arguments, count, wide);
}
void operation_returned(std::uint64_t result, bool wide) {
  const explorer::Inside inside;
  explorer::engine.respond(result, wide);
}
void operation_cancelled() {
  const explorer::Inside inside;
  explorer::engine.cancel();
}
void operation_refused(std::uint64_t number) {
  const explorer::Inside inside;
  char text[explorer::Finding::kText] = {};
  std::snprintf(text, sizeof text, "%" PRIu64 " is above 2^63 - 1, the largest integer that can be recorded", number);
  explorer::engine.fail(ExploreFinding::unsupported, __builtin_return_address(0), text);
}

}  // namespace linchpin::explore_plan
