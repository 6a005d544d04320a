#include "types/mvcc_kv/sightings.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/none.hpp"
#include "types/mvcc_kv/effects.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Subhistory;

constexpr std::ptrdiff_t kFewKeys = 16, kFewSightings = 16;
constexpr std::int64_t kAnywhere = std::numeric_limits<std::int64_t>::max();  // a revision behind all

/// The entries of everything that the operation shows: f(entries) for each list of them.
template <class F>
void for_each_shown(const Operation& operation, const Answer& answer, F&& f) {
  const ValuePool& pool = *operation.pool;
  const auto entries = [&](Value list) {
    if (list.is_list()) f(pool.elements_of(list));
  };
  if (operation.method == kRange) {
    entries(answer.at(0));
  } else if (operation.method == kPut) {
    f(answer.rest);
  } else if (operation.method == kTxn && answer.at(1).is_list()) {
    for (const Value result : pool.elements_of(answer.at(1))) {
      if (result.is_list() && !pool.elements_of(result).empty()) entries(pool.elements_of(result)[0]);
    }
  }
}

template <class F>
void for_each_compare(const Operation& operation, F&& f) {
  if (operation.method != kTxn) return;
  for (const Value each : operation.pool->elements_of(operation.argument(0))) f(*parse_compare(each, *operation.pool));
}

void sort(std::vector<Sighting>& seen) {
  std::sort(seen.begin(), seen.end(), [](const Sighting& a, const Sighting& b) {
    return std::tie(a.mod, a.seen, a.by) < std::tie(b.mod, b.seen, b.by);
  });
}

std::int64_t number_at(std::span<const Value> fields, std::size_t i, const ValuePool& pool) {
  return i < fields.size() && is_integer(fields[i]) ? pool.integer_of(fields[i]) : 0;
}

}  // namespace

bool KeySightings::untouched_at(std::int64_t revision) const {
  const auto at = std::upper_bound(untouched.begin(), untouched.end(), revision,
                                   [](std::int64_t wanted, const auto& each) { return wanted < each.first; });
  return at != untouched.begin() && std::prev(at)->second >= revision;
}

std::uint32_t KeySightings::who_shows_at(std::int64_t revision) const {
  for (const Sighting& each : seen) {
    if (each.mod < revision && each.seen >= revision) return each.by;
  }
  // Or as put by somebody else at the revision, or as not there from it on.
  for (const Sighting& each : seen) {
    if (each.mod == revision) return each.by;
  }
  const At* gone = nullptr;
  for (const At& at : absences) {
    if (at.revision >= revision && (gone == nullptr || at.revision < gone->revision)) gone = &at;
  }
  return gone == nullptr ? kNone : gone->operation;
}

Sightings::Sightings(const Subhistory& part, const Reading& reading) {
  number_keys(part);
  for (std::uint32_t i = 0; i < part.size(); ++i) note_what_matters(part, i);
  for (std::size_t r = 1; r < reading.event.size(); ++r) {
    const auto revision = static_cast<std::int64_t>(r);
    for (const std::uint32_t i : reading.looks[r]) look(part, i, revision);
    if (const std::uint32_t event = reading.event[r]; event != kNone) {
      compares_held(part, event, revision - 1, false);
      touched(part, reading, event, revision);
    } else if (r > 1) {
      unsure_.push_back(revision);
    }
  }
  for (std::uint32_t key = 0; key < keys_.size(); ++key) {
    sort(sightings_[key].seen);
    find_clashes(key, part, reading);
  }
  if (!unsure_.empty()) infer_conditions(part, reading);
  for (std::uint32_t key = 0; key < keys_.size(); ++key) {
    settle(key, reading);
    count_versions(key, reading);
  }
  std::sort(musts_.begin(), musts_.end(), [](const Must& a, const Must& b) {
    return std::tie(a.revision, a.key, a.by) < std::tie(b.revision, b.key, b.by);
  });
}

void Sightings::number_keys(const Subhistory& part) {
  const ValuePool& pool = part.history->pool();
  absl::flat_hash_set<std::uint64_t> known;
  const auto name = [&](Value key) {
    if (known.insert(key.bits()).second) keys_.push_back(key);
  };
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const Operation operation = part.view(i);
    const Answer answer = answer_of(operation);
    for_each_act(operation, answer, [&](const Act& act, Value) { name(act.key); });
    for_each_compare(operation, [&](const Compare& compare) { name(compare.key); });
    for_each_shown(operation, answer, [&](std::span<const Value> entries) {
      for (const Value entry : entries) {
        if (entry.is_list() && !pool.elements_of(entry).empty()) name(pool.elements_of(entry)[0]);
      }
    });
  }
  std::sort(keys_.begin(), keys_.end(), [&](Value a, Value b) { return pool.compare(a, b) < 0; });
  for (const Value key : keys_) numbers_.emplace(key.bits(), static_cast<std::uint32_t>(numbers_.size()));
  sightings_.resize(keys_.size());
}

