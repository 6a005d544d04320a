#include "app/output.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/foreign_text.hpp"
#include "explain/shortened.hpp"

namespace linchpin::app {

namespace {

bool failed = false;  // standard output is one a process, and so are these
std::string colours_when = "auto";

bool wants_colour(int descriptor) {
  if (colours_when != "auto") return colours_when == "always";
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  return is_terminal(descriptor) && terminal != nullptr && std::string_view(terminal) != "dumb";
}

constexpr Colours kNone{"", "", "", "", "", ""};
constexpr Colours kAnsi{"\033[32m", "\033[1;31m", "\033[33m", "\033[1m", "\033[2m", "\033[0m"};

std::string for_people(std::string_view text) {
  constexpr std::array kOurs{kAnsi.good, kAnsi.bad, kAnsi.doubtful, kAnsi.strong, kAnsi.faint, kAnsi.plain};
  return base::foreign_lines(text, kOurs);
}

}  // namespace

void print(std::string_view text) { print_for_programs(for_people(text)); }

void print_for_programs(std::string_view text) {
  if (failed) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) throw BrokenPipe();
  failed = true;
  print_error(Error{.code = ErrorCode::io,
                    .source = "-",
                    .message = std::string("cannot write to standard output: ") + std::strerror(errno),
                    .hint = "is the disk full?"});
}

bool output_failed() { return failed; }

void print_error(std::string_view text) { print_on_terminal(for_people(text)); }

void print_on_terminal(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stderr) == text.size()) std::fflush(stderr);
}

void print_error(const Error& error) {
  Error shown = error;
  shown.message = explain::with_short_texts(error.message);
  shown.hint = explain::with_short_texts(error.hint);
  print_error(shown.to_string() + "\n");
}

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

void choose_colours(std::string_view when) { colours_when = when; }

const Colours& colours(int descriptor) { return wants_colour(descriptor) ? kAnsi : kNone; }

}  // namespace linchpin::app
