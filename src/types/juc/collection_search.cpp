// Searches for witnesses of queues, deques and heaps of java.util.concurrent: whatever methods they use.
//
// The rules of the search are Java's own specification (sequences.hpp, heap.hpp), and one more: an element that is put
// in once must not leave while an operation that found it inside is not done.
// Compare: as_container.cpp (plain methods only). Tests: collection_search_test.cpp.
#include "types/juc/collection_search.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "types/guided_search.hpp"
#include "types/juc/element_facts.hpp"
#include "types/juc/heap.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

/// `S`: a sequence or a heap, whose state is a vector of values.
template <class S>
class CollectionRules {
 public:
  using State = typename S::State;

  CollectionRules(const history::Subhistory& part, const S& specification)
      : specification_(&specification), facts_(std::make_shared<ElementFacts>(part)) {
    operations_.reserve(part.size());
    pure_.reserve(part.size());
    for (std::uint32_t x = 0; x < part.size(); ++x) {
      operations_.push_back(part.view(x));
      pure_.push_back(specification.pure(operations_.back()) ? 1 : 0);
    }
  }

  [[nodiscard]] bool pure(std::uint32_t x) const { return pure_[x] != 0; }
  bool step(State& state, std::uint32_t x) const { return specification_->step(state, operations_[x]); }
  /// Pure operations leave a state as it is where they are legal.
  bool legal(const State& state, std::uint32_t x) const {
    if (surely_illegal(state, operations_[x])) return false;
    State after = state;
    return step(after, x);
  }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    std::uint64_t hash = state.size();
    for (const Value value : state) hash = mix(hash, value.bits());
    return hash;
  }

  /// An element that left is still needed.
  [[nodiscard]] bool lost(const State& before, const State& after, std::uint32_t x, const GuidedMoment& moment) const {
    if (after.size() > before.size()) return false;
    std::size_t left = before.size() - after.size();
    for (std::size_t i = 0; i < before.size() && left > 0; ++i) {
      if (contains(after, before[i])) continue;
      --left;
      const ElementFacts::Element* const element = facts_->find(before[i]);
      if (element == nullptr || element->adds != 1) continue;
      for (const std::uint32_t need : element->needs) {
        if (need != x && moment.undone(need)) return true;
      }
    }
    return false;
  }

 private:
  /// A quick look, for what would be printed or compared at length.
  static bool surely_illegal(const State& state, const Operation& operation) {
    if (operation.method != SequenceMethods::kToString && operation.method != SequenceMethods::kToArray) return false;
    if (!operation.result.is_string()) return !operation.result_unknown();
    // Two brackets; an element is a character at least, and there are two between each.
    const std::size_t length = operation.pool->text_of(operation.result).size();
    return state.empty() ? length != 2 : length < 3 * state.size();
  }

  const S* specification_;
  std::shared_ptr<const ElementFacts> facts_;
  std::vector<Operation> operations_;
  std::vector<std::uint8_t> pure_;
};

template <class S>
std::unique_ptr<core::SearchTask> start_for(const history::Subhistory& part, const S& specification,
                                            const core::DeciderOptions& options) {
  return std::make_unique<GuidedSearch<CollectionRules<S>>>(part, CollectionRules<S>(part, specification), options);
}

}  // namespace

core::Applicability collection_applicable(const history::Subhistory& part) {
  const Specification& specification = *part.specification;
  if (specification.get_if<FifoQueue>() == nullptr && specification.get_if<LinkedDeque>() == nullptr &&
      specification.get_if<Heap>() == nullptr) {
    return core::not_of_this_type("no queue or deque of java.util.concurrent");
  }
  using Search = GuidedSearch<CollectionRules<FifoQueue>>;
  const std::uint32_t open =
      history::most_open(part.events(), [&](std::uint32_t x) { return Search::counts(part, x); });
  if (open > Search::kMostOpen) return {.applies = false, .why = "more than 128 operations are open at once"};
  return {.applies = true, .why = "few configurations are kept, those that have lost nothing that is needed"};
}

std::unique_ptr<core::SearchTask> start_collection(const history::Subhistory& part,
                                                   const core::DeciderOptions& options) {
  const Specification& specification = *part.specification;
  if (const auto* const queue = specification.get_if<FifoQueue>()) return start_for(part, *queue, options);
  if (const auto* const deque = specification.get_if<LinkedDeque>()) return start_for(part, *deque, options);
  return start_for(part, *specification.get_if<Heap>(), options);
}

core::Applicability unheard_applicable(const history::Subhistory& part) {
  core::Applicability applicability = collection_applicable(part);
  if (applicability.other_type) return applicability;
  return {.applies = true, .why = "an operation returned what nobody had put in"};
}

core::Outcome refute_unheard(const history::Subhistory& part, const core::DeciderOptions& /*options*/,
                             core::Budget& /*budget*/) {
  const std::uint32_t unheard = ElementFacts(part).unheard();
  if (unheard == part.size()) return core::not_applicable();
  return {.verdict = Verdict::violation, .core = {unheard}};
}

}  // namespace linchpin::types::juc
