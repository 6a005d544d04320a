#include "explain/unordered_start.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "algo/frontier/frontier_search.hpp"
#include "base/none.hpp"
#include "core/data_type.hpp"
#include "decide/choose.hpp"

namespace linchpin::explain {

namespace {

using history::Rank;

constexpr std::uint64_t kStepsAtFirst = 50'000, kStepsAtLast = 1'000'000;  // for a window
constexpr std::uint32_t kFirstWindow = 16;                                 // events before the end
constexpr std::uint32_t kLastWindow = 4096;                                // the same
constexpr std::int64_t kMostInside = 200;                                  // values at the start: nobody reads more
constexpr std::uint32_t kMostValues = 12;  // tried beside the one that could not be placed
constexpr std::uint32_t kMostPaired = 6;   // values of which all pairs are tried, where no one is known

/// What an operation is to a count of values.
struct Counted {
  std::uint32_t value = kNone;  // its number
  std::int32_t change = 0;      // of how many are inside
  bool pure = false;
  bool tells_more = false;  // than the value that it is about, and did happen
};

class UnorderedStart {
  using Values = std::vector<bool>;  // by number: whether it is kept

  /// Some values, and the moments from which the rest may be refuted.
  struct Kept {
    Values values;
    bool all = false;
    std::vector<Rank> moments = {};  // ascending, not before the longest window
  };

 public:
  UnorderedStart(const history::Subhistory& part, TypeName type, const core::DataType& data_type, Rank end,
                 core::Budget& budget)
      : part_(part),
        type_(std::move(type)),
        data_type_(data_type),
        end_(end),
        first_(end.number() > kLastWindow ? Rank(end.number() - kLastWindow) : Rank(0)),
        budget_(budget) {
    absl::flat_hash_map<std::uint64_t, std::uint32_t> number;
    for (std::uint32_t local = 0; local < part.size() && part.call[local] < end; ++local) {
      const Operation operation = part.view(local);
      const bool optional = part.pending(local) && operation.result_unknown();
      Counted counted{.pure = part.specification->pure(operation),
                      .tells_more = !optional && part.specification->sensitive(operation)};
      if (const auto value = part.specification->erasable(operation)) {
        const auto [at, fresh] = number.try_emplace(value->bits(), static_cast<std::uint32_t>(values_.size()));
        if (fresh) {
          values_.push_back(*value);
          before_.push_back(0);
        }
        counted.value = at->second;
        counted.change = counted.pure ? 0 : operation.arguments.empty() ? -1 : 1;
      }
      if (part.response[local] >= first_) {
        late_.push_back(local);
      } else if (counted.value != kNone) {
        before_[counted.value] += counted.change;
      }
      counted_.push_back(counted);
    }
  }

  [[nodiscard]] bool can_be_named() const {
    return std::all_of(values_.begin(), values_.end(), [](Value value) {
      return value.kind() == Value::Kind::integer || value.kind() == Value::Kind::boolean;
    });
  }

  std::optional<LateStart> run(std::uint32_t blocked) {
    std::vector<Kept> all = choices(counted_[blocked].value);
    for (Kept& each : all) find_moments(each);
    std::optional<LateStart> best;
    for (const std::uint64_t steps : {kStepsAtFirst, kStepsAtLast}) {
      for (std::uint32_t window = kFirstWindow; window <= kLastWindow && !best; window *= 2) {
        for (const Kept& each : all) {
          if (budget_.spent_now()) return best;
          std::optional<LateStart> found = look(each, window, steps);
          if (found && (!best || found->locals.size() < best->locals.size())) best = std::move(found);
        }
      }
    }
    return best;
  }

 private:
  /// The value by itself, with another one, with two others, all. Where no one is known: any, any two, all.
  [[nodiscard]] std::vector<Kept> choices(std::uint32_t own) const {
    const auto count = static_cast<std::uint32_t>(values_.size());
    std::vector<Kept> all;
    const auto add = [&](std::initializer_list<std::uint32_t> numbers) {
      Kept kept{.values = Values(count, false)};
      for (const std::uint32_t number : numbers) kept.values[number] = true;
      kept.all = std::find(kept.values.begin(), kept.values.end(), false) == kept.values.end();
      all.push_back(std::move(kept));
    };
    const std::uint32_t few = std::min(count, kMostPaired);
    if (own == kNone) {
      for (std::uint32_t one = 0; one < few; ++one) add({one});
      for (std::uint32_t one = 0; one < few; ++one) {
        for (std::uint32_t other = one + 1; other < few; ++other) add({one, other});
      }
    } else {
      add({own});
      for (std::uint32_t other = 0; other < std::min(count, kMostValues); ++other) {
        if (other != own) add({own, other});
      }
      for (std::uint32_t one = 0; one < few; ++one) {
        for (std::uint32_t other = one + 1; other < few; ++other) {
          if (one != own && other != own) add({own, one, other});
        }
      }
    }
    if (!all.empty() && !all.back().all) all.push_back({.values = Values(count, true), .all = true});
    return all;
  }

  [[nodiscard]] static bool is_left_out(const Counted& each, const Values& kept) {
    return each.value != kNone && !kept[each.value];
  }

