// Rows of elements, each row once, with a number: what configurations of a search hold, where many hold the same.
//
// Who makes a row knows its hash, often from that of another row. Cost: O(length) to intern. Memory: the rows, and some
// 30 bytes for each. Tests: interned_rows_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace linchpin::algo {

template <class Element>
class InternedRows {
 public:
  [[nodiscard]] std::span<const Element> row(std::uint32_t id) const {
    return std::span(elements_).subspan(begin_[id], begin_[id + 1] - begin_[id]);
  }
  [[nodiscard]] std::uint64_t hash(std::uint32_t id) const { return hashes_[id]; }
  /// The number of an equal row, or of a copy of this one. Numbers ascend from 0.
  /// @param row  none of these rows itself
  std::uint32_t id_of(std::span<const Element> row, std::uint64_t hash) {
    if (2 * (hashes_.size() + 1) > index_.size()) reindex(std::max<std::size_t>(256, 2 * index_.size()));
    std::size_t at = hash & (index_.size() - 1);
    for (; index_[at] != 0; at = (at + 1) & (index_.size() - 1)) {
      const std::uint32_t id = index_[at] - 1;
      if (hashes_[id] == hash && std::ranges::equal(row, this->row(id))) return id;
    }
    elements_.insert(elements_.end(), row.begin(), row.end());
    begin_.push_back(elements_.size());
    hashes_.push_back(hash);
    index_[at] = static_cast<std::uint32_t>(hashes_.size());
    return index_[at] - 1;
  }
  [[nodiscard]] std::size_t bytes() const { return elements_.size() * sizeof(Element) + hashes_.size() * 24; }
  /// Bytes that the next few rows may take at once because a table grows.
  [[nodiscard]] std::size_t growth() const {
    return elements_.size() + kAhead > elements_.capacity() ? 2 * elements_.capacity() * sizeof(Element) : 0;
  }
  /// Forgets the rows that no configuration has as its `row`, once there are twice as many as it left the last time and
  /// `more` bytes besides. `each_kept(visit)` calls `visit(configurations)` for those besides the current ones.
  template <class Configuration, class EachKept>
  void forget(std::size_t more, std::vector<Configuration>& current, EachKept&& each_kept) {
    if (bytes() <= 2 * left_ + more) return;
    std::vector<std::uint32_t*> referring;
    const auto gather = [&referring](std::vector<Configuration>& configurations) {
      for (Configuration& each : configurations) referring.push_back(&each.row);
    };
    gather(current);
    each_kept(gather);
    retain(referring);
    left_ = bytes();
  }
  /// Keeps the rows that are referred to, which get new numbers.
  void retain(std::span<std::uint32_t* const> referring) {
    InternedRows kept;
    for (std::uint32_t* const id : referring) *id = kept.id_of(row(*id), hash(*id));
    *this = std::move(kept);
  }

 private:
  static constexpr std::size_t kAhead = std::size_t{1} << 16;  // elements

  void reindex(std::size_t size) {
    index_.assign(size, 0);
    for (std::uint32_t id = 0; id < hashes_.size(); ++id) {
      std::size_t at = hashes_[id] & (size - 1);
      while (index_[at] != 0) at = (at + 1) & (size - 1);
      index_[at] = id + 1;
    }
  }

  std::vector<Element> elements_;
  std::vector<std::size_t> begin_ = {0};
  std::vector<std::uint64_t> hashes_;  // by number
  std::vector<std::uint32_t> index_;   // open addressing: number + 1
  std::size_t left_ = 0;               // bytes, when rows were last forgotten
};

}  // namespace linchpin::algo
