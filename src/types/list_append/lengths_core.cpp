// Small cores of list-append transactions whose elements repeat.
//
// A history that is linearizable stays so without some of the keys, without some of the elements of a key wherever they
// are appended or read, and without what was called after some response. So near the place where the search got no
// further, the keys are tried that transactions touch there, in windows that double. Of what is refuted so, the end
// comes nearer, and then keys, transactions that only read, and elements are left out where the rest is still refuted,
// in halves, quarters and so on. The core is the transactions that something is left of. They are not linearizable on
// their own either: what they read of the rest, nobody appends there.
//
// Where no such part is refuted, or the time is over, the core is what the search gave.
// Cost: some hundred searches of the transactions on a few keys. Source: own. Compare: explain/shrink.cpp (drops whole
// operations of any type). Tests: list_append_lengths_test.cpp.
#include "types/list_append/lengths_core.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "types/list_append/specification.hpp"

namespace linchpin::types::list_append {

namespace {

using history::Rank;
using history::Subhistory;
using Locals = std::vector<Local>;
using Keyed = std::pair<std::uint64_t, std::uint64_t>;  // key, element

constexpr std::uint64_t kStepsPerTry = 4'000'000;
constexpr std::uint32_t kMostTries = 600;
constexpr std::uint32_t kFirstWindow = 16;  // responses before the place, and half of it behind

class CoreSearch {
 public:
  CoreSearch(const Subhistory& part, core::Budget& budget)
      : part_(part), budget_(budget), parts_(part.history->pool()) {
    for (Rank rank = 0; rank < part.ranks(); ++rank) {
      if (part.events()[rank].is_response()) responses_.push_back(rank);
    }
    touched_.resize(part.size());
    for (Local x = 0; x < part.size(); ++x) note(x);
  }

  /// @param blocked  the transaction whose response the search could not pass
  bool find(Local blocked) {
    const auto count = static_cast<std::uint32_t>(responses_.size());
    const auto place = static_cast<std::uint32_t>(
        std::lower_bound(responses_.begin(), responses_.end(), part_.response[blocked]) - responses_.begin());
    if (place == count) return false;
    for (std::uint32_t width = kFirstWindow;; width *= 4) {
      const std::uint32_t from = place > width ? place - width : 0;
      last_ = std::min(place + width / 2, count - 1);
      Locals all = touching(keys_between(from, last_));
      if (refuted(all, keys_between(from, last_), {}, last_)) {
        make_smaller();
        return true;
      }
      if ((from == 0 && last_ + 1 == count) || out_of_time()) return false;
    }
  }

  [[nodiscard]] const Locals& core() const { return kept_; }
  [[nodiscard]] Local blocked() const { return part_.events()[responses_[last_]].operation(); }
  [[nodiscard]] std::string sentence() const {
    std::vector<std::string> names;
    for (const std::uint64_t bits : keys_) names.push_back(part_.history->pool().to_text(key_of_.at(bits)));
    std::sort(names.begin(), names.end());
    constexpr std::size_t kNamed = 4;
    std::string text;
    for (std::size_t at = 0; at < std::min(names.size(), kNamed); ++at) {
      text += fmt::format("{}{}", at == 0 ? "" : at + 1 == names.size() ? " and " : ", ", names[at]);
    }
    if (names.size() > kNamed) text += fmt::format(" and {} other keys", names.size() - kNamed);
    return fmt::format("what these {} transactions read of {} fits no order of them", kept_.size(), text);
  }

 private:
  using Keys = std::vector<std::uint64_t>;  // ascending

  [[nodiscard]] bool out_of_time() { return tries_ >= kMostTries || budget_.spent_now(); }

  void note(Local x) {
    const Operation operation = part_.view(x);
    if (aborted(operation)) return;
    for (const Value asked : operation.pool->elements_of(operation.argument(0))) {
      const auto micro = parts_.parse(asked);
      if (!micro) continue;
      key_of_.try_emplace(micro->key.bits(), micro->key);
      touched_[x].emplace_back(micro->key.bits(), micro->writes ? std::optional(micro->value) : std::nullopt);
    }
  }

