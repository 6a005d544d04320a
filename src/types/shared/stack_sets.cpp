#include "types/shared/stack_sets.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::types {

StackSets::StackSets() : index_(kFewest) {
  nodes_.push_back({.first = 0, .count = 0, .height = 0, .variety = 0, .hash = 0, .floors = 0});
}

std::uint64_t StackSets::hash(std::span<const Edge> tops) const {
  std::uint64_t seed = tops.size();
  for (const Edge& edge : tops) seed = mix(mix(seed, edge.top.number()), nodes_[edge.below].hash);
  return seed;
}

float StackSets::variety(std::span<const Edge> tops) const {
  // Sets of tall stacks have more of them than any number type reaches.
  float most = 0;
  for (const Edge& edge : tops) most = std::max(most, nodes_[edge.below].variety);
  if (tops.size() == 1) return most;
  float sum = 0;
  for (const Edge& edge : tops) sum += std::exp2(nodes_[edge.below].variety - most);
  return most + std::log2(sum);
}

StackSets::Set StackSets::intern(std::span<const Edge> tops, std::uint32_t height) {
  if (nodes_.size() * 2 > index_.size()) rebuild_index(2 * index_.size());
  const std::uint64_t content = hash(tops);
  const auto own = static_cast<std::uint32_t>(content);
  std::size_t slot = own & (index_.size() - 1);
  for (; index_[slot].after != 0; slot = (slot + 1) & (index_.size() - 1)) {
    const Set known = index_[slot].after - 1;
    if (index_[slot].hash == own && std::ranges::equal(this->tops(known), tops)) return known;
  }
  const auto set = static_cast<Set>(nodes_.size());
  std::uint64_t floors = 0;
  for (const Edge& edge : tops) {
    floors |= nodes_[edge.below].floors;
    if (is_floor(edge.top)) {
      floors |= std::uint64_t{1} << (edge.top.number() - first_floor_.number());
    }
  }
  nodes_.push_back({.first = static_cast<std::uint32_t>(edges_.size()),
                    .count = static_cast<std::uint32_t>(tops.size()),
                    .height = height,
                    .variety = variety(tops),
                    .hash = content,
                    .floors = floors});
  edges_.insert(edges_.end(), tops.begin(), tops.end());
  index_[slot] = {.hash = own, .after = set + 1};
  LINCHPIN_INVARIANTS(check_node(set));
  return set;
}

void StackSets::rebuild_index(std::size_t capacity) {
  index_.assign(capacity, Place{});
  for (Set set = 1; set < nodes_.size(); ++set) {
    const auto own = static_cast<std::uint32_t>(nodes_[set].hash);
    std::size_t slot = own & (capacity - 1);
    while (index_[slot].after != 0) slot = (slot + 1) & (capacity - 1);
    index_[slot] = {.hash = own, .after = set + 1};
  }
}

void StackSets::check_node(Set set) const {
  const std::span<const Edge> all = tops(set);
  LINCHPIN_ASSERT(set == kEmptyStack ? all.empty() : !all.empty());
  for (std::size_t k = 0; k < all.size(); ++k) {
    LINCHPIN_ASSERT(k == 0 || all[k - 1].top < all[k].top);
    LINCHPIN_ASSERT(all[k].top == kNoValue || height(all[k].below) + 1 == height(set));
  }
}

StackSets::Set StackSets::push(algo::ValueNumber value, Set set) {
  LINCHPIN_ASSERT(set != kNothing);
  const Edge edge{.top = value, .below = set};
  return intern({&edge, 1}, height(set) + 1);
}

StackSets::Set StackSets::pop(algo::ValueNumber value, Set set) const {
  const std::span<const Edge> all = tops(set);
  const auto at = std::ranges::lower_bound(all, value, {}, &Edge::top);
  return at != all.end() && at->top == value ? at->below : kNothing;
}

StackSets::Set StackSets::pop_any(Set set) {
  Set below = kNothing;
  for (std::size_t k = 0; k < nodes_[set].count; ++k) {
    const Edge edge = tops(set)[k];
    if (!is_floor(edge.top)) below = unite(below, edge.below);
  }
  return below;
}

StackSets::Set StackSets::of_tops(std::span<const Edge> tops) {
  return tops.empty() ? kNothing : intern(tops, height(tops[0].below) + 1);
}

StackSets::Set StackSets::unseen(std::uint32_t height) {
  if (height == 0) return kEmptyStack;
  const Edge edge{.top = kNoValue, .below = kEmptyStack};
  return intern({&edge, 1}, height);
}

