#include "explain/fewer_parts.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "core/data_type.hpp"
#include "decide/choose.hpp"

namespace linchpin::explain {

namespace {

using core::Part;
using history::Rank;

constexpr std::uint64_t kStepsPerDecision = 1'000'000;
constexpr std::size_t kLastReads = 4;

/// A part, and its place among all at first.
struct Numbered {
  Part part;
  std::uint32_t number = 0;
};

/// An operation, and the parts of it that are left.
struct Rest {
  std::uint32_t local = 0;
  std::vector<Numbered> parts;
};
using Rests = std::vector<Rest>;

class PartsShrinker {
 public:
  PartsShrinker(const history::Subhistory& whole, const core::Parts& parts, core::Budget& budget)
      : whole_(whole), parts_(parts), budget_(budget), end_(whole.ranks()) {}

  std::optional<FewerParts> run(std::optional<std::uint32_t> blocked) && {
    if (!read()) return std::nullopt;
    if (blocked) cut(whole_.response[*blocked]);
    bool any = keep_one_key(blocked);
    for (bool changed = true; changed && !budget_.spent_now();) {
      changed = any ? false : drop(by_key);
      changed = start_late() || changed;
      changed = drop_reads() || changed;
      changed = drop(by_value) || changed;
      changed = drop_hidden() || changed;
      any = any || changed;
    }
    if (!best_) return std::nullopt;
    return std::move(best_);
  }

 private:
  using Group = std::pair<std::uint64_t, std::uint64_t>;
  using GroupOf = std::optional<Group> (*)(const Numbered& each);

  static std::optional<Group> by_key(const Numbered& each) { return Group{each.part.key.bits(), 0}; }
  static std::optional<Group> by_value(const Numbered& each) {
    return Group{each.part.key.bits(), each.part.value.bits()};
  }
  static std::optional<Group> by_read(const Numbered& each) {
    return each.part.changes ? std::nullopt : std::optional(Group{each.number, 0});
  }

  bool read() {
    std::uint32_t number = 0;
    for (std::uint32_t local = 0; local < whole_.size(); ++local) {
      auto parts = parts_.of(*whole_.specification, whole_.view(local));
      if (!parts) return false;
      Rest rest{local, {}};
      for (const Part& part : *parts) rest.parts.push_back({part, number++});
      if (!rest.parts.empty()) rests_.push_back(std::move(rest));
    }
    return true;
  }

  /// What happened behind the event of this rank is forgotten, but for what those that are open return: a search counts
  /// on it, and that they took effect so or not at all is true of what happened before.
  void cut(Rank last) {
    if (last >= end_) return;
    end_ = last + 1;
    std::erase_if(rests_, [&](const Rest& rest) { return whole_.call[rest.local] >= end_; });
  }
  [[nodiscard]] bool open_at_end(const Rest& rest) const { return whole_.response[rest.local] >= end_; }
  static void drop_empty(Rests& rests) {
    std::erase_if(rests, [](const Rest& rest) { return rest.parts.empty(); });
  }

  /// What is left, as a history of its own.
  std::optional<FewerParts> build(const Rests& rests) const {
    const History& history = *whole_.history;
    HistoryBuilder builder;
    builder.set_type(history.objects()[whole_.object.number()].type);
    FewerParts made;
    made.from_state = from_state_;
    std::vector<Part> left;
    for (const Rest& rest : rests) {
      const OperationIndex i = whole_.operation[rest.local];
      left.clear();
      for (const Numbered& each : rest.parts) left.push_back(each.part);
      const Value list = parts_.operation_of(left, history.pool(), builder.pool());
      builder.add({.process = kNoProcess,
                   .method = history.method_name(history.method(i)),
                   .arguments = {list},
                   .result = whole_.result(rest.local).is_unknown() ? Value::unknown() : list,
                   .call = history.call(i),
                   .response = open_at_end(rest) ? kPending : history.response(i)});
      made.locals.push_back(rest.local);
    }
    auto built = std::move(builder).build();
    if (!built) return std::nullopt;
    made.history = std::make_shared<const History>(std::move(*built));
    made.part = history::restrict(whole_, made.locals);
    Rank events = 0;
    for (const std::uint32_t local : made.locals) {
      events += 1U + (whole_.response[local] < end_ ? 1U : 0U);
    }
    if (events < made.part.ranks()) made.part = history::prefix(made.part, events);
    made.part.history = made.history.get();
    made.part.object = 0;  // the only one there
    made.part.order = nullptr;
    for (std::uint32_t k = 0; k < made.part.size(); ++k) made.part.operation[k] = OperationIndex(k);
    return made;
  }

