#include "types/shared/deque_sets.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/assert.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::types {

namespace {

constexpr StackSets::Set kNoHalf = StackSets::kNothing;
constexpr StackSets::Set kEmptyHalf = StackSets::kEmptyStack;

}  // namespace

DequeSets::DequeSets() {
  products_.push_back({kEmptyHalf, kEmptyHalf});
  nodes_.push_back({.first = 0, .count = 1, .length = 0, .cut = 0});
  index_.emplace(hash(products_of(kEmpty)), kEmpty);
}

std::uint64_t DequeSets::hash(std::span<const Product> products) const {
  std::uint64_t seed = products.size();
  for (const Product& each : products) seed = mix(seed, (std::uint64_t{each[0]} << 32) | each[1]);
  return seed;
}

DequeSets::Set DequeSets::of_products(Products products) {
  if (products.empty()) return kNothing;
  if (products.size() > 1) simplify(products);
  const std::uint64_t own = hash(products);
  const auto [at, fresh] = index_.try_emplace(own, static_cast<Set>(nodes_.size()));
  if (!fresh && std::ranges::equal(products_of(at->second), products)) return at->second;
  const std::uint32_t front = halves_.height(products[0][0]), back = halves_.height(products[0][1]);
  nodes_.push_back({.first = static_cast<std::uint32_t>(products_.size()),
                    .count = static_cast<std::uint32_t>(products.size()),
                    .length = front + back,
                    .cut = front});
  products_.insert(products_.end(), products.begin(), products.end());
  return static_cast<Set>(nodes_.size() - 1);
}

/// Products that agree in one half are one. In an order that the numbers of nodes do not matter to, also before: which
/// of them become one depends on it.
void DequeSets::simplify(Products& products) {
  const auto by_content = [&](const Product& each) {
    return std::pair(halves_.content_hash(each[0]), halves_.content_hash(each[1]));
  };
  std::ranges::sort(products, {}, by_content);
  std::size_t a = 0, b = 1;
  while (a + 1 < products.size()) {
    if (b == products.size()) {
      ++a;
      b = a + 1;
      continue;
    }
    const End same = products[a][0] == products[b][0] ? 0 : 1;
    if (products[a][same] != products[b][same]) {
      ++b;
      continue;
    }
    products[a][1 - same] = halves_.unite(products[a][1 - same], products[b][1 - same]);
    products.erase(products.begin() + static_cast<std::ptrdiff_t>(b));
    // What it has become may agree with any other.
    a = 0;
    b = 1;
  }
  std::ranges::sort(products, {}, by_content);
  if (products.size() <= most_) return;
  const auto variety = [&](const Product& each) { return halves_.variety(each[0]) + halves_.variety(each[1]); };
  std::ranges::stable_sort(products, std::greater<>(), variety);
  if (widens_) {
    Product& last = products[most_ - 1];
    for (std::size_t at = most_; at < products.size(); ++at) {
      for (const End end : {End{0}, End{1}}) last[end] = halves_.unite(last[end], products[at][end]);
    }
  } else {
    lost_ = true;
  }
  products.resize(most_);
  if (widens_) simplify(products);
}

void DequeSets::drop_nothing(End end, Products& products) {
  const auto nothing = [&](const Product& each) { return each[end] == kNoHalf; };
  products.erase(std::remove_if(products.begin(), products.end(), nothing), products.end());
}

DequeSets::Set DequeSets::push(End end, algo::ValueNumber value, Set set) {
  if (end == 1 && whole(set) && length(set) < whole_) {
    return of_halves({halves_.push_bottom(value, products_of(set)[0][0]), kEmptyHalf});
  }
  Products products = copy_of(set);
  for (Product& each : products) each[end] = halves_.push(value, each[end]);
  return of_products(std::move(products));
}

DequeSets::Set DequeSets::pop(End end, algo::ValueNumber value, Set set) {
  if (end == 1 && whole(set)) {
    const Half rest = halves_.pop_bottom(value, products_of(set)[0][0]);
    return rest == kNoHalf ? kNothing : of_halves({rest, kEmptyHalf});
  }
  Products products = copy_of(ready(end, set));
  for (Product& each : products) each[end] = halves_.pop(value, each[end]);
  drop_nothing(end, products);
  return settled(of_products(std::move(products)));
}

DequeSets::Set DequeSets::pop_any(End end, Set set) {
  if (length(set) == 0) return kNothing;
  if (end == 1 && whole(set)) {
    Set rest = kNothing;
    for (const algo::ValueNumber value : values_at(end, set)) rest = unite(rest, pop(end, value, set));
    return rest;
  }
  Products products = copy_of(ready(end, set));
  for (Product& each : products) each[end] = halves_.pop_any(each[end]);
  drop_nothing(end, products);
  return settled(of_products(std::move(products)));
}

