// Lists only grow. So a read has to show what transactions that had returned before it was called appended, or left
// behind what they read themselves; and it can show an element only as often as transactions appended it that were
// called before it returned.
//
// Each is about one key, and mostly one element of it: the others are erased, and what is left is the core. What passes
// is left to the search. Cost: O(n + the lists), times the different elements of a key where these are many. Source:
// own. Compare: lengths.cpp. Tests: list_append_lengths_test.cpp.
#include "types/list_append/lengths_conflicts.hpp"

#include <algorithm>
#include <memory>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "types/in_sessions.hpp"
#include "types/list_append/specification.hpp"
#include "types/times.hpp"

namespace linchpin::types::list_append {

namespace {

/// An element of a key.
struct Element {
  Value value;
  std::vector<std::uint32_t> places;  // in the longest list, ascending
  std::vector<Local> called;          // transactions that append it, once for each time; by call
  std::vector<Local> returned;        // of them, so far, by response
};

struct Key {
  std::vector<Element> elements;
  absl::flat_hash_map<std::uint64_t, std::size_t> number;  // by the element's bits
  std::optional<Local> longest;                            // of what returned so far, what left most behind
  std::uint32_t left = 0;                                  // so much

  Element& of(Value value) {
    const auto [at, is_new] = number.try_emplace(value.bits(), elements.size());
    if (is_new) elements.push_back({.value = value, .places = {}, .called = {}, .returned = {}});
    return elements[at->second];
  }
};

class Conflicts {
 public:
  Conflicts(const history::Subhistory& part, Transactions& all) : part_(part), all_(all), keys_(all.longest.size()) {
    for (std::uint32_t key = 0; key < keys_.size(); ++key) {
      for (std::uint32_t place = 0; place < all.longest[key].size(); ++place) {
        keys_[key].of(all.longest[key][place]).places.push_back(place);
      }
    }
    for (Local x = 0; x < part.size(); ++x) {
      each_append(x, [&](const Touch& touch, Value value) { keys_[touch.key].of(value).called.push_back(x); });
    }
  }

  void find() {
    for (const history::Event event : part_.events()) {
      const Local x = event.operation();
      for (const Touch& touch : all_.of(x)) {
        if (event.is_response()) {
          returns(x, touch);
        } else if (touch.need != kUntold && !part_.pending(x)) {
          if (too_short(x, touch) || too_long(x, touch)) return;
        }
      }
      if (!event.is_response()) continue;
      each_append(x, [&](const Touch& touch, Value value) { keys_[touch.key].of(value).returned.push_back(x); });
    }
  }

 private:
  template <class Visit>
  void each_append(Local x, Visit&& visit) const {
    for (const Touch& touch : all_.of(x)) {
      for (std::uint32_t at = 0; at < touch.adds; ++at) visit(touch, all_.values[touch.first + at]);
    }
  }
  [[nodiscard]] std::string described(Local x) const { return part_.history->describe(part_.operation[x]); }
  [[nodiscard]] std::string text(Value value) const { return part_.history->pool().to_text(value); }

  void returns(Local x, const Touch& touch) {
    Key& key = keys_[touch.key];
    if (touch.need == kUntold || (key.longest && key.left >= touch.need + touch.adds)) return;
    key.longest = x;
    key.left = touch.need + touch.adds;
  }

  /// Whether it shows less than what had to be there when it was called.
  bool too_short(Local x, const Touch& touch) {
    const Key& key = keys_[touch.key];
    const std::string name = text(all_.keys[touch.key]);
    if (key.longest && key.left > touch.need) {
      never({*key.longest, x}, x,
            fmt::format("{} read {} elements of {}, but {} had returned before it was called, and left {} there",
                        described(x), touch.need, name, described(*key.longest), key.left));
      return true;
    }
    for (const Element& element : key.elements) {
      const std::size_t shown = shown_in(element, touch.need);
      if (element.returned.size() <= shown) continue;
      std::vector<Local> core(element.returned.begin(),
                              element.returned.begin() + static_cast<std::ptrdiff_t>(shown) + 1);
      const Local first = core.front();
      core.push_back(x);
      std::string sentence =
          shown == 0 ? fmt::format("{} does not see {} in {}, which {} had appended before it was called", described(x),
                                   text(element.value), name, described(first))
                     : fmt::format("{} saw {} {} in {}, but it had been appended {} before the call", described(x),
                                   text(element.value), times(shown), name, times(element.returned.size()));
      never(std::move(core), x, std::move(sentence));
      return true;
    }
    return false;
  }

  /// Whether it shows an element more often than it can have been appended.
  bool too_long(Local x, const Touch& touch) {
    for (const Element& element : keys_[touch.key].elements) {
      const std::size_t shown = shown_in(element, touch.need);
      if (shown == 0) continue;
      const auto end = std::partition_point(element.called.begin(), element.called.end(),
                                            [&](Local y) { return part_.call[y] < part_.response[x]; });
      std::vector<Local> core(element.called.begin(), end);
      core.erase(std::remove(core.begin(), core.end(), x), core.end());
      if (core.size() >= shown) continue;
      const std::size_t appended = core.size();
      core.push_back(x);
      const std::string name = text(all_.keys[touch.key]);
      std::string sentence = appended == 0
                                 ? fmt::format(
                                       "{} saw {} in {}, which no transaction had appended that was called before it "
                                       "returned",
                                       described(x), text(element.value), name)
                                 : fmt::format(
                                       "{} saw {} {} in {}, but it was appended only {} by what was called before it "
                                       "returned",
                                       described(x), text(element.value), times(shown), name, times(appended));
      never(std::move(core), x, std::move(sentence));
      return true;
    }
    return false;
  }

  static std::size_t shown_in(const Element& element, std::uint32_t length) {
    return static_cast<std::size_t>(std::lower_bound(element.places.begin(), element.places.end(), length) -
                                    element.places.begin());
  }

  void never(std::vector<Local> core, Local blocked, std::string sentence) {
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    all_.impossible = std::move(core);
    all_.sentence = std::move(sentence);
    all_.blocked = blocked;
  }

  const history::Subhistory& part_;
  Transactions& all_;
  std::vector<Key> keys_;
};

}  // namespace

void find_length_conflict(const history::Subhistory& part, Transactions& all) {
  if (all.impossible.empty()) Conflicts(part, all).find();
}

core::Outcome impossible(const Transactions& all) {
  return {.verdict = Verdict::violation, .core = all.impossible, .blocked = all.blocked, .sentence = all.sentence};
}

core::Applicability conflicts_applicable(const history::Subhistory& part) {
  if (without_sessions<ListAppend>(*part.specification) == nullptr) return core::not_of_this_type("not list-append");
  auto all = std::make_shared<Transactions>(read_lengths(part));
  const bool searched = sessions_of<ListAppend>(*part.specification) == nullptr && why_not_searched(part, *all).empty();
  if (searched) return {.applies = false, .why = "the search looks for them itself"};
  return {.applies = true, .why = "what was read cannot have been appended so", .reading = std::move(all)};
}

core::Outcome refute_by_conflicts(const history::Subhistory& part, const core::DeciderOptions& options,
                                  core::Budget& budget) {
  const auto all = core::reading_of<Transactions>(part, options, conflicts_applicable);
  if (all == nullptr) return core::not_applicable();
  if (budget.spent_now()) return core::unknown(budget.reason());
  find_length_conflict(part, *all);
  return all->impossible.empty() ? core::not_applicable() : impossible(*all);
}

}  // namespace linchpin::types::list_append
