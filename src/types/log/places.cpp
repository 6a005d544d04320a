// Decides append-only log histories whose entries repeat, with places that nobody saw.
//
// As in algo/counting.hpp nothing is appended until an operation returns that needs it. Which append is at a place that
// somebody saw is forced: of those of this entry the open one that returns first, which may change places with any
// other. At a place that nobody saw any open append may be. Of one entry it is again the one that returns first; so the
// search tries entries. The append that is returning comes first: if it is not put there, it has to be at a place where
// its entry was seen, and then such a place must come. What was left of the open appends at an event says all about the
// past, and is not entered twice. Where every choice has failed, the history is a violation; if two moments show it,
// they are the core (narrow_windows.hpp), which are looked for as well where the search takes long.
// Precondition: no put; at most 1,024 appends open at a time, pending ones among them. Cost exponential in these at
// worst; 20,000 operations over five entries, 16 in flight, of which six places in ten were never seen: see
// docs/design/sweep.md. Source: own. Compare: monitor.cpp (nothing to choose), decide/search. Tests:
// log_places_test.cpp.
#include "types/log/places.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include <absl/container/flat_hash_set.h>

#include "algo/frontier/slots.hpp"
#include "base/none.hpp"
#include "types/log/narrow_windows.hpp"
#include "types/log/reading.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using algo::CountRole;
using algo::kNoCount;
using history::Rank;
using history::Subhistory;

constexpr std::uint64_t kEasy = 8;  // steps for each event, before the search looks for a way around

/// A place in a mask for each append.
algo::FixedSlots slots_of(const Subhistory& part, const std::vector<CountRole>& role) {
  return algo::fixed_slots(part, [&](std::uint32_t i) { return role[i] == CountRole::steps; });
}

