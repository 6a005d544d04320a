#include "research/automata/trail.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "research/automata/promela.hpp"

namespace linchpin::automata {

namespace {

/// The numbers at the end of a line, after its words.
std::optional<std::vector<unsigned>> trail_numbers(std::string_view text) {
  std::vector<unsigned> found;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    unsigned number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + blank, number);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + blank) return std::nullopt;
    found.push_back(number);
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return found;
}

struct PrintedAction {
  enum class Kind : std::uint8_t { call_put, call_remove, returned, accept };
  Kind kind = Kind::accept;
  std::vector<unsigned> numbers;
};

/// Nothing where the line is not the product's.
std::optional<PrintedAction> parse_line(std::string_view line, bool priorities) {
  using Kind = PrintedAction::Kind;
  const auto take = [&line](std::string_view prefix) {
    if (!line.starts_with(prefix)) return false;
    line.remove_prefix(prefix.size());
    return true;
  };
  PrintedAction action;
  if (take("@call ")) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string thread(line.substr(0, blank));
    line.remove_prefix(blank);
    action.kind = take(" put") ? Kind::call_put : Kind::call_remove;
    if (action.kind == Kind::call_remove && !take(" remove")) return std::nullopt;
    const auto rest = trail_numbers(fmt::format("{}{}", thread, line));
    if (!rest) return std::nullopt;
    action.numbers = *rest;
    const std::size_t expected = action.kind == Kind::call_remove ? 1 : priorities ? 3 : 2;
    return action.numbers.size() == expected ? std::optional(action) : std::nullopt;
  }
  const bool returned = take("@return ");
  if (!returned && !take("@accept ")) return std::nullopt;
  const auto rest = trail_numbers(line);
  if (!rest || rest->empty() || rest->size() > (returned ? 2 : 1)) return std::nullopt;
  action.kind = returned ? Kind::returned : Kind::accept;
  action.numbers = *rest;
  return action;
}

class TrailReader {
 public:
  explicit TrailReader(const Watched& watched) : watched_(watched), colours_(colour_count(watched)) {
    builder_.set_type(watched.type);
  }

  Result<Trail> read(std::string_view printed) {
    if (auto parsed = parse(printed); !parsed) return parsed.error();
    Trail trail{.automaton = automaton_};
    for (const PrintedAction& action : actions_) {
      if (action.kind == PrintedAction::Kind::accept) continue;
      if (auto taken = take(action); !taken) return taken.error();
    }
    auto history = std::move(builder_).build();
    if (!history) return history.error();
    trail.history = std::move(*history);
    return trail;
  }

 private:
  /// All lines first: what values are called depends on the last one.
  Result<void> parse(std::string_view printed) {
    while (!printed.empty()) {
      const std::size_t end = std::min(printed.find('\n'), printed.size());
      const std::string_view line = printed.substr(0, end);
      printed.remove_prefix(std::min(end + 1, printed.size()));
      if (!line.starts_with('@')) continue;
      auto action = parse_line(line, watched_.priorities);
      if (!action) return unexpected(line);
      if (action->kind == PrintedAction::Kind::accept) automaton_ = automaton_of(action->numbers[0]);
      if (action->kind == PrintedAction::Kind::call_put) ++of_colour_[action->numbers[1] % colours_];
      actions_.push_back(std::move(*action));
    }
    return {};
  }

  static Error unexpected(std::string_view line) {
    return {.code = ErrorCode::syntax, .message = fmt::format("the replay prints an unexpected line: {}", line)};
  }

  /// Whose state it is: the automata's states follow one another, from 1.
  [[nodiscard]] const Automaton* automaton_of(unsigned state) const {
    std::size_t first = 1;
    for (const Automaton* const automaton : watched_.automata) {
      if (state >= first && state < first + automaton->states.size()) return automaton;
      first += automaton->states.size();
    }
    return nullptr;
  }

  Result<void> take(const PrintedAction& action) {
    const unsigned thread = action.numbers[0];
    ++tick_;
    if (action.kind == PrintedAction::Kind::returned) {
      const auto open = open_.find(thread);
      if (open == open_.end()) return unexpected(fmt::format("@return {}", thread));
      const bool removed = action.numbers.size() == 2;
      builder_.respond(open->second, tick_, removed ? removed_value(action.numbers[1]) : Value::none());
      open_.erase(open);
      return {};
    }
    const bool put = action.kind == PrintedAction::Kind::call_put;
    if (put) builder_.argument(value_of(action.numbers[1]));
    if (put && watched_.priorities) builder_.argument(Value::integer(action.numbers[2]));
    const Value result = put ? Value::none() : Value::unknown();
    open_[thread] = builder_.add(thread, 0, builder_.method(put ? "put" : "remove"), result, tick_, kPending);
    return {};
  }

  Value removed_value(unsigned value) {
    if (value % colours_ == kEmptyResult) return Value::nil();
    if (value % colours_ == kNoValue) return builder_.pool().string("nothing that was put");
    return value_of(value);
  }

  Value value_of(unsigned value) {
    const auto [known, is_new] = names_.try_emplace(value);
    if (is_new) known->second = name_of(value % colours_);
    return builder_.pool().string(known->second);
  }

  std::string name_of(unsigned colour) {
    const bool coloured =
        automaton_ != nullptr && colour >= kFirstColour && colour - kFirstColour < automaton_->colours.size();
    std::string name = coloured ? automaton_->colours[colour - kFirstColour].name : std::string("v");
    if (coloured && of_colour_[colour] == 1) return name;
    return fmt::format("{}{}", name, ++given_[name]);
  }

  const Watched& watched_;
  unsigned colours_;
  const Automaton* automaton_ = nullptr;
  std::vector<PrintedAction> actions_;
  std::map<unsigned, unsigned> of_colour_;   // how many values of each were put
  std::map<unsigned, std::string> names_;    // by value
  std::map<std::string, unsigned> given_;    // how often a name was numbered
  std::map<unsigned, OperationIndex> open_;  // by thread
  HistoryBuilder builder_;
  Tick tick_ = 0;
};

}  // namespace

Result<Trail> read_trail(std::string_view printed, const Watched& watched) {
  return TrailReader(watched).read(printed);
}

}  // namespace linchpin::automata
