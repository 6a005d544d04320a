// Refutes a history by one key: its operations, with those that concern all keys.
//
// Idea: `clear` and `size` keep a map from being decided key by key. But where a type is closed under erasing all
// operations of a key, what remains of a linearizable history is linearizable, and so it is if the operations are
// dropped, too, that could feel the missing keys (`size -> 3`), as long as these change nothing. What remains of one
// key is decided fast, since its states are few.
// Of the operations that concern all keys, those count that overlap the time of the key. Those called later are left
// out with all that came later: prefixes of linearizable histories are linearizable. Those that returned before the
// first operation of the key was called find the initial state, and leave it as it is: this is tried.
// Cost: a search a key, of so many steps an operation at most; the operations that concern all are looked at once for
// each key whose time they overlap, altogether not more often than kMostLooks times as many as there are operations.
// Source: own; closed under erasing: docs/design/search.md, evidence. Tests: tests/cross/projections_test.cpp.
#include "decide/projections.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "decide/at_first.hpp"
#include "decide/choose.hpp"
#include "history/subhistory.hpp"

namespace linchpin::decide {

namespace {

using Local = std::uint32_t;
using Locals = std::vector<Local>;
using history::Rank;

constexpr std::uint64_t kMostLooks = 64;
constexpr std::uint64_t kStepsEach = 256;
constexpr std::uint64_t kStepsAtLeast = 4096;
constexpr std::size_t kSmallCore = 64;

/// The operations of a part, by key.
struct Keys {
  bool readable = true;        ///< no operation changes something and feels missing keys
  std::vector<Locals> of_key;  ///< each ascending
  Locals of_all;               ///< that concern all keys and may stay, by call
};

Keys read_keys(const history::Subhistory& part, AtFirst& at_first) {
  Keys keys;
  const Specification& specification = *part.specification;
  absl::flat_hash_map<std::uint64_t, std::size_t> number;
  for (Local x = 0; x < part.size(); ++x) {
    const Operation operation = part.view(x);
    const bool pure = specification.pure(operation);
    if (!part.pending(x) && specification.sensitive(operation)) {
      keys.readable = keys.readable && pure;
      continue;
    }
    if (const std::optional<Value> value = specification.erasable(operation)) {
      const auto [entry, fresh] = number.try_emplace(value->bits(), keys.of_key.size());
      if (fresh) keys.of_key.emplace_back();
      keys.of_key[entry->second].push_back(x);
    } else if (!part.pending(x) || !pure) {
      keys.readable = keys.readable && (pure || at_first.keeps(x));
      keys.of_all.push_back(x);
    }
    if (!keys.readable) return keys;
  }
  std::sort(keys.of_all.begin(), keys.of_all.end(), [&](Local a, Local b) { return part.call[a] < part.call[b]; });
  return keys;
}

class Projections {
 public:
  Projections(const history::Subhistory& part, core::Budget& budget)
      : part_(part), budget_(budget), at_first_(part), keys_(read_keys(part, at_first_)) {
    for (const Local x : keys_.of_all) latest_.push_back(std::max(latest_.empty() ? 0 : latest_.back(), end_of(x)));
  }

  core::Outcome refute_one() {
    if (!keys_.readable || keys_.of_key.size() < 2) return core::not_applicable();
    for (const bool late : {false, true}) {
      for (const Locals& of_key : keys_.of_key) {
        if (budget_.spent_now() || looks_ > kMostLooks * part_.size()) return core::not_applicable();
        if (core::Outcome outcome = refute_key(of_key, late); outcome.verdict == Verdict::violation) return outcome;
      }
    }
    return core::not_applicable();
  }

 private:
  [[nodiscard]] Rank end_of(Local x) const { return part_.pending(x) ? part_.ranks() : part_.response[x]; }

