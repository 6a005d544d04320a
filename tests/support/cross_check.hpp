// Holds a decider against the oracle: the verdict, every witness and every core, on all small histories and on random
// ones. The environment variable LINCHPIN_CROSS_COUNT sets the number of random histories, LINCHPIN_CROSS_SEED the
// seed.
#pragma once

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "core/decider.hpp"
#include "explain/shrink.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "support/what_a_core_may_need.hpp"

namespace linchpin::test {

class CrossCheck {
 public:
  CrossCheck(const core::Decider& decider, std::shared_ptr<const Specification> specification)
      : decider_(decider), specification_(std::move(specification)), oracle_(*specification_) {}

  ~CrossCheck() {
    if (!thorough()) return;
    std::printf("%s on %s: %zu histories, %zu not applicable, %zu undecided, %zu linearizable, %zu violations\n",
                std::string(decider_.name).c_str(), std::string(specification_->name()).c_str(), histories, refused,
                undecided, linearizable, violations);
  }

  /// Whether all went well so far; stop a loop when not.
  [[nodiscard]] bool good() const { return failures_ < 3; }

  void check(const Sketch& sketch) { check(build(specification_, sketch)); }

  void check(Built built) {
    ++histories;
    const core::Applicability applicability = decider_.applicable(built.part);
    const history::Subhistory part = std::move(built.part);  // a reading must not remember where it was
    if (must_tell_why && applicability.why.empty()) fail(part, "the decider does not say why it applies or not");
    if (!applicability.applies) {
      ++refused;
      return;
    }
    core::Budget budget{Limits{}};
    const core::Outcome outcome = decider_.decide(part, {.witness = true, .reading = applicability.reading}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++undecided;
      if (outcome.reason != Reason::not_applicable) fail(part, "unknown for no reason");
      return;
    }
    const bool truth = oracle_.linearizable(part);
    ++(truth ? linearizable : violations);
    if (truth != (outcome.verdict == Verdict::linearizable)) {
      fail(part, std::string("the decider says ") + std::string(name(outcome.verdict)) + "; " + outcome.sentence);
      return;
    }
    if (truth) {
      if (!oracle_.valid_witness(part, outcome.witness)) fail(part, "a witness that is none" + list(outcome.witness));
      if (decider_.decide(part, {.witness = false}, budget).verdict != Verdict::linearizable) {
        fail(part, "another verdict without a witness");
      }
      return;
    }
    if (sentences && outcome.sentence.empty()) fail(part, "a violation without a sentence");
    const std::vector<std::uint32_t> core = no_core ? explain::whole_core(part, outcome) : outcome.core;
    if (core.empty() || !std::is_sorted(core.begin(), core.end()) ||
        std::adjacent_find(core.begin(), core.end()) != core.end()) {
      fail(part, "a core that is empty or not ascending" + list(core));
      return;
    }
    if (oracle_.linearizable(history::restrict(part, core))) {
      fail(part, "a core that is linearizable" + list(core) + outcome.sentence);
    }
    if (oracle_.linearizable(history::restrict(part, what_a_core_may_need(part, core)))) {
      fail(part, "a core that proves nothing: without what it does not need the history is linearizable" + list(core) +
                     outcome.sentence);
    }
    largest_core = std::max(largest_core, core.size());
  }

  /// Random histories of up to `most` operations. `start` makes the drafter of one history.
  void random(const std::function<Drafter(Random&)>& start, const std::vector<Value>& results, std::size_t most,
              std::size_t default_count = 100'000) {
    const std::size_t count = random_histories(default_count);
    const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto states = specification_->make_states();
    Random generator(seed);
    for (std::size_t i = 0; i < count && good(); ++i) {
      if (states->bound() > 100'000) states->retain({});
      const Drafter drafter = start(generator);
      const RandomShape shape{.operations = 1 + below(generator, most),
                              .most_open = 1 + below(generator, 5),
                              .pending = std::array{0.0, 0.0, 0.1, 0.3}[below(generator, 4)],
                              .by_simulation = below(generator, 8) != 0,
                              .processes = processes == 0 ? 0 : 1 + below(generator, processes)};
      Sketch sketch = random_sketch(generator, *states, drafter, shape);
      if (below(generator, 2) == 0) mutate(generator, sketch, results);
      if (processes > 0 && below(generator, 4) == 0) tie(sketch);
      if (valid(sketch)) check(sketch);
    }
  }

  /// Every interleaving of every sequence of `size` of the `labels`.
  void exhaustive(const Sketch& labels, std::size_t size, bool with_pending) {
    std::vector<std::size_t> choice(size, 0);
    while (good()) {
      Sketch sketch;
      for (const std::size_t label : choice) sketch.push_back(labels[label]);
      for_all_interleavings(sketch, with_pending, [&](const Sketch& each) {
        if (good() && valid(each)) check(each);
      });
      std::size_t digit = 0;
      while (digit < size && ++choice[digit] == labels.size()) choice[digit++] = 0;
      if (digit == size) return;
    }
  }

  std::size_t histories = 0, refused = 0, undecided = 0, linearizable = 0, violations = 0, largest_core = 0;
  bool sentences = true;      ///< each violation has one
  bool no_core = false;       ///< it may say only which operation blocks
  bool must_tell_why = true;  ///< why it does not apply, too: not where another decider says so
  std::size_t processes = 0;  ///< at most so many take turns in a random history; 0: each operation has one of its own

 private:
  static std::string list(const std::vector<std::uint32_t>& locals) {
    std::string text = " [";
    for (const std::uint32_t local : locals) text += " " + std::to_string(local);
    return text + " ] ";
  }

  void fail(const history::Subhistory& part, const std::string& what) {
    ++failures_;
    ADD_FAILURE() << specification_->name() << ": " << what << "\n" << to_text(part);
  }

  const core::Decider& decider_;
  std::shared_ptr<const Specification> specification_;
  Oracle oracle_;
  std::size_t failures_ = 0;
};

}  // namespace linchpin::test
