#include "types/map/parts.hpp"

#include <algorithm>
#include <bit>

namespace linchpin::types::map {

namespace {

/// FNV-1a, which goes on from one character to the next.
constexpr std::uint64_t kStart = 0xcbf29ce484222325ULL;
std::uint64_t go_on(std::uint64_t hash, char character) {
  return (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3ULL;
}

std::size_t place_of(std::uint64_t hash, std::size_t size) {
  // Few of the low bits of such a hash depend on all characters.
  return static_cast<std::size_t>((hash * 0x9e3779b97f4a7c15ULL) >> 32U) & (size - 1);
}

}  // namespace

Parts::Parts(std::vector<std::string_view> texts) : texts_(std::move(texts)) {
  std::size_t longest = 0;
  for (const std::string_view text : texts_) longest = std::max(longest, text.size());
  is_length_.assign(longest + 1, false);
  for (const std::string_view text : texts_) is_length_[text.size()] = true;
  table_.resize(std::bit_ceil(2 * texts_.size() + 2));
  enter();
  if (twice_) return;
  const auto begins = overlapping();
  if (!begins) return;
  from_left_ = false;
  enter();
  if (overlapping()) ambiguous_ = begins;
}

void Parts::enter() {
  std::fill(table_.begin(), table_.end(), Slot{});
  for (Number number = 0; number < texts_.size(); ++number) {
    const std::string_view text = texts_[number];
    std::uint64_t hash = kStart;
    if (from_left_) {
      for (const char character : text) hash = go_on(hash, character);
    } else {
      for (std::size_t k = text.size(); k-- > 0;) hash = go_on(hash, text[k]);
    }
    std::size_t at = place_of(hash, table_.size());
    for (; table_[at].number != kNone; at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].hash != hash || texts_[table_[at].number] != text) continue;
      twice_ = number;
      return;
    }
    table_[at] = {hash, number};
  }
}

std::optional<std::pair<Parts::Number, Parts::Number>> Parts::overlapping() const {
  for (Number number = 0; number < texts_.size(); ++number) {
    const Number shorter = next(texts_[number], texts_[number].size());
    if (shorter != kNone) return std::pair(shorter, number);
  }
  return std::nullopt;
}

Parts::Number Parts::next(std::string_view text, std::size_t limit) const {
  const std::size_t most = std::min({text.size(), is_length_.size() - 1, limit - 1});
  std::uint64_t hash = kStart;
  for (std::size_t length = 1; length <= most; ++length) {
    hash = go_on(hash, from_left_ ? text[length - 1] : text[text.size() - length]);
    if (!is_length_[length]) continue;
    for (std::size_t at = place_of(hash, table_.size()); table_[at].number != kNone;
         at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].hash == hash && texts_[table_[at].number] == piece(text, length)) return table_[at].number;
    }
  }
  return kNone;
}

bool Parts::cut(std::string_view text, std::vector<Number>& parts) const {
  parts.clear();
  while (!text.empty()) {
    const Number part = next(text);
    if (part == kNone) return false;
    parts.push_back(part);
    const std::size_t length = texts_[part].size();
    text = from_left_ ? text.substr(length) : text.substr(0, text.size() - length);
  }
  if (!from_left_) std::reverse(parts.begin(), parts.end());
  return true;
}

}  // namespace linchpin::types::map
