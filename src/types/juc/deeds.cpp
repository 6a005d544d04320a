#include "types/juc/deeds.hpp"

#include <string_view>

#include "types/juc/heap.hpp"
#include "types/juc/java.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

using history::Subhistory;
using Methods = SequenceMethods;  // the heap's begin alike
using Kind = Deed::Kind;

class Reader {
 public:
  Reader(const Subhistory& part, Collection collection, bool bounded)
      : part_(part), pool_(part.history->pool()), bounded_(bounded) {
    deeds_.collection = collection;
  }

  Deeds read() {
    number_elements();
    if (!deeds_.obstacle.empty()) return std::move(deeds_);
    deeds_.of.resize(part_.size());
    for (std::uint32_t x = 0; x < part_.size(); ++x) {
      Deed& deed = deeds_.of[x];
      read(part_.view(x), deed);
      deed.sorted = deed.elements;
      std::sort(deed.sorted.begin(), deed.sorted.end());
    }
    return std::move(deeds_);
  }

 private:
  void number_elements() {
    for (std::uint32_t x = 0; x < part_.size(); ++x) {
      const Operation operation = part_.view(x);
      if (Methods::adds_one(operation.method)) number(operation.argument(0));
      if (operation.method != Methods::kAddAll) continue;
      for (const Value value : collection(operation)) number(value);
    }
  }
  void number(Value value) {
    const auto element = static_cast<Element>(deeds_.value.size());
    if (!deeds_.number.try_emplace(value.bits(), element).second) return;
    deeds_.value.push_back(value);
    std::string text = text_of(value, pool_);
    if (text == kNoSuchElement) deeds_.obstacle = "an element reads like the exception of an empty collection";
    const bool plain = !text.empty() && text.find(',') == std::string::npos;
    const bool is_new = by_text_.try_emplace(std::move(text), element).second;
    deeds_.can_read_lists = deeds_.can_read_lists && plain && is_new;
  }

  void read(const Operation& operation, Deed& deed) {
    const std::uint16_t method = operation.method;
    const Value result = operation.result;
    const bool lost = operation.result_unknown();
    const bool yes = says_true(operation), no = says_false(operation);
    if (Methods::adds_one(method)) {
      deed.elements = {deeds_.element(operation.argument(0))};
      const bool at_front =
          method == Methods::kAddFirst || method == Methods::kOfferFirst || method == Methods::kPutFirst;
      deed.end = at_front ? End::front : End::back;
      if (no || threw(operation, kIllegalState)) return;
      deed.kind = lost && bounded_ ? Kind::may_add : Kind::adds;
      return;
    }
    switch (method) {
      case Methods::kAddAll:
        set(deed, no ? Kind::other : Kind::adds, collection(operation));
        deed.end = End::back;
        if (bounded_ && (lost || threw(operation, kIllegalState))) deed.kind = Kind::may_add;
        return;
      case Methods::kPoll:
      case Methods::kPollFirst:
      case Methods::kTake:
      case Methods::kTakeFirst:
      case Methods::kRemoveFirst: return read_end(operation, End::front, Kind::takes, deed);
      case Methods::kPollLast:
      case Methods::kTakeLast:
      case Methods::kRemoveLast: return read_end(operation, End::back, Kind::takes, deed);
      case Methods::kPeek:
      case Methods::kPeekFirst:
      case Methods::kElement:
      case Methods::kGetFirst: return read_end(operation, End::front, Kind::looks, deed);
      case Methods::kPeekLast:
      case Methods::kGetLast: return read_end(operation, End::back, Kind::looks, deed);
      case Methods::kRemove:
        if (operation.arguments.empty()) return read_end(operation, End::front, Kind::takes, deed);
        [[fallthrough]];
      case Methods::kRemoveFirstOccurrence:
      case Methods::kRemoveLastOccurrence:
        set(deed, yes ? Kind::removes : no ? Kind::misses : lost ? Kind::may_remove : Kind::other, operation.arguments);
        return;
      case Methods::kContains:
        set(deed, yes ? Kind::finds : no ? Kind::misses : Kind::other, operation.arguments);
        return;
      case Methods::kContainsAll: set(deed, yes ? Kind::finds : Kind::other, collection(operation)); return;
      case Methods::kSize: deed.kind = !lost && returns_number(operation, 0) ? Kind::is_empty : Kind::other; return;
      case Methods::kIsEmpty: deed.kind = yes ? Kind::is_empty : Kind::other; return;
      case Methods::kToArray:
      case Methods::kToString:
        if (!lost && deeds_.can_read_lists) read_list(result, deed);
        return;
      case Methods::kClear: deed.kind = Kind::clears; return;
      case Methods::kRemoveAll: set(deed, no ? Kind::misses : Kind::removes_all, collection(operation)); return;
      case Methods::kRetainAll: set(deed, no ? Kind::only : Kind::keeps, collection(operation)); return;
      default: return;
    }
  }

