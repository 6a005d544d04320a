#include "types/mvcc_kv/labels.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "types/mvcc_kv/effects.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Subhistory;

constexpr std::size_t kMostEntries = 8'000'000;  // of `enough`, of four bytes

void sort_out(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

Labels::Labels(const Subhistory& part, const Reading& reading, const Times& times, const Sightings& sightings)
    : sightings_(sightings) {
  find_leased_keys(part);
  for (std::int64_t revision = 2; revision <= reading.last; ++revision) {
    if (reading.missing(revision)) missing_.push_back(revision);
  }
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  for (const std::uint32_t i : reading.lost) {
    const auto [at, fresh] = known.emplace(essence(part, i), labels_.size());
    if (fresh) labels_.push_back(label_of(part, i));
    labels_[at->second].members.push_back(i);
  }
  for (const std::uint32_t i : reading.lost_answer) {
    labels_.push_back(label_of(part, i));
    labels_.back().members.push_back(i);
    labels_.back().must_happen = true;
  }
  find_only(reading);
  makers_.resize(missing_.size());
  for (std::size_t at = 0; at < missing_.size(); ++at) {
    const history::Rank until = times.behind[reading.index(missing_[at])].rank;
    for (std::uint32_t l = 0; l < labels_.size(); ++l) {
      if (part.call[labels_[l].members.front()] > until || !may_make(labels_[l], missing_[at])) continue;
      makers_[at].push_back(l);
      labels_[l].last_maker = at;
    }
  }
  if (labels_.size() * (missing_.size() + 1) > kMostEntries) return;
  for (Label& label : labels_) find_enough(label, part, reading, times);
}

void Labels::find_leased_keys(const Subhistory& part) {
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Operation operation = part.view(i);
    if (operation.method != kPut && operation.method != kTxn) continue;
    for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
      if (act.verb == Verb::put && !act.lease.is_nil()) {
        leased_keys_[act.lease.bits()].push_back(sightings_.number(act.key));
      }
    });
  }
  for (auto& [lease, keys] : leased_keys_) sort_out(keys);
}

/// A value that is seen as of a missing revision was put there by the one label that puts it. Where a label has no more
/// members than such revisions, it can have made no others.
void Labels::find_only(const Reading& reading) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> putters;
  for (std::uint32_t l = 0; l < labels_.size(); ++l) {
    for (const auto& [key, value] : labels_[l].puts) {
      std::vector<std::uint32_t>& of = putters[{key, value.bits()}];
      if (of.empty() || of.back() != l) of.push_back(l);
    }
  }
  for (const std::int64_t revision : missing_) {
    if (!reading.either[reading.index(revision)].empty()) continue;  // one of these may have put it
    for (const Must& must : sightings_.must(revision)) {
      if (must.value.is_nil()) continue;
      const auto of = putters.find({must.key, must.value.bits()});
      if (of == putters.end() || of->second.size() != 1) continue;
      std::vector<std::int64_t>& only = labels_[of->second.front()].only;
      if (only.empty() || only.back() != revision) only.push_back(revision);
    }
  }
  for (Label& label : labels_) {
    if (label.only.size() < label.members.size()) label.only.clear();
  }
}

/// If every revision that the label may make took one of it, from some index on: how many there would have to be left.
void Labels::find_enough(Label& label, const Subhistory& part, const Reading& reading, const Times& times) const {
  std::vector<std::int32_t> spare(missing_.size());  // available at the index, less all that may be used up to it
  std::vector<std::int32_t> before(missing_.size() + 1, 0);
  std::size_t available = 0;
  for (std::size_t at = 0; at < missing_.size(); ++at) {
    before[at + 1] = before[at] + (may_make(label, missing_[at]) ? 1 : 0);
    const history::Rank until = times.behind[reading.index(missing_[at])].rank;
    while (available < label.members.size() && part.call[label.members[available]] < until) ++available;
    spare[at] = static_cast<std::int32_t>(available) - before[at + 1];
  }
  label.enough.assign(missing_.size() + 1, std::numeric_limits<std::int32_t>::max());
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (std::size_t at = missing_.size(); at-- > 0;) {
    if (before[at + 1] > before[at]) least = std::min(least, spare[at]);
    if (least != std::numeric_limits<std::int32_t>::max()) label.enough[at] = least + before[at];
  }
}

