// The open operations of a search, label by label, each label's in the order of their responses.
//
// Operations of one label differ in nothing but their deadlines, so what a configuration can still do with them depends
// on the responses of those that it has not done (docs/design/search.md, facts 3 and 6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.hpp"
#include "decide/search/transitions.hpp"
#include "decide/search/window.hpp"
#include "history/subhistory.hpp"

namespace linchpin::decide {

/// The open operations of one label.
template <class Mask>
struct OpenGroup {
  Label label = 0;
  bool pure = false;
  std::uint32_t overwrites = Labels::kNowhere;
  std::vector<std::uint32_t> locals;  ///< by response, pending ones last
  Mask bits;                          ///< their slots
  std::uint32_t completed = 0;        ///< how many of them respond: the first ones
};

template <class Mask>
class OpenGroups {
 public:
  using Group = OpenGroup<Mask>;

  OpenGroups(const history::Subhistory& part, const Labels& labels, const Window& window)
      : part_(part), labels_(labels), window_(window) {}

  /// The groups that have operations: pure and others.
  [[nodiscard]] std::span<Group> pure() { return {pure_.data(), pure_used_}; }
  [[nodiscard]] std::span<Group> others() { return {others_.data(), others_used_}; }

  void open(std::uint32_t local) {
    const Label label = labels_.of(local);
    Group& group = group_of(label, labels_.pure(label));
    const auto after =
        std::upper_bound(group.locals.begin(), group.locals.end(), local,
                         [&](std::uint32_t a, std::uint32_t b) { return part_.response[a] < part_.response[b]; });
    group.locals.insert(after, local);
    if (!part_.pending(local)) ++group.completed;
    group.bits |= Mask::of(window_.slot[local]);
  }

  /// Nothing is open any more.
  void clear() { pure_used_ = others_used_ = 0; }

  /// `local` responds. @pre open
  void close(std::uint32_t local) {
    const Label label = labels_.of(local);
    const bool pure = labels_.pure(label);
    std::vector<Group>& groups = pure ? pure_ : others_;
    std::size_t& used = pure ? pure_used_ : others_used_;
    std::size_t at = 0;
    while (groups[at].label != label) {
      ++at;
      LINCHPIN_ASSERT(at < used);
    }
    Group& group = groups[at];
    std::erase(group.locals, local);
    --group.completed;
    group.bits &= ~Mask::of(window_.slot[local]);
    if (group.locals.empty()) std::swap(group, groups[--used]);  // its memory is used again
  }

 private:
  Group& group_of(Label label, bool pure) {
    std::vector<Group>& groups = pure ? pure_ : others_;
    std::size_t& used = pure ? pure_used_ : others_used_;
    for (std::size_t at = 0; at < used; ++at) {
      if (groups[at].label == label) return groups[at];
    }
    if (used == groups.size()) groups.emplace_back();
    Group& group = groups[used++];
    group.label = label;
    group.pure = pure;
    group.overwrites = labels_.overwrites(label);
    group.locals.clear();
    group.completed = 0;
    group.bits = {};
    return group;
  }

  const history::Subhistory& part_;
  const Labels& labels_;
  const Window& window_;
  std::vector<Group> pure_, others_;  // the first so many are in use
  std::size_t pure_used_ = 0, others_used_ = 0;
};

}  // namespace linchpin::decide
