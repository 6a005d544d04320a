// The store of versions as a state: small to copy, compared and hashed with its past.
//
// Of the past a store keeps what each revision changed, as a list that states share: what was before under the keys
// that it touched. A range at an old revision undoes these. Tests: mvcc_kv_test.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "linchpin/value.hpp"
#include "types/flat_map.hpp"
#include "types/mvcc_kv/execution.hpp"

namespace linchpin::types::mvcc_kv {

/// A key as it was before a revision; no content: it was not there.
struct Before {
  Value key;
  std::optional<Content> content;
  bool operator==(const Before&) const = default;
};

/// The last revisions, the youngest first.
class Past {
 public:
  Past(std::int64_t revision, std::vector<Before> before, std::shared_ptr<const Past> older);
  Past(const Past&) = delete;
  Past& operator=(const Past&) = delete;
  ~Past();

  [[nodiscard]] std::int64_t revision() const { return revision_; }
  [[nodiscard]] const std::vector<Before>& before() const { return before_; }
  [[nodiscard]] const Past* older() const { return older_.get(); }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

  static bool same(const Past* left, const Past* right);

 private:
  std::int64_t revision_;
  std::vector<Before> before_;
  mutable std::shared_ptr<const Past> older_;  // taken apart by the destructor, so that a long list needs no deep stack
  std::uint64_t hash_;
};

class Store {
 public:
  [[nodiscard]] std::int64_t revision() const { return revision_; }
  [[nodiscard]] std::int64_t compacted() const { return compacted_; }
  [[nodiscard]] const FlatMap<Content>& contents() const { return contents_; }
  [[nodiscard]] const std::vector<Value>& leases() const { return leases_; }
  [[nodiscard]] const Past* past() const { return past_.get(); }

  void advance() {
    ++revision_;
    past_ = std::make_shared<const Past>(revision_, std::move(before_), std::move(past_));
    before_.clear();
  }
  void compact(std::int64_t revision) { compacted_ = revision; }

  [[nodiscard]] const Content* find(Value key) const { return contents_.find(key); }
  void assign(Value key, const Content& content) {
    remember(key);
    contents_.assign(key, content);
  }
  void erase(Value key) {
    remember(key);
    contents_.erase(key);
  }
  template <class F>
  void visit(Value first, Value end, const ValuePool& pool, F&& f) const {
    std::vector<const FlatMap<Content>::Entry*> found;
    for (const auto& entry : contents_) {
      if (in_range(entry.first, first, end, pool)) found.push_back(&entry);
    }
    std::sort(found.begin(), found.end(),
              [&](const auto* a, const auto* b) { return pool.compare(a->first, b->first) < 0; });
    for (const auto* const entry : found) f(entry->first, entry->second);
  }
  template <class F>
  void visit_all(F&& f) const {
    for (const auto& [key, content] : contents_) f(key, content);
  }

  [[nodiscard]] bool has_lease(Value lease) const {
    return std::find(leases_.begin(), leases_.end(), lease) != leases_.end();
  }
  void add_lease(Value lease) {
    leases_.insert(std::upper_bound(leases_.begin(), leases_.end(), lease,
                                    [](Value left, Value right) { return left.bits() < right.bits(); }),
                   lease);
  }
  void drop_lease(Value lease) { std::erase(leases_, lease); }

  /// @pre revision is at most the current one
  template <class F>
  bool at(std::int64_t revision, F&& f) const {
    Store then = *this;
    for (const Past* step = past_.get(); step != nullptr && step->revision() > revision; step = step->older()) {
      // One request may have touched a key twice: the first time counts, which is undone last.
      for (auto each = step->before().rbegin(); each != step->before().rend(); ++each) {
        each->content ? then.contents_.assign(each->key, *each->content) : then.contents_.erase(each->key);
      }
    }
    return f(then);
  }

  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] std::size_t bytes() const;
  bool operator==(const Store& other) const {
    return revision_ == other.revision_ && compacted_ == other.compacted_ && leases_ == other.leases_ &&
           contents_ == other.contents_ && Past::same(past_.get(), other.past_.get());
  }

 private:
  void remember(Value key) {
    const Content* const there = find(key);
    before_.push_back({key, there != nullptr ? std::optional(*there) : std::nullopt});
  }

  std::int64_t revision_ = 1, compacted_ = 0;
  FlatMap<Content> contents_;
  std::vector<Value> leases_;  // ascending by their bits
  std::shared_ptr<const Past> past_;
  std::vector<Before> before_;  // of the request that is executed now; else empty
};

}  // namespace linchpin::types::mvcc_kv
