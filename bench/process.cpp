#include "process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>

namespace linchpin::bench {

namespace {

using Clock = std::chrono::steady_clock;

Usage wait_for(pid_t child, Clock::time_point start) {
  int status = 0;
  rusage usage{};
  Usage result;
  if (wait4(child, &status, 0, &usage) != child) return result;
  result.wall = std::chrono::duration<double>(Clock::now() - start).count();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.user = static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
  result.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

/// Reads to the end; `take` gets the pieces.
template <class Take>
void drain(int from, const Take& take) {
  std::array<char, 1 << 16> buffer{};
  for (ssize_t got = 0; (got = read(from, buffer.data(), buffer.size())) > 0;) {
    take(buffer.data(), static_cast<std::size_t>(got));
  }
  close(from);
}

}  // namespace

Usage run_command(const std::vector<std::string>& command, std::string* output, unsigned most_cpu) {
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{-1, -1};
  if (output != nullptr && pipe(ends.data()) != 0) return {};
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(output != nullptr ? ends[1] : open("/dev/null", O_WRONLY), STDOUT_FILENO);
    if (output != nullptr) close(ends[0]);
    const rlimit limit{.rlim_cur = most_cpu, .rlim_max = most_cpu + 1};
    if (most_cpu > 0) setrlimit(RLIMIT_CPU, &limit);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  if (output != nullptr) {
    close(ends[1]);
    drain(ends[0], [&](const char* data, std::size_t size) { output->append(data, size); });
  }
  return child < 0 ? Usage{} : wait_for(child, start);
}

Usage run_forked(void* answer, std::size_t size, const std::function<void()>& body) {
  std::array<int, 2> ends{-1, -1};
  if (pipe(ends.data()) != 0) return {};
  std::fflush(nullptr);
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    body();
    _exit(write(ends[1], answer, size) == static_cast<ssize_t>(size) ? 0 : 1);
  }
  close(ends[1]);
  std::string bytes;
  drain(ends[0], [&](const char* data, std::size_t count) { bytes.append(data, count); });
  if (child < 0) return {};
  Usage usage = wait_for(child, start);
  if (bytes.size() == size) bytes.copy(static_cast<char*>(answer), size);
  if (bytes.size() != size && usage.exit_code == 0) usage.exit_code = 1;
  return usage;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace linchpin::bench
