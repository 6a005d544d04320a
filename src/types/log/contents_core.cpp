// Small cores of logs that are overwritten, and why they are violations.
//
// A window of the history is refuted without what came before: the log may hold anything at first, and what is open
// there may have taken effect. So it proves that the whole is no more linearizable than it is. Near the place where the
// search got no further, windows are tried whose lengths double. Of the first that is refuted so, the end comes nearer,
// then the beginning; then what only looks is left out where the rest is still refuted, in halves, quarters and so on.
// That all of these may be left out is plain: who only looks changes nothing, a prefix of a linearizable history is
// linearizable, and so is what follows a moment, from whatever the log held there.
//
// The core begins with an empty log on its own, which is one of all the contents that were refuted.
// Where no window is refuted alone, or the time is over, the core is what the search gave.
// Cost: some hundred searches of a window. Source: own. Compare: explain/shrink.cpp (any type; it knows nothing of
// windows). Tests: log_contents_test.cpp.
#include "types/log/contents_core.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using Local = std::uint32_t;
using Locals = std::vector<Local>;
using history::Rank;
using history::Subhistory;

constexpr std::uint64_t kStepsPerTry = 4'000'000;
constexpr std::uint32_t kMostTries = 400;
constexpr std::uint32_t kFirstWindow = 4;     // responses before the place, and a quarter of it behind
constexpr std::uint32_t kMostWindow = 1'024;  // of them

class CoreSearch {
 public:
  CoreSearch(const Subhistory& part, core::Budget& budget)
      : part_(part), budget_(budget), repeated_(written_twice(part)) {
    for (Rank rank = 0; rank < part.ranks(); ++rank) {
      if (part.events()[rank].is_response()) responses_.push_back(rank);
    }
  }

  /// @param blocked  the operation whose response the search could not pass
  bool find(Local blocked) {
    const auto count = static_cast<std::uint32_t>(responses_.size());
    const auto place = static_cast<std::uint32_t>(
        std::lower_bound(responses_.begin(), responses_.end(), part_.response[blocked]) - responses_.begin());
    if (place == count) return false;
    for (std::uint32_t width = kFirstWindow; width <= kMostWindow; width *= 2) {
      first_ = place > width ? place - width : 0;
      last_ = std::min(place + width / 4, count - 1);
      kept_ = inside(first_, last_);
      if (!refuted(kept_, first_, last_)) continue;
      make_smaller();
      return true;
    }
    return false;
  }

  [[nodiscard]] const Locals& core() const { return kept_; }
  /// The operation at whose response the core is refuted.
  [[nodiscard]] Local blocked() const { return part_.events()[responses_[last_]].operation(); }
  [[nodiscard]] std::string sentence() const {
    const std::string what = describe(blocked());
    if (kept_.size() == 2 && contradict(kept_[0], kept_[1])) {
      const auto [a, b] = std::pair(kept_[0], kept_[1]);
      if (!part_.happens_before(a, b)) {
        return fmt::format("{} and {} saw what cannot both be: nothing overwrites the log while they run", describe(a),
                           describe(b));
      }
      return fmt::format("{} does not begin with what {} had seen, and nothing overwrites the log between them",
                         describe(b), describe(a));
    }
    if (first_ == 0) return fmt::format("{} fits no order of the operations that were called before it returned", what);
    return fmt::format(
        "{} fits no order of the operations that ran shortly before it or overlap it, whatever the log held before "
        "them",
        what);
  }

 private:
  [[nodiscard]] std::string describe(Local x) const { return part_.history->describe(part_.operation[x]); }
  /// The window begins behind the response before the first one.
  [[nodiscard]] Rank begin_of(std::uint32_t first) const { return first == 0 ? 0 : responses_[first - 1] + 1; }

  [[nodiscard]] Locals inside(std::uint32_t first, std::uint32_t last) const {
    const Rank begin = begin_of(first), end = responses_[last];
    Locals locals;
    for (Local x = 0; x < part_.size() && part_.call[x] < end; ++x) {
      if (part_.response[x] >= begin) locals.push_back(x);
    }
    return locals;
  }

