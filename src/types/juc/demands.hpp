// What operations that return soon need inside, and whether it can be there then.
//
// What is inside when an operation takes effect was inside before, or was put in since: by an operation that is open
// and not done, or is called before that one returns. What was inside keeps its order, and what comes in does so at the
// ends. So where elements are printed, those that were inside stand together, in their order, and the others have to be
// put in at their end. This says something of elements that are put in many times, too; an operation that names only
// elements that are put in once is not looked at.
// Source: own. Used by: contents.cpp. Compare: foresight.hpp (elements that are put in once, over any time).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "history/subhistory.hpp"
#include "types/juc/deeds.hpp"
#include "types/juc/foresight.hpp"

namespace linchpin::types::juc {

class Demands {
 public:
  using Local = std::uint32_t;

  /// @param part, deeds  outlive it
  Demands(const history::Subhistory& part, const Deeds& deeds, const Foresight& foresight);

  /// Looks at the operations that return next, from that rank on, while these are open. Cost: O(operations called by
  /// then, and what they name).
  void look(history::Rank moment, std::span<const Local> changes);

  /// Whether what is inside, with what can still be put in, may be enough for each of them. `done(x)`: an open
  /// operation took effect.
  template <class Done>
  [[nodiscard]] bool can_be_met(const std::vector<Element>& inside, Done&& done) {
    return std::all_of(demands_.begin(), demands_.begin() + static_cast<std::ptrdiff_t>(count_), [&](Demand& demand) {
      if (demand.is_open && done(demand.by)) return true;
      if (is_met_by_what_comes(demand, inside)) return true;
      supply_ = demand.to_come;
      for (const Open& open : demand.open) {
        if (!done(open.by)) ++supply_[open.place];
      }
      return can_be_met(demand, inside);
    });
  }

  /// About how many elements have to come and to leave before x can take effect; 0 where that is not known.
  [[nodiscard]] std::int64_t apart(Local x, const std::vector<Element>& inside) const;

 private:
  static constexpr std::size_t kMost = 8;          // operations that are looked at, of those that can be in want
  static constexpr std::uint32_t kSoon = 64;       // events
  static constexpr std::size_t kMostListed = 256;  // elements of what is printed

  /// An open operation that can put in the element: twice the place in `distinct`, and one more at the front.
  struct Open {
    Local by;
    std::uint32_t place;
  };
  struct Demand {
    Local by = 0;
    bool is_open = false;
    std::vector<Element> distinct;       // that it names, ascending
    std::vector<std::uint32_t> listed;   // places in `distinct`, in the order in which they are printed
    std::vector<std::uint32_t> to_come;  // by twice the place: can be put in at the back; then at the front
    std::vector<Open> open;
    std::vector<Element> scarce;  // where nothing is printed: what nothing to come puts in
    std::size_t enough_from = 0;  // where it is printed: what is to come is enough for the list from there on
  };

  [[nodiscard]] bool asks(Local x, const Foresight& foresight) const;
  /// False: it is never in want, whatever is inside.
  [[nodiscard]] bool look_at(Demand& demand, Local x, history::Rank moment, std::span<const Local> changes);
  [[nodiscard]] bool may_be_in_want(Demand& demand);
  [[nodiscard]] bool is_printed_in_order(const Demand& demand) const {
    return !demand.listed.empty() && deeds_.collection != Collection::heap;
  }
  /// Without what is open; false: perhaps with it.
  [[nodiscard]] bool is_met_by_what_comes(const Demand& demand, const std::vector<Element>& inside) const;
  [[nodiscard]] bool can_be_met(const Demand& demand, const std::vector<Element>& inside);
  [[nodiscard]] bool can_be_printed(const Demand& demand, const std::vector<Element>& inside);
  /// How far what is inside goes in what is printed, from that place on.
  [[nodiscard]] std::size_t printed_until(const Demand& demand, const std::vector<Element>& inside,
                                          std::size_t from) const;
  template <class Visit>
  void each_supply(const Demand& demand, Local adder, Visit&& visit) const;

  const history::Subhistory& part_;
  const Deeds& deeds_;
  std::vector<std::int64_t> told_;  // by operation: how many are inside; -1: it does not tell
  std::vector<Local> asking_;       // by response
  std::vector<Demand> demands_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> supply_, missing_;
};

}  // namespace linchpin::types::juc
