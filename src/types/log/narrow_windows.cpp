// How long the log was at most before an operation was called, and at least when another one had returned, is told by
// what they saw, and by how many appends had been called and had returned. Between two such moments a window of places
// was filled:
//   - where the log had at most `few` entries at first and at least `many` in the end, the places between were filled
//     by appends that overlap the time between. If these are too few, altogether or of an entry that was seen there,
//     the history is a violation;
//   - where it had at least `few` at first and at most `many` in the end, all appends that ran between are at the
//     places between. If these are too many, those that can be where their entry was seen left out, it is one as well.
// What else came before and after does not matter. So the operations that saw the two lengths, with those that saw the
// entries that count and the appends that are too many, are the core. It must not be linearizable by itself: one of
// them saw more entries than there are appends among them.
//
// Of what shows that the log is so long only the earliest counts, of what shows that it is no longer the latest.
// From each the window grows backwards, and what counts is kept up to date: O(1) for each event and each place of it.
// Precondition: no put. Necessary, not sufficient: what one window says of another is not followed.
// Cost: n times the longest window, which is bounded. Source: Hall's condition, of intervals. Compare: places.cpp
// (exact). Tests: log_places_test.cpp.
#include "types/log/narrow_windows.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/none.hpp"

namespace linchpin::types::log_ {

namespace {

using algo::CountOperations;
using algo::CountRole;
using algo::kNoCount;
using history::Rank;
using history::Subhistory;
using Appends = std::vector<std::uint32_t>;

constexpr std::uint32_t kMostPlaces = 256;
constexpr std::uint32_t kMostRanks = 512;
constexpr std::uint64_t kMostSteps = 50'000'000;

/// So many entries were there at most just before the event of the rank, or at least just behind it.
struct KnownLength {
  Rank rank = 0;
  std::uint32_t count = 0;
  std::uint32_t by = kNone;  // who saw it; nobody: so many appends had been called, or had returned
  [[nodiscard]] bool at_first() const { return by == kNone && count == 0; }
};

class WindowSearch {
 public:
  WindowSearch(const Reading& reading, core::Budget& budget)
      : reading_(reading),
        operations_(reading.operations),
        part_(*operations_.part),
        budget_(budget),
        appends_(operations_.classes, 0),
        places_(operations_.classes, 0) {
    find_lengths();
  }

