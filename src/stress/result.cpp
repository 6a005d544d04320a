// What a stress run says to people.
#include <cstdio>

#include <fmt/format.h>

#include "base/foreign_text.hpp"

#include "linchpin/message.hpp"
#include "linchpin/stress/plan.hpp"

#if defined(__unix__)
#include <unistd.h>
#endif

namespace linchpin {

std::string StressResult::to_string() const {
  if (error) return error->to_string();
  std::string text = fmt::format("{} rounds, {} operations, {:.2f} s", rounds, operations, seconds);
  if (stuck) text += "; a thread did not return from its operation";
  if (exceptions > 0)
    text += fmt::format("; {} operations threw, the first one: {}", exceptions, base::foreign_text(exception));
  switch (verdict) {
    case Verdict::linearizable: return "linearizable: " + text;
    case Verdict::unknown: return fmt::format("undecided in {} rounds: {}", undecided, text);
    case Verdict::violation: break;
  }
  return fmt::format("{}\nfound after {}; its operations are those of seed {}", message_of(*history, *decided), text,
                     seed);
}

std::function<void(const StressProgress&)> terminal_progress() {
#if defined(__unix__)
  if (isatty(STDERR_FILENO) == 0) return {};
#else
  return {};
#endif
  return [](const StressProgress& progress) {
    std::string text = "\r\x1b[K";
    if (progress.rounds > 0) {
      text += fmt::format("round {}, {:.1f} million operations, {:.0f} s", progress.rounds,
                          static_cast<double>(progress.operations) / 1e6, progress.seconds);
    }
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  };
}

}  // namespace linchpin
