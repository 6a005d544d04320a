#include "explore/scenario/token.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "explore/option_names.hpp"

namespace linchpin::explorer {

namespace {

constexpr std::size_t kFields = 5;
constexpr std::array<std::pair<std::string_view, char>, 4> kWords = {
    {{"; ", '@'}, {" | ", '/'}, {", ", '+'}, {" ", ':'}}};

Error unreadable(std::string_view text) {
  Error error;
  error.code = ErrorCode::bad_option;
  error.message = fmt::format("'{}' is no token of a schedule", text);
  error.hint = "a token is what an exploration prints with what it found, for --replay";
  return error;
}

}  // namespace

std::string write_token(const ExploreOptions& options, std::string_view scenario,
                        std::span<const std::uint8_t> choices) {
  std::string token = std::string(name_of(options.memory)) + ",";
  token.append(name_of(options.reuse)).append(",");
  if (options.races) token += 'r';
  if (options.leaks) token += 'l';
  if (options.deadlocks) token += 'd';
  if (options.order == ExploreOrder::happens_before) token += 'h';
  token += ',';
  for (std::size_t i = 0; i < scenario.size();) {
    const auto word = std::find_if(kWords.begin(), kWords.end(),
                                   [&](const auto& known) { return scenario.substr(i).starts_with(known.first); });
    token += word == kWords.end() ? scenario[i] : word->second;
    i += word == kWords.end() ? 1 : word->first.size();
  }
  token += ',';
  std::size_t ordinary = 0;
  for (const std::uint8_t choice : choices) {
    if (choice == 0) {
      ++ordinary;
      continue;
    }
    token += std::to_string(std::exchange(ordinary, 0));
    token += static_cast<char>('a' + choice - 1);
  }
  return token;
}

Result<Token> read_token(std::string_view text, ExploreOptions& options) {
  std::array<std::string_view, kFields> fields;
  std::string_view rest = text;
  for (std::size_t i = 0; i < kFields; ++i) {
    const std::size_t end = i + 1 < kFields ? rest.find(',') : rest.size();
    if (end == std::string_view::npos) return unreadable(text);
    fields[i] = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (fields[0] != "sc" && fields[0] != "c++20") return unreadable(text);
  options.memory = fields[0] == "sc" ? ExploreMemory::sequential : ExploreMemory::cpp20;
  bool known = false;
  for (const ExploreReuse reuse : {ExploreReuse::none, ExploreReuse::lifo, ExploreReuse::fifo}) {
    if (fields[1] != name_of(reuse)) continue;
    options.reuse = reuse;
    known = true;
  }
  if (!known) return unreadable(text);
  options.races = fields[2].find('r') != std::string_view::npos;
  options.leaks = fields[2].find('l') != std::string_view::npos;
  options.deadlocks = fields[2].find('d') != std::string_view::npos;
  options.order =
      fields[2].find('h') == std::string_view::npos ? ExploreOrder::real_time : ExploreOrder::happens_before;
  Token token;
  for (const char character : fields[3]) {
    const auto word = std::find_if(kWords.begin(), kWords.end(),
                                   [&](const auto& known_word) { return known_word.second == character; });
    if (word == kWords.end()) {
      token.scenario += character;
    } else {
      token.scenario += word->first;
    }
  }
  std::size_t ordinary = 0;
  for (const char character : fields[4]) {
    constexpr std::size_t kMost = 1'000'000;
    if (character >= '0' && character <= '9' && ordinary < kMost) {
      ordinary = ordinary * 10 + static_cast<std::size_t>(character - '0');
    } else if (character >= 'a' && character <= 'z') {
      token.choices.insert(token.choices.end(), std::exchange(ordinary, 0), std::uint8_t{0});
      token.choices.push_back(static_cast<std::uint8_t>(character - 'a' + 1));
    } else {
      return unreadable(text);
    }
  }
  return token;
}

}  // namespace linchpin::explorer