bool Labels::may_make(const Label& label, std::int64_t revision) const {
  if (!label.only.empty() && !std::binary_search(label.only.begin(), label.only.end(), revision)) return false;
  for (const Must& must : sightings_.must(revision)) {
    const bool puts = std::any_of(label.puts.begin(), label.puts.end(), [&](const auto& put) {
      return put.first == must.key && (must.value.is_nil() || put.second == must.value);
    });
    if (!puts) return false;
  }
  return std::any_of(label.keys.begin(), label.keys.end(),
                     [&](std::uint32_t key) { return !sightings_.of(key).untouched_at(revision); });
}

bool Labels::is_dead(const Label& label, const Contents& contents) {
  return std::any_of(label.needs.begin(), label.needs.end(), [&](const auto& need) {
    return need.second <= contents.revision() && contents.content(need.first).mod != need.second;
  });
}

Label Labels::label_of(const Subhistory& part, std::uint32_t i) const {
  Label label;
  const Operation operation = part.view(i);
  for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
    if (act.verb == Verb::range) return;
    if (act.verb == Verb::put) {
      label.puts.emplace_back(sightings_.number(act.key), act.value);
    } else if (act.end.is_nil()) {
      label.erases.push_back(sightings_.number(act.key));
    } else {
      const std::vector<Value>& keys = sightings_.keys();
      auto key = std::lower_bound(keys.begin(), keys.end(), act.key,
                                  [&](Value each, Value wanted) { return operation.pool->compare(each, wanted) < 0; });
      for (; key != keys.end() && in_range(*key, act.key, act.end, *operation.pool); ++key) {
        label.erases.push_back(static_cast<std::uint32_t>(key - keys.begin()));
      }
    }
  });
  label.revokes = operation.method == kRevoke;
  if (label.revokes) {
    if (const auto leased = leased_keys_.find(operation.argument(0).bits()); leased != leased_keys_.end()) {
      label.erases = leased->second;
    }
  }
  label.keys = label.erases;
  for (const auto& [key, value] : label.puts) label.keys.push_back(key);
  sort_out(label.keys);
  if (operation.method != kTxn) return label;
  const ValuePool& pool = *operation.pool;
  const auto otherwise = pool.elements_of(operation.argument(2));
  const bool only_if_they_hold = std::all_of(otherwise.begin(), otherwise.end(),
                                             [&](Value act) { return parse_act(act, pool)->verb == Verb::range; });
  for (const Value each : pool.elements_of(operation.argument(0))) {
    const Compare compare = *parse_compare(each, pool);
    const bool names_a_put =
        compare.target == Target::mod && compare.relation == Relation::equal && pool.integer_of(compare.value) > 0;
    if (only_if_they_hold && names_a_put) {
      label.needs.emplace_back(sightings_.number(compare.key), pool.integer_of(compare.value));
    }
  }
  return label;
}

/// What of a request makes a difference, as bits. Ranges make none: nobody was told what they showed.
std::vector<std::uint64_t> Labels::essence(const Subhistory& part, std::uint32_t i) const {
  const Operation operation = part.view(i);
  const ValuePool& pool = *operation.pool;
  std::vector<std::uint64_t> bits{operation.method};
  const auto add_act = [&](const Act& act) {
    if (act.verb == Verb::range) return;
    const bool matters = act.verb == Verb::put && sightings_.matters(sightings_.number(act.key), act.value);
    bits.insert(bits.end(), {static_cast<std::uint64_t>(act.verb), act.key.bits(), act.end.bits(), act.lease.bits(),
                             (matters ? act.value : Value::unknown()).bits()});
  };
  switch (operation.method) {
    case kPut: add_act(put_of(operation)); break;
    case kDelete: add_act(delete_of(operation)); break;
    case kTxn:
      for (const Value each : pool.elements_of(operation.argument(0))) {
        const Compare compare = *parse_compare(each, pool);
        bits.insert(bits.end(),
                    {static_cast<std::uint64_t>(compare.target), static_cast<std::uint64_t>(compare.relation),
                     compare.key.bits(), compare.value.bits()});
      }
      for (const std::size_t branch : {1U, 2U}) {
        bits.push_back(~std::uint64_t{0});  // no act begins so
        for (const Value each : pool.elements_of(operation.argument(branch))) add_act(*parse_act(each, pool));
      }
      break;
    default: bits.push_back(operation.argument(0).bits()); break;
  }
  return bits;
}

}  // namespace linchpin::types::mvcc_kv