void Sightings::note_what_matters(const Subhistory& part, std::uint32_t i) {
  const Operation operation = part.view(i);
  const ValuePool& pool = *operation.pool;
  const Answer answer = answer_of(operation);
  const std::int64_t asked = operation.method == kRange ? range_of(operation).revision : 0;
  const bool placed = answer.revision.has_value() && !part.pending(i);
  const std::int64_t at = !placed ? kAnywhere : asked > 0 ? asked : *answer.revision;
  for_each_compare(operation, [&](const Compare& compare) {
    KeySightings& key = sightings_[number(compare.key)];
    if (compare.target == Target::value) key.every_value_matters = true;
    if (compare.target == Target::version) key.version_matters = key.version_alone = true;
    if (compare.target == Target::create) key.create_matters = true;
    if (compare.target != Target::mod && compare.target != Target::create) return;
    key.tell(pool.integer_of(compare.value), at);
    if (compare.relation == Relation::less || compare.relation == Relation::greater) key.every_revision_matters = true;
  });
  for_each_shown(operation, answer, [&](std::span<const Value> entries) {
    for (const Value entry : entries) {
      if (!entry.is_list() || pool.elements_of(entry).empty()) continue;
      const auto fields = pool.elements_of(entry);
      const std::uint32_t key = number(fields[0]);
      if (fields.size() > 1 && !fields[1].is_nil()) shown_.insert({key, fields[1].bits()});
      KeySightings& of = sightings_[key];
      const bool creation = fields.size() > 4 && !fields[4].is_nil();
      if (fields.size() > 1 && !fields[1].is_nil() && (fields.size() < 3 || fields[2].is_nil())) of.value_alone = true;
      if (fields.size() > 3 && !fields[3].is_nil()) {
        of.version_matters = true;
        of.version_alone = of.version_alone || !creation;
      }
      if (creation) of.create_matters = true;
      for (const std::size_t field : {2U, 4U}) {
        if (field < fields.size() && is_integer(fields[field])) of.tell(pool.integer_of(fields[field]), at);
      }
    }
  });
}

void Sightings::look(const Subhistory& part, std::uint32_t i, std::int64_t revision) {
  const Operation operation = part.view(i);
  const Answer answer = answer_of(operation);
  if (operation.method == kRange) {
    const std::int64_t asked = range_of(operation).revision;
    look_at_range(part, i, asked > 0 ? asked : revision, answer.at(0), true);
    return;
  }
  compares_held(part, i, revision, false);
  for_each_shown(operation, answer, [&](std::span<const Value> entries) {
    for (const Value entry : entries) look_at_range(part, i, revision, entry, false);
  });
}

/// The entries of a range by itself (`listed`), or one entry of a range in a transaction.
void Sightings::look_at_range(const Subhistory& part, std::uint32_t i, std::int64_t revision, Value shown,
                              bool listed) {
  if (!shown.is_list()) return;
  const Operation operation = part.view(i);
  const ValuePool& pool = *operation.pool;
  std::vector<std::uint32_t> there;
  const auto see = [&](Value entry) {
    if (!entry.is_list() || pool.elements_of(entry).empty()) return;
    const auto fields = pool.elements_of(entry);
    const std::uint32_t key = number(fields[0]);
    there.push_back(key);
    const std::int64_t mod = number_at(fields, 2, pool), create = number_at(fields, 4, pool);
    if (mod < 2 || mod > revision || create > mod) return;  // impossible: no content of the store fits it
    const Value value = fields.size() > 1 ? fields[1] : Value::nil();
    sightings_[key].seen.push_back({.mod = mod,
                                    .seen = revision,
                                    .value = value,
                                    .version = number_at(fields, 3, pool),
                                    .create = create,
                                    .by = i});
  };
  if (!listed) return see(shown);
  for (const Value entry : pool.elements_of(shown)) see(entry);
  const Act act = range_of(operation);
  if (act.count_only || act.limit > 0) return;
  const auto absent = [&](std::uint32_t key) {
    if (std::find(there.begin(), there.end(), key) == there.end()) sightings_[key].absences.push_back({revision, i});
  };
  if (act.end.is_nil()) return absent(number(act.key));
  const auto first = std::lower_bound(keys_.begin(), keys_.end(), act.key,
                                      [&](Value key, Value wanted) { return pool.compare(key, wanted) < 0; });
  auto last = first;
  while (last != keys_.end() && last - first <= kFewKeys && in_range(*last, act.key, act.end, pool)) ++last;
  if (last - first > kFewKeys) return;
  for (auto key = first; key != last; ++key) absent(static_cast<std::uint32_t>(key - keys_.begin()));
}

