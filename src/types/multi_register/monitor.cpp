// Decides strict serializability of transactions on registers, which is the linearizability of this object, or a weaker
// level of it.
//
// If no value is written to a key twice, what a read saw tells which transaction wrote it (reading.cpp). What is open
// is where the other writes of the key stand: each before that write, or behind the read. This is NP-complete
// (Papadimitriou, The Serializability of Concurrent Database Updates, 1979, for serializability with reads-from given).
// Recorded histories leave little open: an order that is nearly right is made along the events (first_order.cpp), kept
// as a topological order (precedence.cpp), and mended where it does not replay (repair.cpp). The answer is exact either
// way; where too many trials fail, none is given.
// At weaker levels (api/weaker_order.hpp) the edges of real time are not there, those of the sessions are, where they
// count; the first order is made along the events as they were recorded all the same, since it is nearly right then.
// Precondition: no value is written to a key twice, nor one that a key may begin with by the type's options.
// A pending transaction of which nobody saw anything may be left out: without it, every read sees what it saw.
// Compare: decide/search (any history). Tests: multi_register_monitor_test.cpp.
#include "types/multi_register/monitor.hpp"

#include <memory>
#include <utility>

#include "types/in_sessions.hpp"
#include "types/multi_register/first_order.hpp"
#include "types/multi_register/repair.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::types::multi_register {

namespace {

core::Outcome refuted(const Reading& reading, Contradiction found) {
  Contradiction contradiction = with_support(reading, std::move(found));
  // With another initial value there may be an order.
  if (!contradiction.certain) return core::unknown(Reason::not_applicable);
  return {.verdict = Verdict::violation,
          .core = std::move(contradiction.transactions),
          .blocked = contradiction.blocked,
          .sentence = std::move(contradiction.sentence)};
}

}  // namespace

core::Applicability applicable(const history::Subhistory& part) {
  if (without_sessions<MultiRegister>(*part.specification) == nullptr)
    return core::not_of_this_type("not a multi-register");
  auto reading = std::make_shared<Reading>(read(part));
  if (!reading->obstacle.empty()) return {false, std::move(reading->obstacle)};
  const char* const why = reading->contradiction
                              ? "some transactions cannot have been answered so, whatever else was done"
                              : "no value is written to a key twice";
  return {.applies = true, .why = why, .reading = std::move(reading)};
}

core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto reading = core::reading_of<Reading>(part, options, applicable);
  if (reading == nullptr) return core::not_applicable();
  if (reading->contradiction) return refuted(*reading, *reading->contradiction);
  Precedence precedence(part.size());
  if (auto contradiction = first_order(part, *reading, precedence, budget))
    return refuted(*reading, std::move(*contradiction));
  if (budget.spent_now()) return core::unknown(budget.reason());
  precedence.settle();
  Repair repair(part, *reading, precedence);
  switch (repair.run(budget)) {
    case Repair::End::contradiction: return refuted(*reading, repair.contradiction());
    case Repair::End::given_up: return core::unknown(budget.spent_now() ? budget.reason() : Reason::not_applicable);
    case Repair::End::replays: break;
  }
  core::Outcome outcome{.verdict = Verdict::linearizable};
  if (!options.witness) return outcome;
  for (const std::uint32_t node : precedence.order()) {
    if (!precedence.is_barrier(node)) outcome.witness.push_back(node);
  }
  return outcome;
}

}  // namespace linchpin::types::multi_register
