// Standardisation: from operations as recorded to the standard form in which linearizability-preserving values are
// defined (include/linchpin/framework.hpp).
//
// Three stages, each linear after the one before: `bind` asks the type what every operation does and numbers the
// values; `standardise` matches adds to removes (a value that nobody removes is removed after everything), tightens
// the intervals, and checks that operations that saw nothing inside have a moment for it.
// Source: the paper on decrease and conquer (docs/papers/README.md), section 5, with Lemma 5.1 for the last stage;
// pending operations as in docs/design/pending.md. Tests: standardise_test.cpp, tests/cross/monitors_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "linchpin/framework.hpp"

namespace linchpin::decide {

/// One operation of a container by its ranks. Operations that cannot matter are not there.
struct BoundOperation {
  ActKind kind = ActKind::unclear;
  std::uint32_t local = 0;  ///< in the sub-history
  std::uint32_t value = 0;  ///< dense; kNone for `empty`, and for a pending remove that took an unknown value
  history::Rank call = 0;
  history::Rank response = history::Rank::none();  ///< none: pending

  [[nodiscard]] bool pending() const { return response == history::Rank::none(); }
  [[nodiscard]] bool lost() const { return kind == ActKind::take && value == kNone; }
};

struct BoundHistory {
  const history::Subhistory* part = nullptr;
  std::vector<BoundOperation> operations;  ///< by call
  history::Rank ranks = 0;                 ///< one beyond the last event
  std::uint32_t values = 0;
  bool overwrites = false;  ///< ContainerRules::overwrites

  /// The operations that `keep` wants, with dense ranks.
  template <class Keep>
  [[nodiscard]] BoundHistory only(Keep&& keep) const {
    BoundHistory some{.part = part, .operations = {}, .ranks = 0, .values = values, .overwrites = overwrites};
    for (const BoundOperation& operation : operations) {
      if (keep(operation)) some.operations.push_back(operation);
    }
    some.make_ranks_dense();
    return some;
  }

 private:
  void make_ranks_dense();
};

/// What every operation does; or why a container type's rules do not decide this history.
struct Binding {
  std::string obstacle;  ///< empty: none
  BoundHistory history;
};
[[nodiscard]] Binding bind(const history::Subhistory& part, const ContainerRules& rules);

/// A violation that shows before any value is erased.
struct StandardFault {
  std::vector<std::uint32_t> locals;  ///< not linearizable on their own
  std::string sentence;
};

struct Standardised {
  std::optional<StandardFault> fault;
  std::optional<ContainerHistory> history;  ///< unless there is a fault
  std::vector<std::uint32_t> value_of;      ///< by number in `history`: the dense value
};

/// @pre no operation is lost()
[[nodiscard]] Standardised standardise(const BoundHistory& bound);

}  // namespace linchpin::decide
