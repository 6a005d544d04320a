// Chains with shared beginnings: how each configuration of a search came about.
//
// A chain is known by its last link. What no configuration leads back to any more is collected when it outgrows the
// rest, so that a hundred thousand operations and thousands of configurations need a few megabytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/none.hpp"

namespace linchpin::algo {

/// A link is an Element and the link before it.
template <class Element>
class SharedChains {
 public:
  std::uint32_t extend(std::uint32_t tail, const Element& element) {
    links_.push_back({element, tail});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }
  [[nodiscard]] const Element& element(std::uint32_t link) const { return links_[link].element; }
  [[nodiscard]] std::uint32_t before(std::uint32_t link) const { return links_[link].previous; }
  [[nodiscard]] std::vector<Element> from_start(std::uint32_t tail) const {
    std::vector<Element> chain;
    for (; tail != kNone; tail = before(tail)) chain.push_back(element(tail));
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  /// Whether so many links more than twice those that were kept last time have come.
  [[nodiscard]] bool worth_collecting(std::size_t more) const { return links_.size() > 2 * kept_ + more; }
  /// Drops what no tail reaches, and renames the tails: `tail_of(each)` refers to that of each of `all`.
  template <class All, class TailOf>
  void collect(All& all, TailOf&& tail_of) {
    std::vector<std::uint32_t> renamed(links_.size(), kNone);
    for (auto& each : all) {
      for (std::uint32_t at = tail_of(each); at != kNone && renamed[at] == kNone; at = before(at)) renamed[at] = 0;
    }
    // A link stands behind the one it follows.
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < links_.size(); ++at) {
      if (renamed[at] == kNone) continue;
      const Link link = links_[at];
      links_[kept] = {link.element, link.previous == kNone ? kNone : renamed[link.previous]};
      renamed[at] = kept++;
    }
    links_.resize(kept);
    for (auto& each : all) {
      std::uint32_t& tail = tail_of(each);
      if (tail != kNone) tail = renamed[tail];
    }
    kept_ = kept;
  }

  [[nodiscard]] std::size_t size() const { return links_.size(); }
  [[nodiscard]] std::size_t bytes() const { return links_.capacity() * sizeof(Link); }
  /// Bytes that so many more links may take at once.
  [[nodiscard]] std::size_t growth(std::size_t ahead) const {
    return links_.size() + ahead > links_.capacity() ? 2 * bytes() : 0;
  }

 private:
  struct Link {
    Element element;
    std::uint32_t previous;
  };
  std::vector<Link> links_;
  std::size_t kept_ = 0;
};

}  // namespace linchpin::algo
