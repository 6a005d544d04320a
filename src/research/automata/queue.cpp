// The automata of the queue. They are finite, since no priorities are compared.
#include "research/automata/common.hpp"
#include "research/automata/shape.hpp"

namespace linchpin::automata {

const Family& queue_automata() {
  static const Family family = [] {
    Family made{.type = "queue", .vocabulary = {"enq", "deq"}, .automata = {}};
    add_single_value_automata(made.automata);
    constexpr Colour kFirst = 0, kSecond = 1;
    made.automata.push_back(
        make_automaton({.name = "order",
                        .summary = "a is added before b, and b is removed before a is, which may never be",
                        .source = "A_SinPri^4",
                        .colours = {{.name = "a"}, {.name = "b"}},
                        .word = {call_add(kFirst), ret_add(kFirst), call_add(kSecond), ret_remove(kSecond)},
                        .free = {ret_add(kSecond), call_remove(kSecond)}}));
    made.automata.push_back(empty_automaton("DeqEmpty, as A_SeqPQ^3"));
    return made;
  }();
  return family;
}

}  // namespace linchpin::automata
