#include "types/juc/content_states.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "types/juc/heap.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

constexpr std::size_t kEntryBytes = 64;  // of a content, beside its elements
constexpr std::size_t kStepBytes = 32;

/// The specification's own step.
template <class Spec>
auto step_of(const Spec& specification) {
  return [&specification](std::vector<Value>& values, const Operation& operation) {
    return specification.step(values, operation);
  };
}

}  // namespace

ContentStates::ContentStates(const history::Subhistory& part, const Deeds& deeds, const Foresight& foresight)
    : part_(part), deeds_(deeds), foresight_(foresight), label_(part.size()) {
  if (const auto* const queue = part.specification->get_if<FifoQueue>()) {
    step_ = step_of(*queue);
  } else if (const auto* const deque = part.specification->get_if<LinkedDeque>()) {
    step_ = step_of(*deque);
  } else {
    step_ = step_of(*part.specification->get_if<Heap>());
  }
  renames_ = deeds.can_read_lists && deeds.collection != Collection::heap;
  absl::flat_hash_map<std::vector<std::uint64_t>, std::uint32_t> labels;
  std::vector<std::uint64_t> key;
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    const Operation operation = part.view(x);
    key = {operation.method, operation.result.bits()};
    for (const Value value : operation.arguments) {
      key.push_back(value.bits());
      // An element without a name would be taken for this one.
      if (value.is_list() && contains(operation.pool->elements_of(value), kNameless)) renames_ = false;
    }
    label_[x] = labels.try_emplace(key, static_cast<std::uint32_t>(labels.size())).first->second;
  }
  contents_.emplace_back();
  index_.insert(kEmpty);
}

ContentStates::Id ContentStates::after(Id state, std::uint32_t x) {
  const std::uint64_t key = (std::uint64_t{state} << 32) | label_[x];
  if (const auto at = after_.find(key); at != after_.end()) return at->second;
  const Id next = execute(state, x);
  after_.emplace(key, next);
  bytes_ += kStepBytes;
  return next;
}

ContentStates::Id ContentStates::execute(Id state, std::uint32_t x) {
  const Deed& deed = deeds_.of[x];
  if (deed.kind == Deed::Kind::impossible) return kIllegal;
  const Content& before = contents_[state];
  if (deed.kind == Deed::Kind::lists) return before == deed.elements ? state : kIllegal;
  values_.clear();
  for (const Element element : before) values_.push_back(value(element));
  if (!step_(values_, part_.view(x))) return kIllegal;
  number_values(before);
  return intern(1);
}

void ContentStates::number_values(const Content& before) {
  next_.clear();
  const bool keeps_order = deeds_.collection != Collection::heap;
  std::size_t next = 0;  // of what was inside; what stays keeps its order
  for (const Value each : values_) {
    std::size_t old = keeps_order ? next : next_.size();
    while (keeps_order && old < before.size() && value(before[old]) != each) ++old;
    const bool stays = old < before.size() && value(before[old]) == each;
    next_.push_back(stays ? before[old] : deeds_.element(each));
    if (stays) next = old + 1;
  }
}

ContentStates::Id ContentStates::renamed(Id state, history::Rank moment) {
  const Content& named = contents_[state];
  const bool same =
      std::all_of(named.begin(), named.end(), [&](Element e) { return e == kNoElement || keeps_name(e, moment); });
  if (same) return state;
  next_ = named;
  return intern(moment);
}

ContentStates::Id ContentStates::intern(history::Rank moment) {
  for (Element& element : next_) {
    if (element != kNoElement && !keeps_name(element, moment)) element = kNoElement;
  }
  if (const auto at = index_.find(next_); at != index_.end()) return *at;
  const Id id = free_.empty() ? static_cast<Id>(contents_.size()) : free_.back();
  if (free_.empty()) {
    contents_.push_back(next_);
  } else {
    free_.pop_back();
    contents_[id] = next_;
  }
  index_.insert(id);
  bytes_ += kEntryBytes + next_.size() * sizeof(Element);
  return id;
}

void ContentStates::retain(std::span<const Id> live) {
  std::vector<bool> stays(contents_.size(), false);
  stays[kEmpty] = true;
  for (const Id id : live) stays[id] = true;
  absl::erase_if(index_, [&](Id entry) { return !stays[entry]; });
  free_.clear();
  after_.clear();
  bytes_ = 0;
  for (Id id = 0; id < contents_.size(); ++id) {
    if (stays[id]) {
      bytes_ += kEntryBytes + contents_[id].size() * sizeof(Element);
    } else {
      contents_[id].clear();
      free_.push_back(id);
    }
  }
  kept_ = bytes_;
}

std::size_t ContentStates::growth() const {
  const auto of = [](const auto& table, std::size_t each) {
    return 8 * (table.size() + 1) > 7 * table.capacity() ? 2 * table.capacity() * each : 0;
  };
  const bool grows = free_.empty() && contents_.size() == contents_.capacity();
  return of(index_, kEntryBytes) + of(after_, kStepBytes) + (grows ? 2 * contents_.capacity() * sizeof(Content) : 0);
}

}  // namespace linchpin::types::juc
