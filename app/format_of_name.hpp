// Which format the name of an output asks for, so that all commands that write histories understand it alike.
#pragma once

#include <optional>
#include <string>

namespace linchpin::app {

/// "round.bin" asks for "binary"; nothing: the name asks for none.
[[nodiscard]] std::optional<std::string> format_of_name(const std::string& path);

/// The endings that ask for one: ".txt, .jsonl, ...".
[[nodiscard]] std::string endings_of_formats();

}  // namespace linchpin::app