StackSets::Set StackSets::unite(Set a, Set b) {
  if (a == b || b == kNothing) return a;
  if (a == kNothing) return b;
  LINCHPIN_ASSERT(height(a) == height(b));
  return combine<true>(a, b);
}

StackSets::Set StackSets::intersect(Set a, Set b) {
  if (a == b) return a;
  if (a == kNothing || b == kNothing || height(a) != height(b)) return kNothing;
  return combine<false>(a, b);
}

// Not recursive: sets are as deep as the stacks in them.
template <bool uniting>
StackSets::Set StackSets::combine(Set a, Set b) {
  std::vector<Known>& cache = uniting ? united_ : intersected_;
  // As large as the sets want it: most searches are over before there are many.
  if (wants_larger_cache(cache.size())) cache.assign(cache_size(nodes_.size()), Known{});
  const auto known = [&](Set x, Set y) -> Known& { return cache[mix(x, y) & (cache.size() - 1)]; };
  frames_.clear();
  scratch_.clear();
  const auto begin = [&](Set x, Set y) { frames_.push_back({std::min(x, y), std::max(x, y), 0, 0, scratch_.size()}); };
  begin(a, b);
  while (true) {
    Frame& frame = frames_.back();
    const std::span<const Edge> of_a = tops(frame.a);
    const std::span<const Edge> of_b = tops(frame.b);
    bool descended = false;
    while (frame.at_a < of_a.size() || frame.at_b < of_b.size()) {
      if (frame.at_b == of_b.size() || (frame.at_a < of_a.size() && of_a[frame.at_a].top < of_b[frame.at_b].top)) {
        if (uniting) scratch_.push_back(of_a[frame.at_a]);
        ++frame.at_a;
      } else if (frame.at_a == of_a.size() || of_b[frame.at_b].top < of_a[frame.at_a].top) {
        if (uniting) scratch_.push_back(of_b[frame.at_b]);
        ++frame.at_b;
      } else {
        const algo::ValueNumber top = of_a[frame.at_a].top;
        const Set x = std::min(of_a[frame.at_a].below, of_b[frame.at_b].below);
        const Set y = std::max(of_a[frame.at_a].below, of_b[frame.at_b].below);
        Set below = x;
        if (x != y) {
          const Known& entry = known(x, y);
          if (entry.a != x || entry.b != y) {
            begin(x, y);
            descended = true;
            break;
          }
          below = entry.result;
        }
        if (below != kNothing) scratch_.push_back({.top = top, .below = below});
        ++frame.at_a;
        ++frame.at_b;
      }
    }
    if (descended) continue;
    // This pair is done; its parent stands at the edges that led here and takes the result at once.
    const std::span<const Edge> made = std::span(scratch_).subspan(frame.made);
    // Mostly one of the two has all that the other has.
    const Set result = made.empty()                              ? kNothing
                       : std::ranges::equal(made, tops(frame.a)) ? frame.a
                       : std::ranges::equal(made, tops(frame.b)) ? frame.b
                                                                 : intern(made, height(frame.a));
    known(frame.a, frame.b) = {.a = frame.a, .b = frame.b, .result = result};
    scratch_.resize(frame.made);
    frames_.pop_back();
    if (frames_.empty()) return result;
    Frame& parent = frames_.back();
    if (result != kNothing) scratch_.push_back({.top = tops(parent.a)[parent.at_a].top, .below = result});
    ++parent.at_a;
    ++parent.at_b;
  }
}

StackSets::Set StackSets::at_bottom(std::uint32_t change, Set set) {
  const algo::ValueNumber value(change / 2);
  const bool pushes = change % 2 == 0;
  if (set == kEmptyStack) return pushes ? push(value, set) : kNothing;
  if (wants_larger_cache(at_bottom_.size())) at_bottom_.assign(cache_size(nodes_.size()), Known{});
  const auto known = [&](Set each) -> Known& { return at_bottom_[mix(each, change) & (at_bottom_.size() - 1)]; };
  const auto is_known = [&](Set each) { return known(each).a == each && known(each).b == change; };
  if (is_known(set)) return known(set).result;
  // What is known may be forgotten on the way, so that it is noted here.
  image_.resize(nodes_.size(), kUnseen);
  image_[kEmptyStack] = pushes ? push(value, kEmptyStack) : kNothing;
  image_[set] = kNothing;
  seen_ = {kEmptyStack, set};
  anew_ = {set};
  for (std::size_t at = 0; at < anew_.size(); ++at) {
    for (const Edge& edge : tops(anew_[at])) {
      if (image_[edge.below] != kUnseen) continue;
      seen_.push_back(edge.below);
      image_[edge.below] = is_known(edge.below) ? known(edge.below).result : kNothing;
      if (!is_known(edge.below)) anew_.push_back(edge.below);
    }
  }
  // What lies below a node has a smaller number.
  std::ranges::sort(anew_);
  for (const Set each : anew_) {
    if (height(each) == 1 && !pushes) {
      image_[each] = has_top(value, each) ? kEmptyStack : kNothing;
    } else {
      scratch_.clear();
      for (const Edge& edge : tops(each)) {
        if (image_[edge.below] != kNothing) scratch_.push_back({.top = edge.top, .below = image_[edge.below]});
      }
      image_[each] = of_tops(scratch_);
    }
    known(each) = {.a = each, .b = change, .result = image_[each]};
  }
  const Set result = image_[set];
  for (const Set each : seen_) image_[each] = kUnseen;
  return result;
}

