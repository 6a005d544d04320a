// What a map holds under a key: a value, or a text by its characters.
//
// Appending makes texts that the history's pool does not hold, so texts are compared by content. They are immutable
// and shared: copying a state copies pointers.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/assert.hpp"
#include "linchpin/hash.hpp"
#include "linchpin/value.hpp"

namespace linchpin::types {

class Content {
 public:
  Content() = default;
  Content(Value value, const ValuePool& pool) {
    if (value.is_string()) {
      *this = text(pool.text_of(value));
    } else {
      value_ = value;
    }
  }
  static Content text(std::string_view characters) {
    Content content;
    content.text_ = std::make_shared<const Text>(std::string(characters));
    return content;
  }

  [[nodiscard]] bool is_text() const { return text_ != nullptr; }
  [[nodiscard]] bool is_empty_text() const { return text_ != nullptr && text_->characters.empty(); }
  /// @pre is_text()
  [[nodiscard]] Content appended(std::string_view tail) const {
    LINCHPIN_ASSERT(is_text());
    std::string joined;
    joined.reserve(text_->characters.size() + tail.size());
    joined += text_->characters;
    joined += tail;
    Content content;
    content.text_ = std::make_shared<const Text>(std::move(joined));
    return content;
  }
  [[nodiscard]] bool equals(Value value, const ValuePool& pool) const {
    if (text_ == nullptr) return value_ == value;
    return value.is_string() && pool.text_of(value) == text_->characters;
  }
  bool operator==(const Content& other) const {
    if (text_ == nullptr || other.text_ == nullptr) return text_ == other.text_ && value_ == other.value_;
    return text_ == other.text_ || (text_->hash == other.text_->hash && text_->characters == other.text_->characters);
  }
  [[nodiscard]] std::uint64_t hash() const { return text_ == nullptr ? value_.hash() : text_->hash; }
  [[nodiscard]] std::string describe(const ValuePool& pool) const {
    return text_ == nullptr ? pool.to_text(value_) : fmt::format("\"{}\"", text_->characters);
  }
  [[nodiscard]] std::size_t bytes() const { return text_ == nullptr ? 0 : sizeof(Text) + text_->characters.capacity(); }

 private:
  struct Text {
    explicit Text(std::string text) : characters(std::move(text)), hash(hash_of(characters)) {}
    std::string characters;
    std::uint64_t hash;
  };

  Value value_ = Value::nil();
  std::shared_ptr<const Text> text_;  // set: a text, and value_ is nil
};

}  // namespace linchpin::types