  /// Where the values inside are counted, and what is open tells nothing else.
  void find_moments(Kept& kept) const {
    std::vector<std::int64_t> inside(values_.size(), 0);
    std::uint32_t negative = 0, telling = 0;
    for (Rank rank = 0; rank < end_; ++rank) {
      const bool moment = rank > 0 && rank >= first_ && negative == 0 && telling == 0;
      if (moment && algo::tick(part_, rank - 1) < algo::tick(part_, rank)) kept.moments.push_back(rank);
      const history::Event event = part_.events()[rank];
      const Counted& each = counted_[event.operation()];
      if (each.pure || is_left_out(each, kept.values)) continue;
      if (!event.is_response()) {
        telling += each.tells_more ? 1 : 0;
        continue;
      }
      if (each.tells_more || each.value == kNone) return;  // from here on nobody knows what is inside
      std::int64_t& count = inside[each.value];
      negative -= count < 0 ? 1 : 0;
      count += each.change;
      negative += count < 0 ? 1 : 0;
    }
  }

  /// The last moment that refutes the rest, if one does about so many events before the end.
  [[nodiscard]] std::optional<LateStart> look(const Kept& kept, std::uint32_t window, std::uint64_t steps) {
    const auto place = [&](std::uint32_t events) {  // of the last moment so far back; none: of the first one
      const Rank from = end_.number() > events ? Rank(end_.number() - events) : Rank(0);
      const auto at = std::upper_bound(kept.moments.begin(), kept.moments.end(), from);
      return at == kept.moments.begin() ? 0 : static_cast<std::size_t>(at - kept.moments.begin()) - 1;
    };
    if (kept.moments.empty()) return std::nullopt;
    std::size_t refutes = place(window);
    std::size_t fails = window == kFirstWindow ? kept.moments.size() : place(window / 2);
    if (refutes >= fails || !refuted_at(kept, kept.moments[refutes], steps)) return std::nullopt;
    while (refutes + 1 < fails && !budget_.spent_now()) {
      const std::size_t middle = refutes + (fails - refutes) / 2;
      (refuted_at(kept, kept.moments[middle], steps) ? refutes : fails) = middle;
    }
    return start_at(kept, kept.moments[refutes]);
  }

  bool refuted_at(const Kept& kept, Rank rank, std::uint64_t steps) {
    const std::optional<LateStart> start = start_at(kept, rank);
    if (!start) return false;
    history::Subhistory sub = history::restrict(part_, start->locals);
    sub.specification = start->from.get();
    Rank events = 0;
    for (const std::uint32_t local : start->locals) {
      events += (part_.call[local] < end_ ? 1U : 0U) + (part_.response[local] < end_ ? 1U : 0U);
    }
    return decide::refute(history::prefix(sub, events), steps, budget_).refuted;
  }

  /// Nothing where it cannot be named.
  [[nodiscard]] std::optional<LateStart> start_at(const Kept& kept, Rank rank) const {
    LateStart start{.tick = algo::tick(part_, rank), .locals = {}, .end = end_, .from = nullptr, .state = {}};
    std::vector<std::int64_t> inside = before_;
    for (const std::uint32_t local : late_) {
      const Counted& each = counted_[local];
      if (is_left_out(each, kept.values)) continue;
      if (part_.response[local] < rank) {
        if (!each.pure) inside[each.value] += each.change;
        continue;
      }
      if (each.tells_more && !kept.all) {
        if (!each.pure) return std::nullopt;
        continue;
      }
      if (!each.pure || part_.call[local] >= rank) start.locals.push_back(local);
    }
    std::int64_t total = 0;
    std::string list;
    for (std::uint32_t value = 0; value < inside.size(); ++value) {
      if (!kept.values[value]) continue;
      if ((total += inside[value]) > kMostInside) return std::nullopt;
      for (std::int64_t k = 0; k < inside[value]; ++k) {
        list.append(list.empty() ? "" : ",").append(part_.history->pool().to_text(values_[value]));
      }
    }
    TypeName type = type_;
    type.options.emplace_back(data_type_.unordered_option, "[" + list + "]");
    auto made = data_type_.make(type);
    if (!made) return std::nullopt;
    const auto states = (*made)->make_states();
    start.state = states->describe(states->initial(), part_.history->pool());
    if (!kept.all) start.state += ", other values left out";
    start.from = std::move(*made);
    return start;
  }

  const history::Subhistory& part_;
  const TypeName type_;
  const core::DataType& data_type_;
  const Rank end_;
  const Rank first_;  // moments are looked for from here on
  core::Budget& budget_;
  std::vector<Counted> counted_;      // by local
  std::vector<std::uint32_t> late_;   // locals that return from `first_` on, or never
  std::vector<Value> values_;         // by number
  std::vector<std::int64_t> before_;  // by number: how many are inside at `first_`
};

}  // namespace

std::optional<LateStart> find_unordered_start(const history::Subhistory& part, std::uint32_t blocked,
                                              core::Budget& budget) {
  auto made = core::made_by(*part.specification);
  if (!made || made->data_type->unordered_option.empty() || !made->type.options.empty()) return std::nullopt;
  UnorderedStart starts(part, std::move(made->type), *made->data_type, part.response[blocked] + 1, budget);
  return starts.can_be_named() ? starts.run(blocked) : std::nullopt;
}

}  // namespace linchpin::explain
