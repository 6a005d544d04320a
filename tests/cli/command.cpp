#include "cli/command.hpp"
#include "support/paths.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

namespace linchpin::cli_test {

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = test::source_folder() / "tests" / "cli";

/// A directory of this process, gone when it ends.
const fs::path& scratch() {
  struct Scratch {
    Scratch() {
      std::string pattern = (fs::temp_directory_path() / "linchpin-cli-XXXXXX").string();
      path = mkdtemp(pattern.data());
    }
    ~Scratch() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
    fs::path path;
  };
  static const Scratch directory;
  return directory.path;
}

struct Streams {
  int in = -1;
  int out = -1;
  int error = -1;
};

int open_for_reading(const fs::path& path) { return open(path.c_str(), O_RDONLY | O_CLOEXEC); }
int open_for_writing(const fs::path& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

bool confine(const Confinement& confinement) {
  constexpr uid_t kNobody = 65534;
  if (confinement.nobody && geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) return false;
  if (confinement.address_space == 0) return true;
  const rlimit limit{confinement.address_space, confinement.address_space};
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

/// Starts the command and closes this process's side of the streams.
/// @param largest_file  in bytes
pid_t start(const std::vector<std::string>& arguments, const Streams& streams, const Confinement& confinement = {},
            rlim_t largest_file = RLIM_INFINITY) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{largest_file, largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
    dup2(streams.in, STDIN_FILENO);
    dup2(streams.out, STDOUT_FILENO);
    dup2(streams.error, STDERR_FILENO);
    const std::string binary = (test::binary_folder() / "bin" / "linchpin").string();
    std::vector<char*> words{const_cast<char*>("linchpin")};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    // What the command leaves for its user goes with this process; another user may not write there.
    if (!confinement.nobody) setenv("TMPDIR", scratch().c_str(), 1);
    // Found before it becomes another user, who may not look into the folder of this clone.
    const int program = open_for_reading(binary);
    const bool there = chdir((kFolder / "inputs").c_str()) == 0;
    if (!confine(confinement)) _exit(126);
    if (there) fexecve(program, words.data(), environ);
    _exit(127);
  }
  for (const int stream : {streams.in, streams.out, streams.error}) close(stream);
  return child;
}

int exit_code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Whether the process has begun to take care of the signal, by a thread that waits for it.
bool blocks(pid_t child, int signal) {
  const std::string status = content_of("/proc/" + std::to_string(child) + "/status");
  const std::size_t at = status.find("SigBlk:");
  if (at == std::string::npos) return false;
  return (std::strtoull(status.c_str() + at + 7, nullptr, 16) >> static_cast<unsigned>(signal - 1) & 1U) != 0;
}

/// Whether no thread of the process runs or wants to: one that a busy machine keeps waiting is not asleep.
bool sleeps(pid_t child) {
  std::error_code gone;
  for (const auto& thread : fs::directory_iterator("/proc/" + std::to_string(child) + "/task", gone)) {
    const std::string status = content_of(thread.path() / "status");
    const std::size_t at = status.find("State:\t");
    if (at != std::string::npos && status[at + 7] != 'S') return false;
  }
  return true;
}

/// Returns when the process takes care of the signal and has nothing left to do, or after ten seconds.
void wait_until_it_waits(pid_t child, int signal) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (int asleep = 0; asleep < 10 && std::chrono::steady_clock::now() < end;) {
    asleep = blocks(child, signal) && sleeps(child) ? asleep + 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// The exit code of a child that is killed if it takes too long.
int exit_code_within(pid_t child, std::chrono::seconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Times, memory, temporary paths: what differs from run to run.
std::string normalised(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\d+\.\d+ s\))"), "TIME s)");
  text = std::regex_replace(text, std::regex(R"("seconds":[-+.e0-9]+)"), R"("seconds":0.0)");
  text = std::regex_replace(text, std::regex(R"("peak_bytes":\d+)"), R"("peak_bytes":0)");
  const std::string place = scratch().string();
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at)) {
    text.replace(at, place.size(), "TMP");
  }
  return text;
}

}  // namespace