  /// If they are refuted on their own, they are kept.
  bool refuted(Rests rests) {
    drop_empty(rests);
    if (rests.empty() || budget_.spent_now()) return false;
    std::optional<FewerParts> made = build(rests);
    if (!made) return false;
    const decide::Refutation refutation = decide::refute(made->part, kStepsPerDecision, budget_);
    if (!refutation.refuted) return false;
    const std::optional<std::uint32_t> blocked =
        refutation.outcome.core.empty() ? refutation.outcome.blocked : std::nullopt;
    const Rank last = blocked ? whole_.response[rests[*blocked].local] : end_;
    rests_ = std::move(rests);
    if (last + 1 < end_) {
      cut(last);
      made = build(rests_);
    }
    best_ = std::move(made);
    return true;
  }

  /// Only the parts for which it holds.
  template <class Holds>
  [[nodiscard]] Rests only(const Holds& holds) const {
    Rests rests = rests_;
    for (Rest& rest : rests) std::erase_if(rest.parts, [&](const Numbered& each) { return !holds(each); });
    return rests;
  }

  [[nodiscard]] std::vector<Group> groups(GroupOf group_of) const {
    std::vector<Group> found;
    absl::flat_hash_set<Group> known;
    for (const Rest& rest : rests_) {
      for (const Numbered& each : rest.parts) {
        const std::optional<Group> group = group_of(each);
        if (group && known.insert(*group).second) found.push_back(*group);
      }
    }
    return found;
  }

  /// The keys of the operation that is stuck come first.
  bool keep_one_key(std::optional<std::uint32_t> blocked) {
    std::vector<Group> keys = groups(by_key);
    if (keys.size() < 2) return false;
    absl::flat_hash_set<Group> first;
    for (const Rest& rest : rests_) {
      if (rest.local != blocked) continue;
      for (const Numbered& each : rest.parts) first.insert(*by_key(each));
    }
    std::stable_partition(keys.begin(), keys.end(), [&](const Group& key) { return first.contains(key); });
    return std::any_of(keys.begin(), keys.end(), [&](const Group& key) {
      return refuted(only([&](const Numbered& each) { return by_key(each) == key; }));
    });
  }

  /// Tries to leave out groups of parts: halves, quarters, ... single groups.
  bool drop(GroupOf group_of) {
    bool any = false;
    std::vector<Group> left = groups(group_of);
    for (std::size_t chunk = std::max<std::size_t>(1, left.size() / 2); left.size() > 1; chunk /= 2) {
      for (std::size_t begin = 0; begin < left.size() && !budget_.spent_now();) {
        const auto first = left.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = left.begin() + static_cast<std::ptrdiff_t>(std::min(begin + chunk, left.size()));
        const absl::flat_hash_set<Group> dropped(first, last);
        const bool done = refuted(only([&](const Numbered& each) {
          const std::optional<Group> group = group_of(each);
          return !group || !dropped.contains(*group);
        }));
        any = any || done;
        if (done) {
          left.erase(first, last);
        } else {
          begin += chunk;
        }
      }
      if (chunk == 1 || budget_.spent_now()) break;
    }
    return any;
  }

