// Small histories for tests: written down in a line each, generated at random, or all of a size.
//
// A sketch is a list of operations of one object with distinct ticks. Random ones come from a simulation of the
// specification (linearizable by construction), from a simulation that is then damaged, or with results at random.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/data_type.hpp"
#include "history/subhistory.hpp"

namespace linchpin::test {

/// The texts and lists of all sketches.
inline ValuePool& sketch_pool() {
  static ValuePool pool;
  return pool;
}

struct SketchedOperation {
  std::uint16_t method = 0;
  std::vector<Value> arguments;
  Value result;
  Tick call = 0;
  Tick response = kPending;
  ProcessId process = kNoProcess;  ///< kNoProcess: one of its own
};

using Sketch = std::vector<SketchedOperation>;

/// A history and its only sub-history, which points into it and to the specification.
struct Built {
  std::shared_ptr<const Specification> specification;
  std::unique_ptr<History> history;
  history::Subhistory part;
};

inline std::shared_ptr<const Specification> specification_of(std::string_view type) {
  const auto name = TypeName::parse(type);
  return *core::find_data_type(name->name)->make(*name);
}

/// `twice`: in a history with another object, on which the same was done.
inline Built build(const std::shared_ptr<const Specification>& specification, const Sketch& sketch,
                   bool twice = false) {
  HistoryBuilder builder;
  ProcessId next = 1000;
  const ObjectIndex other = twice ? builder.object("another") : 0;
  const ObjectIndex own = twice ? builder.object("own") : 0;
  const auto held = [&](Value value) { return builder.pool().import(value, sketch_pool()); };
  for (const SketchedOperation& operation : sketch) {
    std::vector<Value> arguments = operation.arguments;
    std::transform(arguments.begin(), arguments.end(), arguments.begin(), held);
    const auto add = [&](ObjectIndex object, ProcessId process) {
      builder.add({.process = process,
                   .object = object,
                   .method = specification->methods()[operation.method].name,
                   .arguments = arguments,
                   .result = held(operation.result),
                   .call = operation.call,
                   .response = operation.response});
    };
    if (twice) add(other, next++);
    add(own, operation.process == kNoProcess ? next++ : operation.process);
  }
  auto history = std::move(builder).build();
  if (!history) {
    std::fprintf(stderr, "a sketch does not build: %s\n", history.error().to_string().c_str());
    std::abort();
  }
  Built built{specification, std::make_unique<History>(std::move(*history)), {}};
  const std::vector specifications(twice ? 2 : 1, specification);
  auto parts = history::split_by_object(*built.history, specifications, Ties::concurrent);
  if (!parts) {
    std::fprintf(stderr, "a sketch does not split: %s\n", parts.error().to_string().c_str());
    std::abort();
  }
  built.part = std::move(parts->back());
  return built;
}

inline std::string to_text(const history::Subhistory& part) {
  std::string text;
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    text += std::to_string(i) + ": " + part.history->describe(part.operation[i]) + " [" +
            std::to_string(part.call[i].number()) + ", " +
            (part.pending(i) ? std::string("pending") : std::to_string(part.response[i].number())) + "]";
    if (part.specification->uses_process()) text += " of " + std::to_string(part.view(i).process);
    text += "\n";
  }
  return text;
}

/// A call before its result is known, with the results that may be tried.
struct Draft {
  std::uint16_t method = 0;
  std::vector<Value> arguments;
  std::vector<Value> results;
  ProcessId process = kNoProcess;
};

using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t bound) { return bound == 0 ? 0 : random() % bound; }
inline bool chance(Random& random, double probability) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53 < probability;
}

/// Makes the drafts of one history; called once for each operation.
using Drafter = std::function<Draft(Random&)>;

/// The same drafts, in one history of three with values that lie far apart, which monitors number in another way.
inline Drafter spread(Random& random, Drafter drafter) {
  if (random() % 3 != 0) return drafter;
  return [drafter = std::move(drafter)](Random& generator) {
    Draft draft = drafter(generator);
    for (std::vector<Value>* const values : {&draft.arguments, &draft.results}) {
      for (Value& value : *values) {
        if (value.is_integer()) value = Value::integer(value.integer() * 1'000'003);
      }
    }
    return draft;
  };
}

