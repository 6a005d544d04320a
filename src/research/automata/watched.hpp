// Which automata watch the implementations of a data type.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linchpin/history.hpp"
#include "research/automata/automaton.hpp"
#include "types/priority_queue/order.hpp"

namespace linchpin::automata {

/// The object whose implementations are explored, and the automata that watch it.
struct Watched {
  TypeName type;
  std::vector<const Automaton*> automata;  ///< at least one; none that accepts what is outside the precondition
  bool priorities = false;                 ///< whether an add has a priority
  types::PriorityOrder order = {};         ///< theirs: of integers, from 1

  /// Whether the first of two priorities is strictly better.
  [[nodiscard]] bool better(unsigned left, unsigned right) const;
  /// The same of `x` and `y`, as an expression of C and of Promela, for priorities from 1 to `most`.
  [[nodiscard]] std::string better_expression(unsigned most) const;
  /// What is wrong with the priorities 1 to `most`; nothing where they are priorities of the order.
  [[nodiscard]] std::optional<Error> priorities_beyond_order(unsigned most) const;
};

/// Those of the type that are needed to decide, or those of the given names, implied ones
/// among them; "covered" stands for covered-1, covered-2 and so on. With ties=any, those that compare values
/// of one priority are left out. Errors: unknown_type, also where the type has no automata; bad_option: an option that
/// the automata do not know, a name that is none of theirs.
[[nodiscard]] Result<Watched> watched(const TypeName& type, std::span<const std::string> names = {});

}  // namespace linchpin::automata
