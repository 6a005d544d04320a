// Runs the built command and compares what it says with golden files.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace linchpin::cli_test {

struct Outcome {
  int exit_code = -1;  ///< 128 + signal where one ended it
  std::string out;
  std::string error;
};

/// Runs the linchpin of this build in tests/cli/inputs with the given arguments (no shell in between).
/// @param input standard input
Outcome run(const std::vector<std::string>& arguments, const std::string& input = "");

/// What a run may not do that this process may.
struct Confinement {
  std::size_t address_space = 0;  ///< bytes, as `ulimit -v` sets; 0: no limit
  bool nobody = false;            ///< where this process is root: another user, whom permissions bind
};
Outcome run_confined(const Confinement& confinement, const std::vector<std::string>& arguments);

/// The exit code when standard output is `path`.
int run_into(const std::vector<std::string>& arguments, const std::string& path);

/// The exit code when standard output is a pipe that nobody reads.
int run_into_closed_pipe(const std::vector<std::string>& arguments);

/// Sends SIGINT as soon as the first line of output is there.
Outcome run_and_interrupt(const std::vector<std::string>& arguments);

struct Signals {
  int signal = 0;
  int times = 1;                    ///< 2: as timeout(1) does
  std::function<bool()> when = {};  ///< sent as soon as it holds; without: when the command waits for more input
};

/// Gives it `input` on standard input, which stays open, and sends the signals. One that has not ended a minute later
/// is killed.
Outcome run_and_signal(const std::vector<std::string>& arguments, const Signals& signals,
                       const std::string& input = "");

/// Where no file may get larger than so many bytes, as on a disk that is full.
Outcome run_with_file_limit(const std::vector<std::string>& arguments, std::size_t bytes);

/// The path of an input that is only made for this run of the tests: its content goes to a temporary file.
std::string temporary_file(const std::string& name, const std::string& content);

/// What is in a file; nothing where there is none.
std::string content_of(const std::string& path);

/// A directory of this name for a test alone, empty.
std::string temporary_folder(const std::string& name);

/// Exit code, standard output and standard error as one text, with times and memory made the same for every run.
std::string transcript(const std::vector<std::string>& arguments, const std::string& input = "");

/// Expects `transcript(arguments)` to be the file tests/cli/golden/NAME.txt. With LINCHPIN_BLESS set it writes the file
/// instead (./dev test --bless), and the reviewer reads the difference.
void expect_golden(const std::string& name, const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace linchpin::cli_test
