#include "types/priority_queue/order.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "history/text_notation.hpp"

namespace linchpin::types {

namespace {

Error bad_order(std::string_view text, std::string_view why) {
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("type priority-queue: order={} is not possible: {}", text, why),
               .hint = fmt::format("possible values: {}", PriorityOrder::kNotation)};
}

/// The element in the native notation, as ValuePool::to_text has it; empty when it is no value.
std::string element_text(std::string_view text) {
  ValuePool pool;
  const auto value = history::parse_value(text, pool);
  if (!value || !text.empty() || value->is_unknown() || value->is_none()) return {};
  return pool.to_text(*value);
}

}  // namespace

Result<PriorityOrder> PriorityOrder::parse(std::string_view text) {
  PriorityOrder order;
  if (text == "smallest") return order;
  if (text == "largest") {
    order.kind_ = Kind::largest;
  } else if (text == "componentwise") {
    order.kind_ = Kind::componentwise;
  } else if (text == "componentwise-largest") {
    order.kind_ = Kind::componentwise_largest;
  } else if (text.find_first_of("<,") != std::string_view::npos) {
    return parse_relation(text);
  } else {
    return bad_order(text, "it is none of these");
  }
  return order;
}

Result<PriorityOrder> PriorityOrder::parse_relation(std::string_view text) {
  Relation given;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  bool chained = false;
  std::size_t previous = 0;
  for (std::string_view rest = text;;) {
    const std::size_t length = std::min(rest.find_first_of("<,"), rest.size());
    const std::string name = element_text(rest.substr(0, length));
    if (name.empty()) return bad_order(text, fmt::format("'{}' is no priority", rest.substr(0, length)));
    const auto [at, is_new] = given.place.try_emplace(name, given.elements.size());
    if (is_new) given.elements.push_back(name);
    if (chained) pairs.emplace_back(previous, at->second);
    if (length == rest.size()) break;
    chained = rest[length] == '<';
    previous = at->second;
    rest.remove_prefix(length + 1);
  }
  const std::size_t count = given.elements.size();
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count, false));
  for (const auto& [first, second] : pairs) before[first][second] = true;
  for (std::size_t middle = 0; middle < count; ++middle) {
    for (std::size_t first = 0; first < count; ++first) {
      for (std::size_t last = 0; before[first][middle] && last < count; ++last) {
        if (before[middle][last]) before[first][last] = true;
      }
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (before[i][i]) return bad_order(text, fmt::format("{} would go before itself", given.elements[i]));
  }
  // By the number of those that go before it, an element comes after each of them.
  std::vector<std::size_t> sorted(count), better(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    sorted[i] = i;
    for (std::size_t j = 0; j < count; ++j) better[i] += before[j][i] ? 1 : 0;
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return better[a] < better[b]; });
  Relation relation;
  for (const std::size_t i : sorted) {
    relation.place.emplace(given.elements[i], relation.elements.size());
    relation.elements.push_back(given.elements[i]);
    std::vector<bool>& row = relation.before.emplace_back(count, false);
    for (std::size_t j = 0; j < count; ++j) row[j] = before[i][sorted[j]];
  }
  PriorityOrder order;
  order.kind_ = Kind::relation;
  order.relation_ = std::make_shared<const Relation>(std::move(relation));
  return order;
}

/// Lists of different lengths, and a list and something else, are incomparable.
bool PriorityOrder::smaller_in_components(Value left, Value right, const ValuePool& pool) {
  if (left == right || left.is_list() != right.is_list()) return false;
  if (!left.is_list()) return pool.compare(left, right) < 0;
  const auto ours = pool.elements_of(left), theirs = pool.elements_of(right);
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (pool.compare(ours[i], theirs[i]) > 0) return false;
  }
  return true;
}

bool PriorityOrder::before(Value left, Value right, const ValuePool& pool) const {
  switch (kind_) {
    case Kind::smallest: return pool.compare(left, right) < 0;
    case Kind::largest: return pool.compare(left, right) > 0;
    case Kind::componentwise: return smaller_in_components(left, right, pool);
    case Kind::componentwise_largest: return smaller_in_components(right, left, pool);
    case Kind::relation: break;
  }
  const std::size_t first = element(left, pool), second = element(right, pool);
  return std::max(first, second) < relation_->elements.size() && relation_->before[first][second];
}

std::strong_ordering PriorityOrder::extended(Value left, Value right, const ValuePool& pool) const {
  switch (kind_) {
    case Kind::smallest:
    case Kind::componentwise: return pool.compare(left, right);
    case Kind::largest:
    case Kind::componentwise_largest: return pool.compare(right, left);
    case Kind::relation: break;
  }
  const auto places = element(left, pool) <=> element(right, pool);
  return places != 0 ? places : pool.compare(left, right);
}

std::string PriorityOrder::invalid(Value priority, const ValuePool& pool) const {
  if (kind_ != Kind::relation || element(priority, pool) < relation_->elements.size()) return {};
  return fmt::format("{} is not among the priorities of the type's option order", pool.to_text(priority));
}

std::span<const std::string> PriorityOrder::elements() const {
  return relation_ == nullptr ? std::span<const std::string>() : std::span(relation_->elements);
}

std::size_t PriorityOrder::element(Value priority, const ValuePool& pool) const {
  const auto at = relation_->place.find(pool.to_text(priority));
  return at == relation_->place.end() ? relation_->elements.size() : at->second;
}

}  // namespace linchpin::types
