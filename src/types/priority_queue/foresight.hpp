// Which polls and peeks of a priority queue that are due soon can still be done in time, by what is inside.
//
// What is in the way of an entry has to leave before it, by polls that return these values and were called before the
// one in question returned. So a poll is too late where each entry that it may take, inside or inserted by then, has
// more of some value in its way than there are such polls. That polls have to take something themselves, and that more
// comes in, would make it only worse: what is hopeless here leads nowhere. Cost: O(due times what is inside) at worst;
// mostly the first entry of the value is in reach. Tests: priority_queue_entries_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/priority_queue/entries_reading.hpp"

namespace linchpin::types::priority_queue {

class Foresight {
 public:
  /// Both outlive it.
  Foresight(const history::Subhistory& part, const EntryActs& acts)
      : part_(part), acts_(acts), polls_(acts.values()), needed_(acts.values()) {}

  /// Notes what is called and due after the event of that rank.
  void look(history::Rank moment) {
    ahead_.clear();
    std::size_t due = 0;
    for (history::Rank rank = moment + 1; rank < part_.ranks() && ahead_.size() < kEvents && due < kDue; ++rank) {
      const history::Event event = part_.events()[rank];
      const std::uint32_t x = event.operation();
      if (acts_.needless(x)) continue;
      if (!event.is_response()) {
        ahead_.push_back({.operation = x, .responds = false});
      } else if (takes_or_sees(acts_[x].kind)) {
        ahead_.push_back({.operation = x, .responds = true});
        ++due;
      }
    }
  }

  /// What is inside, for one question. It stays there until it is answered.
  void begin(std::span<const Entry> inside) {
    inside_ = inside;
    polls_.reset();
    any_ = 0;
    inserts_.clear();
  }
  /// An operation that is open, or called later, and not done.
  void comes(std::uint32_t x) {
    switch (acts_[x].kind) {
      case EntryAct::Kind::poll: polls_.increment(acts_[x].value); break;
      case EntryAct::Kind::poll_any: ++any_; break;
      case EntryAct::Kind::insert: inserts_.push_back(x); break;
      default: break;
    }
  }
  /// Whether something is too late. `done(x)`: it need not be done; `in_the_way(other, entry)`: has to leave before it.
  template <class Done, class InTheWay>
  [[nodiscard]] bool hopeless(Done&& done, InTheWay&& in_the_way, std::uint64_t& steps) {
    for (const auto& [x, responds] : ahead_) {
      if (!responds) {
        comes(x);
      } else if (!done(x)) {
        steps += 1 + inside_.size() / 16;
        if (!in_time(acts_[x], in_the_way)) return true;
      }
    }
    return false;
  }

 private:
  using Kind = EntryAct::Kind;
  static constexpr std::size_t kEvents = 96;
  static constexpr std::size_t kDue = 16;  // polls and peeks

  /// A number for each value. Cost: of those that are not 0.
  class Counts {
   public:
    explicit Counts(std::size_t values) : count_(values, 0) {}
    [[nodiscard]] std::uint32_t operator[](std::uint32_t value) const { return count_[value]; }
    std::uint32_t increment(std::uint32_t value) {
      if (count_[value] == 0) counted_.push_back(value);
      return ++count_[value];
    }
    void reset() {
      for (const std::uint32_t value : counted_) count_[value] = 0;
      counted_.clear();
    }

   private:
    std::vector<std::uint32_t> count_, counted_;
  };
  struct Ahead {
    std::uint32_t operation;
    bool responds;
  };

  [[nodiscard]] static bool takes_or_sees(Kind kind) { return kind == Kind::poll || kind == Kind::peek; }

  template <class InTheWay>
  [[nodiscard]] bool in_time(const EntryAct& act, InTheWay&& in_the_way) {
    own_ = act.kind == Kind::poll ? act.value : kNone;  // it takes the entry, not what is in its way
    const std::uint32_t reached = acts_.total() ? blocked_priority() : kNone;
    const auto can_leave = [&](const Entry& entry) {
      if (entry.value != act.value || entry.priority > reached) return false;
      return (acts_.total() && entry.priority < reached) || clears(entry, in_the_way);
    };
    bool found = false;
    for (std::size_t k = 0; k < inside_.size() && !found && inside_[k].priority <= reached; ++k) {
      found = can_leave(inside_[k]);
    }
    for (std::size_t k = 0; k < inserts_.size() && !found; ++k) {
      const EntryAct& put = acts_[inserts_[k]];
      found = can_leave({put.priority, put.value, put.earliest, put.earliest + 1});
    }
    return found;
  }
  /// In a total order, the priority of the first entry that, with all before it, is more than the polls can take.
  [[nodiscard]] std::uint32_t blocked_priority() {
    begin_count();
    for (const Entry& entry : inside_) {
      if (!count(entry)) return entry.priority;
    }
    return kNone;
  }
  /// Whether the polls can take what is in the way of the entry.
  template <class InTheWay>
  [[nodiscard]] bool clears(const Entry& entry, InTheWay&& in_the_way) {
    begin_count();
    for (const Entry& other : inside_) {
      if (other.priority > entry.priority) break;
      if (!(other == entry) && in_the_way(other, entry) && !count(other)) return false;
    }
    return true;
  }
  void begin_count() {
    needed_.reset();
    over_ = 0;
  }
  /// One more has to leave; false: that is too many.
  [[nodiscard]] bool count(const Entry& entry) {
    const std::uint32_t polls = polls_[entry.value] - (entry.value == own_ ? 1 : 0);
    return needed_.increment(entry.value) <= polls || ++over_ <= any_;
  }

  const history::Subhistory& part_;
  const EntryActs& acts_;
  std::vector<Ahead> ahead_;
  std::span<const Entry> inside_;
  Counts polls_;
  std::uint32_t any_ = 0;               // polls that take whatever it is
  std::vector<std::uint32_t> inserts_;  // operations
  std::uint32_t own_ = kNone;           // the value of the poll that is looked at
  Counts needed_;
  std::uint32_t over_ = 0;
};

}  // namespace linchpin::types::priority_queue
