#include <fmt/format.h>

#include "formats/jepsen/edn.hpp"
#include "formats/utf8.hpp"
#include "fuzz/targets.hpp"
#include "history/text_notation.hpp"
#include "linchpin/value.hpp"

namespace linchpin::fuzz {

namespace {

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

void values(Bytes bytes) {
  std::string_view rest = text_of(bytes);
  ValuePool pool;
  while (!rest.empty()) {
    const std::size_t before = rest.size();
    const auto value = history::parse_value(rest, pool);
    if (!value) {
      require(!value.error().message.empty(), "an error without a message");
      require(value.error().column >= 1 && value.error().column <= before + 1, "an error beside the text");
      return;
    }
    require(rest.size() < before, "a value of no bytes");
    const std::string written = pool.to_text(*value);
    std::string_view again = written;
    const auto read = history::parse_value(again, pool);
    require(read.has_value() && again.empty() && *read == *value,
            fmt::format("a value is written as {} and does not read back", written));
    ValuePool other;
    require(other.to_text(other.import(*value, pool)) == written,
            fmt::format("{} is another in its new pool", written));
    while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\n')) rest.remove_prefix(1);
  }
}

void edn(Bytes bytes) {
  using formats::jepsen::edn::Reader;
  using formats::jepsen::edn::Token;
  using formats::jepsen::edn::TokenKind;
  const std::string_view text = text_of(bytes);
  if (!formats::is_utf8(text)) return;
  ValuePool pool;
  Reader reading(text);
  reading.set_pool(pool);
  Reader passing(text);
  while (true) {
    const std::size_t before = reading.offset();
    const Token token = reading.next();
    const Token same = passing.next();
    require(token.kind == same.kind && token.offset == same.offset, "two readers of one text see different tokens");
    if (token.kind == TokenKind::end) return;
    if (token.kind == TokenKind::fault) {
      require(!reading.fault().message.empty(), "a fault without a message");
      return;
    }
    Value value;
    if (!reading.value(token, value)) {
      require(!reading.fault().message.empty() && reading.fault().offset <= text.size(), "a fault beside the text");
      return;
    }
    require(passing.skip(same), fmt::format("passing over a form fails, reading it does not: {}", pool.to_text(value)));
    require(reading.offset() == passing.offset(), "a form that is passed over ends elsewhere");
    require(reading.offset() > before, "a form of no bytes");
  }
}

}  // namespace linchpin::fuzz
