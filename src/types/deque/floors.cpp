#include "types/deque/floors.hpp"

#include <algorithm>

namespace linchpin::types::deque {

using Half = Floors::Half;

void Floors::keep(std::vector<Half>& halves, Numbers floors) {
  ByFloor same;
  same.fill(StackSets::kNothing);
  for (Numbers rest = floors; rest != 0; rest &= rest - 1) {
    const auto each = static_cast<std::size_t>(std::countr_zero(rest));
    same[each] = alone(each);
  }
  replace(halves, same);
}

std::vector<std::vector<Half>> Floors::by_height(std::span<const Half> halves, std::uint32_t most) {
  std::vector<std::vector<Half>> all(std::size_t{most} + 1);
  for (const Half node : images_.nodes_of(halves_, halves)) {
    if (node != StackSets::kEmptyStack && height(node) <= most) all[height(node)].push_back(node);
  }
  for (std::vector<Half>& nodes : all) {
    std::ranges::sort(nodes, {}, [&](Half node) { return halves_.content_hash(node); });
  }
  return all;
}

void Floors::replace(std::vector<Half>& halves, const ByFloor& bottoms) {
  for (const Half node : images_.nodes_of(halves_, halves)) {
    if (halves_.height(node) > 1) {
      images_[node] = images_.on_images(halves_, node);
    } else if (node != StackSets::kEmptyStack) {
      for (std::size_t k = 0; k < halves_.tops(node).size(); ++k) {
        images_[node] = halves_.unite(images_[node], bottoms[number(halves_.tops(node)[k].top)]);
      }
    }
  }
  for (Half& half : halves) half = images_[half];
}

Floors::ByFloor Floors::turned(std::span<const std::pair<Half, Half>> starts) {
  ByFloor all;
  all.fill(StackSets::kNothing);
  std::vector<Half> roots;
  for (const auto& [node, bottom] : starts) roots.push_back(node);
  std::vector<Half> nodes = images_.nodes_of(halves_, roots);
  std::ranges::reverse(nodes);
  for (const auto& [node, bottom] : starts) images_[node] = bottom;
  std::vector<StackSets::Edge> edges;
  for (const Half node : nodes) {
    edges.assign(halves_.tops(node).begin(), halves_.tops(node).end());
    for (const StackSets::Edge& edge : edges) {
      if (is_floor(edge.top)) {
        Half& own = all[number(edge.top)];
        own = halves_.unite(own, images_[node]);
      } else {
        images_[edge.below] = halves_.unite(images_[edge.below], halves_.push(edge.top, images_[node]));
      }
    }
  }
  return all;
}

void Floors::cut(std::vector<Half>& halves, std::span<const Half> cuts) {
  const std::vector<Half> nodes = images_.nodes_of(halves_, halves);
  for (std::size_t at = 0; at < cuts.size(); ++at) images_[cuts[at]] = alone(at);
  for (const Half node : nodes) {
    if (halves_.height(node) > halves_.height(cuts[0])) images_[node] = images_.on_images(halves_, node);
  }
  for (Half& half : halves) half = images_[half];
}

Half Floors::under(std::span<const algo::ValueNumber> values, Half half) const {
  for (const algo::ValueNumber value : values) {
    if (half == StackSets::kNothing) break;
    half = halves_.pop(value, half);
  }
  return half;
}

}  // namespace linchpin::types::deque
