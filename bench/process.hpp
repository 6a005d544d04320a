// Processes that are measured: a command, or a function of this program that is run in a process of its own, so that
// its time and its memory are its own as well.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace linchpin::bench {

struct Usage {
  int exit_code = -1;    ///< 128 + signal where one ended it
  double user = 0;       ///< seconds of CPU in user code
  double wall = 0;       ///< seconds
  double megabytes = 0;  ///< most that was resident at a time
};

/// Runs a command without input. What it prints goes to `output`, or nowhere. After `most_cpu` seconds of CPU, if that
/// is not 0, SIGXCPU ends it.
[[nodiscard]] Usage run_command(const std::vector<std::string>& command, std::string* output = nullptr,
                                unsigned most_cpu = 0);

/// Runs `body` in a forked process. What it writes at `answer`, `size` bytes, comes back; exit code 1 if it did not.
[[nodiscard]] Usage run_forked(void* answer, std::size_t size, const std::function<void()>& body);

/// The answer of `body(Answer&)` in a forked process; nothing where that process failed. This one may have no threads
/// running, since a fork leaves them behind.
template <class Answer, class Body>
requires std::is_trivially_copyable_v<Answer>
[[nodiscard]] std::optional<Answer> in_child(Usage& usage, const Body& body) {
  Answer answer{};
  usage = run_forked(&answer, sizeof(answer), [&] { body(answer); });
  return usage.exit_code == 0 ? std::optional(answer) : std::nullopt;
}

/// Seconds of CPU that this process has used, in user code and in the kernel.
[[nodiscard]] double cpu_seconds();

}  // namespace linchpin::bench
