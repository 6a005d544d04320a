// The types that have automata, for the commands that run them.
#pragma once

#include <memory>
#include <string>

#include "app/options.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

/// The command's TYPE, which is required.
void add_type_with_automata(Command command, std::string& type);

/// Error (bad_option): a history that names the type `said` is to be read as one of the command's TYPE, whose
/// operations would mean something else.
[[nodiscard]] Result<void> check_named_type(TypeName said, const std::string& text);

/// The specification for a command's TYPE; null, after saying why, where it is none or has no automata.
[[nodiscard]] std::shared_ptr<const Specification> type_with_automata(const std::string& text);

}  // namespace linchpin::app
