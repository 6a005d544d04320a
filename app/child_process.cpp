#include "app/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace linchpin::app {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// As exec wants them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

TemporaryFolder::TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "linchpin-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr) fail("cannot make " + path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const std::string& log, const std::string& folder,
                           const std::vector<std::string>& environment) {
  const std::vector<char*> pointers = pointers_to(arguments);
  std::vector<std::string> variables = environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view named = text.substr(0, text.find('=') + 1);
    const auto replaces = [named](const std::string& other) { return other.starts_with(named); };
    if (std::none_of(environment.begin(), environment.end(), replaces)) variables.emplace_back(text);
  }
  const std::vector<char*> variable_pointers = pointers_to(variables);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) fail("cannot start " + arguments[0]);
  if (pid_ > 0) return;
  // The child: nothing here may allocate or lock.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);  // this process keeps Ctrl-C for a thread of its own
  setpgid(0, 0);                             // and the terminal sends it to nobody else
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(127);
  execvpe(pointers[0], pointers.data(), variable_pointers.data());
  _exit(127);
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  kill(-pid_, SIGKILL);  // with what it has started; what they know is of no use to anybody
  kill(pid_, SIGKILL);   // its group may not be there yet
  waitpid(pid_, nullptr, 0);
}

void ChildProcess::signal(int number) const {
  if (pid_ <= 0) return;
  if (kill(-pid_, number) != 0) kill(pid_, number);  // its group may not be there yet
}

bool ChildProcess::running() {
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = 0;
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return pid_ > 0;
}

bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (access((std::string(rest.substr(0, end)) + "/" + program).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace linchpin::app
