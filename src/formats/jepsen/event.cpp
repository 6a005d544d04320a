#include "formats/jepsen/event.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <absl/container/inlined_vector.h>
#include <fmt/format.h>

#include "formats/lines.hpp"

namespace linchpin::formats::jepsen {

namespace {

using edn::Token;
using edn::TokenKind;

class EventReader {
 public:
  EventReader(edn::Reader& reader, ValuePool& pool, std::string_view bytes, std::string_view field)
      : reader_(reader), pool_(pool), bytes_(bytes), field_(field) {}

  bool read(const Token& open, Event& event) {
    enum : unsigned { kProcess = 1, kType = 2, kF = 4, kValue = 8, kOwnField = 16 };
    unsigned seen = 0;
    while (true) {
      const Token key = reader_.next();
      if (key.kind == TokenKind::close && key.bracket == open.bracket) break;
      if (key.kind == TokenKind::end) {
        return reader_.fail(open.offset, ErrorCode::truncated, "the text ends inside an event", "is the file cut off?");
      }
      if (!reader_.skip(key)) return false;
      unsigned which = 0;
      if (key.kind == TokenKind::keyword) {
        which = key.text == "process" ? kProcess
                : key.text == "type"  ? kType
                : key.text == "f"     ? kF
                : key.text == "value" ? kValue
                : is_field(key.text)  ? kOwnField
                                      : 0U;
      }
      if ((seen & which) != 0) {
        return reader_.fail(key.offset, ErrorCode::syntax, fmt::format(":{} stands twice in an event", key.text),
                            "a map's keys are distinct");
      }
      seen |= which;
      if (which == 0) others_.push_back(bytes_.substr(key.offset, reader_.offset() - key.offset));
      const Token first = reader_.next();
      if (first.kind == TokenKind::close && first.bracket == open.bracket) {
        return reader_.fail(key.offset, ErrorCode::syntax, "a map's last key has no value", std::string(kEventHint));
      }
      if (first.kind == TokenKind::end) {
        return reader_.fail(open.offset, ErrorCode::truncated, "the text ends inside an event", "is the file cut off?");
      }
      const bool good = which == kProcess ? process(first, event)
                        : which == kType  ? type(first, event)
                        : which == kF     ? f(first, event)
                        : which == kValue ? value(first, event)
                        : which != 0      ? order(first, event)
                                          : other(key, first, event);
      if (!good) return false;
    }
    std::sort(others_.begin(), others_.end());
    if (const auto twice = std::adjacent_find(others_.begin(), others_.end()); twice != others_.end()) {
      const std::string_view second =
          std::max(*twice, *(twice + 1), [](auto a, auto b) { return a.data() < b.data(); });
      return reader_.fail(static_cast<std::size_t>(second.data() - bytes_.data()), ErrorCode::syntax,
                          fmt::format("the key {} stands twice in an event", in_quotes(second)),
                          "a map's keys are distinct");
    }
    for (const auto& [bit, name] : {std::pair{kProcess, ":process"}, {kType, ":type"}, {kF, ":f"}}) {
      if ((seen & bit) != 0) continue;
      return reader_.fail(event.offset, ErrorCode::missing_field, fmt::format("the event has no {}", name),
                          std::string(kEventHint));
    }
    return true;
  }

 private:
  bool process(const Token& token, Event& event) {
    event.client = token.kind == TokenKind::number && edn::to_integer(token.text, event.process);
    event.process_name = token.text;
    return reader_.skip(token);
  }

  bool type(const Token& token, Event& event) {
    static constexpr std::array kTypes{std::pair{"invoke", EventType::invoke}, std::pair{"ok", EventType::ok},
                                       std::pair{"fail", EventType::fail}, std::pair{"info", EventType::info}};
    const bool is_word =
        token.kind == TokenKind::keyword || token.kind == TokenKind::symbol || token.kind == TokenKind::string;
    for (const auto& [name, type] : kTypes) {
      if (!is_word || token.text != name) continue;
      event.type = type;
      return true;
    }
    if (!reader_.skip(token)) return false;
    return reader_.fail(token.offset, ErrorCode::syntax, "not a type of event", "one of :invoke, :ok, :fail, :info");
  }

  bool f(const Token& token, Event& event) {
    const bool is_word = token.kind == TokenKind::keyword || token.kind == TokenKind::string ||
                         (token.kind == TokenKind::symbol && token.text != "nil");
    if (!reader_.skip(token)) return false;
    if (!is_word || token.text.empty()) {
      return reader_.fail(token.offset, ErrorCode::missing_field, ":f names no function", "for example :f :write");
    }
    event.f = token.text;
    return true;
  }

  [[nodiscard]] bool is_field(std::string_view key) const { return !field_.empty() && key == field_; }

  /// The field that was asked for.
  bool order(const Token& token, Event& event) {
    if (!reader_.skip(token)) return false;
    if (token.kind == TokenKind::symbol && token.text == "nil") return true;
    if (std::int64_t number = 0; token.kind == TokenKind::number && edn::to_integer(token.text, number)) {
      event.fields.emplace_back(field_, pool_.integer(number));
      return true;
    }
    return reader_.fail(token.offset, ErrorCode::bad_number, fmt::format(":{} is not an integer", field_),
                        "an order is that of integers of 64 bits; nil: the operation has none");
  }

  /// Any other key: what a store, a client or a test adds to an event. Each event has a time and an index.
  bool other(const Token& key, const Token& token, Event& event) {
    const bool kept = key.kind == TokenKind::keyword && key.text != "time" && key.text != "index";
    if (!kept || token.kind == TokenKind::open || !token.tags.empty()) {
      if (!reader_.skip(token)) return false;
      if (kept) event.fields.emplace_back(key.text, pool_.string(as_written(token)));
      return true;
    }
    Value value;
    if (!reader_.value(token, value)) return false;
    if (!value.is_nil()) event.fields.emplace_back(key.text, value);
    return true;
  }

  bool value(const Token& token, Event& event) {
    event.has_value = true;
    if (!reader_.value(token, event.value)) return false;
    event.value_text = as_written(token);
    return true;
  }

  /// The form that began with the token, and has been read, with its tags.
  [[nodiscard]] std::string_view as_written(const Token& token) const {
    const auto begin = token.tags.empty() ? token.offset : static_cast<std::size_t>(token.tags.data() - bytes_.data());
    return bytes_.substr(begin, reader_.offset() - begin);
  }

  edn::Reader& reader_;
  ValuePool& pool_;
  std::string_view bytes_;
  std::string_view field_;
  absl::InlinedVector<std::string_view, 8> others_;  // keys that say nothing here, as written
};

}  // namespace

bool read_event(edn::Reader& reader, ValuePool& pool, std::string_view bytes, std::string_view field, const Token& open,
                Event& event) {
  return EventReader(reader, pool, bytes, field).read(open, event);
}

}  // namespace linchpin::formats::jepsen
