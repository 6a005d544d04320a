// Text that others wrote (names, values, paths, messages that quote them), for people to read.
//
// A name may hold an escape sequence that clears the screen, a mark that turns the rest of the line around, a newline
// that begins a line of its own, or bytes that are no text. What people would not see as what it is comes out byte by
// byte in the notation that native strings have: \n, \t, \r, \x1b. Everything that is written for people goes through
// here; what programs read (JSON, the formats of histories) has escapes of its own.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace linchpin::base {

/// How many bytes at the front of `text` are characters that show as themselves. The rest begins with a byte that
/// belongs to none: a control character, a mark of direction, a line separator, a character that nobody sees (U+200B,
/// U+FEFF, tags), a noncharacter, or no UTF-8.
[[nodiscard]] std::size_t shown_as_themselves(std::string_view text);

/// Appends one byte as an escape.
void append_escape(std::string& out, char byte);

/// On one line, whatever is in it.
[[nodiscard]] std::string foreign_text(std::string_view text);

/// Several lines of our own around foreign text, as the last guard before a terminal: line feeds, tabs and the
/// sequences `ours` (of colours) stay, the rest is as above.
[[nodiscard]] std::string foreign_lines(std::string_view text, std::span<const std::string_view> ours = {});

}  // namespace linchpin::base
