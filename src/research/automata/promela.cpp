#include "research/automata/promela.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace linchpin::automata {

namespace {

/// A condition on the state: "(state == 3 || (state >= 5 && state <= 9))".
std::string state_in(std::vector<unsigned> states) {
  std::sort(states.begin(), states.end());
  std::string text;
  for (std::size_t i = 0; i < states.size();) {
    std::size_t last = i;
    while (last + 1 < states.size() && states[last + 1] == states[last] + 1) ++last;
    if (!text.empty()) text += " || ";
    text += last == i ? fmt::format("state == {}", states[i])
                      : fmt::format("(state >= {} && state <= {})", states[i], states[last]);
    i = last + 1;
  }
  return fmt::format("({})", text);
}

/// An action with the states that stay where they are under it, and its other steps. A colour's number may be one value
/// in one automaton and a crowd in another: these are two letters.
struct Symbol {
  Action action;
  bool crowd = false;
  std::vector<unsigned> loops;
  std::vector<std::pair<unsigned, unsigned>> steps;
};

class Product {
 public:
  Product(const Watched& watched, const Bounds& bounds) : watched_(watched), bounds_(bounds) {
    unsigned first = 1;  // state 0: no automaton is chosen yet
    for (const Automaton* const automaton : watched.automata) {
      first_.push_back(first);
      for (std::size_t i = 0; i < automaton->states.size(); ++i) {
        const Acceptance acceptance = automaton->states[i].acceptance;
        const unsigned state = first + static_cast<unsigned>(i);
        if (acceptance != Acceptance::no) accepting_.push_back(state);
        (acceptance == Acceptance::at_once ? over_ : going_on_).push_back(state);
      }
      for (const Transition& transition : automaton->transitions) {
        Symbol& symbol = symbol_of(transition.action, automaton->colours[transition.action.colour].crowd);
        if (transition.from == transition.to) {
          symbol.loops.push_back(first + transition.from);
        } else {
          symbol.steps.emplace_back(first + transition.from, first + transition.to);
        }
      }
      first += static_cast<unsigned>(automaton->states.size());
    }
    states_ = first;
  }