  /// One read is mostly enough, and one of the last ones: these are tried first.
  bool drop_reads() {
    const std::vector<Group> reads = groups(by_read);
    for (std::size_t k = 0; k < kLastReads && k < reads.size() && reads.size() > 1; ++k) {
      const Group& one = reads[reads.size() - 1 - k];
      if (refuted(only([&](const Numbered& each) { return each.part.changes || by_read(each) == one; }))) return true;
    }
    return drop(by_read);
  }

  /// Drops transactions of which nothing is left but writes that nobody can have seen: another one wrote the key after
  /// them, before any read of it was called.
  bool drop_hidden() {
    absl::flat_hash_map<std::uint64_t, Rank> read, hidden;  // by key: the first read; who returned before is hidden
    for (const Rest& rest : rests_) {
      for (const Numbered& each : rest.parts) {
        if (each.part.changes) continue;
        Rank& first = read.try_emplace(each.part.key.bits(), history::Rank::none()).first->second;
        first = std::min(first, whole_.call[rest.local]);
      }
    }
    for (const Rest& rest : rests_) {
      if (open_at_end(rest)) continue;
      for (const Numbered& each : rest.parts) {
        const auto first = read.find(each.part.key.bits());
        if (!each.part.changes || (first != read.end() && whole_.response[rest.local] > first->second)) continue;
        Rank& last = hidden[each.part.key.bits()];
        last = std::max(last, whole_.call[rest.local]);
      }
    }
    Rests rests = rests_;
    std::erase_if(rests, [&](const Rest& rest) {
      return std::all_of(rest.parts.begin(), rest.parts.end(), [&](const Numbered& each) {
        const auto last = hidden.find(each.part.key.bits());
        return each.part.changes && last != hidden.end() && whole_.response[rest.local] < last->second;
      });
    });
    return rests.size() < rests_.size() && refuted(std::move(rests));
  }

  /// Drops what came before the last moment from which on there is a violation, whatever the keys hold then.
  bool start_late() {
    if (!parts_.starts_anywhere(*whole_.specification)) return false;
    std::vector<Rank> quiet = {0};
    std::vector<std::pair<Rank, bool>> events;  // and whether it is a response
    for (const Rest& rest : rests_) {
      if (open_at_end(rest)) continue;
      events.emplace_back(whole_.call[rest.local], false);
      events.emplace_back(whole_.response[rest.local], true);
    }
    std::sort(events.begin(), events.end());
    std::size_t open = 0;
    for (const auto& [rank, response] : events) {
      open += response ? ~std::size_t{0} : 1;
      if (open == 0) quiet.push_back(rank + 1);
    }
    // Behind quiet[low] there is a violation, and behind quiet[high] none, or nothing.
    std::size_t low = 0, high = quiet.size() - 1;
    while (low + 1 < high && !budget_.spent_now()) {
      const std::size_t middle = low + (high - low) / 2;
      Rests rests = rests_;
      std::erase_if(rests,
                    [&](const Rest& rest) { return !open_at_end(rest) && whole_.call[rest.local] < quiet[middle]; });
      const bool was = std::exchange(from_state_, true);
      if (refuted(std::move(rests))) {
        low = middle;
      } else {
        from_state_ = was;
        high = middle;
      }
    }
    return low > 0;
  }

  const history::Subhistory& whole_;
  const core::Parts& parts_;
  core::Budget& budget_;
  Rank end_;     // events of the whole from here on have not happened
  Rests rests_;  // ascending; each has a part
  bool from_state_ = false;
  std::optional<FewerParts> best_;
};

}  // namespace

const core::Parts* parts_of(const Specification& specification) {
  const auto made = core::made_by(specification);
  return made ? made->data_type->parts : nullptr;
}

std::optional<FewerParts> with_fewer_parts(const history::Subhistory& part, std::optional<std::uint32_t> blocked,
                                           core::Budget& budget) {
  const core::Parts* const parts = parts_of(*part.specification);
  if (parts == nullptr) return std::nullopt;
  return PartsShrinker(part, *parts, budget).run(blocked);
}

}  // namespace linchpin::explain
