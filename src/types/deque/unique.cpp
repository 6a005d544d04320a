#include "types/deque/unique.hpp"

#include <utility>

#include "core/search_task.hpp"

namespace linchpin::types::deque {

using core::Outcome;
using history::Subhistory;

namespace {

/// The monitor, at once; then the search, in turns.
class UniqueTask final : public core::SearchTask {
 public:
  UniqueTask(const Subhistory& part, const core::DeciderOptions& options) : part_(part), options_(options) {}

  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (search_ == nullptr && !decided_) {
      outcome_ = monitor_decide(part_, std::exchange(options_, {.witness = options_.witness}), budget);
      decided_ = outcome_.verdict != Verdict::unknown || budget.spent_now();
      if (!decided_) search_ = start_pairs(part_, options_);
    }
    return decided_ || search_->run(steps, budget);
  }
  Outcome outcome() const override { return search_ == nullptr ? outcome_ : search_->outcome(); }
  std::uint32_t passed() const override {
    if (decided_) return part_.size();
    return search_ == nullptr ? 0 : search_->passed();
  }

 private:
  const Subhistory& part_;
  core::DeciderOptions options_;
  bool decided_ = false;
  Outcome outcome_;
  std::unique_ptr<core::SearchTask> search_;
};

}  // namespace

core::Applicability unique_applicable(const Subhistory& part) {
  core::Applicability applicability = monitor_applicable(part);
  return applicability.applies ? applicability : pairs_applicable(part);
}

std::unique_ptr<core::SearchTask> start_unique(const Subhistory& part, const core::DeciderOptions& options) {
  return std::make_unique<UniqueTask>(part, options);
}

}  // namespace linchpin::types::deque
