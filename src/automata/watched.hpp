// Which automata watch the implementations of a data type.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "automata/automaton.hpp"
#include "linchpin/history.hpp"

namespace linchpin::automata {

/// The object whose implementations are explored, and the automata that watch it.
struct Watched {
  TypeName type;
  std::vector<const Automaton*> automata;  ///< at least one; none that accepts what is outside the precondition
  bool priorities = false;                 ///< whether an add has a priority
  bool largest_first = false;              ///< whether larger priorities are better
};

/// Those of the type that are needed to decide, or those of the given names. With ties=any, those that compare values
/// of one priority are left out. Errors: unknown_type, also where the type has no automata; bad_option: an option that
/// the automata do not know, a name that is none of theirs.
[[nodiscard]] Result<Watched> watched(const TypeName& type, std::span<const std::string> names = {});

}  // namespace linchpin::automata