struct RandomShape {
  std::size_t operations = 8;
  std::size_t most_open = 4;
  double pending = 0.1;
  bool by_simulation = true;
  std::size_t processes = 0;  ///< that take turns, a crashed one being replaced; 0: each operation has one of its own
  double promised = 0;        ///< share of the pending operations of which it is known what they would have returned
  double lost = 0;            ///< share of the operations that returned of which it is not known what
};

/// A random history; `states` simulates it. Ticks are ranks.
inline Sketch random_sketch(Random& random, StateTable& states, const Drafter& drafter, const RandomShape& shape) {
  struct Open {
    std::size_t index;
    bool applied, pending;
  };
  Sketch sketch;
  std::vector<Draft> drafts;
  std::vector<Open> open;
  StateId state = states.initial();
  std::vector<StateId> next;
  std::vector<ProcessId> idle(shape.processes);
  std::iota(idle.begin(), idle.end(), ProcessId{0});
  auto next_process = static_cast<ProcessId>(shape.processes);
  Tick now = 0;
  const auto simulate = [&](const Draft& draft, SketchedOperation& made) {
    for (const Value result : draft.results) {
      next.clear();
      states.successors(state,
                        {.method = draft.method,
                         .arguments = draft.arguments,
                         .result = result,
                         .process = made.process,
                         .pool = &sketch_pool()},
                        next);
      if (next.empty()) continue;
      state = next[below(random, next.size())];
      made.result = result;
      return true;
    }
    return false;
  };
  const auto apply = [&](Open& operation) {
    operation.applied = true;
    Draft& draft = drafts[operation.index];
    SketchedOperation& made = sketch[operation.index];
    std::shuffle(draft.results.begin(), draft.results.end(), random);
    made.result = draft.results.front();
    if (!shape.by_simulation || simulate(draft, made)) return;
    // What a process may do depends on who it is: another call, where this one cannot be.
    for (std::size_t attempt = 0; attempt < 4 && shape.processes > 0; ++attempt) {
      draft = drafter(random);
      made.method = draft.method;
      made.arguments = draft.arguments;
      made.result = draft.results.front();
      if (simulate(draft, made)) return;
    }
  };
  while (sketch.size() < shape.operations ||
         std::any_of(open.begin(), open.end(), [](const Open& o) { return !o.pending; })) {
    const auto running =
        static_cast<std::size_t>(std::count_if(open.begin(), open.end(), [](const Open& o) { return !o.pending; }));
    const std::size_t what = below(random, 3);
    const bool may_call = running < shape.most_open && (shape.processes == 0 || !idle.empty());
    if (what == 0 && sketch.size() < shape.operations && may_call) {
      drafts.push_back(drafter(random));
      open.push_back({sketch.size(), false, chance(random, shape.pending)});
      if (shape.processes > 0) {
        std::swap(idle[below(random, idle.size())], idle.back());
        drafts.back().process = idle.back();
        idle.pop_back();
        if (open.back().pending) idle.push_back(next_process++);
      }
      sketch.push_back({.method = drafts.back().method,
                        .arguments = drafts.back().arguments,
                        .result = Value::unknown(),
                        .call = now++,
                        .response = kPending,
                        .process = drafts.back().process});
    } else if (!open.empty()) {
      const std::size_t which = below(random, open.size());
      Open& operation = open[which];
      if (what == 1 && !operation.applied) {
        apply(operation);
      } else if (what == 2 && !operation.pending) {
        if (!operation.applied) apply(operation);
        sketch[operation.index].response = now++;
        if (shape.processes > 0) idle.push_back(sketch[operation.index].process);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
      }
    }
  }
  for (std::size_t i = 0; i < sketch.size(); ++i) {
    SketchedOperation& operation = sketch[i];
    if (operation.response != kPending) {
      if (shape.lost > 0 && chance(random, shape.lost)) operation.result = Value::unknown();
    } else if (shape.promised == 0 || !chance(random, shape.promised)) {
      operation.result = Value::unknown();
    } else if (operation.result.is_unknown()) {  // it has not taken effect
      operation.result = drafts[i].results[below(random, drafts[i].results.size())];
    }
  }
  return sketch;
}

