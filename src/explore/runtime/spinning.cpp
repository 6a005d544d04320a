// Threads that look at the same again and again: which of them wait, so that schedules end, and for how long they need
// not, so that those that give up, or go to sleep, do.
//
// A look is a load, a failing exchange, an attempt to lock, a yield. It is in vain where memory has not changed since
// the thread looked from the same place at the same address. From the fourth on (of yields: from the first) the engine
// compares the thread's own state with what it was at an earlier one.
//
// - The same state: the thread goes round in circles. It waits until memory changes. That loses nothing: its state is
//   its registers and its stack, what it has written elsewhere without a step (of long ago, or beside blocks, each
//   write counts as another state), and the clock; memory is as it was. So whatever follows now could have followed the
//   earlier look, and has been explored there: without the steps of the circle, which changed nothing and began or
//   ended no operation, the history is the same, and there are no more preemptions. Under C++20 the looks of a circle
//   see the newest stores (a look that does not is counted apart, below), so that a second round knows no more than the
//   first one. One that writes as it waits goes round in circles, too (it takes a lock to look, sets and clears a
//   hazard pointer): where memory holds what it held (`contents_`) and no other thread has taken a step since. The
//   schedule without the circle leads to the same, and what others could have done in the middle of it they could do in
//   the earlier one. Under C++20 its stores are newer ones, but of the same values, and tell nobody anything new:
//   whoever could see one of them can see that of the earlier circle. This is looked at as it yields, or after 16 looks
//   by itself.
// - Another state: it counts its looks, say, and may do something else soon. It goes on. Where strategies count
//   preemptions, it may also give way until memory changes, which is none: asked once for each state of memory.
// - So many looks that there is no end in sight (kMostLooks): it waits as well, though its state is another one. That
//   may lose what it would have done after more looks. It is counted (Counts::held_back), and the answer says so. The
//   same goes for one that takes very many steps and writes as it waits (Engine::choose_thread).
//
// Where nobody else can go on, those that wait go on all the same: first those that only gave way, in any order.
// A load that sees an older store (C++20) is counted in the same way. In the same state, it does not see the same one a
// third time: it sees a newer one instead, as it could have earlier, and knew less.
//
// What is found by comparing is settled with the strategy, which replays it (Strategy::settle): a stack also holds what
// nobody will read again, and two states that differ in that only are taken for two. It costs looks, and no outcome.
//
// Cost: nothing for three looks, then the bytes of the thread's stack for each, mostly some hundred.
// Source: the circle is Brent's, An improved Monte Carlo factorization algorithm, BIT 1980: compared with a state that
// is replaced at powers of two. That threads in vain loops may be stopped: fair stateless model checking, Musuvathi and
// Qadeer, PLDI 2008, where it is by yields; and "await" loops, Kokologiannakis, Ren, Vafeiadis, FMCAD 2021.
// Tests: tests/explore/spinning_test.cpp.
#include "explore/runtime/engine.hpp"

#include <bit>
#include <cstring>

// NOLINTBEGIN(performance-no-int-to-ptr): addresses are numbers here, and memory is found by them

namespace linchpin::explorer {

namespace {

constexpr unsigned kSpins = 3;       // looks that cost nothing; from then on states are compared
constexpr unsigned kMostLooks = 32;  // in vain; waits of the standard library go to sleep after 16
constexpr unsigned kLongRound =
    16;                         // looks without another thread's step; from then on, the same for circles that write
constexpr unsigned kOften = 2;  // the same for an older store

// What becomes of a look in vain.
constexpr unsigned kWaits = 0, kGivesWay = 1, kGoesOn = 2;

/// What a function that begins with LINCHPIN_LOOKS_FROM saves right below its frame: rbx and r12 to r15. Its caller's
/// rbp and return address are above.
constexpr std::size_t kSavedRegisters = 5 * sizeof(std::uint64_t);

}  // namespace

std::uint64_t Engine::state_of_current() const {
  const LogicalThread& self = *current_;
  const char* const stack = lenders_[self.id].stack;
  const char* from = static_cast<const char*>(self.frame) - kSavedRegisters;
  // A plain access, whose function saves nothing: no two states are the same. Each look is a step.
  if (self.frame < stack || self.frame >= stack + kStackBytes) return steps_;
  auto hash = static_cast<std::uint64_t>(virtual_time_);
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32U;
  };
  mix(self.private_writes);
  const unsigned written = self.written < LogicalThread::kWritten ? self.written : LogicalThread::kWritten;
  for (unsigned i = 0; i < written; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(self.written_words[i]), sizeof word);
    mix(word);
  }
  mix(written);
  mix(reinterpret_cast<std::uintptr_t>(from));
  for (const char* const end = stack + kStackBytes; from < end; from += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    mix(word);
  }
  return hash;
}

void Engine::note_plain_write(std::uintptr_t address, std::size_t size) {
  LogicalThread& self = *current_;
  const std::uintptr_t word = address & ~std::uintptr_t{7};
  if (!Arena::holds(word) || address + size > word + 8) {
    ++self.private_writes;
    return;
  }
  for (unsigned i = 0; i < self.written && i < LogicalThread::kWritten; ++i) {
    if (self.written_words[i] == word) return;
  }
  if (self.written >= LogicalThread::kWritten) ++self.private_writes;  // what it replaces is compared no longer
  self.written_words[self.written++ % LogicalThread::kWritten] = word;
}

unsigned Engine::settle(unsigned least, unsigned alternatives, std::uintptr_t address, const void* place) {
  const Access look = {.kind = Kind::load, .size = 0, .order = 0, .address = address, .place = place};
  const unsigned settled = strategy_->settle(least, alternatives, fingerprint(look, current_->id) + 2);
  choices_.push(static_cast<std::uint8_t>(settled));
  return settled;
}

