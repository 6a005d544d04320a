// Changing sets of stacks as a whole: what becomes of each node, from the bottom to the top or the other way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "types/shared/stack_sets.hpp"

namespace linchpin::types {

class StackImages {
 public:
  using Set = StackSets::Set;

  /// The nodes that these consist of, ascending, which is from the bottom to the top. Their images are nothing.
  [[nodiscard]] std::vector<Set> nodes_of(const StackSets& all, std::span<const Set> sets) {
    ++visit_;
    std::vector<Set> nodes;
    const auto visit = [&](Set node) {
      if (visited_.size() <= node) visited_.resize(2 * std::size_t{node} + 1, 0);
      if (std::exchange(visited_[node], visit_) != visit_) nodes.push_back(node);
    };
    for (const Set set : sets) visit(set);
    std::size_t at = 0;
    while (at < nodes.size()) {
      for (const StackSets::Edge& edge : all.tops(nodes[at++])) visit(edge.below);
    }
    std::ranges::sort(nodes);
    image_.resize(visited_.size(), StackSets::kNothing);
    for (const Set node : nodes) image_[node] = StackSets::kNothing;
    return nodes;
  }

  /// What has become of it. @pre one of these nodes
  [[nodiscard]] Set& operator[](Set node) { return image_[node]; }

  /// The node with the images of what is below its tops, where there is any.
  [[nodiscard]] Set on_images(StackSets& all, Set node) {
    edges_.assign(all.tops(node).begin(), all.tops(node).end());
    for (StackSets::Edge& edge : edges_) edge.below = image_[edge.below];
    std::erase_if(edges_, [](const StackSets::Edge& edge) { return edge.below == StackSets::kNothing; });
    return all.of_tops(edges_);
  }
  /// The stacks with others below them.
  [[nodiscard]] Set on_top_of(StackSets& all, Set set, Set others) {
    for (const Set node : nodes_of(all, {&set, 1})) {
      image_[node] = node == StackSets::kEmptyStack ? others : on_images(all, node);
    }
    return image_[set];
  }

 private:
  std::vector<Set> image_;              // by node
  std::vector<std::uint32_t> visited_;  // by node: the visit
  std::uint32_t visit_ = 0;
  std::vector<StackSets::Edge> edges_;
};

}  // namespace linchpin::types