  std::string text(std::string_view model) {
    head(model);
    variables();
    observer();
    clients();
    start();
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  Symbol& symbol_of(const Action& action, bool crowd) {
    const auto found = std::find_if(symbols_.begin(), symbols_.end(), [&action, crowd](const Symbol& symbol) {
      return symbol.action == action && symbol.crowd == crowd;
    });
    if (found != symbols_.end()) return *found;
    return symbols_.emplace_back(Symbol{.action = action, .crowd = crowd});
  }

  [[nodiscard]] std::string put_arguments() const { return watched_.priorities ? "value, prio" : "value"; }

  void head(std::string_view model) {
    line("/* {} automata with {} states, and clients of the implementation that is included: made by linchpin. */",
         watched_.automata.size(), states_ - 1);
    line("#ifndef THREADS\n#define THREADS {}\n#endif", bounds_.threads);
    line("#ifndef CAPACITY /* values in the object at a time */\n#define CAPACITY {}\n#endif", bounds_.capacity);
    if (watched_.priorities) {
      line("#define PRIORITIES {}", bounds_.priorities);
      line("#define PRECEDES(x, y) {}", watched_.better_expression(bounds_.priorities));
    }
    line("#define EMPTY {}", kEmptyResult);
    line("#define COLOURS {}", colour_count(watched_));
    line("#ifdef DISTINCT /* a number of its own for each value, beside its colour */");
    line("#define VALUE int");
    line("#define NEXT COLOURS");
    line("#else");
    line("#define VALUE byte");
    line("#define NEXT 0");
    line("#endif");
    line("#define COLOUR(value) ((value) % COLOURS)\n");
    line("#include \"{}\"\n", model);
  }

  void variables() {
    for (std::size_t i = 0; i < watched_.automata.size(); ++i) {
      const Automaton& automaton = *watched_.automata[i];
      line("/* {}: states {} to {}. {} */", automaton.name, first_[i], first_[i] + automaton.states.size() - 1,
           automaton.summary);
    }
    line("#define ACCEPTING {}", state_in(accepting_));
    line("#define GOING_ON {}", state_in(going_on_));
    line("#define OVER {}", over_.empty() ? "false" : state_in(over_));
    line("{} state;", states_ > 255 ? "short" : "byte");
    if (watched_.priorities) line("byte r;       /* the automaton's register */");
    line("byte added;   /* the colours of one value that have one: a bit each */");
    line("byte inside;  /* clients within the implementation */");
    line("byte values;  /* in the object, or on the way in or out */");
    line("int numbered; /* COLOURS times the values put, with DISTINCT */\n");
    if (!watched_.priorities) return;
    line("inline any_priority(p) {{");
    line("  if");
    for (unsigned p = 1; p <= bounds_.priorities; ++p) line("  :: p = {}", p);
    line("  fi");
    line("}}\n");
  }

  /// The option of an `if` for one symbol: guarded by the state and `condition`, then `effect`. One option for all
  /// states, since options are what SPIN's verifier and its compilation spend their time on.
  void option(const Symbol& symbol, const std::string& condition, const std::string& effect) {
    std::vector<unsigned> from = symbol.loops;
    for (const auto& step : symbol.steps) from.push_back(step.first);
    std::string next = "state";
    for (const auto& step : symbol.steps) next = fmt::format("(state == {} -> {} : {})", step.first, step.second, next);
    line("  :: {}{} -> {}{}", state_in(std::move(from)), condition, effect,
         symbol.steps.empty() ? std::string() : fmt::format("; state = {}", next));
  }

  [[nodiscard]] unsigned number_of(const Action& action) const { return kFirstColour + action.colour; }

  /// A value of the colour that the automaton can take, with a priority that its guard lets through.
  void call_add(const Symbol& symbol) {
    const Action& action = symbol.action;
    const unsigned bit = 1U << action.colour;
    std::string condition = " && values < CAPACITY";
    std::string effect = fmt::format("value = {}", number_of(action));
    if (!symbol.crowd) {
      condition += fmt::format(" && (added & {}) == 0", bit);
      effect += fmt::format("; added = added | {}", bit);
    }
    if (!watched_.priorities) {
      option(symbol, condition, effect);
    } else if (action.guard == Guard::none) {
      option(symbol, condition, fmt::format("{}; any_priority(prio)", effect));
    } else if (action.guard == Guard::equal) {
      option(symbol, condition, fmt::format("{}; prio = r", effect));
    } else {
      for (unsigned p = 1; p <= bounds_.priorities; ++p) {
        option(symbol, fmt::format("{} && PRECEDES({}, r)", condition, p), fmt::format("{}; prio = {}", effect, p));
      }
    }
  }

  void symbols(Method method, bool response, const std::string& condition, const std::string& effect) {
    for (const Symbol& symbol : symbols_) {
      if (symbol.action.method != method || symbol.action.response != response) continue;
      const auto number = number_of(symbol.action);
      option(symbol, fmt::format(fmt::runtime(condition), number), fmt::format(fmt::runtime(effect), number));
    }
  }

  void observer() {
    line("/* Each of these has an option for what the automaton can do, and none where it can do nothing. */");
    line("inline observe_call_put({}) {{", put_arguments());
    line("  if");
    line("  :: GOING_ON && values < CAPACITY -> value = {}{}", kUncoloured,
         watched_.priorities ? "; any_priority(prio)" : "");
    for (const Symbol& symbol : symbols_) {
      if (symbol.action.method == Method::add && !symbol.action.response) call_add(symbol);
    }
    line("  fi");
    line("}}\n");

    line("inline observe_return_put(colour) {{");
    line("  if");
    line("  :: colour == {} || OVER", kUncoloured);
    symbols(Method::add, true, " && colour == {}", "skip");
    line("  fi");
    line("}}\n");

    line(
        "/* guess: the colour of what the remove will return, or of a remove that finds nothing; {}: neither has one. "
        "*/",
        kUncoloured);
    line("inline observe_call_remove(guess) {{");
    line("  if");
    line("  :: GOING_ON -> guess = {}", kUncoloured);
    symbols(Method::remove, false, "", "guess = {}");
    symbols(Method::empty, false, "", "guess = {} + COLOURS");
    line("  fi");
    line("}}\n");

    line("inline observe_return_remove(colour, guess) {{");
    line("  if");
    line("  :: colour == {} -> assert(false) /* removed what nobody has put */", kNoValue);
    line("  :: guess == {0} && (colour == EMPTY || colour == {0})", kUncoloured);
    line("  :: OVER && (colour == guess || (colour == EMPTY && guess > COLOURS))");
    symbols(Method::remove, true, " && colour == {0} && guess == {0}", "skip");
    symbols(Method::empty, true, " && colour == EMPTY && guess == {} + COLOURS", "skip");
    line("  fi");
    line("}}\n");
  }

  void clients() {
    line("inline returned() {{");
    line("  inside--;");
    line("  if");
    line("  :: inside == 0 && ACCEPTING -> printf(\"@accept %d\\n\", state); assert(false)");
    line("  :: else");
    line("  fi");
    line("}}\n");
    line("proctype client() {{");
    line("  VALUE value;");
    if (watched_.priorities) line("  byte prio;");
    line("  byte guess;");
    line("  do");
    line("  :: atomic {{");
    line("       observe_call_put({});", put_arguments());
    line("       values++; inside++;");
    line("       value = value + numbered; numbered = numbered + NEXT;");
    if (watched_.priorities) {
      line("       printf(\"@call %d put %d %d\\n\", _pid, value, prio)");
    } else {
      line("       printf(\"@call %d put %d\\n\", _pid, value)");
    }
    line("     }}");
    line("     put({});", put_arguments());
    line("     atomic {{");
    line("       observe_return_put(COLOUR(value));");
    line("       printf(\"@return %d\\n\", _pid);");
    line("       value = 0;{}", watched_.priorities ? " prio = 0;" : "");
    line("       returned()");
    line("     }}");
    line("  :: atomic {{");
    line("       observe_call_remove(guess);");
    line("       inside++;");
    line("       printf(\"@call %d remove\\n\", _pid)");
    line("     }}");
    line("     remove(value);");
    line("     atomic {{");
    line("       observe_return_remove(COLOUR(value), guess);");
    line("       printf(\"@return %d %d\\n\", _pid, value);");
    line("       if");
    line("       :: COLOUR(value) != EMPTY && values > 0 -> values--");  // a value may be removed twice
    line("       :: else");
    line("       fi;");
    line("       value = 0; guess = 0;");
    line("       returned()");
    line("     }}");
    line("  od");
    line("}}\n");
  }

  void start() {
    line("init {{");
    line("  byte clients;");
    line("  atomic {{");
    line("    if");
    for (std::size_t i = 0; i < watched_.automata.size(); ++i) {
      line("    :: state = {}{}", first_[i], watched_.automata[i]->registers > 0 ? "; any_priority(r)" : "");
    }
    line("    fi;");
    line("    do");
    line("    :: clients < THREADS -> run client(); clients++");
    line("    :: else -> break");
    line("    od");
    line("  }}");
    line("}}");
  }

  const Watched& watched_;
  Bounds bounds_;
  std::vector<Symbol> symbols_;
  std::vector<unsigned> first_;                        // each automaton's first state
  std::vector<unsigned> accepting_, over_, going_on_;  // over: accepting whatever follows; the others go on
  unsigned states_ = 0;
  std::string text_;
};

}  // namespace

unsigned colour_count(const Watched& watched) {
  std::size_t colours = 0;
  for (const Automaton* const automaton : watched.automata) colours = std::max(colours, automaton->colours.size());
  return kFirstColour + static_cast<unsigned>(colours);
}

std::string promela_product(const Watched& watched, const Bounds& bounds, std::string_view model) {
  return Product(watched, bounds).text(model);
}

}  // namespace linchpin::automata
