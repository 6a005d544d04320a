// What answers show of keys: until when a content stood, and so at which revisions nobody touched it; which revision
// put which value. Contradictions between two answers are found here, before anything is tried.
// Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "base/none.hpp"
#include "linchpin/value.hpp"
#include "types/mvcc_kv/execution.hpp"
#include "types/mvcc_kv/reading.hpp"

namespace linchpin::types::mvcc_kv {

/// A key that a request showed: put at revision `mod`, and still there at revision `seen`.
struct Sighting {
  std::int64_t mod = 0, seen = 0;
  Value value = Value::nil();  ///< nil: not told
  std::int64_t version = 0;    ///< 0: not told
  std::int64_t create = 0;     ///< 0: not told
  std::uint32_t by = kNone;
  bool inferred = false;  ///< nobody was told so, but the condition of a request must have held that was executed
};

/// A known event that put something under a key, or deleted it.
struct Touch {
  std::int64_t revision = 0;
  bool puts = false;
  Value value = Value::nil();
  std::uint32_t by = kNone;
};

/// What is known of one key.
struct KeySightings {
  std::vector<Sighting> seen;                   ///< ascending by `mod`, then `seen`
  std::vector<Touch> touches;                   ///< ascending by revision
  std::vector<std::int64_t> vague;              ///< revisions whose known events may have touched it, ascending
  std::vector<At> absences;                     ///< revisions at which it was not there
  std::vector<std::int64_t> inferred_absences;  ///< the same, as conditions of requests that were executed say
  std::vector<std::pair<std::int64_t, std::int64_t>> untouched;  ///< [first, last] revisions, disjoint, ascending
  /// Of revisions of puts: the last revision at which an answer shows them or a known compare names them.
  absl::flat_hash_map<std::int64_t, std::int64_t> told;
  bool version_matters = false, create_matters = false, every_value_matters = false;
  bool every_revision_matters = false;  ///< some compare asks which is greater
  bool version_alone = false;           ///< some answer tells a version and no creation, or some compare asks for it
  bool value_alone = false;             ///< some answer tells a value, and not who put it

  /// Whether the revision cannot have touched the key.
  [[nodiscard]] bool untouched_at(std::int64_t revision) const;
  void tell(std::int64_t put, std::int64_t at) {
    if (put < 0) every_revision_matters = true;  // of no put, and none may stand for those that nobody names
    std::int64_t& last = told.try_emplace(put, at).first->second;
    last = std::max(last, at);
  }
  /// Whether it makes a difference behind revision `now` that the key was put at this one, rather than at another one
  /// that nobody names. Where it makes none, nobody sees what was put.
  [[nodiscard]] bool names(std::int64_t put, std::int64_t now) const {
    if (every_revision_matters) return true;
    const auto at = told.find(put);
    return at != told.end() && at->second > now;
  }
  /// Who shows that it stood at the revision as it was before, or was put there by somebody in particular, or was not
  /// there soon after; kNone where nobody does by himself. O(what was seen of the key)
  [[nodiscard]] std::uint32_t who_shows_at(std::int64_t revision) const;
};

/// What a revision that nobody told of must have put.
struct Must {
  std::int64_t revision = 0;
  std::uint32_t key = 0;
  Value value = Value::nil();  ///< nil: any
  std::uint32_t by = kNone;
};

class Sightings {
 public:
  /// O(n log n), and the keys in the ranges.
  Sightings(const history::Subhistory& part, const Reading& reading);

  [[nodiscard]] const std::vector<Value>& keys() const { return keys_; }  ///< in their order
  [[nodiscard]] const KeySightings& of(std::size_t key) const { return sightings_[key]; }
  [[nodiscard]] std::uint32_t number(Value key) const {
    const auto at = numbers_.find(key.bits());
    return at != numbers_.end() ? at->second : kNone;
  }

  /// Whether it makes a difference which value was put: some answer shows it, or some compare asks.
  [[nodiscard]] bool matters(std::uint32_t key, Value value) const {
    return sightings_[key].every_value_matters || shown_.contains({key, value.bits()});
  }
  [[nodiscard]] std::span<const Must> must(std::int64_t revision) const;

  /// Two answers that contradict each other by themselves.
  [[nodiscard]] const std::optional<Reading::Clash>& clash() const { return clash_; }

 private:
  void number_keys(const history::Subhistory& part);
  void note_what_matters(const history::Subhistory& part, std::uint32_t i);
  void look(const history::Subhistory& part, std::uint32_t i, std::int64_t revision);
  void look_at_range(const history::Subhistory& part, std::uint32_t i, std::int64_t revision, Value entries,
                     bool listed);
  void compares_held(const history::Subhistory& part, std::uint32_t i, std::int64_t revision, bool inferred);
  void infer_conditions(const history::Subhistory& part, const Reading& reading);
  void touched(const history::Subhistory& part, const Reading& reading, std::uint32_t i, std::int64_t revision);
  void settle(std::uint32_t key, const Reading& reading);
  void find_clashes(std::uint32_t key, const history::Subhistory& part, const Reading& reading);
  void count_versions(std::uint32_t key, const Reading& reading);

  std::vector<Value> keys_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;  // by the keys' bits
  std::vector<KeySightings> sightings_;
  absl::flat_hash_set<std::pair<std::uint32_t, std::uint64_t>> shown_;  // key, bits of the value
  std::vector<Must> musts_;                                             // by revision
  std::vector<std::int64_t> unsure_;  // revisions whose event is not known for sure, ascending
  std::optional<Reading::Clash> clash_;
};

}  // namespace linchpin::types::mvcc_kv