/// Damages a history: other results, or neighbouring events exchanged. `anywhere`: results of operations that have
/// arguments, too.
inline void mutate(Random& random, Sketch& sketch, const std::vector<Value>& results, bool anywhere = false) {
  const std::size_t count = 1 + below(random, 3);
  for (std::size_t step = 0; step < count; ++step) {
    SketchedOperation& chosen = sketch[below(random, sketch.size())];
    switch (below(random, 3)) {
      case 0: {
        SketchedOperation& other = sketch[below(random, sketch.size())];
        if (chosen.method == other.method && chosen.response != kPending && other.response != kPending) {
          std::swap(chosen.result, other.result);
        }
        break;
      }
      case 1:
        if (chosen.response != kPending && !results.empty() && (anywhere || chosen.arguments.empty())) {
          chosen.result = results[below(random, results.size())];
        }
        break;
      default: {
        // Shrinks or stretches an interval by exchanging an end with the neighbouring event of another operation.
        const bool response = below(random, 2) == 0 && chosen.response != kPending;
        const Tick from = response ? chosen.response : chosen.call;
        const Tick to = below(random, 2) == 0 ? from + 1 : from - 1;
        for (SketchedOperation& other : sketch) {
          Tick* const there = other.call == to ? &other.call : other.response == to ? &other.response : nullptr;
          if (there == nullptr || &other == &chosen) continue;
          if (other.process == chosen.process && chosen.process != kNoProcess) continue;
          *there = from;
          (response ? chosen.response : chosen.call) = to;
          break;
        }
      }
    }
  }
}

/// Every second tick becomes the one before: events that were neighbours happen at the same time.
inline void tie(Sketch& sketch) {
  for (SketchedOperation& operation : sketch) {
    operation.call /= 2;
    if (operation.response != kPending) operation.response /= 2;
  }
}

/// Whether the ends of every operation are in order, also along a process, as they may not be after a mutation.
inline bool valid(const Sketch& sketch) {
  for (const SketchedOperation& a : sketch) {
    if (a.response < a.call) return false;
    for (const SketchedOperation& b : sketch) {
      if (&a != &b && a.process != kNoProcess && a.process == b.process && a.call < b.call && a.response > b.call) {
        return false;
      }
    }
  }
  return true;
}

/// Whether the type takes the arguments and results: those that it does not are input errors.
inline bool takes(const Specification& specification, const Sketch& sketch) {
  return std::all_of(sketch.begin(), sketch.end(), [&](const SketchedOperation& operation) {
    const Operation view{.method = operation.method,
                         .arguments = operation.arguments,
                         .result = operation.result,
                         .process = operation.process,
                         .pool = &sketch_pool()};
    return specification.invalid(view).empty();
  });
}

/// Calls `visit` with every history of the given operations, in this order of calls: all interleavings of their calls
/// and responses and, where asked for, every choice of pending operations.
inline void for_all_interleavings(Sketch& sketch, bool with_pending, const std::function<void(const Sketch&)>& visit) {
  std::vector<std::size_t> open;
  const std::function<void(std::size_t, Tick)> step = [&](std::size_t called, Tick now) {
    if (called == sketch.size() && open.empty()) {
      visit(sketch);
      return;
    }
    if (called < sketch.size()) {
      sketch[called].call = now;
      sketch[called].response = kPending;
      open.push_back(called);
      step(called + 1, now + 1);
      open.pop_back();
      if (with_pending) {
        const Value result = sketch[called].result;
        sketch[called].result = Value::unknown();
        sketch[called].response = kPending;
        step(called + 1, now + 1);
        sketch[called].result = result;
      }
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::size_t which = open[i];
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
      sketch[which].response = now;
      step(called, now + 1);
      sketch[which].response = kPending;
      open.insert(open.begin() + static_cast<std::ptrdiff_t>(i), which);
    }
  };
  step(0, 0);
}

}  // namespace linchpin::test
