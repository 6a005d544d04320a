// The result of a stress run as text for people.
#include <cstdio>

#include <fmt/format.h>

#include "base/foreign_text.hpp"

#include "linchpin/message.hpp"
#include "linchpin/stress/plan.hpp"

#if defined(__unix__)
#include <unistd.h>
#endif

namespace linchpin {

namespace {

/// How much a run that found nothing has seen.
std::string seen(const StressResult& result) {
  std::string text;
  if (result.overlapping == 0) {
    text = "no operation overlapped another one: nothing was seen of what threads can do to each other";
  } else {
    text = fmt::format(
        "{} operations ({:.1f} %) overlapped others, in {} ways; an estimated {:.1f} % of further overlaps would be of "
        "ways not seen",
        result.overlapping, 100.0 * static_cast<double>(result.overlapping) / static_cast<double>(result.operations),
        result.overlaps, 100 * result.unseen());
  }
  text += result.turn_rounds > 0
              ? fmt::format(
                    "\n  {} rounds went by turns from stress point to stress point; the others were up to the machine",
                    result.turn_rounds)
          : result.stress_points > 0 ? std::string("\n  which schedules were run was up to the machine")
                                     : std::string(
                                           "\n  the container has no stress points: which schedules were run was "
                                           "up to the machine");
  return text;
}

}  // namespace

std::string StressResult::to_string() const {
  if (error) return error->to_string();
  std::string text = fmt::format("{} rounds, {} operations, {:.2f} s", rounds, operations, seconds);
  if (stuck) text += "; a thread did not return from its operation";
  if (cut_short) text += "; the last round was cut short, as the time was up";
  if (exceptions > 0)
    text += fmt::format("; {} operations threw, the first one: {}", exceptions, base::foreign_text(exception));
  switch (verdict) {
    case Verdict::linearizable: return fmt::format("linearizable: {}\n  {}", text, seen(*this));
    case Verdict::unknown:
      text = fmt::format("undecided in {} rounds: {}\n  {}", undecided, text, seen(*this));
      return decided ? fmt::format("{}\n{}", message_of(*history, *decided), text) : text;
    case Verdict::violation: break;
  }
  return fmt::format("{}\nfound after {}; its operations{} are those of seed {}", message_of(*history, *decided), text,
                     by_turns ? " and their schedule" : "", seed);
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
