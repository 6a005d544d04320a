#include "decide/search/transitions.hpp"

#include <algorithm>
#include <optional>

#include <absl/container/flat_hash_map.h>

#include "history/process_names.hpp"

namespace linchpin::decide {

namespace {

constexpr std::size_t kFirstCapacity = 64;  // a power of two

bool same(const Operation& a, const Operation& b) {
  return a.method == b.method && a.result == b.result && a.process == b.process &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end());
}

std::uint64_t hash(const Operation& operation) {
  std::uint64_t seed = mix(operation.method, operation.result.bits());
  seed = mix(seed, operation.process);
  for (const Value value : operation.arguments) seed = mix(seed, value.bits());
  return seed;
}

}  // namespace

Labels::Labels(const history::Subhistory& part) : of_(part.size()) {
  std::size_t capacity = 64;
  while (capacity < std::size_t{2} * part.size()) capacity *= 2;
  std::vector<Label> index(capacity, 0);  // label + 1
  absl::flat_hash_map<std::uint64_t, std::uint32_t> places;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    std::size_t slot = hash(operation) & (capacity - 1);
    while (index[slot] != 0 && !same(operations_[index[slot] - 1], operation)) slot = (slot + 1) & (capacity - 1);
    if (index[slot] == 0) {
      operations_.push_back(operation);
      pure_.push_back(part.specification->pure(operation));
      const std::optional<Value> place = part.specification->overwrites(operation);
      overwrites_.push_back(
          place ? places.try_emplace(place->bits(), static_cast<std::uint32_t>(places.size())).first->second
                : kNowhere);
      index[slot] = static_cast<Label>(operations_.size());
    }
    of_[local] = index[slot] - 1;
  }
  any_overwrites_ = !places.empty();
}

Transitions::Transitions(const history::Subhistory& part, const Labels& labels)
    : labels_(labels),
      history_(*part.history),
      with_processes_(part.specification->uses_process()),
      states_(part.specification->make_states()),
      entries_(kFirstCapacity) {}

std::span<const StateId> Transitions::after(StateId state, Label label) {
  const std::size_t place = std::size_t{state} * labels_.count() + label;
  if (place >= kNear) return after_hashed(state, label);
  if (place >= near_.size()) near_.resize(std::min(kNear, 2 * place + 1), {.first = 0, .count = kNotYet});
  Successors& successors = near_[place];
  if (successors.count == kNotYet) successors = execute(state, label);
  return span_of(successors);
}

Transitions::Successors Transitions::execute(StateId state, Label label) {
  scratch_.clear();
  states_->successors(state, labels_.operation(label), scratch_);
  std::sort(scratch_.begin(), scratch_.end());
  scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
  Successors successors{.first = 0, .count = static_cast<std::uint32_t>(scratch_.size())};
  if (scratch_.size() == 1) {
    successors.first = scratch_[0];
  } else if (scratch_.size() > 1) {
    successors.first = static_cast<std::uint32_t>(many_.size());
    many_.insert(many_.end(), scratch_.begin(), scratch_.end());
  }
  return successors;
}

std::span<const StateId> Transitions::after_hashed(StateId state, Label label) {
  const std::uint64_t key = (std::uint64_t{state} << 32) | label;
  std::size_t slot = mix(0, key) & (entries_.size() - 1);
  while (entries_[slot].key != kEmpty && entries_[slot].key != key) slot = (slot + 1) & (entries_.size() - 1);
  if (entries_[slot].key == kEmpty) {
    if ((used_ + 1) * 2 > entries_.size()) {
      grow();
      return after_hashed(state, label);
    }
    entries_[slot] = {.key = key, .successors = execute(state, label)};
    ++used_;
  }
  return span_of(entries_[slot].successors);
}

std::string Transitions::describe(StateId state) const {
  std::string text = states_->describe(state, history_.pool());
  return with_processes_ ? history::with_process_names(history_, std::move(text)) : text;
}

std::size_t Transitions::bytes() const {
  return states_->bytes() + near_.capacity() * sizeof(Successors) + entries_.capacity() * sizeof(Entry) +
         many_.capacity() * sizeof(StateId);
}

std::size_t Transitions::growth() const {
  return states_->growth() + ((used_ + kEntriesAhead) * 2 > entries_.size() ? 2 * entries_.size() * sizeof(Entry) : 0);
}

void Transitions::grow() {
  std::vector<Entry> old = std::move(entries_);
  entries_.assign(old.size() * 2, Entry{});
  for (const Entry& entry : old) {
    if (entry.key == kEmpty) continue;
    std::size_t slot = mix(0, entry.key) & (entries_.size() - 1);
    while (entries_[slot].key != kEmpty) slot = (slot + 1) & (entries_.size() - 1);
    entries_[slot] = entry;
  }
}

void Transitions::retain(std::span<const StateId> live) {
  states_->retain(live);
  near_.clear();
  entries_.assign(kFirstCapacity, Entry{});
  used_ = 0;
  many_.clear();
}

}  // namespace linchpin::decide
