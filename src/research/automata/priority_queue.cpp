// The register automata of the priority queue. The register holds the priority p of the worst value that a violation is
// about; a, a1 and b have it, d has a better one.
//
// "covered": MatchedMaxPriority with one value of the worst priority. At every moment at which b could be removed,
// which is after both its calls, some better d is in. One automaton for each order of the four actions of b. The paper
// has four of them; the fifth, where the remove returns first although its call came last, is missing there.
//
// "overtaken": MatchedMaxPriority with several values of the worst priority, which leave in the order of their adds. a
// is added before b, but from the call of a's remove to the response of b's some better d is in: b can only leave
// before a does. The paper's five enumerations differ in how a is known to be added before b (Lemmas 16 and 34):
//   1, 2: directly, the remove of b being called after its add or before;
//   3 to 5: a is added before a1, which is removed before b; its remove is called before a's add returns, after that,
//   or after its own add is called. These three are never needed: b has left by its last gap (else it is covered), a1
//   before that, so a1 is overtaken or out of order itself.
// For each, one automaton for each order of the actions whose place is left open.
#include <algorithm>

#include <fmt/format.h>

#include "research/automata/common.hpp"
#include "research/automata/shape.hpp"

namespace linchpin::automata {

namespace {

using Word = std::vector<Action>;

bool comes_before(const Word& word, const Action& first, const Action& second) {
  return std::find(word.begin(), word.end(), first) < std::find(word.begin(), word.end(), second);
}

/// Extends `word` by the rest of `actions` in all orders in which each of `chains` is a subsequence.
void extend(Word& word, const Word& actions, const std::vector<Word>& chains, std::vector<Word>& orders) {
  if (word.size() == actions.size()) orders.push_back(word);
  const auto done = [&word](const Action& action) { return std::find(word.begin(), word.end(), action) != word.end(); };
  for (const Action& action : actions) {
    const bool next = !done(action) && std::all_of(chains.begin(), chains.end(), [&](const Word& chain) {
      const auto at = std::find(chain.begin(), chain.end(), action);
      return at == chain.begin() || at == chain.end() || done(*(at - 1));
    });
    if (!next) continue;
    word.push_back(action);
    extend(word, actions, chains, orders);
    word.pop_back();
  }
}

std::vector<Word> linear_orders(const Word& actions, const std::vector<Word>& chains) {
  std::vector<Word> orders;
  Word word;
  extend(word, actions, chains, orders);
  return orders;
}

/// Where the action stands in the word.
std::size_t position(const Word& word, const Action& action) {
  return static_cast<std::size_t>(std::find(word.begin(), word.end(), action) - word.begin());
}

Automaton in_order() {
  constexpr Colour kA = 0, kB = 1;
  return make_automaton({.name = "order",
                         .summary = "of one priority: a is added before b, and b is removed before a is, which may "
                                    "never be",
                         .source = "A_SinPri^4",
                         .colours = {{.name = "a"}, {.name = "b"}},
                         .registers = 1,
                         .word = {call_add(kA, Guard::equal), ret_add(kA), call_add(kB, Guard::equal), ret_remove(kB)},
                         .free = {ret_add(kB), call_remove(kB)}});
}

void add_covered(std::vector<Automaton>& automata) {
  constexpr Colour kB = 0, kD = 1;
  const Action call_put = call_add(kB, Guard::equal), ret_put = ret_add(kB);
  const Action call_rm = call_remove(kB), ret_rm = ret_remove(kB);
  // What follows the response of the remove does not matter.
  const std::vector<std::pair<std::string_view, Word>> cases{{"A_l-lar^1", {call_put, ret_put, call_rm, ret_rm}},
                                                             {"A_l-lar^2", {call_put, call_rm, ret_put, ret_rm}},
                                                             {"A_l-lar^3", {call_rm, call_put, ret_put, ret_rm}},
                                                             {"A_l-lar^4", {call_rm, call_put, ret_rm}},
                                                             {"missing in the paper", {call_put, call_rm, ret_rm}}};
  std::size_t number = 0;
  for (const auto& [source, word] : cases) {
    automata.push_back(
        make_automaton({.name = fmt::format("covered-{}", ++number),
                        .summary = "at every moment at which b can be removed some better d is in",
                        .source = std::string(source),
                        .colours = {{.name = "b"}, {.name = "d", .crowd = true}},
                        .registers = 1,
                        .word = word,
                        .window = Window{.begin = std::max(position(word, call_put), position(word, call_rm)),
                                         .crowd = kD,
                                         .guard = Guard::better}}));
  }
}

/// One enumeration: the orders of `actions` that keep `chains`, numbered from `first`.
void add_overtaken(std::vector<Automaton>& automata, int enumeration, const std::vector<Word>& words,
                   bool intermediate) {
  constexpr Colour kA = 0, kD = 2;
  std::vector<ColourName> colours{{.name = "a"}, {.name = "b"}, {.name = "d", .crowd = true}};
  if (intermediate) colours.push_back({.name = "a1"});
  std::size_t number = 0;
  for (const Word& word : words) {
    std::vector<Action> free{ret_add(1)};
    if (intermediate) free.push_back(ret_add(3));
    automata.push_back(make_automaton(
        {.name = fmt::format("overtaken-{}-{}", enumeration, ++number),
         .summary = intermediate
                        ? "a is added before a1, a1 removed before b, and while b could leave after a some "
                          "better d is in"
                        : "a is added before b, of one priority, and while b could leave after a some better d "
                          "is in",
         .source = fmt::format("A_l-eq^{}", enumeration),
         .colours = colours,
         .registers = 1,
         .word = word,
         .free = std::move(free),
         .window = Window{.begin = position(word, call_remove(kA)), .crowd = kD, .guard = Guard::better},
         .implied = intermediate}));
  }
}

void add_overtaken(std::vector<Automaton>& automata) {
  constexpr Colour kA = 0, kB = 1, kA1 = 3;
  const Action put_a = call_add(kA, Guard::equal), put_b = call_add(kB, Guard::equal);
  const Action put_a1 = call_add(kA1, Guard::equal);
  // b is called for, then a, and b has left before a could.
  const Word removes{call_remove(kB), call_remove(kA), ret_remove(kB)};
  const Word b_in_time{put_b, call_remove(kA)};
  std::vector<Word> first, second;
  for (Word& word : linear_orders({put_a, ret_add(kA), put_b, call_remove(kB), call_remove(kA), ret_remove(kB)},
                                  {{put_a, ret_add(kA), put_b}, removes, b_in_time})) {
    (comes_before(word, put_b, call_remove(kB)) ? first : second).push_back(std::move(word));
  }
  add_overtaken(automata, 1, first, false);
  add_overtaken(automata, 2, second, false);

  const Word all{put_a, ret_add(kA),     call_remove(kA1), put_a1,        ret_remove(kA1),
                 put_b, call_remove(kB), call_remove(kA),  ret_remove(kB)};
  const std::vector<Word> put_before{{put_a, ret_add(kA)}, {ret_remove(kA1), call_remove(kB)}, removes, b_in_time};
  const std::vector<Word> a1_cases{{call_remove(kA1), ret_add(kA), put_a1, ret_remove(kA1)},
                                   {ret_add(kA), call_remove(kA1), put_a1, ret_remove(kA1)},
                                   {ret_add(kA), put_a1, call_remove(kA1), ret_remove(kA1)}};
  int enumeration = 3;
  for (const Word& a1_case : a1_cases) {
    std::vector<Word> chains = put_before;
    chains.push_back(a1_case);
    add_overtaken(automata, enumeration++, linear_orders(all, chains), true);
  }
}

}  // namespace

const Family& priority_queue_automata() {
  static const Family family = [] {
    Family made{.type = "priority-queue", .vocabulary = {"put", "rm"}, .automata = {}};
    add_single_value_automata(made.automata);
    made.automata.push_back(in_order());
    add_covered(made.automata);
    add_overtaken(made.automata);
    made.automata.push_back(empty_automaton("A_SeqPQ^3"));
    return made;
  }();
  return family;
}

}  // namespace linchpin::automata