StackSets::Set StackSets::one_of(Set set) {
  if (set == kNothing) return set;
  scratch_.clear();
  for (; variety(set) > 0; set = tops(set)[0].below) scratch_.push_back(tops(set)[0]);
  while (!scratch_.empty()) {
    set = push(scratch_.back().top, set);
    scratch_.pop_back();
  }
  return set;
}

std::vector<algo::ValueNumber> StackSets::any_stack(Set set) const {
  LINCHPIN_ASSERT(set != kNothing);
  std::vector<algo::ValueNumber> stack;
  for (; set != kEmptyStack; set = tops(set)[0].below) stack.push_back(tops(set)[0].top);
  std::reverse(stack.begin(), stack.end());
  return stack;
}

std::size_t StackSets::bytes() const {
  return nodes_.capacity() * sizeof(Node) + edges_.capacity() * sizeof(Edge) + index_.capacity() * sizeof(Place) +
         (united_.capacity() + intersected_.capacity() + at_bottom_.capacity()) * sizeof(Known);
}

std::size_t StackSets::growth() const {
  constexpr std::size_t kAhead = 4096;
  std::size_t bytes = 0;
  if (nodes_.size() + kAhead > nodes_.capacity()) bytes += 2 * nodes_.capacity() * sizeof(Node);
  if (edges_.size() + kAhead > edges_.capacity()) bytes += 2 * edges_.capacity() * sizeof(Edge);
  if ((nodes_.size() + kAhead) * 2 > index_.size()) bytes += 2 * index_.size() * sizeof(Place);
  for (const std::vector<Known>* const cache : {&united_, &intersected_, &at_bottom_}) {
    const bool used = cache != &at_bottom_ || !cache->empty();  // stacks and queues have nothing done at their bottom
    if (used && wants_larger_cache(cache->size(), kAhead)) bytes += cache_size(nodes_.size() + kAhead) * sizeof(Known);
  }
  return bytes;
}

void StackSets::collect() {
  marked_.resize(nodes_.size(), false);
  marked_[kEmptyStack] = true;
  for (Set set = static_cast<Set>(nodes_.size()); set-- > 1;) {
    if (!marked_[set]) continue;
    for (const Edge& edge : tops(set)) marked_[edge.below] = true;
  }
  renamed_.assign(nodes_.size(), kNothing);
  renamed_[kEmptyStack] = kEmptyStack;
  std::uint32_t kept = 1;
  std::uint32_t edges = 0;
  for (Set set = 1; set < nodes_.size(); ++set) {
    if (!marked_[set]) continue;
    const Node node = nodes_[set];
    for (std::uint32_t k = 0; k < node.count; ++k) {
      const Edge edge = edges_[node.first + k];
      edges_[edges + k] = {.top = edge.top, .below = renamed_[edge.below]};
    }
    nodes_[kept] = node;
    nodes_[kept].first = edges;
    edges += node.count;
    renamed_[set] = kept++;
  }
  nodes_.resize(kept);
  edges_.resize(edges);
  kept_ = kept;
  marked_.assign(kept, false);
  std::size_t capacity = kFewest;
  while (capacity < 2 * (std::size_t{kept} + 1)) capacity *= 2;
  rebuild_index(capacity);
  std::fill(united_.begin(), united_.end(), Known{});
  std::fill(intersected_.begin(), intersected_.end(), Known{});
  std::fill(at_bottom_.begin(), at_bottom_.end(), Known{});
  image_.clear();
}

}  // namespace linchpin::types
