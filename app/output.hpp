// Writing to standard output and error: colours where they help, nothing that a terminal would obey, and a reader that
// goes away.
#pragma once

#include <string_view>

#include "linchpin/error.hpp"

namespace linchpin::app {

/// Thrown when the reader of our output has gone: the run ends quietly with kBrokenPipe.
struct BrokenPipe {};

/// Writes lines for people to standard output and flushes. Of control characters and the like (base/foreign_text.hpp)
/// only line feeds, tabs and the sequences of `Colours` come through. Names and values must have been through
/// `foreign_text` before, for a line feed in one would begin a line of its own. Throws BrokenPipe; any other failure (a
/// full disk) ends up in `output_failed`.
void print(std::string_view text);
/// The same for programs: formats that have escapes of their own, byte by byte.
void print_for_programs(std::string_view text);
/// Whether something could not be written to standard output.
[[nodiscard]] bool output_failed();

/// Writes to standard error as `print` does; a failure is of no interest.
void print_error(std::string_view text);
/// Of sequences that move the cursor, which only the progress line has.
void print_on_terminal(std::string_view text);
/// The error as people read it, on standard error.
void print_error(const Error& error);

[[nodiscard]] bool is_terminal(int descriptor);

/// Escape sequences, or empty strings where colours are not wanted: the output is no terminal, NO_COLOR is set
/// (https://no-color.org) or TERM is "dumb".
struct Colours {
  std::string_view good, bad, doubtful, strong, faint, plain;
};
[[nodiscard]] const Colours& colours(int descriptor);
/// From now on: "auto" as above, "always" or "never".
void choose_colours(std::string_view when);

}  // namespace linchpin::app