/// If a transaction tells that its compares held, or if it is inferred: what they say of the state before it.
void Sightings::compares_held(const Subhistory& part, std::uint32_t i, std::int64_t revision, bool inferred) {
  const Operation operation = part.view(i);
  if (operation.method != kTxn) return;
  if (!inferred && succeeded(answer_of(operation)) != std::optional(true)) return;
  const ValuePool& pool = *operation.pool;
  for_each_compare(operation, [&](const Compare& compare) {
    if (compare.target != Target::mod || compare.relation != Relation::equal) return;
    const std::int64_t mod = pool.integer_of(compare.value);
    KeySightings& key = sightings_[number(compare.key)];
    if (mod == 0 && inferred) key.inferred_absences.push_back(revision);
    if (mod == 0 && !inferred) key.absences.push_back({revision, i});
    if (mod < 2 || mod > revision) return;
    key.seen.push_back({.mod = mod, .seen = revision, .value = Value::nil(), .by = i, .inferred = inferred});
  });
}

/// A value that was seen as of a missing revision was put by the one request of unknown fate that puts it, if there is
/// only one. If that is a transaction which puts it only where its compares hold, they held.
void Sightings::infer_conditions(const Subhistory& part, const Reading& reading) {
  struct Putter {
    std::uint32_t request = kNone;
    bool only = true, on_success = false, otherwise = false;
  };
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, Putter> putters;
  const auto add = [&](std::uint32_t i) {
    const Operation operation = part.view(i);
    const ValuePool& pool = *operation.pool;
    const auto note = [&](const Act& act, bool on_success) {
      if (act.verb != Verb::put) return;
      Putter& putter = putters[{number(act.key), act.value.bits()}];
      if (putter.request != kNone && putter.request != i) putter.only = false;
      putter.request = i;
      (on_success ? putter.on_success : putter.otherwise) = true;
    };
    if (operation.method == kPut) note(put_of(operation), false);
    if (operation.method != kTxn) return;
    for (const std::size_t branch : {1U, 2U}) {
      for (const Value act : pool.elements_of(operation.argument(branch))) note(*parse_act(act, pool), branch == 1);
    }
  };
  for (const std::uint32_t i : reading.lost) add(i);
  for (const std::uint32_t i : reading.lost_answer) add(i);
  for (const std::vector<std::uint32_t>& either : reading.either) {
    for (const std::uint32_t i : either) add(i);
  }
  std::vector<std::pair<std::uint32_t, std::int64_t>> made;  // a request, and the revision that it made
  for (std::uint32_t key = 0; key < keys_.size(); ++key) {
    for (const Sighting& each : sightings_[key].seen) {
      if (each.value.is_nil() || !reading.missing(each.mod)) continue;
      const auto putter = putters.find({key, each.value.bits()});
      if (putter == putters.end() || !putter->second.only) continue;
      if (putter->second.on_success && !putter->second.otherwise) made.emplace_back(putter->second.request, each.mod);
    }
  }
  std::sort(made.begin(), made.end());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  for (const auto& [request, revision] : made) compares_held(part, request, revision - 1, true);
}

