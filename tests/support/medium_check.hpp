// Holds a decider against a slow polynomial reference on histories of 10 to 100 operations, for which the oracle is too
// slow: the verdict, every witness by replay, every core by the reference again. No pending operations but adds.
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::test {

class MediumCheck {
 public:
  using Reference = std::function<bool(const history::Subhistory&)>;

  MediumCheck(const core::Decider& decider, std::shared_ptr<const Specification> specification, Reference reference)
      : decider_(decider), specification_(std::move(specification)), reference_(std::move(reference)) {}

  ~MediumCheck() {
    if (!thorough()) return;
    std::printf("%s on %s, medium: %zu histories, %zu undecided, %zu linearizable, %zu violations, largest core %zu\n",
                std::string(decider_.name).c_str(), std::string(specification_->name()).c_str(), histories, undecided,
                linearizable, violations, largest_core);
  }

  void check(const Sketch& sketch) {
    ++histories;
    const Built built = build(specification_, sketch);
    const history::Subhistory& part = built.part;
    if (!decider_.applicable(part).applies) return;
    core::Budget budget{Limits{}};
    const core::Outcome outcome = decider_.decide(part, {.witness = true}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++undecided;
      return;
    }
    const bool truth = reference_(part);
    ++(truth ? linearizable : violations);
    if (truth != (outcome.verdict == Verdict::linearizable)) {
      fail(part, "the decider says " + std::string(name(outcome.verdict)) + "; " + outcome.sentence);
    } else if (truth) {
      if (!oracle_.valid_witness(part, outcome.witness)) fail(part, "a witness that is none");
      if (decider_.decide(part, {.witness = false}, budget).verdict != Verdict::linearizable) {
        fail(part, "another verdict without a witness");
      }
    } else {
      largest_core = std::max(largest_core, outcome.core.size());
      if (outcome.core.empty() || reference_(history::restrict(part, outcome.core))) {
        fail(part, "a core that is linearizable; " + outcome.sentence);
      }
      if (!outcome.core_minimal) fail(part, "a small core that is not minimal");
    }
  }

  /// Random histories; `start` makes the drafter of one.
  void random(const std::function<Drafter(Random&)>& start, const std::vector<Value>& results,
              std::size_t default_count = 3'000) {
    const std::size_t count = random_histories(default_count * 10) / 10;
    const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto states = specification_->make_states();
    Random generator(seed);
    for (std::size_t i = 0; i < count && failures_ < 3; ++i) {
      if (states->bound() > 100'000) states->retain({});
      const Drafter drafter = start(generator);
      Sketch sketch = random_sketch(generator, *states, drafter,
                                    {.operations = 10 + below(generator, 91),
                                     .most_open = 1 + below(generator, 12),
                                     .pending = 0,
                                     .by_simulation = below(generator, 50) != 0});
      if (below(generator, 2) == 0) mutate(generator, sketch, results);
      // Some adds never return.
      for (SketchedOperation& operation : sketch) {
        if (operation.method == 0 && below(generator, 40) == 0) operation.response = kPending;
      }
      if (std::all_of(sketch.begin(), sketch.end(), [](const auto& o) { return o.call < o.response; })) check(sketch);
    }
  }

  std::size_t histories = 0, undecided = 0, linearizable = 0, violations = 0, largest_core = 0;

 private:
  void fail(const history::Subhistory& part, const std::string& what) {
    ++failures_;
    ADD_FAILURE() << specification_->name() << ": " << what << "\n" << to_text(part);
  }

  const core::Decider& decider_;
  std::shared_ptr<const Specification> specification_;
  Oracle oracle_{*specification_};
  Reference reference_;
  std::size_t failures_ = 0;
};

}  // namespace linchpin::test
