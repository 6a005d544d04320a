#include "types/list_append/lengths_reading.hpp"

#include <algorithm>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "algo/frontier/slot_mask.hpp"
#include "history/events.hpp"
#include "types/list_append/specification.hpp"

namespace linchpin::types::list_append {

namespace {

using history::Subhistory;

class LengthsReader {
 public:
  /// @param only  null: all of it
  LengthsReader(const Subhistory& part, const Projection* only)
      : part_(part), only_(only), parts_(part.history->pool()) {}

  Transactions read() {
    all_.idle.assign(part_.size(), false);
    all_.adds.assign(part_.size(), false);
    for (Local x = 0; x < part_.size(); ++x) {
      all_.first.push_back(static_cast<std::uint32_t>(all_.touches.size()));
      if (!add(x)) {
        // It is legal nowhere.
        all_.touches.resize(all_.first.back());
        all_.idle[x] = true;
        if (!part_.pending(x)) {
          never({x}, fmt::format("{} returned what does not complete it, or reads that contradict each other or what "
                                 "it appends",
                                 described(x)));
        }
      }
      if (all_.touches.size() == all_.first.back()) all_.idle[x] = true;
    }
    all_.first.push_back(static_cast<std::uint32_t>(all_.touches.size()));
    number_alike();
    return std::move(all_);
  }

 private:
  [[nodiscard]] std::string described(Local x) const { return part_.history->describe(part_.operation[x]); }

  void never(std::vector<Local> transactions, std::string sentence) {
    if (!all_.impossible.empty()) return;
    std::sort(transactions.begin(), transactions.end());
    all_.blocked = *std::max_element(transactions.begin(), transactions.end(),
                                     [&](Local a, Local b) { return part_.response[a] < part_.response[b]; });
    all_.impossible = std::move(transactions);
    all_.sentence = std::move(sentence);
  }

  std::uint32_t number_of(Value key) {
    const auto [at, is_new] = keys_.try_emplace(key.bits(), static_cast<std::uint32_t>(keys_.size()));
    if (is_new) {
      all_.longest.emplace_back();
      all_.keys.push_back(key);
      reader_.push_back(0);
    }
    return at->second;
  }
  [[nodiscard]] bool left_out(Value key, Value element) const {
    return only_ != nullptr && only_->elements.contains({key.bits(), element.bits()});
  }
  /// What of the list counts.
  std::span<const Value> list_of(Value key, Value list) {
    if (!list.is_list()) return {};
    const std::span<const Value> seen = part_.history->pool().elements_of(list);
    if (only_ == nullptr) return seen;
    kept_.clear();
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(kept_),
                 [&](Value element) { return !left_out(key, element); });
    return kept_;
  }

  /// The touches of a transaction; false: it is legal nowhere.
  bool add(Local x) {
    const Operation operation = part_.view(x);
    if (aborted(operation)) return true;
    touched_.clear();
    lists_.clear();
    bool fits = true;
    const bool complete = visit(operation, parts_, [&](const MicroOperation& micro) {
      if (only_ != nullptr && !only_->keys.contains(micro.key.bits())) return true;
      const std::uint32_t key = number_of(micro.key);
      auto at =
          std::find_if(touched_.begin(), touched_.end(), [&](const Touched& each) { return each.touch.key == key; });
      if (at == touched_.end()) at = touched_.insert(at, Touched{.touch = {.key = key}, .appended = {}});
      if (micro.writes) {
        if (!left_out(micro.key, micro.value)) at->appended.push_back(micro.value);
        return true;
      }
      if (micro.value.is_unknown()) return true;
      if (part_.pending(x)) {
        all_.obstacle = "a pending transaction says what it would read";
        return true;
      }
      const std::span<const Value> seen = list_of(micro.key, micro.value);
      const std::size_t own = at->appended.size();
      fits = fits && seen.size() >= own &&
             std::equal(at->appended.begin(), at->appended.end(), seen.end() - static_cast<std::ptrdiff_t>(own));
      if (!fits) return false;
      const auto before = static_cast<std::uint32_t>(seen.size() - own);
      fits = at->touch.need == kUntold || at->touch.need == before;
      at->touch.need = before;
      lists_.emplace_back(key, micro.value);
      return fits;
    });
    if (!complete) return false;
    for (const auto& [key, list] : lists_) note(x, key, list);
    for (Touched& each : touched_) {
      each.touch.first = static_cast<std::uint32_t>(all_.values.size());
      each.touch.adds = static_cast<std::uint32_t>(each.appended.size());
      all_.values.insert(all_.values.end(), each.appended.begin(), each.appended.end());
      if (each.touch.adds == 0 && each.touch.need == kUntold) continue;  // a read that was lost
      all_.adds[x] = all_.adds[x] || each.touch.adds > 0;
      all_.touches.push_back(each.touch);
    }
    return true;
  }

  /// What x saw of the key.
  void note(Local x, std::uint32_t key, Value list) {
    const std::span<const Value> seen = list_of(all_.keys[key], list);
    std::vector<Value>& longest = all_.longest[key];
    const std::size_t common = std::min(seen.size(), longest.size());
    if (!std::equal(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(common), longest.begin())) {
      never({reader_[key], x},
            fmt::format("neither of what {} and {} read of {} begins with the other", described(reader_[key]),
                        described(x), part_.history->pool().to_text(all_.keys[key])));
    } else if (seen.size() > longest.size()) {
      longest.assign(seen.begin(), seen.end());
      reader_[key] = x;
    }
  }

  void number_alike() {
    absl::flat_hash_map<std::vector<std::uint64_t>, std::uint32_t> known;
    for (Local x = 0; x < part_.size(); ++x) {
      std::vector<std::uint64_t> what;
      for (const Touch& touch : all_.of(x)) {
        what.insert(what.end(), {touch.key, touch.need, touch.adds});
        for (std::uint32_t at = 0; at < touch.adds; ++at) what.push_back(all_.values[touch.first + at].bits());
      }
      all_.alike.push_back(known.try_emplace(std::move(what), x).first->second);
    }
  }

  struct Touched {
    Touch touch;
    std::vector<Value> appended;
  };
  const Subhistory& part_;
  const Projection* only_;
  MicroOperations parts_;
  Transactions all_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> keys_;  // by the key's bits
  std::vector<Local> reader_;                               // by key: who read the longest list
  std::vector<Touched> touched_;
  std::vector<std::pair<std::uint32_t, Value>> lists_;
  std::vector<Value> kept_;
};

}  // namespace

Transactions read_lengths(const Subhistory& part) { return LengthsReader(part, nullptr).read(); }

Transactions read_lengths(const Subhistory& part, const Projection& only) { return LengthsReader(part, &only).read(); }

std::string why_not_searched(const Subhistory& part, const Transactions& all) {
  if (!all.obstacle.empty()) return all.obstacle;
  const std::uint32_t open = history::most_open(part.events(), [&](Local x) { return !all.idle[x]; });
  return open > algo::kMostOpen ? std::string(algo::kTooManyOpen) : std::string();
}

}  // namespace linchpin::types::list_append