void Sightings::touched(const Subhistory& part, const Reading& reading, std::uint32_t i, std::int64_t revision) {
  const Operation operation = part.view(i);
  const Answer answer = answer_of(operation);
  const ValuePool& pool = *operation.pool;
  const bool open = branch_is_open(operation, answer);
  const auto note = [&](std::uint32_t key, std::optional<Touch> touch) {
    KeySightings& of = sightings_[key];
    const bool again = (!of.touches.empty() && of.touches.back().revision == revision) ||
                       (!of.vague.empty() && of.vague.back() == revision);
    if (again && !of.touches.empty() && of.touches.back().revision == revision) of.touches.pop_back();
    if (again || !touch) {
      if (of.vague.empty() || of.vague.back() != revision) of.vague.push_back(revision);
    } else {
      of.touches.push_back(*touch);
    }
  };
  for_each_act(operation, answer, [&](const Act& act, Value result) {
    if (act.verb == Verb::range) return;
    if (act.verb == Verb::put) {
      const bool there = act.lease.is_nil() || reading.leases_are_there[i];
      const bool sure = !open && (there || operation.method == kPut);
      const Touch touch{.revision = revision, .puts = true, .value = act.value, .by = i};
      note(number(act.key), sure ? std::optional(touch) : std::nullopt);
      return;
    }
    if (!open && result == Value::integer(0)) return;
    if (act.end.is_nil()) {
      const bool sure = !open && result == Value::integer(1);
      const Touch touch{.revision = revision, .puts = false, .value = Value::nil(), .by = i};
      note(number(act.key), sure ? std::optional(touch) : std::nullopt);
      return;
    }
    auto key = std::lower_bound(keys_.begin(), keys_.end(), act.key,
                                [&](Value each, Value wanted) { return pool.compare(each, wanted) < 0; });
    for (; key != keys_.end() && in_range(*key, act.key, act.end, pool); ++key) {
      note(static_cast<std::uint32_t>(key - keys_.begin()), std::nullopt);
    }
  });
}

/// Sorts what is known of the key, and derives where it cannot have been touched, and what must have been put.
void Sightings::settle(std::uint32_t key, const Reading& reading) {
  KeySightings& of = sightings_[key];
  sort(of.seen);
  for (std::size_t k = 0; k < of.seen.size(); ++k) {
    const Sighting& each = of.seen[k];
    if (each.seen > each.mod) {
      if (of.untouched.empty() || of.untouched.back().second < each.mod) {
        of.untouched.emplace_back(each.mod + 1, each.seen);
      } else {
        of.untouched.back().second = std::max(of.untouched.back().second, each.seen);
      }
    }
    const bool repeated = k > 0 && of.seen[k - 1].mod == each.mod && of.seen[k - 1].value == each.value;
    if (reading.missing(each.mod) && !repeated) {
      musts_.push_back({.revision = each.mod, .key = key, .value = each.value, .by = each.by});
    }
    // Whoever created the key put it.
    const bool again = k > 0 && of.seen[k - 1].create == each.create;
    if (each.create >= 2 && each.create < each.mod && reading.missing(each.create) && !again) {
      musts_.push_back({.revision = each.create, .key = key, .value = Value::nil(), .by = each.by});
    }
  }
}

void Sightings::find_clashes(std::uint32_t key, const Subhistory& part, const Reading& reading) {
  if (clash_) return;
  const KeySightings& of = sightings_[key];
  const std::string name = part.history->pool().to_text(keys_[key]);
  const auto clash = [&](std::uint32_t first, std::uint32_t second, std::string why) {
    if (!clash_ && first != second) clash_ = Reading::Clash{first, second, std::move(why)};
  };
  // Of all that were put before a revision: the one that is seen last.
  const auto stands = [&](std::int64_t revision, const Sighting** found) {
    const auto before = std::lower_bound(of.seen.begin(), of.seen.end(), revision,
                                         [](const Sighting& each, std::int64_t wanted) { return each.mod < wanted; });
    *found = nullptr;
    for (auto each = before; each != of.seen.begin();) {
      --each;
      if (*found == nullptr || each->seen > (*found)->seen) *found = &*each;
      if (before - each > kFewSightings) break;  // contradictions further back are found by trying
    }
    return *found != nullptr && (*found)->seen >= revision;
  };
  const Sighting* found = nullptr;
  for (const Touch& touch : of.touches) {
    if (stands(touch.revision, &found)) {
      clash(found->by, touch.by,
            fmt::format("{} stood from revision {} to {}, but revision {} touched it", name, found->mod, found->seen,
                        touch.revision));
    }
  }
  for (std::size_t k = 0; k < of.seen.size(); ++k) {
    const Sighting& each = of.seen[k];
    const Sighting* const last = k > 0 ? &of.seen[k - 1] : nullptr;
    if (last != nullptr && last->mod == each.mod) {
      const bool values = !last->value.is_nil() && !each.value.is_nil() && last->value != each.value;
      const bool versions = last->version != 0 && each.version != 0 && last->version != each.version;
      if (values || versions) {
        clash(last->by, each.by, fmt::format("{} is shown in two ways as of revision {}", name, each.mod));
      }
      continue;
    }
    if (stands(each.mod, &found)) {
      clash(found->by, each.by,
            fmt::format("{} stood from revision {} to {}, but is shown as of revision {}", name, found->mod,
                        found->seen, each.mod));
    }
  }
  for (const Sighting& each : of.seen) {
    const std::uint32_t event = reading.event[reading.index(each.mod)];
    if (event == kNone || std::binary_search(of.vague.begin(), of.vague.end(), each.mod)) continue;
    const auto touch = std::lower_bound(of.touches.begin(), of.touches.end(), each.mod,
                                        [](const Touch& t, std::int64_t wanted) { return t.revision < wanted; });
    const bool there = touch != of.touches.end() && touch->revision == each.mod;
    if (!there || !touch->puts) {
      clash(each.by, event, fmt::format("{} is shown as of revision {}, which did not put it", name, each.mod));
    } else if (!each.value.is_nil() && each.value != touch->value) {
      clash(each.by, event, fmt::format("{} is shown as of revision {}, which put another value", name, each.mod));
    }
  }
  for (const At& absence : of.absences) {
    if (stands(absence.revision + 1, &found) || (found != nullptr && found->seen == absence.revision)) {
      clash(found->by, absence.operation,
            fmt::format("{} stood from revision {} to {}, but was not there at revision {}", name, found->mod,
                        found->seen, absence.revision));
    }
  }
}

