// The store of versions as the monitor tries it: a row of contents by the number of their keys, with a hash that is
// kept up to date, and without what no answer can tell apart.
//
// A value that nobody saw and no compare asks for makes no difference, nor does a revision that nobody shows as that of
// a put, nor the version of a key of which nobody saw the creation; states that differ only in these are one state. See
// execution.hpp for what a store has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/none.hpp"
#include "linchpin/hash.hpp"
#include "types/mvcc_kv/execution.hpp"
#include "types/mvcc_kv/sightings.hpp"

namespace linchpin::types::mvcc_kv {

class Contents {
 public:
  explicit Contents(const Sightings& sightings) : sightings_(&sightings), row_(sightings.keys().size()) {}

  [[nodiscard]] std::int64_t revision() const { return revision_; }
  void advance() { ++revision_; }
  // Where compactions are is known from elsewhere (times.hpp).
  [[nodiscard]] static std::int64_t compacted() { return 0; }
  static void compact(std::int64_t /*revision*/) {}

  [[nodiscard]] const Content* find(Value key) const {
    const std::uint32_t number = sightings_->number(key);
    return number != kNone && there(row_[number]) ? &row_[number] : nullptr;
  }
  void assign(Value key, Content content) {
    const std::uint32_t number = sightings_->number(key);
    const KeySightings& known = sightings_->of(number);
    if (!sightings_->matters(number, content.value)) content.value = Value::unknown();
    simplify(known, content, content.mod - 1);
    change(number, content);
  }
  /// What nobody asks for behind this revision makes no difference any more. O(keys).
  void forget() {
    for (std::uint32_t number = 0; number < row_.size(); ++number) {
      if (!there(row_[number])) continue;
      Content content = row_[number];
      simplify(sightings_->of(number), content, revision_);
      if (content != row_[number]) change(number, content);
    }
  }
  void erase(Value key) { change(sightings_->number(key), Content{}); }

  template <class F>
  void visit(Value first, Value end, const ValuePool& pool, F&& f) const {
    const std::vector<Value>& keys = sightings_->keys();
    const auto begin = std::lower_bound(keys.begin(), keys.end(), first,
                                        [&](Value key, Value wanted) { return pool.compare(key, wanted) < 0; });
    for (auto key = begin; key != keys.end() && in_range(*key, first, end, pool); ++key) {
      const Content& content = row_[static_cast<std::size_t>(key - keys.begin())];
      if (there(content)) f(*key, content);
    }
  }
  template <class F>
  void visit_all(F&& f) const {
    for (std::size_t number = 0; number < row_.size(); ++number) {
      if (there(row_[number])) f(sightings_->keys()[number], row_[number]);
    }
  }

  [[nodiscard]] bool has_lease(Value lease) const {
    return std::binary_search(leases_.begin(), leases_.end(), lease.bits());
  }
  void add_lease(Value lease) {
    leases_.insert(std::lower_bound(leases_.begin(), leases_.end(), lease.bits()), lease.bits());
    hash_ ^= mix(kLeases, lease.bits());
  }
  void drop_lease(Value lease) {
    leases_.erase(std::lower_bound(leases_.begin(), leases_.end(), lease.bits()));
    hash_ ^= mix(kLeases, lease.bits());
  }

  /// A range at an old revision is looked at when that revision is the current one; see Layers.
  template <class F>
  static bool at(std::int64_t /*revision*/, F&& /*f*/) {
    return true;
  }

  [[nodiscard]] const Content& content(std::uint32_t key) const { return row_[key]; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  [[nodiscard]] std::size_t bytes() const { return row_.capacity() * sizeof(Content) + leases_.capacity() * 8; }
  /// Whether the revision, which both have, leads to the same from here on.
  [[nodiscard]] bool same(const Contents& other) const {
    return hash_ == other.hash_ && row_ == other.row_ && leases_ == other.leases_;
  }
  /// Whether what is under the keys is the same.
  [[nodiscard]] bool same_keys(const Contents& other) const { return row_ == other.row_; }

 private:
  /// A revision that no answer shows and no compare names, or it would be named. Not 0, which says that nothing is
  /// there.
  static constexpr std::int64_t kNotNamed = std::numeric_limits<std::int64_t>::min();
  static constexpr std::uint64_t kLeases = 0x6c656173ULL;

  static bool there(const Content& content) { return content.mod != 0; }
  static void simplify(const KeySightings& known, Content& content, std::int64_t now) {
    if (!known.create_matters || !known.names(content.create, now)) content.create = kNotNamed;
    if (!known.version_matters || (content.create == kNotNamed && !known.version_alone)) content.version = 1;
    if (known.names(content.mod, now)) return;
    content.mod = kNotNamed;
    if (!known.value_alone && !known.every_value_matters) content.value = Value::unknown();
  }
  void change(std::uint32_t number, const Content& content) {
    hash_ ^= mix(number, row_[number].hash()) ^ mix(number, content.hash());
    row_[number] = content;
  }

  const Sightings* sightings_;
  std::int64_t revision_ = 1;
  std::vector<Content> row_;           // by number; put at revision 0: it is not there
  std::vector<std::uint64_t> leases_;  // by their bits, ascending
  std::uint64_t hash_ = 0;
};

}  // namespace linchpin::types::mvcc_kv
