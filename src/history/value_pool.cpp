// The interning pool behind big integers, strings and lists.
#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "base/string_map.hpp"
#include "history/list_table.hpp"
#include "history/lists.hpp"
#include "history/text_notation.hpp"
#include "linchpin/value.hpp"

namespace linchpin {

struct ValuePool::Content {
  std::deque<std::string> strings;  // by index; a deque so that views stay valid
  history::Lists lists;
  absl::flat_hash_set<std::uint64_t> partial;  // those of them, by index, that hold `?`
  std::vector<std::int64_t> integers;
  base::StringViewMap<std::uint64_t> string_index;
  absl::flat_hash_map<std::int64_t, std::uint64_t> integer_index;
  std::size_t bytes = 0;  // but for the lists
};

ValuePool::ValuePool() : content_(std::make_unique<Content>()) {}
ValuePool::~ValuePool() = default;

Value ValuePool::big_integer(std::int64_t value) {
  const auto [entry, fresh] = content_->integer_index.try_emplace(value, content_->integers.size());
  if (fresh) {
    content_->integers.push_back(value);
    content_->bytes += 32;
  }
  return Value::indexed(Value::kBigTag, entry->second);
}

Value ValuePool::string(std::string_view text) {
  const auto found = content_->string_index.find(text);
  if (found != content_->string_index.end()) return Value::indexed(Value::kStringTag, found->second);
  const std::uint64_t index = content_->strings.size();
  const std::string& kept = content_->strings.emplace_back(text);
  content_->string_index.emplace(std::string_view(kept), index);
  content_->bytes += kept.capacity() + 64;
  return Value::indexed(Value::kStringTag, index);
}

Value ValuePool::list(std::span<const Value> elements) {
  const auto [index, fresh] = content_->lists.add(elements);
  if (fresh) note_lost_parts(index, elements);
  return Value::indexed(Value::kListTag, index);
}

void ValuePool::note_lost_parts(std::uint64_t index, std::span<const Value> elements) {
  const auto lost = [this](Value element) { return element.is_unknown() || partial(element); };
  if (std::any_of(elements.begin(), elements.end(), lost)) content_->partial.insert(index);
}

Value ValuePool::import(Value value, const ValuePool& from) {
  switch (value.kind()) {
    case Value::Kind::big_integer: return big_integer(from.integer_of(value));
    case Value::Kind::string: return string(from.text_of(value));
    case Value::Kind::list: {
      std::vector<Value> elements;
      for (const Value element : from.elements_of(value)) elements.push_back(import(element, from));
      return list(elements);
    }
    default: return value;
  }
}

std::int64_t ValuePool::integer_of(Value value) const {
  if (value.is_integer()) return value.integer();
  if (value.kind() != Value::Kind::big_integer) detail::misread(value, "an integer");
  return content_->integers[value.index()];
}

std::string_view ValuePool::text_of(Value value) const {
  if (!value.is_string()) detail::misread(value, "a string");
  return content_->strings[value.index()];
}

std::span<const Value> ValuePool::elements_of(Value value) const {
  if (!value.is_list()) detail::misread(value, "a list");
  return content_->lists.at(value.index());
}

bool ValuePool::partial(Value value) const {
  return value.is_list() && !content_->partial.empty() && content_->partial.contains(value.index());
}

bool ValuePool::has_partial() const { return !content_->partial.empty(); }

std::string ValuePool::to_text(Value value) const {
  std::string text;
  history::append_text(text, value, *this);
  return text;
}

std::strong_ordering ValuePool::compare(Value left, Value right) const {
  if (left == right) return std::strong_ordering::equal;
  const auto rank = [](Value value) {
    const auto kind = value.kind();
    return kind == Value::Kind::big_integer ? Value::Kind::integer : kind;
  };
  if (rank(left) != rank(right)) return rank(left) <=> rank(right);
  switch (rank(left)) {
    case Value::Kind::integer: return integer_of(left) <=> integer_of(right);
    case Value::Kind::string: return text_of(left).compare(text_of(right)) <=> 0;
    case Value::Kind::list: {
      const auto a = elements_of(left);
      const auto b = elements_of(right);
      for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (const auto order = compare(a[i], b[i]); order != 0) return order;
      }
      return a.size() <=> b.size();
    }
    default: return left.bits() <=> right.bits();
  }
}

void ListTable::reserve(std::size_t more) { pool_.content_->lists.reserve(more); }

Value ListTable::add(std::span<const Value> elements) {
  const std::uint64_t index = pool_.content_->lists.add_new(elements);
  pool_.note_lost_parts(index, elements);
  return Value::indexed(Value::kListTag, index);
}

bool ListTable::all_differ() { return pool_.content_->lists.all_differ(); }

std::size_t ValuePool::bytes() const { return content_->bytes + content_->lists.bytes(); }

}  // namespace linchpin
