#include "types/juc/element_facts.hpp"

#include <algorithm>

#include "types/juc/java.hpp"

namespace linchpin::types::juc {

namespace {

using Methods = SequenceMethods;

bool adds_one(std::uint16_t method) {
  return method <= Methods::kPut || (method >= Methods::kAddFirst && method <= Methods::kOfferLast);
}

}  // namespace

ElementFacts::ElementFacts(const history::Subhistory& part) : part_(part), unheard_(part.size()) {
  for (std::uint32_t x = 0; x < part.size(); ++x) read_added(x);
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    if (!part.pending(x) && !part.result(x).is_unknown()) read_needed(x);
  }
  // By call, ascending so far.
  for (auto& [bits, element] : elements_) std::reverse(element.needs.begin(), element.needs.end());
}

void ElementFacts::read_added(std::uint32_t x) {
  const Operation operation = part_.view(x);
  const auto added = [&](Value value) {
    Element& element = elements_[value.bits()];
    if (element.adds++ == 0) {
      std::string text = text_of(value, *operation.pool);
      texts_differ_ = texts_differ_ && text.find(',') == std::string::npos;
      texts_differ_ = by_text_.try_emplace(std::move(text), value).second && texts_differ_;
    }
    element.first_added = std::min(element.first_added, part_.call[x]);
  };
  if (adds_one(operation.method)) {
    added(operation.argument(0));
  } else if (operation.method == Methods::kAddAll) {
    for (const Value value : collection(operation)) added(value);
  }
}

/// The operation found the value inside.
void ElementFacts::need(std::uint32_t x, Value value) {
  const auto at = elements_.find(value.bits());
  const bool possible = at != elements_.end() && at->second.first_added < part_.response[x];
  must_be(x, possible);
  if (possible) at->second.needs.push_back(x);
}

void ElementFacts::need_listed(std::uint32_t x, std::string_view text) {
  must_be(x, text.size() >= 2 && text.front() == '[' && text.back() == ']');
  if (unheard_ <= x || !texts_differ_) return;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    const auto at = by_text_.find(std::string(text.substr(0, comma)));
    must_be(x, at != by_text_.end());
    if (at != by_text_.end()) need(x, at->second);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 2);
  }
}

void ElementFacts::read_needed(std::uint32_t x) {
  const Operation operation = part_.view(x);
  const Value result = operation.result;
  switch (operation.method) {
    case Methods::kRemove:
      if (!operation.arguments.empty()) {
        must_be(x, result.is_boolean());
        if (says_true(operation)) need(x, operation.argument(0));
        return;
      }
      [[fallthrough]];
    case Methods::kRemoveFirst:
    case Methods::kRemoveLast:
    case Methods::kElement:
    case Methods::kGetFirst:
    case Methods::kGetLast:
      if (!threw(operation, kNoSuchElement)) need(x, result);
      return;
    case Methods::kPoll:
    case Methods::kPollFirst:
    case Methods::kPollLast:
    case Methods::kPeek:
    case Methods::kPeekFirst:
    case Methods::kPeekLast:
      if (!result.is_nil()) need(x, result);
      return;
    case Methods::kTake: need(x, result); return;
    case Methods::kContains:
    case Methods::kRemoveFirstOccurrence:
    case Methods::kRemoveLastOccurrence:
      must_be(x, result.is_boolean());
      if (says_true(operation)) need(x, operation.argument(0));
      return;
    case Methods::kContainsAll:
      must_be(x, result.is_boolean());
      if (!says_true(operation)) return;
      for (const Value value : collection(operation)) need(x, value);
      return;
    case Methods::kToArray:
    case Methods::kToString:
      must_be(x, result.is_string());
      if (result.is_string()) need_listed(x, operation.pool->text_of(result));
      return;
    case Methods::kIsEmpty:
    case Methods::kRemoveAll:
    case Methods::kRetainAll: must_be(x, result.is_boolean()); return;
    case Methods::kSize:
    case Methods::kRemainingCapacity: must_be(x, is_integer(result)); return;
    default: return;
  }
}

}  // namespace linchpin::types::juc
