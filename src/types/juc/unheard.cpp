// Refutes histories of the queues, deques and heaps of java.util.concurrent by one operation.
//
// These collections begin empty. So an element that an operation returned, printed or found inside was put in by an
// operation that was called before it returned; no more are inside than were put in; and an answer is of the kind that
// its method gives. Nothing else is asked: whether the element had left, or came in time, is left to others. The
// operation alone is the core: an empty collection cannot answer so either. Cost: O(n) and the length of what was
// printed. Compare: as_container.cpp. Tests: unheard_test.cpp.
#include "types/juc/unheard.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "types/juc/heap.hpp"
#include "types/juc/java.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

using history::Rank;
using Methods = SequenceMethods;  // the heap's begin alike

class Elements {
 public:
  explicit Elements(const history::Subhistory& part)
      : part_(part), capacity_(capacity_of(*part.specification)), always_room_(has_always_room(*part.specification)) {
    added_before_.reserve(part.size() + 1);
    for (std::uint32_t x = 0; x < part.size(); ++x) {
      added_before_.push_back(added_);
      const Operation operation = part.view(x);
      if (Methods::adds_one(operation.method)) add(operation.argument(0), x);
      if (operation.method != Methods::kAddAll) continue;
      for (const Value value : collection(operation)) add(value, x);
    }
    added_before_.push_back(added_);
  }

  /// Whether the answer of the operation, which returned, is one that some collection of these elements may give.
  [[nodiscard]] bool explain(std::uint32_t x) const {
    const Operation operation = part_.view(x);
    const Value result = operation.result;
    switch (operation.method) {
      case Methods::kRemove:
      case Methods::kContains:
      case Methods::kRemoveFirstOccurrence:
      case Methods::kRemoveLastOccurrence:
        if (!operation.arguments.empty()) {
          return result == Value::boolean(false) || (says_true(operation) && known(operation.argument(0), x));
        }
        return threw(operation, kNoSuchElement) || known(result, x);
      case Methods::kRemoveFirst:
      case Methods::kRemoveLast:
      case Methods::kElement:
      case Methods::kGetFirst:
      case Methods::kGetLast: return threw(operation, kNoSuchElement) || known(result, x);
      case Methods::kPoll:
      case Methods::kPollFirst:
      case Methods::kPollLast:
      case Methods::kPeek:
      case Methods::kPeekFirst:
      case Methods::kPeekLast: return result.is_nil() || known(result, x);
      case Methods::kTake:
      case Methods::kTakeFirst:
      case Methods::kTakeLast: return known(result, x);
      case Methods::kContainsAll: {
        const auto wanted = collection(operation);
        return result == Value::boolean(false) ||
               (says_true(operation) &&
                std::all_of(wanted.begin(), wanted.end(), [&](Value value) { return known(value, x); }));
      }
      case Methods::kToArray:
      case Methods::kToString: return result.is_string() && explains_list(operation.pool->text_of(result), x);
      case Methods::kIsEmpty:
      case Methods::kRemoveAll:
      case Methods::kRetainAll: return result.is_boolean();
      case Methods::kSize: return explains_size(operation, 0, x);
      case Methods::kRemainingCapacity: return explains_size(operation, capacity_, x);
      // What puts in, and what clears, is answered as by an empty collection, as long as there is room.
      default: return added_ > capacity_ || answered_when_empty(operation);
    }
  }

 private:
  [[nodiscard]] bool answered_when_empty(const Operation& operation) const {
    std::vector<StateId> after;
    states_->successors(states_->initial(), operation, after);
    return !after.empty();
  }
  static std::int64_t capacity_of(const Specification& specification) {
    if (const auto* const queue = specification.get_if<FifoQueue>()) return queue->capacity;
    if (const auto* const deque = specification.get_if<LinkedDeque>()) return deque->capacity;
    return kMaxInteger;
  }
  /// Says always that there is room for as many as there are integers.
  static bool has_always_room(const Specification& specification) {
    const auto* const queue = specification.get_if<FifoQueue>();
    return queue != nullptr ? queue->always_room : specification.get_if<Heap>() != nullptr;
  }
  /// The number of elements, or how many there is still room for: no more are inside than were put in.
  [[nodiscard]] bool explains_size(const Operation& operation, std::int64_t capacity, std::uint32_t x) const {
    if (!is_integer(operation.result)) return false;
    if (capacity != 0 && always_room_) return returns_number(operation, capacity);
    const std::int64_t told = operation.pool->integer_of(operation.result);
    if (told < 0 || (capacity != 0 && told > capacity)) return false;
    const auto called = std::lower_bound(part_.call.begin(), part_.call.end(), part_.response[x]) - part_.call.begin();
    return (capacity == 0 ? told : capacity - told) <= added_before_[static_cast<std::size_t>(called)];
  }

  void add(Value value, std::uint32_t x) {
    ++added_;
    const auto put_in = [&](auto& first, auto&& key) {
      Rank& call = first.try_emplace(key, history::Rank::none()).first->second;
      call = std::min(call, part_.call[x]);
    };
    put_in(first_, value.bits());
    std::string text = text_of(value, part_.history->pool());
    commas_ = commas_ || text.find(',') != std::string::npos;
    put_in(first_text_, std::move(text));
  }
  [[nodiscard]] bool known(Value value, std::uint32_t x) const {
    const auto at = first_.find(value.bits());
    return at != first_.end() && at->second < part_.response[x];
  }
  [[nodiscard]] bool explains_list(std::string_view text, std::uint32_t x) const {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return false;
    text = text.substr(1, text.size() - 2);
    if (commas_ || text.empty()) return true;
    while (true) {
      const std::size_t comma = text.find(", ");
      const auto at = first_text_.find(std::string(text.substr(0, comma)));
      if (at == first_text_.end() || at->second >= part_.response[x]) return false;
      if (comma == std::string_view::npos) return true;
      text = text.substr(comma + 2);
    }
  }

  const history::Subhistory& part_;
  const std::int64_t capacity_;
  const bool always_room_;
  const std::unique_ptr<StateTable> states_ = part_.specification->make_states();
  std::int64_t added_ = 0;                             // elements
  std::vector<std::int64_t> added_before_;             // by operation, by those called earlier; in all
  absl::flat_hash_map<std::uint64_t, Rank> first_;     // by element: the least call of what puts it in
  absl::flat_hash_map<std::string, Rank> first_text_;  // by what it prints as
  bool commas_ = false;                                // in what elements print as: lists cannot be taken apart
};

}  // namespace

core::Applicability unheard_applicable(const history::Subhistory& part) {
  const Specification& specification = *part.specification;
  if (specification.get_if<FifoQueue>() == nullptr && specification.get_if<LinkedDeque>() == nullptr &&
      specification.get_if<Heap>() == nullptr) {
    return core::not_of_this_type("no queue or deque of java.util.concurrent");
  }
  return {.applies = true, .why = "nothing that had been put in explains what an operation returned"};
}

core::Outcome refute_unheard(const history::Subhistory& part, const core::DeciderOptions& /*options*/,
                             core::Budget& /*budget*/) {
  const Elements elements(part);
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    if (part.pending(x) || part.result(x).is_unknown() || elements.explain(x)) continue;
    return {.verdict = Verdict::violation, .core = {x}};
  }
  return core::not_applicable();
}

}  // namespace linchpin::types::juc