template <class Mask>
class PlaceSearch final : public core::SearchTask {
 public:
  PlaceSearch(const Subhistory& part, const core::DeciderOptions& options, Reading reading, algo::FixedSlots slots)
      : part_(part),
        options_(options),
        reading_(std::move(reading)),
        slot_(std::move(slots.slot)),
        fits_(slots.used <= Mask::kSlots && reading_.obstacle.empty()) {
    options_.reading = {};
    operations_.part = &part;
    std::sort(reading_.impossible.begin(), reading_.impossible.end());
    if (!fits_ || !reading_.impossible.empty()) return;
    last_place_.assign(operations_.classes, 0);
    for (std::uint32_t place = 0; place < operations_.class_of_step.size(); ++place) {
      last_place_[operations_.class_of_step[place]] = place + 1;
    }
    taken_.assign(part.size(), false);
  }

  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (!fits_) {
      reason_ = Reason::not_applicable;
      return true;
    }
    if (!reading_.impossible.empty()) verdict_ = Verdict::violation;
    for (; verdict_ == Verdict::unknown; --steps) {
      if (steps == 0) return false;
      if (budget.spent() || !may_grow(budget)) {
        reason_ = budget.reason();
        return true;
      }
      if (steps_++ == kEasy * part_.ranks().number()) look_for_window(budget);
      if (verdict_ == Verdict::unknown) advance();
    }
    if (verdict_ == Verdict::violation && reading_.impossible.empty()) look_for_window(budget);
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome;
    outcome.verdict = verdict_;
    if (verdict_ == Verdict::unknown) outcome.reason = reason_;
    if (verdict_ == Verdict::violation) {
      outcome.core = reading_.impossible;
      outcome.sentence = reading_.sentence;
      // What is at a place may have been seen late: no beginning of the history is refuted by itself.
      if (outcome.core.empty()) {
        outcome.core.resize(part_.size());
        std::iota(outcome.core.begin(), outcome.core.end(), 0);
      }
    }
    if (verdict_ == Verdict::linearizable && options_.witness) outcome.witness = witness();
    return outcome;
  }

  [[nodiscard]] std::uint32_t passed() const override { return furthest_.number() / 2; }

 private:
  using Moment = std::pair<Rank, Mask>;  // an event, and the appends that are open and not there yet

  /// What was done, to be undone.
  struct Done {
    std::uint32_t append = 0;
    bool called = false;  // else it was put to the next place
  };
  struct Choice {
    Rank event = 0;
    std::size_t done = 0;               // how many of done_ came before
    std::vector<std::uint32_t> others;  // appends that may be there instead, the last one first
  };

  void flip(std::uint32_t append) { open_ ^= Mask::of(slot_[append]); }
  void call(std::uint32_t append) {
    waiting_.push_back(append);
    flip(append);
    done_.push_back({append, true});
  }
  void put(std::uint32_t append) {
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), append));
    taken_[append] = true;
    flip(append);
    ++count_;
    done_.push_back({append, false});
  }
  void undo(std::size_t until) {
    while (done_.size() > until) {
      const Done last = done_.back();
      done_.pop_back();
      flip(last.append);
      if (last.called) {
        waiting_.erase(std::find(waiting_.begin(), waiting_.end(), last.append));
      } else {
        waiting_.push_back(last.append);
        taken_[last.append] = false;
        --count_;
      }
    }
  }

  [[nodiscard]] bool may_grow(core::Budget& budget) {
    if (entered_.size() < 2 * checked_) return true;
    checked_ = std::max<std::size_t>(entered_.size(), 1024);
    return budget.allows(checked_ * 4 * sizeof(Moment));
  }

  /// What refutes the history in few operations, where there is such.
  void look_for_window(core::Budget& budget) {
    std::optional<Contradiction> found = find_narrow_window(reading_, budget);
    if (!found) return;
    verdict_ = Verdict::violation;
    reading_.impossible = std::move(found->operations);
    reading_.sentence = std::move(found->sentence);
  }

  /// One event, or back to the last choice.
  void advance() {
    if (event_ == part_.ranks()) {
      verdict_ = Verdict::linearizable;
      return;
    }
    furthest_ = std::max(furthest_, event_);
    if (pass(part_.events()[event_])) {
      ++event_;
      return;
    }
    while (!choices_.empty()) {
      Choice& choice = choices_.back();
      undo(choice.done);
      event_ = choice.event;
      if (choice.others.empty()) {
        choices_.pop_back();
        continue;
      }
      const std::uint32_t next = choice.others.back();
      choice.others.pop_back();
      put(next);
      return;
    }
    verdict_ = Verdict::violation;
  }

  /// False: it cannot happen so.
  bool pass(history::Event event) {
    const std::uint32_t i = event.operation(), number = operations_.number[i];
    const CountRole role = operations_.role[i];
    if (!event.is_response()) {
      if (role == CountRole::steps) call(i);
      return (role != CountRole::sees_exactly && role != CountRole::sees_at_most) || count_ <= number;
    }
    switch (role) {
      case CountRole::steps:
        while (!taken_[i]) {
          if (!step(i)) return false;
        }
        return true;
      case CountRole::sees_exactly:
      case CountRole::sees_at_least:
        while (count_ < number) {
          if (!step(kNone)) return false;
        }
        return true;
      default: return true;
    }
  }

  /// Puts an append to the next place; `returning` has to be there by now, if it is somebody.
  bool step(std::uint32_t returning) {
    if (waiting_.empty()) return false;
    const bool behind = count_ >= operations_.class_of_step.size();  // nothing was seen from here on
    const std::uint32_t here = behind ? 0 : operations_.class_of_step[count_];
    if (here != 0) {
      const std::uint32_t first = first_of(here);
      if (first == kNone) return false;
      put(first);
      return true;
    }
    if (behind) {
      put(returning != kNone ? returning : first_of_all());
      return true;
    }
    if (!entered_.insert({event_, open_}).second) return false;
    // One of each entry, the one that returns first.
    std::vector<std::uint32_t> others;
    std::sort(waiting_.begin(), waiting_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return part_.response[a] < part_.response[b]; });
    const bool may_wait = returning == kNone || last_place_[operations_.number[returning]] > count_;
    for (const std::uint32_t append : waiting_) {
      if (append != returning && !may_wait) continue;
      const bool told = tells(append);
      const bool known = std::any_of(others.begin(), others.end(), [&](std::uint32_t other) {
        return operations_.number[other] == operations_.number[append];
      });
      if (!told && !known) others.push_back(append);
    }
    std::reverse(others.begin(), others.end());
    if (others.empty()) return false;
    if (returning != kNone)
      std::stable_partition(others.begin(), others.end(), [&](std::uint32_t a) { return a != returning; });
    const std::uint32_t now = others.back();
    others.pop_back();
    if (!others.empty()) choices_.push_back({event_, done_.size(), std::move(others)});
    put(now);
    return true;
  }

  /// Whether the append says where it is: its class has one place.
  [[nodiscard]] bool tells(std::uint32_t append) const {
    const std::uint32_t place = last_place_[operations_.number[append]];
    return place != 0 && operations_.number[append] != 0 && operations_.pinned_by[place - 1] == append;
  }
  [[nodiscard]] std::uint32_t first_of(std::uint32_t number) const {
    std::uint32_t first = kNone;
    for (const std::uint32_t append : waiting_) {
      if (operations_.number[append] != number) continue;
      if (first == kNone || part_.response[append] < part_.response[first]) first = append;
    }
    return first;
  }
  [[nodiscard]] std::uint32_t first_of_all() const {
    return *std::min_element(waiting_.begin(), waiting_.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return part_.response[a] < part_.response[b]; });
  }

  /// The appends in the order of their places, and each look as soon as the log is as long as it saw.
  [[nodiscard]] std::vector<std::uint32_t> witness() const {
    std::vector<std::uint32_t> order;
    order.reserve(part_.size());
    std::vector<std::uint32_t> entries;
    for (const Done& done : done_) {
      if (!done.called) entries.push_back(done.append);
    }
    // Each place is taken at the last moment: just before the first return that needs it.
    std::vector<std::uint32_t> place(part_.size(), kNoCount);
    for (std::uint32_t k = 0; k < entries.size(); ++k) place[entries[k]] = k;
    std::vector<std::vector<std::uint32_t>> waiting(entries.size() + 1);
    std::vector<bool> looked(part_.size(), false);
    std::uint32_t count = 0;
    const auto look = [&](std::uint32_t i) {
      order.push_back(i);
      looked[i] = true;
    };
    const auto grow = [&](std::uint32_t least) {
      while (count < least) {
        order.push_back(entries[count++]);
        for (const std::uint32_t i : waiting[count]) look(i);
      }
    };
    for (const history::Event event : part_.events()) {
      const std::uint32_t i = event.operation(), number = operations_.number[i];
      const CountRole role = operations_.role[i];
      if (event.is_response()) {
        if (role == CountRole::steps) grow(place[i] + 1);
        if (role == CountRole::sees_exactly || role == CountRole::sees_at_least) {
          if (!looked[i]) grow(number);
        }
        continue;
      }
      switch (role) {
        case CountRole::sees_exactly:
        case CountRole::sees_at_least:
          if (count >= number) {
            look(i);
          } else if (number < waiting.size()) {
            waiting[number].push_back(i);
          }
          break;
        case CountRole::sees_at_most:
        case CountRole::free: look(i); break;
        default: break;
      }
    }
    return order;
  }

  const Subhistory& part_;
  core::DeciderOptions options_;
  Reading reading_;
  algo::CountOperations& operations_ = reading_.operations;
  std::vector<algo::Slot> slot_;  // by append
  bool fits_;
  std::vector<std::uint32_t> last_place_;  // by class: behind the last place where its entry was seen
  std::vector<bool> taken_;                // by append: it is at a place
  std::vector<std::uint32_t> waiting_;     // appends that are open and not there yet
  Mask open_;                              // the same, as a mask
  std::vector<Done> done_;
  std::vector<Choice> choices_;
  absl::flat_hash_set<Moment> entered_;
  std::size_t checked_ = 0;
  std::uint64_t steps_ = 0;
  Rank event_ = 0, furthest_ = 0;
  std::uint32_t count_ = 0;
  Verdict verdict_ = Verdict::unknown;
  Reason reason_ = Reason::none;
};

}  // namespace

core::Applicability places_applicable(const Subhistory& part) {
  if (part.specification->get_if<Log>() == nullptr) return core::not_of_this_type("not a log");
  auto reading = std::make_shared<Reading>(read(part));
  // The monitor has said what stands in the way of both.
  if (!reading->obstacle.empty()) return {.applies = false, .why = {}};
  if (slots_of(part, reading->operations.role).used > algo::kMostOpen) {
    return {.applies = false, .why = algo::kTooManyOpen};
  }
  return {.applies = true,
          .why = "an entry is appended more often than it was seen, and there are places that nobody saw",
          .reading = std::move(reading)};
}

std::unique_ptr<core::SearchTask> start_places(const Subhistory& part, const core::DeciderOptions& options) {
  const auto read_before = options.reading.as<Reading>();
  Reading reading = read_before != nullptr ? std::move(*read_before) : read(part);
  algo::FixedSlots slots = reading.obstacle.empty() ? slots_of(part, reading.operations.role) : algo::FixedSlots();
  return algo::with_slots(
      std::min(slots.used, algo::kMostOpen), [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
        return std::make_unique<PlaceSearch<Mask>>(part, options, std::move(reading), std::move(slots));
      });
}

}  // namespace linchpin::types::log_