  std::optional<Contradiction> find() {
    Appends open;
    Rank rank = 0;
    std::size_t before = 0;
    for (const KnownLength& least : at_least_) {
      if (least.at_first()) continue;
      if (spent()) break;
      for (; rank < least.rank; ++rank) {
        const std::uint32_t i = part_.events()[rank].operation();
        if (!appends(i)) continue;
        if (part_.events()[rank].is_response()) {
          std::erase(open, i);
        } else {
          open.push_back(i);
        }
      }
      while (before < at_most_.size() && at_most_[before].rank < least.rank) ++before;
      look_for_too_few(least, before, open);
    }
    before = 0;
    for (const KnownLength& most : at_most_) {
      if (spent()) break;
      while (before < at_least_.size() && at_least_[before].rank < most.rank) ++before;
      look_for_too_many(most, before);
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool appends(std::uint32_t i) const { return operations_.role[i] == CountRole::steps; }
  /// The class that fills the place; 0: nobody saw it.
  [[nodiscard]] std::uint32_t class_at(std::uint32_t place) const {
    return place < operations_.class_of_step.size() ? operations_.class_of_step[place] : 0;
  }
  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  [[nodiscard]] bool spent() { return steps_ > kMostSteps || budget_.spent(); }

  /// How long the log was at least when the operation had taken effect, says the operation.
  [[nodiscard]] std::uint32_t least_of(std::uint32_t i) const {
    switch (operations_.role[i]) {
      case CountRole::steps: return told_[i] == kNoCount ? 0 : told_[i] + 1;
      case CountRole::sees_exactly:
      case CountRole::sees_at_least: return operations_.number[i];
      default: return 0;
    }
  }
  [[nodiscard]] std::uint32_t most_of(std::uint32_t i) const {
    switch (operations_.role[i]) {
      case CountRole::steps: return told_[i];
      case CountRole::sees_exactly:
      case CountRole::sees_at_most: return operations_.number[i];
      default: return kNoCount;
    }
  }

  void find_lengths() {
    told_.assign(part_.size(), kNoCount);
    for (std::uint32_t place = 0; place < operations_.pinned_by.size(); ++place) {
      const std::uint32_t by = operations_.pinned_by[place];
      if (by != kNoCount && appends(by)) told_[by] = place;
    }
    const auto most = [&](const KnownLength& length) {
      while (!at_most_.empty() && at_most_.back().count >= length.count) at_most_.pop_back();
      at_most_.push_back(length);
    };
    const auto least = [&](const KnownLength& length) {
      if (length.count > at_least_.back().count) at_least_.push_back(length);
    };
    std::uint32_t called = 0, returned = 0;
    at_most_.push_back({});
    at_least_.push_back({});
    for (Rank rank = 0; rank < part_.ranks(); ++rank) {
      const history::Event event = part_.events()[rank];
      const std::uint32_t i = event.operation();
      if (event.is_response()) {
        least({rank, least_of(i), i});
        if (appends(i)) least({rank, ++returned, kNone});
      } else {
        if (appends(i)) most({rank, called++, kNone});
        if (most_of(i) != kNoCount) most({rank, most_of(i), i});
      }
    }
    most({part_.ranks(), called, kNone});
  }

  void begin() {
    for (const std::uint32_t each : counted_) appends_[each] = places_[each] = 0;
    counted_.clear();
  }
  std::uint32_t& count(std::vector<std::uint32_t>& of, std::uint32_t each) {
    if (appends_[each] == 0 && places_[each] == 0) counted_.push_back(each);
    return ++of[each];
  }

  /// @param before  how many of at_most_ come before
  /// @param open    appends, at that moment
  void look_for_too_few(const KnownLength& least, std::size_t before, const Appends& open) {
    begin();
    std::uint32_t all = 0, lacking = 0;  // appends that overlap the window; entries that have more places than appends
    const auto add = [&](std::uint32_t append) {
      const std::uint32_t each = operations_.number[append];
      ++all;
      if (count(appends_, each) == places_[each] && each != 0) --lacking;
    };
    for (const std::uint32_t append : open) add(append);
    std::uint32_t place = least.count;
    for (Rank rank = least.rank; before-- > 0;) {
      const KnownLength& most = at_most_[before];
      if (most.count >= place) continue;
      if (least.rank - most.rank > kMostRanks) return;
      for (; rank > most.rank + 1; --rank, ++steps_) {
        const history::Event event = part_.events()[rank - 1];
        if (event.is_response() && appends(event.operation())) add(event.operation());
      }
      const std::uint32_t width = least.count - most.count;
      if (width > all) {
        note_too_few(most, least, all);
        return;
      }
      if (width > kMostPlaces) return;
      for (; place > most.count; ++steps_) {
        const std::uint32_t each = class_at(--place);
        if (each != 0 && count(places_, each) == appends_[each] + 1) ++lacking;
      }
      if (lacking > 0) {
        note_lacking(most, least);
        return;
      }
    }
  }

  /// @param before  how many of at_least_ come before
  void look_for_too_many(const KnownLength& most, std::size_t before) {
    begin();
    std::uint32_t more = 0, unseen = 0;  // appends that need a place that nobody saw; such places
    std::uint32_t place = most.count;
    for (Rank rank = most.rank; before-- > 0;) {
      const KnownLength& least = at_least_[before];
      if (most.rank - least.rank > kMostRanks) return;
      for (const Rank from = least.at_first() ? 0 : least.rank + 1; rank > from; --rank, ++steps_) {
        const history::Event event = part_.events()[rank - 1];
        const std::uint32_t i = event.operation();
        if (event.is_response() || !appends(i) || part_.response[i] > most.rank) continue;
        const std::uint32_t each = operations_.number[i];
        if (count(appends_, each) > places_[each]) ++more;
      }
      if (most.count > least.count && most.count - least.count > kMostPlaces) return;
      for (; place > least.count; ++steps_) {
        const std::uint32_t each = class_at(--place);
        if (each == 0) {
          ++unseen;
        } else if (count(places_, each) <= appends_[each]) {
          --more;
        }
      }
      const bool seen = least.by != kNone && most.by != kNone;
      if (least.count > most.count && !seen) continue;  // another window says it better
      if (least.count > most.count || more > unseen) {
        note_too_many(least, most, unseen);
        return;
      }
    }
  }

  void note(const KnownLength& first, const KnownLength& last, std::vector<std::uint32_t> core, std::string sentence) {
    for (const KnownLength* each : {&first, &last}) {
      if (each->by != kNone) core.push_back(each->by);
    }
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    const auto among = std::count_if(core.begin(), core.end(), [&](std::uint32_t i) { return appends(i); });
    const bool by_itself = first.at_first() && last.by != kNone;
    if (!by_itself && std::none_of(core.begin(), core.end(), [&](std::uint32_t i) { return least_of(i) > among; }))
      return;
    const std::uint32_t length = last.rank - first.rank;
    if (found_ && std::pair(found_->operations.size(), length_) <= std::pair(core.size(), length)) return;
    found_ = Contradiction{std::move(core), std::move(sentence)};
    length_ = length;
  }

  void note_too_few(const KnownLength& first, const KnownLength& last, std::uint32_t all) {
    if (last.by == kNone) return;  // more had returned than there were: another window says it better
    if (first.by == kNone) {
      note(first, last, {},
           fmt::format("{} came too early: by its return, the log can have had at most {} entr{}", text(last.by),
                       first.count + all, first.count + all == 1 ? "y" : "ies"));
      return;
    }
    note(first, last, {},
         fmt::format("{} came too early: the log had at most {} entr{} when {} was called, and by the return of {} at "
                     "most {} more can have been appended",
                     text(last.by), first.count, first.count == 1 ? "y" : "ies", text(first.by), text(last.by), all));
  }

  void note_lacking(const KnownLength& first, const KnownLength& last) {
    std::uint32_t lacking = 0;
    for (std::uint32_t place = first.count; place < last.count && lacking == 0; ++place) {
      const std::uint32_t each = class_at(place);
      if (each != 0 && places_[each] > appends_[each]) lacking = each;
    }
    std::vector<std::uint32_t> core;
    Value entry;
    for (std::uint32_t place = first.count; core.size() <= appends_[lacking]; ++place) {
      if (class_at(place) != lacking) continue;
      core.push_back(operations_.pinned_by[place]);
      entry = reading_.entries[place];
    }
    const std::string shown = part_.history->pool().to_text(entry);
    const std::string when =
        fmt::format("while the log grew from at most {} to at least {} entries", first.count, last.count);
    std::string sentence = core.size() == 1
                               ? fmt::format("{} shows {}, of which no append ran {}", text(core[0]), shown, when)
                               : fmt::format("{} places show {}, of which only {} append{} ran {}", core.size(), shown,
                                             core.size() - 1, core.size() == 2 ? "" : "s", when);
    note(first, last, std::move(core), std::move(sentence));
  }

  void note_too_many(const KnownLength& first, const KnownLength& last, std::uint32_t unseen) {
    if (first.count > last.count) {
      note(first, last, {},
           fmt::format("{} came too late: when it was called, {} had shown that the log has at least {} entr{}",
                       text(last.by), text(first.by), first.count, first.count == 1 ? "y" : "ies"));
      return;
    }
    // Those of some entries that are as many as the places that they may be at, and one more.
    const std::uint32_t width = last.count - first.count;
    Appends inside, needy;
    for (std::uint32_t i = 0; i < part_.size() && part_.call[i] < last.rank; ++i) {
      const bool after = first.at_first() || part_.call[i] > first.rank;
      if (!appends(i) || !after || part_.response[i] > last.rank) continue;
      inside.push_back(i);
      const std::uint32_t each = operations_.number[i];
      if (each == 0 || appends_[each] > places_[each]) needy.push_back(i);
    }
    std::uint32_t room = unseen;
    std::vector<std::uint32_t> others;  // who saw that the other places have other entries
    std::vector<bool> counted(operations_.classes, false);
    for (const std::uint32_t i : needy) counted[operations_.number[i]] = true;
    for (std::uint32_t place = first.count; place < last.count; ++place) {
      const std::uint32_t each = class_at(place);
      if (each != 0 && counted[each]) ++room;
      if (each != 0 && !counted[each]) others.push_back(operations_.pinned_by[place]);
    }
    const bool any = inside.size() > width;
    Appends& core = any ? inside : needy;
    core.resize((any ? width : room) + 1);
    const std::size_t ran = core.size();
    if (!any) core.insert(core.end(), others.begin(), others.end());
    if (any && last.by != kNone) {
      std::string since;
      if (first.by != kNone) {
        since = fmt::format("after {} had shown at least {}, ", text(first.by), first.count);
      } else if (!first.at_first()) {
        since = fmt::format("after {} had been appended, ", first.count);
      }
      note(first, last, std::move(core),
           fmt::format("{} came too late: it saw at most {} entr{}, but {}{} append{} ran before it was called",
                       text(last.by), last.count, last.count == 1 ? "y" : "ies", since, ran, ran == 1 ? "" : "s"));
      return;
    }
    std::string sentence = fmt::format("{} append{} ran while the log had at least {} and at most {} entries", ran,
                                       ran == 1 ? "" : "s", first.count, last.count);
    if (width > 0) {
      sentence += fmt::format(", and of the places between {} can be {}",
                              room == 0 ? "none" : fmt::format("only {}", room), ran == 1 ? "its" : "theirs");
    }
    note(first, last, std::move(core), std::move(sentence));
  }

  const Reading& reading_;
  const CountOperations& operations_;
  const Subhistory& part_;
  core::Budget& budget_;
  std::vector<std::uint32_t> told_;              // by append: the place that it tells, or kNoCount
  std::vector<KnownLength> at_most_, at_least_;  // by rank; longer ones later
  std::vector<std::uint32_t> appends_, places_;  // by class, of the window
  std::vector<std::uint32_t> counted_;           // the classes of which there are any
  std::optional<Contradiction> found_;
  std::uint32_t length_ = 0;  // of its window
  std::uint64_t steps_ = 0;
};

}  // namespace

std::optional<Contradiction> find_narrow_window(const Reading& reading, core::Budget& budget) {
  return WindowSearch(reading, budget).find();
}

}  // namespace linchpin::types::log_
