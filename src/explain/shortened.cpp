#include "explain/shortened.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/foreign_text.hpp"
#include "history/text_notation.hpp"

namespace linchpin::explain {

namespace {

constexpr std::size_t kLong = 12;        // elements: lists up to this length stay as they are
constexpr std::size_t kWorthHiding = 3;  // elements in a row: "(2 more)" is no shorter than two elements
constexpr std::size_t kLongText = 240;   // bytes: texts up to this length stay as they are
constexpr std::size_t kEnds = 40;        // bytes of a longer one, at each end
constexpr std::size_t kAbout = 20;       // and on each side of a place where it differs from another
constexpr std::size_t kTextWorthHiding = 20;

/// The same place, or the beginning of the character that it lies in.
std::size_t between_characters(std::string_view text, std::size_t place) {
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U; };
  const std::size_t least = place > 3 ? place - 3 : 0;
  std::size_t begin = place;
  while (begin > least && begin < text.size() && continues(begin)) --begin;
  return begin;
}

/// What stands at the front of a value's notation: an escape, or a character.
struct Unit {
  std::size_t written;   ///< bytes of the notation
  std::size_t bytes;     ///< of the value
  bool goes_on = false;  ///< a byte inside a character, whose bytes are escaped one by one
};
Unit unit(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first == '\\') {
    const bool by_number = text.size() >= 4 && text[1] == 'x';
    return {.written = std::min<std::size_t>(by_number ? 4 : 2, text.size()),
            .bytes = 1,
            .goes_on = by_number && (text[2] == '8' || text[2] == '9' || text[2] == 'a' || text[2] == 'b')};
  }
  const std::size_t length = first < 0xc0U ? 1 : first < 0xe0U ? 2 : first < 0xf0U ? 3 : 4;
  return {.written = std::min(length, text.size()), .bytes = std::min(length, text.size())};
}

/// Both ends of what is long, which begin and end with `quote`.
void append_ends(std::string& out, std::string_view text, std::string_view quote) {
  std::size_t bytes = 0;
  for (std::size_t at = 0; at < text.size(); at += unit(text.substr(at)).written) bytes += unit(text.substr(at)).bytes;
  std::size_t at = 0, passed = 0;
  const auto go_to = [&](std::size_t place) {
    for (; at < text.size(); at += unit(text.substr(at)).written) {
      const Unit next = unit(text.substr(at));
      if (passed >= place && !next.goes_on) return;
      passed += next.bytes;
    }
  };
  go_to(kEnds);
  out.append(quote).append(text, 0, at).append(quote);
  const std::size_t shown = passed;
  go_to(std::max(shown, bytes - kEnds));
  out += fmt::format("({} more)", passed - shown);
  out.append(quote).append(text, at).append(quote);
}

}  // namespace

std::string with_short_texts(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool quoted = text[0] == '"';
    std::size_t end = quoted ? 1 : 0;
    if (quoted) {
      while (end < text.size() && text[end] != '"') end += unit(text.substr(end)).written;
    } else {
      while (end < text.size() && text[end] != '"' && text[end] != ' ') end += unit(text.substr(end)).written;
    }
    const std::string_view inside = text.substr(quoted ? 1 : 0, end - (quoted ? 1 : 0));
    end = std::min(text.size(), std::max<std::size_t>(1, end + (quoted ? 1 : 0)));
    if (inside.size() > kLongText) {
      append_ends(out, inside, quoted ? "\"" : "");
    } else {
      out += text.substr(0, end);
    }
    text.remove_prefix(end);
  }
  return out;
}

Shortened::Shortened(const History& history, std::span<const OperationIndex> operations, std::string_view sentence)
    : history_(history) {
  for (const OperationIndex i : operations) {
    for (const Value argument : history.arguments(i)) collect(argument, true);
    collect(history.result(i), false);
  }
  keep_different_pieces();
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
    if (is_long_text(value) && texts_.size() <= kMostLists && std::ranges::find(texts_, value) == texts_.end()) {
      texts_.push_back(value);
    }
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

void Shortened::keep_different_pieces() {
  if (texts_.size() > kMostLists) return;
  for (const Value value : texts_) {
    const std::string_view text = history_.pool().text_of(value);
    std::vector<std::size_t>& places = differing_[value.bits()];
    for (const Value other : texts_) {
      if (other == value) continue;
      const std::string_view others = history_.pool().text_of(other);
      const auto differ = std::mismatch(text.begin(), text.end(), others.begin(), others.end());
      if (differ.first != text.begin()) places.push_back(static_cast<std::size_t>(differ.first - text.begin()));
    }
    std::ranges::sort(places);
  }
}

bool Shortened::is_long_text(Value value) const {
  return value.is_string() && history_.pool().text_of(value).size() > kLongText;
}

std::string Shortened::pieces_of(Value value) const {
  const std::string_view text = history_.pool().text_of(value);
  std::string all;
  std::size_t begin = 0, end = between_characters(text, kEnds);  // of a piece
  const auto show = [&](std::size_t from, std::size_t until) {
    if (from < end + kTextWorthHiding) {
      end = std::max(end, until);
      return;
    }
    history::append_quoted(all, text.substr(begin, end - begin));
    all += fmt::format("({} more)", from - end);
    begin = from;
    end = until;
  };
  if (const auto found = differing_.find(value.bits()); found != differing_.end()) {
    for (const std::size_t place : found->second) {
      show(between_characters(text, place > kAbout ? place - kAbout : 0),
           between_characters(text, std::min(text.size(), place + kAbout)));
    }
  }
  show(between_characters(text, text.size() - kEnds), text.size());
  history::append_quoted(all, text.substr(begin, end - begin));
  return all;
}

bool Shortened::cut(Value value) const {
  return value.is_list() && lists_.size() <= kMostLists && history_.pool().elements_of(value).size() > kLong;
}

bool Shortened::matters(Value value) const {
  if (value.is_list() || named_.contains(value.bits())) return true;
  return !is_long_text(value) && words_.contains(history_.pool().to_text(value));
}

std::string Shortened::text(Value value) const {
  if (!value.is_list()) return is_long_text(value) ? pieces_of(value) : history_.pool().to_text(value);
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

std::string with_short_texts(const History& history, std::span<const OperationIndex> operations, std::string words) {
  if (words.size() <= kLongText) return words;
  const Shortened shortened(history, operations, words);
  for (const Value value : shortened.long_texts()) {
    const std::string whole = history.pool().to_text(value), cut = shortened.text(value);
    for (std::size_t at = words.find(whole); at != std::string::npos; at = words.find(whole, at + cut.size())) {
      words.replace(at, whole.size(), cut);
    }
  }
  return with_short_texts(words);
}

}  // namespace linchpin::explain