bool Engine::watch_version(std::uintptr_t address, const void* place, bool yields, LogicalThread::Watched** found) {
  LogicalThread& self = *current_;
  if (self.watched_version != version_) {
    self.watched_version = version_;
    self.watched = 0;
    self.asked = false;
  }
  unsigned i = 0;
  while (i < self.watched && (self.watched_looks[i].place != place || self.watched_looks[i].address != address)) ++i;
  if (i == LogicalThread::kWatched) return false;
  LogicalThread::Watched& looks = self.watched_looks[i];
  if (i == self.watched) {
    looks = {.place = place, .address = address, .state = 0, .count = 0};
    ++self.watched;
  }
  *found = &looks;
  return ++looks.count >= (yields ? 1 : kSpins);
}

bool Engine::watch_round(LogicalThread::Round& round, unsigned first) {
  const std::uint32_t others = steps_ - current_->steps;
  if (round.count == 0 || round.others != others) round = {.state = 0, .count = 0, .others = others};
  return ++round.count >= first;
}

namespace {

/// Whether the state is the one that was kept, which it replaces at powers of two. The first one is kept.
template <class Kept>
bool came_back(Kept& kept, unsigned first, std::uint64_t state) {
  const bool same = kept.count > first && kept.state == state;
  if (kept.count == first || std::has_single_bit(kept.count)) kept.state = state;
  return same;
}

}  // namespace

void Engine::watch(std::uintptr_t address, const void* place, bool yields) {
  LogicalThread& self = *current_;
  self.frame = looks_from;
  const unsigned first_look = yields ? 1 : kSpins, first_in_round = yields ? 1 : kLongRound;
  LogicalThread::Round& round = yields ? self.yield_round : self.look_round;
  LogicalThread::Watched* looks = nullptr;
  const bool often = watch_version(address, place, yields, &looks);
  const bool long_round = watch_round(round, first_in_round);
  if (!often && !long_round) return;
  const std::uint64_t state = state_of_current();
  const bool same_look = often && came_back(*looks, first_look, state);
  const bool same_round =
      long_round &&
      came_back(round, first_in_round, state ^ contents_ ^ word_at(address, reinterpret_cast<std::uintptr_t>(place)));
  const bool goes_on = !yields && (!often || looks->count == first_look);
  if (goes_on && (!long_round || round.count == first_in_round)) return;
  const bool same = same_look || same_round;
  const bool enough = often && looks->count >= kMostLooks;
  const bool asks = !goes_on && !self.asked && strategy_->asks_who_spins();
  if (!goes_on) self.asked = true;
  const unsigned least = same || enough ? kWaits : asks ? kGivesWay : kGoesOn;
  const unsigned settled = settle(least, least == kWaits ? kWaits + 1 : kGoesOn + 1, address, place);
  if (settled == kGoesOn) return;
  if (settled == kWaits && !same) hold_back();
  self.gives_way = settled == kGivesWay;
  self.watched_version = version_;
  wait_for_change();
}

void Engine::wait_for_change() {
  current_->wait = Wait::change;
  if (following_) strategy_->lose_track();
}

void Engine::hold_back() {
  held_back_ = held_back_ || somebody_else_can_go_on();
  if (following_) strategy_->lose_track();
}

unsigned Engine::release_those_who_spin(Situation& situation) const {
  unsigned count = 0;
  const auto add = [&](bool gave_way) {
    for (unsigned i = 0; i < threads_count_; ++i) {
      const LogicalThread& thread = threads_[i];
      if (thread.done || thread.wait != Wait::change || thread.gives_way != gave_way) continue;
      situation.threads[count++] = static_cast<std::uint8_t>(i);
    }
  };
  add(true);
  if (count > 0) return count;
  add(false);
  if (count < 2) return count;
  situation.threads[0] = situation.threads[steps_ % count];  // in turns: they go round in circles
  return 1;
}

bool Engine::saw_too_often(std::uintptr_t address, const void* place, const Store& store) {
  const LogicalThread& self = *current_;
  for (unsigned i = 0; i < self.older; ++i) {
    const LogicalThread::Older& seen = self.seen_older[i];
    if (seen.place != place || seen.address != address) continue;
    if (seen.thread != store.thread || seen.moment != store.moment || seen.count < kOften) return false;
    const bool same = seen.state == (state_of_current() ^ word_at(0, version_));
    const unsigned least = same || seen.count >= kMostLooks ? kWaits : kGoesOn;
    const unsigned settled = settle(least, least + 1, address, place);
    if (settled == kWaits && !same) hold_back();
    return settled == kWaits;
  }
  return false;
}

void Engine::note_older(std::uintptr_t address, const void* place, const Store& store) {
  LogicalThread& self = *current_;
  self.watched = 0;  // its next reading may be another one without any change
  self.look_round.count = self.yield_round.count = 0;
  unsigned i = 0;
  while (i < self.older && (self.seen_older[i].place != place || self.seen_older[i].address != address)) ++i;
  if (i == LogicalThread::kOlder) return;
  LogicalThread::Older& seen = self.seen_older[i];
  if (i == self.older || seen.thread != store.thread || seen.moment != store.moment) {
    seen = {.place = place, .address = address, .state = 0, .thread = store.thread, .count = 0, .moment = store.moment};
    if (i == self.older) ++self.older;
  }
  ++seen.count;
  if (seen.count == kOften || std::has_single_bit(seen.count)) seen.state = state_of_current() ^ word_at(0, version_);
}

}  // namespace linchpin::explorer

// NOLINTEND(performance-no-int-to-ptr)