namespace {

Outcome run(const Confinement& confinement, const std::vector<std::string>& arguments, const std::string& input) {
  const fs::path in = scratch() / "stdin", out = scratch() / "stdout", error = scratch() / "stderr";
  std::ofstream(in, std::ios::binary) << input;
  const pid_t child =
      start(arguments, {open_for_reading(in), open_for_writing(out), open_for_writing(error)}, confinement);
  Outcome outcome;
  outcome.exit_code = exit_code_of(child);
  outcome.out = content_of(out);
  outcome.error = content_of(error);
  return outcome;
}

}  // namespace

Outcome run(const std::vector<std::string>& arguments, const std::string& input) { return run({}, arguments, input); }

Outcome run_confined(const Confinement& confinement, const std::vector<std::string>& arguments) {
  return run(confinement, arguments, "");
}

int run_into(const std::vector<std::string>& arguments, const std::string& path) {
  return exit_code_of(start(
      arguments, {open_for_reading("/dev/null"), open_for_writing(path), open_for_writing(scratch() / "stderr")}));
}

int run_into_closed_pipe(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return -1;
  close(ends[0]);
  return exit_code_of(
      start(arguments, {open_for_reading("/dev/null"), ends[1], open_for_writing(scratch() / "stderr")}));
}

Outcome run_and_interrupt(const std::vector<std::string>& arguments) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const fs::path error = scratch() / "stderr";
  const pid_t child = start(arguments, {open_for_reading("/dev/null"), ends[1], open_for_writing(error)});
  Outcome outcome;
  bool interrupted = false;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    outcome.out.append(buffer.data(), static_cast<std::size_t>(count));
    if (interrupted || outcome.out.find('\n') == std::string::npos) continue;
    kill(child, SIGINT);
    interrupted = true;
  }
  close(ends[0]);
  outcome.exit_code = exit_code_of(child);
  outcome.error = content_of(error);
  return outcome;
}

Outcome run_and_signal(const std::vector<std::string>& arguments, const Signals& signals, const std::string& input) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const fs::path out = scratch() / "stdout", error = scratch() / "stderr";
  const pid_t child = start(arguments, {ends[0], open_for_writing(out), open_for_writing(error)});
  Outcome outcome;
  const bool given = write(ends[1], input.data(), input.size()) == static_cast<ssize_t>(input.size());
  if (!signals.when) wait_until_it_waits(child, signals.signal);
  for (int i = 0; i < 1000 && signals.when && !signals.when(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  for (int time = 0; time < signals.times; ++time) kill(child, given ? signals.signal : SIGKILL);
  outcome.exit_code = exit_code_within(child, std::chrono::seconds(60));
  close(ends[1]);
  outcome.out = content_of(out);
  outcome.error = content_of(error);
  return outcome;
}

Outcome run_with_file_limit(const std::vector<std::string>& arguments, std::size_t bytes) {
  const fs::path out = scratch() / "stdout", error = scratch() / "stderr";
  const pid_t child =
      start(arguments, {open_for_reading("/dev/null"), open_for_writing(out), open_for_writing(error)}, {}, bytes);
  Outcome outcome;
  outcome.exit_code = exit_code_of(child);
  outcome.out = content_of(out);
  outcome.error = content_of(error);
  return outcome;
}

std::string temporary_folder(const std::string& name) {
  const fs::path path = scratch() / name;
  fs::remove_all(path);
  fs::create_directories(path);
  return path.string();
}

std::string temporary_file(const std::string& name, const std::string& content) {
  const fs::path path = scratch() / name;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
  return path.string();
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string transcript(const std::vector<std::string>& arguments, const std::string& input) {
  const Outcome outcome = run(arguments, input);
  std::string text = "$ linchpin";
  for (const std::string& argument : arguments) {
    text += argument.find(' ') == std::string::npos ? " " + argument : " '" + argument + "'";
  }
  text += "\n" + outcome.out;
  if (!outcome.error.empty()) text += "--- standard error\n" + outcome.error;
  text += "--- exit code " + std::to_string(outcome.exit_code) + "\n";
  return normalised(text);
}

void expect_golden(const std::string& name, const std::vector<std::string>& arguments, const std::string& input) {
  const fs::path path = kFolder / "golden" / (name + ".txt");
  const std::string actual = transcript(arguments, input);
  if (std::getenv("LINCHPIN_BLESS") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  EXPECT_EQ(actual, content_of(path)) << "if the new text is right: ./dev test --bless";
}

}  // namespace linchpin::cli_test
