// Configurations of the breadth-first search, in flat arrays, and a hash set of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "decide/search/chains.hpp"
#include "decide/search/transitions.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::decide {

/// A list of configurations in flat arrays: masks of `words` words each, states, chains. A mask has a bit for each slot
/// whose operation is done; behind these, one for each whose operation is free: need not be done (window.hpp).
struct Configurations {
  std::uint32_t words;
  std::vector<std::uint64_t> masks;
  std::vector<StateId> states;
  std::vector<std::uint32_t> tails;

  explicit Configurations(std::uint32_t mask_words) : words(mask_words) {}
  [[nodiscard]] std::size_t size() const { return states.size(); }
  [[nodiscard]] std::uint64_t* mask(std::size_t i) { return &masks[i * words]; }
  [[nodiscard]] const std::uint64_t* mask(std::size_t i) const { return &masks[i * words]; }
  [[nodiscard]] bool has(std::size_t i, std::uint32_t slot) const {
    return ((mask(i)[slot >> 6] >> (slot & 63)) & 1U) != 0;
  }
  void set(std::size_t i, std::uint32_t slot) { mask(i)[slot >> 6] |= std::uint64_t{1} << (slot & 63); }
  void clear(std::size_t i, std::uint32_t slot) { mask(i)[slot >> 6] &= ~(std::uint64_t{1} << (slot & 63)); }
  void push(const std::uint64_t* from, StateId state, std::uint32_t tail) {
    // `from` may point into `masks`, which may move.
    const std::size_t at = masks.size();
    if (from >= masks.data() && from < masks.data() + at) {
      const std::size_t offset = static_cast<std::size_t>(from - masks.data());
      masks.resize(at + words);
      std::copy_n(masks.begin() + static_cast<std::ptrdiff_t>(offset), words,
                  masks.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      masks.insert(masks.end(), from, from + words);
    }
    states.push_back(state);
    tails.push_back(tail);
  }
  void pop() {
    LINCHPIN_ASSERT(!states.empty() && masks.size() == states.size() * words && tails.size() == states.size());
    masks.resize(masks.size() - words);
    states.pop_back();
    tails.pop_back();
  }
  void clear_all() {
    masks.clear();
    states.clear();
    tails.clear();
  }
  void assign(std::size_t to, std::size_t from) {
    std::copy_n(mask(from), words, mask(to));
    states[to] = states[from];
    tails[to] = tails[from];
  }
  void truncate(std::size_t count) {
    LINCHPIN_ASSERT(count <= size() && masks.size() == states.size() * words && tails.size() == states.size());
    masks.resize(count * words);
    states.resize(count);
    tails.resize(count);
  }
  [[nodiscard]] std::size_t bytes() const {
    return masks.capacity() * sizeof(std::uint64_t) + (states.capacity() + tails.capacity()) * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::size_t bytes_each() const { return words * sizeof(std::uint64_t) + 2 * sizeof(std::uint32_t); }
  [[nodiscard]] std::size_t growth() const {
    return states.size() + kEntriesAhead > states.capacity() ? 2 * bytes() : 0;
  }
};

/// The configurations met during one response: a hash set of indices into `met`.
class Visited {
 public:
  explicit Visited(std::uint32_t words) : met_(words), index_(256, 0) {}
  void clear() {
    met_.clear_all();
    if (index_.size() > 4096) {
      index_.assign(256, 0);
    } else {
      std::fill(index_.begin(), index_.end(), 0);
    }
  }
  /// True if the configuration is new.
  bool insert(const std::uint64_t* mask, StateId state) {
    if ((met_.size() + 1) * 2 > index_.size()) grow();
    std::size_t slot = hash(mask, state) & (index_.size() - 1);
    for (; index_[slot] != 0; slot = (slot + 1) & (index_.size() - 1)) {
      const std::size_t at = index_[slot] - 1;
      if (met_.states[at] == state && std::equal(mask, mask + met_.words, met_.mask(at))) return false;
    }
    met_.push(mask, state, kNoLink);
    index_[slot] = static_cast<std::uint32_t>(met_.size());
    return true;
  }
  [[nodiscard]] std::size_t size() const { return met_.size(); }
  [[nodiscard]] std::size_t bytes() const { return met_.bytes() + index_.capacity() * sizeof(std::uint32_t); }
  [[nodiscard]] std::size_t growth() const {
    return met_.growth() +
           ((met_.size() + kEntriesAhead) * 2 > index_.size() ? 2 * index_.size() * sizeof(std::uint32_t) : 0);
  }

 private:
  [[nodiscard]] std::uint64_t hash(const std::uint64_t* mask, StateId state) const {
    std::uint64_t seed = mix(2, state);
    for (std::uint32_t w = 0; w < met_.words; ++w) seed = mix(seed, mask[w]);
    return seed;
  }
  void grow() {
    index_.assign(index_.size() * 2, 0);
    for (std::size_t at = 0; at < met_.size(); ++at) {
      std::size_t slot = hash(met_.mask(at), met_.states[at]) & (index_.size() - 1);
      while (index_[slot] != 0) slot = (slot + 1) & (index_.size() - 1);
      index_[slot] = static_cast<std::uint32_t>(at + 1);
    }
  }
  Configurations met_;
  std::vector<std::uint32_t> index_;  // open addressing; position + 1
};

}  // namespace linchpin::decide