  void set(Deed& deed, Kind kind, std::span<const Value> values) const {
    deed.kind = kind;
    for (const Value value : values) {
      const Element element = deeds_.element(value);
      if (element != kNoElement) {
        deed.elements.push_back(element);
      } else if (kind == Kind::removes || kind == Kind::finds) {
        deed.kind = Kind::impossible;
      }
    }
  }

  void read_end(const Operation& operation, End end, Kind kind, Deed& deed) const {
    deed.end = end;
    if (operation.result_unknown()) {
      deed.kind = kind == Kind::takes ? Kind::may_take : Kind::other;
    } else if (operation.result.is_nil() || threw(operation, kNoSuchElement)) {
      deed.kind = Kind::is_empty;
    } else {
      const Element element = deeds_.element(operation.result);
      deed.kind = element == kNoElement ? Kind::impossible : kind;
      deed.elements = {element};
    }
  }

  void read_list(Value result, Deed& deed) const {
    deed.kind = Kind::impossible;
    if (!result.is_string()) return;
    std::string_view text = pool_.text_of(result);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return;
    text = text.substr(1, text.size() - 2);
    constexpr std::string_view kBetween = ", ";
    while (!text.empty()) {
      const std::size_t comma = text.find(kBetween);
      const auto at = by_text_.find(std::string(text.substr(0, comma)));
      if (at == by_text_.end()) return;
      deed.elements.push_back(at->second);
      if (comma == std::string_view::npos) break;
      text = text.substr(comma + kBetween.size());
      if (text.empty()) return;
    }
    deed.kind = Kind::lists;
  }

  const Subhistory& part_;
  const ValuePool& pool_;
  const bool bounded_;
  Deeds deeds_;
  absl::flat_hash_map<std::string, Element> by_text_;
};

}  // namespace

Deeds read_deeds(const Subhistory& part) {
  const Specification& specification = *part.specification;
  if (const auto* const queue = specification.get_if<FifoQueue>()) {
    return Reader(part, Collection::queue, queue->capacity < kMaxInteger).read();
  }
  if (const auto* const deque = specification.get_if<LinkedDeque>()) {
    return Reader(part, Collection::deque, deque->capacity < kMaxInteger).read();
  }
  if (specification.get_if<Heap>() != nullptr) return Reader(part, Collection::heap, false).read();
  Deeds deeds;
  deeds.obstacle = "no queue or deque of java.util.concurrent";
  deeds.other_type = true;
  return deeds;
}

bool excludes(const Deed& deed, Element element) {
  switch (deed.kind) {
    case Kind::misses:
    case Kind::takes:
    case Kind::removes:
    case Kind::may_remove:
    case Kind::removes_all: return deed.has(element);
    case Kind::lists:
    case Kind::only:
    case Kind::keeps: return !deed.has(element);
    case Kind::is_empty:
    case Kind::clears: return true;
    default: return false;
  }
}

bool needs(const Deed& deed, Element element) {
  switch (deed.kind) {
    case Kind::takes:
    case Kind::looks:
    case Kind::finds:
    case Kind::removes:
    case Kind::lists: return deed.has(element);
    default: return false;
  }
}

}  // namespace linchpin::types::juc