/// Where versions say that just the known puts touched the key, no other revision did. A sighting that tells its
/// creation counts the puts since. Without, two sightings do that count the puts between, unless the key was deleted
/// between and put again so often that the versions met: for that there must be revisions enough.
void Sightings::count_versions(std::uint32_t key, const Reading& reading) {
  KeySightings& of = sightings_[key];
  if (unsure_.empty()) return;
  std::vector<std::pair<std::int64_t, std::int64_t>> more;
  /// Whether the key was put just `puts` times in [first, mod], if nobody else but these touched it between.
  const auto only_known = [&](std::int64_t first, std::int64_t mod, std::int64_t puts) {
    const auto touch = [](const Touch& each, std::int64_t wanted) { return each.revision < wanted; };
    const auto begin = std::lower_bound(of.touches.begin(), of.touches.end(), first, touch);
    const auto end = std::lower_bound(begin, of.touches.end(), mod + 1, touch);
    const auto vague = std::lower_bound(of.vague.begin(), of.vague.end(), first);
    return (vague == of.vague.end() || *vague > mod) && end - begin == puts &&
           std::all_of(begin, end, [](const Touch& each) { return each.puts; });
  };
  const Sighting* last = nullptr;
  for (const Sighting& each : of.seen) {
    if (each.version == 0) continue;
    const bool again = last != nullptr && last->mod == each.mod;
    if (!again && each.create >= 2 && each.create < each.mod) {
      const std::int64_t unknown = (reading.missing(each.create) ? 1 : 0) + (reading.missing(each.mod) ? 1 : 0);
      if (only_known(each.create, each.mod, each.version - unknown)) more.emplace_back(each.create + 1, each.mod - 1);
    } else if (last != nullptr && !again) {
      const auto since = std::lower_bound(unsure_.begin(), unsure_.end(), last->mod + 1);
      const auto unsure = std::lower_bound(since, unsure_.end(), each.mod) - since;
      const std::int64_t puts = each.version - last->version - (reading.missing(each.mod) ? 1 : 0);
      if (puts >= 0 && unsure < last->version && only_known(last->mod + 1, each.mod, puts)) {
        more.emplace_back(last->mod + 1, each.mod - 1);
      }
    }
    last = &each;
  }
  std::erase_if(more, [](const auto& each) { return each.first > each.second; });
  if (more.empty()) return;
  of.untouched.insert(of.untouched.end(), more.begin(), more.end());
  std::sort(of.untouched.begin(), of.untouched.end());
  std::vector<std::pair<std::int64_t, std::int64_t>> merged;
  for (const auto& each : of.untouched) {
    if (!merged.empty() && each.first <= merged.back().second + 1) {
      merged.back().second = std::max(merged.back().second, each.second);
    } else {
      merged.push_back(each);
    }
  }
  of.untouched = std::move(merged);
}

std::span<const Must> Sightings::must(std::int64_t revision) const {
  const auto less = [](const Must& each, std::int64_t wanted) { return each.revision < wanted; };
  const auto first = std::lower_bound(musts_.begin(), musts_.end(), revision, less);
  const auto last = std::lower_bound(first, musts_.end(), revision + 1, less);
  return {musts_.data() + (first - musts_.begin()), static_cast<std::size_t>(last - first)};
}

}  // namespace linchpin::types::mvcc_kv
