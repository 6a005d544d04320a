#include "explain/shortened.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/foreign_text.hpp"

namespace linchpin::explain {

namespace {

constexpr std::size_t kLong = 12;        // elements: lists up to this length stay as they are
constexpr std::size_t kWorthHiding = 3;  // elements in a row: "(2 more)" is no shorter than two elements

}  // namespace

Shortened::Shortened(const History& history, std::span<const OperationIndex> operations, std::string_view sentence)
    : history_(history) {
  for (const OperationIndex i : operations) {
    for (const Value argument : history.arguments(i)) collect(argument, true);
    collect(history.result(i), false);
  }
  if (std::none_of(lists_.begin(), lists_.end(), [&](Value list) { return cut(list); })) return;
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  while (!sentence.empty()) {
    const auto begin = std::find_if(sentence.begin(), sentence.end(), in_word);
    const auto end = std::find_if_not(begin, sentence.end(), in_word);
    words_.insert({begin, end});
    sentence = {end, sentence.end()};
  }
  keep_differences();
}

std::string Shortened::describe(OperationIndex i) const {
  std::string described = base::foreign_text(history_.method_name(history_.method(i)));
  described += '(';
  bool first = true;
  for (const Value argument : history_.arguments(i)) {
    if (!first) described += ", ";
    first = false;
    described += text(argument);
  }
  described += ')';
  const Value result = history_.result(i);
  if (history_.pending(i)) {
    described += result.is_unknown() ? " pending" : fmt::format(" pending -> {}", text(result));
  } else if (!result.is_none()) {
    described += fmt::format(" -> {}", text(result));
  }
  return described;
}

void Shortened::collect(Value value, bool argument) {
  if (!value.is_list()) {
    if (argument) named_.insert(value.bits());
    return;
  }
  if (lists_.size() <= kMostLists && std::find(lists_.begin(), lists_.end(), value) == lists_.end()) {
    lists_.push_back(value);
  }
  const auto elements = history_.pool().elements_of(value);
  const bool is_long = elements.size() > kLong;
  for (const Value element : elements) {
    if (!is_long || element.is_list()) collect(element, argument);
  }
}

void Shortened::keep_differences() {
  for (const Value list : lists_) {
    if (!cut(list)) continue;
    const auto elements = history_.pool().elements_of(list);
    std::vector<std::size_t>& kept = kept_[list.bits()];
    kept.push_back(elements.size() - 1);
    for (const Value other : lists_) {
      if (other == list) continue;
      const auto others = history_.pool().elements_of(other);
      const auto differ = std::mismatch(elements.begin(), elements.end(), others.begin(), others.end());
      const auto place = static_cast<std::size_t>(differ.first - elements.begin());
      if (place == 0) continue;  // nothing in common: lists of two keys, most often
      kept.push_back(place - 1);
      if (place < elements.size()) kept.push_back(place);
    }
    std::sort(kept.begin(), kept.end());
  }
}

bool Shortened::cut(Value value) const {
  return value.is_list() && lists_.size() <= kMostLists && history_.pool().elements_of(value).size() > kLong;
}

bool Shortened::matters(Value value) const {
  return value.is_list() || named_.contains(value.bits()) || words_.contains(history_.pool().to_text(value));
}

std::string Shortened::text(Value value) const {
  if (!value.is_list()) return history_.pool().to_text(value);
  const auto elements = history_.pool().elements_of(value);
  const auto kept = kept_.find(value.bits());
  const auto shown = [&](std::size_t place) {
    return kept == kept_.end() || matters(elements[place]) ||
           std::binary_search(kept->second.begin(), kept->second.end(), place);
  };
  std::string all = "[";
  for (std::size_t place = 0; place < elements.size();) {
    if (place != 0) all += ' ';
    std::size_t end = place;
    while (end < elements.size() && !shown(end)) ++end;
    if (end - place >= kWorthHiding) {
      all += fmt::format("({} more)", end - place);
      place = end;
    } else {
      all += text(elements[place++]);
    }
  }
  all += ']';
  return all;
}

}  // namespace linchpin::explain