std::vector<algo::ValueNumber> DequeSets::values_at(End end, Set set) {
  std::vector<algo::ValueNumber> values;
  const auto add_tops = [&](Half half) {
    for (const StackSets::Edge& edge : halves_.tops(half)) {
      if (!halves_.is_floor(edge.top)) values.push_back(edge.top);
    }
  };
  if (end == 1 && whole(set)) {
    for (const Half node : images_.nodes_of(halves_, {&products_of(set)[0][0], 1})) {
      if (halves_.height(node) == 1) add_tops(node);
    }
  } else {
    for (const Product& each : products_of(ready(end, set))) add_tops(each[end]);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

bool DequeSets::has_at(End end, algo::ValueNumber value, Set set) {
  if (end == 1 && whole(set)) return halves_.pop_bottom(value, products_of(set)[0][0]) != kNoHalf;
  const std::span<const Product> products = products_of(ready(end, set));
  return std::ranges::any_of(products, [&](const Product& each) { return halves_.has_top(value, each[end]); });
}

DequeSets::Set DequeSets::with(End end, algo::ValueNumber value, Set set) {
  const Set rest = pop(end, value, set);
  return rest == kNothing ? kNothing : push(end, value, rest);
}

DequeSets::Set DequeSets::without(End end, std::span<const algo::ValueNumber> values, Set set) {
  if (end == 1 && whole(set)) {
    if (length(set) == 0) return set;
    Set rest = kNothing;
    for (const algo::ValueNumber value : values_at(end, set)) {
      if (!std::ranges::binary_search(values, value)) rest = unite(rest, with(end, value, set));
    }
    return rest;
  }
  Products products = copy_of(ready(end, set));
  std::vector<StackSets::Edge> edges;
  for (Product& each : products) {
    if (each[end] == kEmptyHalf) continue;
    edges.clear();
    for (const StackSets::Edge& edge : halves_.tops(each[end])) {
      if (!std::ranges::binary_search(values, edge.top)) edges.push_back(edge);
    }
    each[end] = halves_.of_tops(edges);
  }
  drop_nothing(end, products);
  return of_products(std::move(products));
}

DequeSets::Set DequeSets::unite(Set a, Set b) {
  if (a == b || b == kNothing) return a;
  if (a == kNothing) return b;
  LINCHPIN_ASSERT(length(a) == length(b));
  b = cut_at(cut(a), b);
  if (a == b) return a;
  Products products = copy_of(a);
  products.insert(products.end(), products_of(b).begin(), products_of(b).end());
  return of_products(std::move(products));
}

DequeSets::Set DequeSets::intersect(Set a, Set b) {
  if (a == b) return a;
  if (a == kNothing || b == kNothing || length(a) != length(b)) return kNothing;
  b = cut_at(cut(a), b);
  const Products of_a = copy_of(a), of_b = copy_of(b);
  Products products;
  for (const Product& x : of_a) {
    for (const Product& y : of_b) {
      const Product both = {halves_.intersect(x[0], y[0]), halves_.intersect(x[1], y[1])};
      if (both[0] != kNoHalf && both[1] != kNoHalf) products.push_back(both);
    }
  }
  return of_products(std::move(products));
}

DequeSets::Set DequeSets::cut_at(std::uint32_t cut, Set set) {
  LINCHPIN_ASSERT(cut <= length(set));
  const std::uint32_t now = this->cut(set);
  if (now == cut) return set;
  Products products;
  for (const Product& each : copy_of(set)) {
    if (cut > now) {
      move(0, each, cut - now, products);
    } else {
      move(1, each, now - cut, products);
    }
  }
  return of_products(std::move(products));
}

/// The halves of products in which `count` values of the other half's bottom are at the bottom of this end's half.
void DequeSets::move(End to, const Product& product, std::uint32_t count, Products& out) {
  const Half giving = product[1 - to];
  for (const Half floor : images_.nodes_of(halves_, {&giving, 1})) {
    if (halves_.height(floor) != count) continue;
    Product moved;
    moved[to] = images_.on_top_of(halves_, product[to], reversed(floor));
    moved[1 - to] = above(giving, floor);
    out.push_back(moved);
  }
}

DequeSets::Set DequeSets::ready(End end, Set set) {
  const std::uint32_t all = length(set), front = cut(set);
  if (all == 0 || (end == 0 ? front > 0 : front < all)) return set;
  if (all == 1) return cut_at(end == 0 ? 1 : 0, set);
  return cut_at(narrow_cut(set), set);
}

std::uint32_t DequeSets::narrow_cut(Set set) {
  const std::uint32_t all = length(set), front = cut(set);
  if (all < 2) return front;
  // How many sets of stacks there are at each place, in all products.
  std::vector<std::uint32_t> ways(std::size_t{all} + 1, 0);
  for (const Product& each : products_of(set)) {
    for (const Half node : images_.nodes_of(halves_, {&each[0], 1})) ++ways[front - halves_.height(node)];
    for (const Half node : images_.nodes_of(halves_, {&each[1], 1}))
      ways[front + halves_.height(node)] += halves_.height(node) > 0 ? 1 : 0;
  }
  const std::uint32_t from = std::max(1U, all / 4), to = std::min(all - 1, all - all / 4);
  std::uint32_t best = all / 2;
  for (std::uint32_t place = from; place <= to; ++place) {
    const auto apart = [&](std::uint32_t at) { return at > all / 2 ? at - all / 2 : all / 2 - at; };
    if (std::pair(ways[place], apart(place)) < std::pair(ways[best], apart(best))) best = place;
  }
  return best;
}

DequeSets::Half DequeSets::above(Half half, Half floor) {
  for (const Half node : images_.nodes_of(halves_, {&half, 1})) {
    if (node == floor) {
      images_[node] = kEmptyHalf;
    } else if (halves_.height(node) > halves_.height(floor)) {
      images_[node] = images_.on_images(halves_, node);
    }
  }
  return images_[half];
}

DequeSets::Half DequeSets::reversed(Half half) {
  std::vector<Half> nodes = images_.nodes_of(halves_, {&half, 1});
  std::ranges::reverse(nodes);
  images_[half] = kEmptyHalf;
  for (const Half node : nodes) {
    for (std::size_t k = 0; k < halves_.tops(node).size(); ++k) {
      const StackSets::Edge edge = halves_.tops(node)[k];
      images_[edge.below] = halves_.unite(images_[edge.below], halves_.push(edge.top, images_[node]));
    }
  }
  return images_[kEmptyHalf];
}

DequeSets::Set DequeSets::one_of(Set set) {
  if (set == kNothing) return set;
  const Product any = products_of(set)[0];
  const Product one = {halves_.one_of(any[0]), halves_.one_of(any[1])};
  return products_of(set).size() == 1 && one == any ? set : of_halves(one);
}

std::vector<algo::ValueNumber> DequeSets::any_content(Set set) const {
  LINCHPIN_ASSERT(set != kNothing);
  const Product& product = products_of(set)[0];
  std::vector<algo::ValueNumber> content = halves_.any_stack(product[0]);
  std::reverse(content.begin(), content.end());
  const std::vector<algo::ValueNumber> back = halves_.any_stack(product[1]);
  content.insert(content.end(), back.begin(), back.end());
  return content;
}

std::size_t DequeSets::growth() const {
  constexpr std::size_t kAhead = 4096;
  std::size_t bytes = halves_.growth();
  if (nodes_.size() + kAhead > nodes_.capacity()) bytes += 2 * nodes_.capacity() * sizeof(Node);
  if (products_.size() + kAhead > products_.capacity()) bytes += 2 * products_.capacity() * sizeof(Product);
  if ((index_.size() + kAhead) * 8 > index_.capacity() * 7) bytes += 2 * index_.capacity() * (sizeof(Set) + 9);
  return bytes;
}

void DequeSets::collect() {
  marked_.resize(nodes_.size(), false);
  marked_[kEmpty] = true;
  for (Set set = 0; set < nodes_.size(); ++set) {
    if (!marked_[set]) continue;
    for (const Product& each : products_of(set)) {
      halves_.mark(each[0]);
      halves_.mark(each[1]);
    }
  }
  halves_.collect();
  renamed_.assign(nodes_.size(), kNothing);
  index_.clear();
  Set kept = 0;
  std::uint32_t products = 0;
  for (Set set = 0; set < nodes_.size(); ++set) {
    if (!marked_[set]) continue;
    Node node = nodes_[set];
    for (std::uint32_t k = 0; k < node.count; ++k) {
      const Product each = products_[node.first + k];
      products_[products + k] = {halves_.renamed(each[0]), halves_.renamed(each[1])};
    }
    node.first = products;
    products += node.count;
    nodes_[kept] = node;
    renamed_[set] = kept;
    index_.try_emplace(hash(products_of(kept)), kept);
    ++kept;
  }
  nodes_.resize(kept);
  products_.resize(products);
  kept_ = kept;
  marked_.assign(kept, false);
}

}  // namespace linchpin::types
