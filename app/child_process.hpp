// Other programs that a subcommand starts: whether they are installed, where they may write, how they end.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace linchpin::app {

/// A folder that nobody else may look into, and that goes with everything in it.
class TemporaryFolder {
 public:
  /// Throws std::runtime_error if it cannot be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A child process; it ends with this object, and also if this process dies.
class ChildProcess {
 public:
  /// `arguments[0]` is looked for in PATH. Output goes to `log`, at its end. The child works in `folder`; empty: where
  /// this process does. Its environment is this process's with `environment` ("NAME=VALUE") instead of what is there.
  /// No shell is asked. Throws std::runtime_error if it cannot be started.
  ChildProcess(const std::vector<std::string>& arguments, const std::string& log, const std::string& folder = {},
               const std::vector<std::string>& environment = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  [[nodiscard]] bool running();
  /// Sends the signal (SIGSTOP, SIGCONT) to it and to what it has started, if it has not ended.
  void signal(int number) const;
  /// Of a child that is no longer running: 128 + signal where one ended it, 127 where the program could not be run.
  [[nodiscard]] int exit_code() const { return exit_code_; }

 private:
  pid_t pid_;  // 0: it has ended
  int exit_code_ = 0;
};

/// Whether the program is in PATH.
[[nodiscard]] bool is_installed(const std::string& program);

}  // namespace linchpin::app
