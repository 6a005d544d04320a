// How schedules are chosen: one small interface, one strategy a file.
//
// The engine asks at each step whose turn it is, and at each choice of a value (what a load sees, who is woken) which
// one. Alternatives are numbered so that 0 is the most ordinary one: the thread that is running goes on, a load sees
// the newest store. A strategy that follows is asked even where there is one alternative only, and told what each step
// has touched. Compare: docs/adr/0011-explore-modules.md.
#pragma once

#include <cstdint>

#include "explore/memory/clock.hpp"
#include "explore/schedule/footprint.hpp"

namespace linchpin::explorer {

/// Where a choice is made.
struct Situation {
  unsigned alternatives;               ///< at least 2; 1 where the strategy follows
  unsigned ordinary;                   ///< the first so many cost nothing; each other one is a deviation
  std::uint64_t here;                  ///< the same number at the same place of the same schedule
  std::uint8_t threads[kMostThreads];  ///< of a choice of a thread: which one each alternative is
  bool value;                          ///< a choice of a value, not of a thread
  // Of a choice of a thread, for strategies that follow.
  unsigned able;  ///< the first so many; the others would stop waiting since their time has come
  bool within;    ///< the first is running, and its operation has begun
  std::uint32_t
      elements[kMostThreads];  ///< of each: how many operations it took before this one, or steps if it has none
};

class Strategy {
 public:
  /// Instead of an alternative: the rest of this schedule is of no use.
  static constexpr unsigned kStop = UINT32_MAX;

  explicit Strategy(bool follows = false) : follows_(follows) {}
  virtual ~Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  /// Before each schedule. False: there are no more.
  virtual bool begin() = 0;
  /// One of the alternatives.
  virtual unsigned choose(const Situation& situation) = 0;
  /// A value that the engine finds by looking at the thread, from `least` on; each below `alternatives` would do. What
  /// was settled once is settled when the schedule comes by again: the engine need not find the same.
  virtual unsigned settle(unsigned least, unsigned alternatives, std::uint64_t here) {
    if (alternatives - least < 2) return least;
    Situation situation;
    situation.value = true;
    situation.alternatives = situation.ordinary = alternatives - least;
    situation.here = here;
    return least + choose(situation);
  }
  /// Whether a thread that looks in vain may give way without being preempted: where preemptions are not counted, that
  /// would only be the same again.
  [[nodiscard]] virtual bool asks_who_spins() const { return true; }
  /// The place at which a schedule did not repeat an earlier one as it should have; 0: none did.
  [[nodiscard]] virtual std::uint32_t surprise() const { return 0; }

  // Of strategies that follow.
  [[nodiscard]] bool follows() const { return follows_; }
  /// The step of the thread that was chosen last is over, and this is what it has touched.
  virtual void stepped(const Footprint& /*footprint*/) {}
  /// The schedule is over, and this thread still waits; to go on, it would have touched this.
  virtual void waits(unsigned /*thread*/, const Footprint& /*footprint*/) {}
  /// What footprints do not show has decided what a thread does.
  virtual void lose_track() {}

 private:
  bool follows_;
};

}  // namespace linchpin::explorer