  [[nodiscard]] Keys keys_between(std::uint32_t first, std::uint32_t last) const {
    Keys keys;
    for (Local x = 0; x < part_.size() && part_.call[x] < responses_[last]; ++x) {
      if (part_.response[x] < responses_[first]) continue;
      for (const auto& [key, appended] : touched_[x]) keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }
  [[nodiscard]] Locals touching(const Keys& keys) const {
    Locals locals;
    for (Local x = 0; x < part_.size(); ++x) {
      const bool touches = std::any_of(touched_[x].begin(), touched_[x].end(), [&](const auto& each) {
        return std::binary_search(keys.begin(), keys.end(), each.first);
      });
      if (touches) locals.push_back(x);
    }
    return locals;
  }

  /// If so much of these transactions is refuted, it is kept, without those of which nothing is left.
  bool refuted(const Locals& locals, const Keys& keys, const std::vector<Keyed>& left_out, std::uint32_t last) {
    if (out_of_time()) return false;
    ++tries_;
    const Rank end = responses_[last] + 1;
    Locals called;
    Rank events = 0;
    for (const Local x : locals) {
      if (part_.call[x] >= end) continue;
      called.push_back(x);
      events += 1U + (part_.response[x] < end ? 1U : 0U);
    }
    Subhistory sub = history::restrict(part_, called);
    if (events < sub.ranks()) sub = history::prefix(sub, events);
    Transactions all =
        read_lengths(sub, {.keys = {keys.begin(), keys.end()}, .elements = {left_out.begin(), left_out.end()}});
    if (!all.obstacle.empty()) return false;
    Locals rest;
    for (std::uint32_t at = 0; at < called.size(); ++at) {
      if (!all.idle[at]) rest.push_back(called[at]);
    }
    if (all.impossible.empty()) {
      const auto search = start_search(sub, std::move(all), {.witness = false});
      if (!search->run(kStepsPerTry, budget_) || search->outcome().verdict != Verdict::violation) return false;
    } else {
      for (const Local at : all.impossible) rest.push_back(called[at]);
      std::sort(rest.begin(), rest.end());
      rest.erase(std::unique(rest.begin(), rest.end()), rest.end());
    }
    kept_ = std::move(rest);
    keys_ = keys;
    left_out_ = left_out;
    last_ = last;
    return true;
  }

  void make_smaller() {
    for (std::uint32_t low = 0, high = last_; low < high && !out_of_time();) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (refuted(kept_, keys_, left_out_, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    drop(Keys(keys_), [&](const Keys& dropped) {
      Keys keys;
      std::set_difference(keys_.begin(), keys_.end(), dropped.begin(), dropped.end(), std::back_inserter(keys));
      return !keys.empty() && refuted(kept_, keys, left_out_, last_);
    });
    drop_reads();
    std::vector<Keyed> elements;
    for (const Local x : kept_) {
      for (const auto& [key, appended] : touched_[x]) {
        if (appended && std::binary_search(keys_.begin(), keys_.end(), key))
          elements.emplace_back(key, appended->bits());
      }
    }
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    drop(std::move(elements), [&](const std::vector<Keyed>& dropped) {
      std::vector<Keyed> all = left_out_;
      all.insert(all.end(), dropped.begin(), dropped.end());
      return refuted(kept_, keys_, all, last_);
    });
    drop_reads();
  }

  void drop_reads() {
    Locals reads;
    std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(reads), [&](Local x) {
      return std::none_of(touched_[x].begin(), touched_[x].end(), [&](const auto& each) {
        return each.second && std::binary_search(keys_.begin(), keys_.end(), each.first) &&
               std::find(left_out_.begin(), left_out_.end(), Keyed(each.first, each.second->bits())) == left_out_.end();
      });
    });
    drop(std::move(reads), [&](const Locals& dropped) {
      Locals rest;
      std::set_difference(kept_.begin(), kept_.end(), dropped.begin(), dropped.end(), std::back_inserter(rest));
      return refuted(rest, keys_, left_out_, last_);
    });
  }

  /// Tries to leave out halves of what there is, quarters, and so on.
  template <class Each, class Try>
  void drop(std::vector<Each> all, const Try& without) {
    for (std::size_t chunk = std::max<std::size_t>(1, all.size() / 2); !all.empty(); chunk /= 2) {
      for (std::size_t at = 0; at < all.size() && !out_of_time();) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(at + chunk, all.size()));
        if (without(std::vector<Each>(begin, end))) {
          all.erase(begin, end);
        } else {
          at += chunk;
        }
      }
      if (chunk == 1 || out_of_time()) return;
    }
  }

  const Subhistory& part_;
  core::Budget& budget_;
  MicroOperations parts_;
  std::vector<Rank> responses_;
  absl::flat_hash_map<std::uint64_t, Value> key_of_;                                  // by bits
  std::vector<std::vector<std::pair<std::uint64_t, std::optional<Value>>>> touched_;  // keys, and what is appended
  Locals kept_;
  Keys keys_;
  std::vector<Keyed> left_out_;
  std::uint32_t last_ = 0;  // response
  std::uint32_t tries_ = 0;
};

class WithCore final : public core::SearchTask {
 public:
  WithCore(const Subhistory& part, std::unique_ptr<core::SearchTask> search)
      : part_(part), search_(std::move(search)) {}

  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (search_ == nullptr) return true;
    if (!search_->run(steps, budget)) return false;
    passed_ = search_->passed();
    outcome_ = search_->outcome();
    search_.reset();
    if (outcome_.verdict != Verdict::violation) return true;
    const std::optional<Local> blocked = std::exchange(outcome_.blocked, std::nullopt);
    if (!blocked) return true;
    core::Budget some(budget, std::max(kLeastSeconds, budget.seconds()));
    CoreSearch cores(part_, some);
    if (!cores.find(*blocked)) return true;
    outcome_.core = cores.core();
    outcome_.sentence = cores.sentence();
    if (std::binary_search(outcome_.core.begin(), outcome_.core.end(), cores.blocked())) {
      outcome_.blocked = cores.blocked();
    }
    return true;
  }

  [[nodiscard]] core::Outcome outcome() const override { return search_ != nullptr ? search_->outcome() : outcome_; }
  [[nodiscard]] std::uint32_t passed() const override { return search_ != nullptr ? search_->passed() : passed_; }

 private:
  static constexpr double kLeastSeconds = .25;

  const Subhistory& part_;
  std::unique_ptr<core::SearchTask> search_;  // until it has ended
  core::Outcome outcome_;
  std::uint32_t passed_ = 0;
};

}  // namespace

std::unique_ptr<core::SearchTask> with_core(const Subhistory& part, std::unique_ptr<core::SearchTask> search) {
  return std::make_unique<WithCore>(part, std::move(search));
}

}  // namespace linchpin::types::list_append