  bool refuted(const Locals& locals, std::uint32_t first, std::uint32_t last) {
    if (tries_ == kMostTries || budget_.spent_now()) return false;
    ++tries_;
    const Rank begin = begin_of(first), end = responses_[last] + 1;
    Rank events = 0;
    Past past{.repeated = &repeated_};
    for (const Local x : locals) {
      events += (part_.call[x] < end ? 1U : 0U) + (part_.response[x] < end ? 1U : 0U);
      past.first += part_.call[x] < begin ? 1U : 0U;
    }
    Subhistory sub = history::restrict(part_, locals);
    if (events < sub.ranks()) sub = history::prefix(sub, events);
    const auto search = start_from(sub, begin == 0 ? nullptr : &past);
    return search->run(kStepsPerTry, budget_) && search->outcome().verdict == Verdict::violation;
  }

  void make_smaller() {
    // What is refuted stays so with more behind it, and with more before it.
    for (std::uint32_t low = first_, high = last_; low < high;) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (take(first_, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    for (std::uint32_t low = first_, high = last_; low < high;) {
      const std::uint32_t middle = low + (high - low + 1) / 2;
      if (take(middle, last_)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    drop_looks();
    keep_two_reads();
  }

  /// Where nothing overwrites the log, it only grows: two reads may contradict each other, whatever was appended.
  void keep_two_reads() {
    Locals reads;
    for (const Local x : kept_) {
      if (part_.method[x] == Log::kPut) return;
      if (part_.method[x] == Log::kRead) reads.push_back(x);
    }
    for (std::size_t at = 1; at < reads.size(); ++at) {
      for (std::size_t before = 0; before < at; ++before) {
        if (!contradict(reads[before], reads[at])) continue;
        kept_ = {reads[before], reads[at]};
        return;
      }
    }
  }
  [[nodiscard]] bool contradict(Local a, Local b) const {
    if (!part_.result(a).is_list() || !part_.result(b).is_list() || part_.pending(a) || part_.pending(b)) return false;
    const auto seen_a = part_.history->pool().elements_of(part_.result(a));
    const auto seen_b = part_.history->pool().elements_of(part_.result(b));
    const std::size_t common = std::min(seen_a.size(), seen_b.size());
    return !std::equal(seen_a.begin(), seen_a.begin() + static_cast<std::ptrdiff_t>(common), seen_b.begin()) ||
           (part_.happens_before(a, b) && seen_b.size() < seen_a.size()) ||
           (part_.happens_before(b, a) && seen_a.size() < seen_b.size());
  }

  /// Whether that window is refuted; then it is the core.
  bool take(std::uint32_t first, std::uint32_t last) {
    Locals locals = inside(first, last);
    if (!refuted(locals, first, last)) return false;
    kept_ = std::move(locals);
    first_ = first;
    last_ = last;
    return true;
  }

  void drop_looks() {
    Locals looks;
    std::copy_if(kept_.begin(), kept_.end(), std::back_inserter(looks),
                 [&](Local x) { return Log::pure(part_.view(x)); });
    for (std::size_t chunk = std::max<std::size_t>(1, looks.size() / 2); !looks.empty(); chunk /= 2) {
      for (std::size_t at = 0; at < looks.size();) {
        const auto begin = looks.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = looks.begin() + static_cast<std::ptrdiff_t>(std::min(at + chunk, looks.size()));
        Locals rest;
        std::set_difference(kept_.begin(), kept_.end(), begin, end, std::back_inserter(rest));
        if (refuted(rest, first_, last_)) {
          kept_ = std::move(rest);
          looks.erase(begin, end);
        } else {
          at += chunk;
        }
      }
      if (chunk == 1) return;
    }
  }

  const Subhistory& part_;
  core::Budget& budget_;
  const Repeated repeated_;
  std::vector<Rank> responses_;
  std::uint32_t first_ = 0, last_ = 0;  // responses between which the window lies
  Locals kept_;
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
    outcome_.blocked = cores.blocked();
    outcome_.sentence = cores.sentence();
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

}  // namespace linchpin::types::log_
