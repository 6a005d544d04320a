#include "explore/report/interleaving.hpp"

#include <fmt/format.h>

#include "explore/recorded.hpp"

namespace linchpin::explorer {

namespace {

std::string_view order_name(unsigned order) {
  switch (order) {
    case __ATOMIC_RELAXED: return "relaxed";
    case __ATOMIC_CONSUME: return "consume";
    case __ATOMIC_ACQUIRE: return "acquire";
    case __ATOMIC_RELEASE: return "release";
    case __ATOMIC_ACQ_REL: return "acq_rel";
    default: return "seq_cst";
  }
}

std::string what(const TraceStep& step) {
  switch (step.access.kind) {
    case Kind::load: return fmt::format("load {}", order_name(step.access.order));
    case Kind::store: return fmt::format("store {}", order_name(step.access.order));
    case Kind::update:
      return fmt::format("{} {}", step.failed ? "failed exchange" : "update", order_name(step.access.order));
    case Kind::fence: return fmt::format("fence {}", order_name(step.access.order));
    case Kind::read: return "read";
    case Kind::write: return "write";
    case Kind::lock: return step.failed ? "lock, in vain" : "lock";
    case Kind::unlock: return "unlock";
    case Kind::wait: return step.failed ? "wait, in vain" : "wait";
    case Kind::wake: return "wake";
    case Kind::yield: return "yield";
    case Kind::sleep: return "sleep";
    case Kind::create: return "create a thread";
    case Kind::join: return "join";
    case Kind::start: return "start";
    case Kind::operation: return step.ended_operation ? "no shared access" : "call";
  }
  return "";
}

/// A value of so many bytes.
std::string number(std::uint64_t value, unsigned size) {
  constexpr std::uint64_t kSmall = 100'000;
  constexpr unsigned kBits = 64;
  const unsigned unused = size == 0 || size >= 8 ? 0 : kBits - 8 * size;
  const std::int64_t as_signed = static_cast<std::int64_t>(value << unused) >> unused;
  if (value < kSmall) return fmt::format("{}", value);
  if (as_signed < 0 && as_signed > -static_cast<std::int64_t>(kSmall)) return fmt::format("{}", as_signed);
  if (Arena::holds(value)) return fmt::format("block+{:#x}", value - Arena::kBegin);
  return fmt::format("{:#x}", value);
}

std::string value_of(const TraceStep& step) {
  const unsigned size = step.access.size;
  switch (step.access.kind) {
    case Kind::load:
    case Kind::read: return number(step.value, size);
    case Kind::store: return fmt::format("{} -> {}", number(step.before, size), number(step.value, size));
    case Kind::update:
      return step.failed ? number(step.before, size)
                         : fmt::format("{} -> {}", number(step.before, size), number(step.value, size));
    default: return "";
  }
}

std::string value_text(std::uint64_t bits, bool wide) {
  if (wide) return fmt::format("{}", static_cast<std::int64_t>(bits));
  const ValuePool pool;
  return pool.to_text(Value::from_bits(bits));
}

std::string call_text(const OperationRecord& operation, const std::vector<std::string>& methods) {
  std::string text = methods[operation.method] + "(";
  for (unsigned i = 0; i < operation.arguments; ++i) {
    text += (i == 0 ? "" : ", ") + value_text(operation.values[i], (operation.wide >> i & 1U) != 0);
  }
  return text + ")";
}

void add(std::string& note, const std::string& text) { note += (note.empty() ? "" : "; ") + text; }

std::string note_of(const TraceStep& step, const std::vector<std::string>& methods) {
  std::string note;
  if (step.stale > 0 && step.access.kind == Kind::store) {
    add(note, fmt::format("goes below {} later store{} in modification order", step.stale, step.stale == 1 ? "" : "s"));
  } else if (step.stale > 0) {
    add(note, step.saw < 0 ? std::string("sees the value from before the threads began, not the newest")
                           : fmt::format("sees the store of step {}, not the newest", step.saw + 1));
  }
  if (step.operation < 0 || methods.empty()) return note;
  const OperationRecord& operation = engine.operations()[static_cast<std::size_t>(step.operation)];
  if (step.began_operation) add(note, fmt::format("call {}", call_text(operation, methods)));
  if (step.ended_operation) {
    const bool wide = (operation.wide & OperationRecord::kWideResult) != 0;
    const std::string result = value_text(operation.result, wide);
    add(note, operation.cancelled                                 ? std::string("refused")
              : operation.result == Value::none().bits() && !wide ? std::string("return")
                                                                  : fmt::format("return {}", result));
  }
  return note;
}

std::string place_text(Symbols& symbols, const void* place) {
  if (place == nullptr) return "an unknown place";
  const Symbol symbol = symbols.of(place);
  if (symbol.where.empty()) return fmt::format("{}", place);
  return symbol.function.empty() ? symbol.where : fmt::format("{} in {}", symbol.where, symbol.function);
}

std::string thread_text(int thread) {
  return thread < 0 ? std::string("the thread that makes and destroys the object")
                    : fmt::format("thread {}", thread + 1);
}

}  // namespace

std::vector<ExploreStep> interleaving(Symbols& symbols, const std::vector<std::string>& methods) {
  std::vector<ExploreStep> steps;
  std::vector<std::optional<OperationIndex>> in_history(engine.operations().size());
  OperationIndex index = 0;
  for (const OperationRecord* const operation : operations_called()) {
    in_history[static_cast<std::size_t>(operation - engine.operations().begin())] = index;
    ++index;
  }
  for (const TraceStep& traced : engine.trace()) {
    Symbol symbol = symbols.of(traced.access.place);
    for (unsigned i = 0; symbol.where.empty() && i < TraceStep::kCallers && traced.callers[i] != nullptr; ++i) {
      symbol = symbols.of(traced.callers[i]);  // of a library without debug information, whoever called it
    }
    steps.push_back(
        {.thread = traced.thread,
         .what = what(traced),
         .where = symbol.where,
         .function = symbol.function,
         .value = value_of(traced),
         .note = note_of(traced, methods),
         .path = symbol.path,
         .line = symbol.line,
         .operation = traced.operation < 0 ? std::nullopt : in_history[static_cast<std::size_t>(traced.operation)]});
  }
  return steps;
}

std::string describe(const Finding& finding, Symbols& symbols) {
  const std::string at = place_text(symbols, finding.place);
  const std::string who = thread_text(finding.thread);
  std::string text;
  switch (finding.kind) {
    case ExploreFinding::none:
    case ExploreFinding::not_linearizable:
    case ExploreFinding::undecided: return "";  // told by who decides histories
    case ExploreFinding::race:
      text = fmt::format("data race: {} {} at {}, which nothing orders after the {} of {} at {}", who,
                         finding.frees    ? "frees memory"
                         : finding.writes ? "writes"
                                          : "reads",
                         at, finding.other_writes ? "write" : "read", thread_text(finding.other_thread),
                         place_text(symbols, finding.other_place));
      break;
    case ExploreFinding::use_after_free: text = fmt::format("use after free: {} at {}", who, at); break;
    case ExploreFinding::out_of_bounds: text = fmt::format("access outside of any block: {} at {}", who, at); break;
    case ExploreFinding::double_free: text = fmt::format("double free: {} at {}", who, at); break;
    case ExploreFinding::bad_free: text = fmt::format("free of what was not allocated: {} at {}", who, at); break;
    case ExploreFinding::leak: text = "leak: a block is still there when the object is gone"; break;
    case ExploreFinding::deadlock: text = fmt::format("deadlock: no thread can go on; {} waits at {}", who, at); break;
    case ExploreFinding::lost_wakeup:
      text = fmt::format("nobody wakes {}, which waits at {}; no thread can go on", who, at);
      break;
    case ExploreFinding::endless: text = fmt::format("endless loop: {} at {}", who, at); break;
    case ExploreFinding::exception: return fmt::format("exception: {} ends by one: {}", who, finding.text);
    case ExploreFinding::assertion: text = fmt::format("assertion: {} at {}", who, at); break;
    case ExploreFinding::crash: text = fmt::format("crash: {} at {}", who, at); break;
    case ExploreFinding::misuse: text = fmt::format("misuse: {} at {}", who, at); break;
    case ExploreFinding::nondeterminism:
      text =
          "the same choices gave another schedule: something outlives a schedule (a static variable, a registry of "
          "threads) or depends on addresses outside the object; nothing can be said";
      if (finding.thread < 0 && finding.other_thread < 0) {
        return text + fmt::format("\n  the first difference is at choice {}", finding.address);
      }
      return text +
             fmt::format("\n  the first difference is at step {}: {}, and before {}", finding.address,
                         finding.thread < 0 ? std::string("the schedule ends") : fmt::format("{} at {}", who, at),
                         finding.other_thread < 0 ? std::string("it ended")
                                                  : fmt::format("{} at {}", thread_text(finding.other_thread),
                                                                place_text(symbols, finding.other_place)));
    case ExploreFinding::unsupported: text = fmt::format("not supported: {} at {}", who, at); break;
  }
  if (finding.text[0] != 0) text += fmt::format(": {}", finding.text);
  if (finding.allocated != nullptr) {
    text += fmt::format("\n  the block was allocated at {}", place_text(symbols, finding.allocated));
  }
  if (finding.freed != nullptr) text += fmt::format("\n  and freed at {}", place_text(symbols, finding.freed));
  return text;
}

}  // namespace linchpin::explorer