  /// At first without the operations that only look after all that changes the key, which may be long after;
  /// `late`: with them, where there are any.
  core::Outcome refute_key(const Locals& of_key, bool late) {
    Rank begin = part_.ranks();
    Rank last = 0;
    for (const Local x : of_key) {
      if (pure(x)) continue;
      begin = std::min(begin, part_.call[x]);
      last = std::max(last, end_of(x));
    }
    Locals kept;
    bool any_late = false;
    for (const Local x : of_key) {
      if (part_.pending(x) && pure(x)) continue;
      if (end_of(x) <= begin) {
        if (!at_first_.legal(x)) return {.verdict = Verdict::violation, .core = {x}};
      } else if (part_.call[x] < last) {
        kept.push_back(x);
      } else {
        any_late = true;
        if (late) kept.push_back(x);
      }
    }
    if (kept.empty() || (late && !any_late)) return core::not_applicable();
    for (const Local x : kept) last = std::max(last, end_of(x));
    const auto from =
        static_cast<std::size_t>(std::upper_bound(latest_.begin(), latest_.end(), begin) - latest_.begin());
    for (std::size_t at = from; at < keys_.of_all.size() && part_.call[keys_.of_all[at]] < last; ++at, ++looks_) {
      if (end_of(keys_.of_all[at]) > begin) kept.push_back(keys_.of_all[at]);
    }
    std::sort(kept.begin(), kept.end());
    looks_ += kept.size();
    return refute_projection(kept, last);
  }

  [[nodiscard]] bool pure(Local x) const { return part_.specification->pure(part_.view(x)); }

  /// By the operations `kept`, up to the rank `last` of the part.
  core::Outcome refute_projection(const Locals& kept, Rank last) const {
    history::Subhistory all = history::restrict(part_, kept);
    // The responses of what concerns all keys may lie behind the last one of the key.
    Rank end = all.ranks();
    for (; end > 0; --end) {
      const history::Event event = all.events()[end - 1];
      const Local x = kept[event.operation()];
      if ((event.is_response() ? part_.response[x] : part_.call[x]) <= last) break;
    }
    const history::Subhistory projection = end < all.ranks() ? history::prefix(all, end) : std::move(all);
    Refutation refutation = refute(projection, kStepsEach * projection.size() + kStepsAtLeast, budget_);
    if (!refutation.refuted) return core::not_applicable();
    return {.verdict = Verdict::violation, .core = core_of(kept, refutation.outcome)};
  }

  /// The refuted operations. If they are many, all that concern all keys and were called by then are among them: then
  /// the core came about by dropping keys, and is made smaller like one of a search.
  [[nodiscard]] Locals core_of(const Locals& kept, const core::Outcome& outcome) const {
    Locals core;
    if (!outcome.core.empty()) {
      for (const Local x : outcome.core) core.push_back(kept[x]);
      return core;
    }
    const Rank blocked = outcome.blocked ? end_of(kept[*outcome.blocked]) : part_.ranks();
    // What only looks, and had not returned by then, says nothing.
    for (const Local x : kept) {
      if (part_.call[x] < blocked && (end_of(x) <= blocked || !pure(x))) core.push_back(x);
    }
    if (core.size() <= kSmallCore) return core;
    for (const Local x : keys_.of_all) {
      if (part_.call[x] < blocked) core.push_back(x);
    }
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
    return core;
  }

  const history::Subhistory& part_;
  core::Budget& budget_;
  AtFirst at_first_;
  Keys keys_;
  std::vector<Rank> latest_;  // by position in of_all: the last response so far
  std::uint64_t looks_ = 0;
};

core::Applicability has_erasable_keys(const history::Subhistory& part) {
  if (!part.specification->has_keys() || !part.specification->has_erasable_values()) {
    return core::not_of_this_type("the type has no keys that can be left out");
  }
  return {.applies = true, .why = "the operations of a key are refuted, with those that concern all keys"};
}

core::Outcome refute_by_one_key(const history::Subhistory& part, const core::DeciderOptions& /*options*/,
                                core::Budget& budget) {
  return Projections(part, budget).refute_one();
}

constexpr core::Decider kKeyProjections{
    .name = "key-projections",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "bag, set, map",
              .when = "some operations concern all keys (clear, size); refutes, or says nothing",
              .method = "each key is decided with the operations that concern all keys and do not feel the others",
              .cost = "a search a key, of so many steps at most",
              .source = "own: src/decide/projections.cpp"},
    .applicable = has_erasable_keys,
    .at_once = refute_by_one_key};

}  // namespace

const core::Decider& key_projections() { return kKeyProjections; }

}  // namespace linchpin::decide
