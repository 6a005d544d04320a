#include <charconv>

#include <fmt/format.h>

#include "explore/scenario/scenario.hpp"

namespace linchpin::explorer {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Error wrong(std::string message, std::string hint) {
  return Error{.code = ErrorCode::bad_option, .message = std::move(message), .hint = std::move(hint)};
}

std::string calls_text(const Vocabulary& vocabulary, const std::vector<Call>& calls) {
  std::string text;
  for (const Call& call : calls) {
    const Vocabulary::Word& word = vocabulary.words[call.action];
    if (!text.empty()) text += ", ";
    text += word.name;
    for (std::size_t i = 0; i < call.numbers.size(); ++i) {
      if (word.wanted[i] != Wanted::nothing) text += fmt::format(" {}", call.numbers[i]);
    }
  }
  return text;
}

class Parser {
 public:
  explicit Parser(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  Result<std::vector<Call>> calls(std::string_view text) {
    std::vector<Call> calls;
    for (const std::string_view part : split(text, ',')) {
      auto one = call(part);
      if (!one) return one.error();
      calls.push_back(*one);
    }
    return calls;
  }

 private:
  Result<Call> call(std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ' ');
    Call call;
    while (call.action < vocabulary_.words.size() && vocabulary_.words[call.action].name != parts[0]) ++call.action;
    if (call.action == vocabulary_.words.size()) {
      std::string names;
      for (const Vocabulary::Word& word : vocabulary_.words) names += (names.empty() ? "" : ", ") + word.name;
      return wrong(fmt::format("the scenario calls '{}', which the object does not have", parts[0]),
                   fmt::format("it has {}", names));
    }
    const Vocabulary::Word& word = vocabulary_.words[call.action];
    std::size_t given = 1;
    for (std::size_t i = 0; i < call.numbers.size() && word.wanted[i] != Wanted::nothing; ++i) {
      if (given == parts.size()) {
        call.numbers[i] = word.wanted[i] == Wanted::key ? 0 : ++fresh_;
        continue;
      }
      const std::string_view number = parts[given++];
      const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), call.numbers[i]);
      if (failed != std::errc() || end != number.data() + number.size()) {
        return wrong(fmt::format("'{}' is no number, in '{}'", number, text), "arguments are whole numbers");
      }
      if (word.wanted[i] != Wanted::key) fresh_ = std::max(fresh_, call.numbers[i]);
    }
    if (given < parts.size()) {
      return wrong(fmt::format("'{}' has too many arguments", text), "method and numbers are separated by one space");
    }
    return call;
  }

  const Vocabulary& vocabulary_;
  std::int64_t fresh_ = 0;
};

}  // namespace

std::string Vocabulary::text(const Scenario& scenario) const {
  std::string text = calls_text(*this, scenario.prefix);
  if (!text.empty()) text += "; ";
  for (std::size_t i = 0; i < scenario.threads.size(); ++i) {
    if (i > 0) text += " | ";
    text += calls_text(*this, scenario.threads[i]);
  }
  return text;
}

Result<Scenario> Vocabulary::parse(std::string_view text) const {
  constexpr std::size_t kMostSides = 6, kMostCalls = 8;  // sides of bars: threads
  Scenario scenario;
  Parser parser(*this);
  if (const std::size_t end = text.find(';'); end != std::string_view::npos) {
    auto prefix = parser.calls(text.substr(0, end));
    if (!prefix) return prefix.error();
    scenario.prefix = std::move(*prefix);
    text.remove_prefix(end + 1);
  }
  for (const std::string_view thread : split(text, '|')) {
    auto calls = parser.calls(thread);
    if (!calls) return calls.error();
    if (calls->size() > kMostCalls) return wrong("a thread of the scenario has more than 8 calls", "use fewer");
    scenario.threads.push_back(std::move(*calls));
  }
  if (scenario.threads.size() > kMostSides) return wrong("the scenario has more than 6 threads", "use fewer");
  return scenario;
}

}  // namespace linchpin::explorer
