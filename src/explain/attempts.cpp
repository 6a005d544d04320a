#include "explain/attempts.hpp"

#include <algorithm>
#include <charconv>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "algo/frontier/slots.hpp"
#include "base/none.hpp"
#include "evidence/semantics.hpp"
#include "explain/linearization.hpp"
#include "history/events.hpp"
#include "history/process_names.hpp"

namespace linchpin::explain {

namespace {

constexpr std::size_t kMostCandidates = 512;
constexpr std::size_t kMostResults = 3;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 40;  // tried as a result
constexpr std::size_t kMostStatesInSentence = 4;
constexpr std::size_t kMostPairs = 4096;
constexpr std::int64_t kOtherNumber = kMostNumber + 1;  // that no history of a core has as an argument

/// A list of a value and a number, as a stack with heights returns it.
bool is_pair(Value value, const ValuePool& pool) {
  return value.is_list() && pool.elements_of(value).size() == 2 && pool.elements_of(value)[1].is_integer();
}

/// A configuration: the operations that returned took effect, and so did those open ones that the mask names.
template <class Mask>
struct Configuration {
  Mask mask;  // by slot
  StateId state = 0;
  std::uint32_t before = kNone;     // the configuration that it was made of
  std::uint32_t operation = kNone;  // what took effect then; local
  std::uint32_t passed = 0;         // the responses that it, or one made of it, passed: they are counted from 0
};

/// `operation` took effect in `from`.
struct Move {
  std::uint32_t from, operation, to;
};

template <class Mask>
class Sweep {
 public:
  /// @param part    the core alone; local: an index into it
  /// @param events  of the part
  Sweep(const History& history, std::span<const OperationIndex> core, const History& part,
        const std::vector<history::HistoryEvent>& events, const Specification& specification, core::Budget& budget)
      : history_(history),
        core_(core),
        budget_(budget),
        part_(part),
        specification_(specification),
        binding_(part_, specification),
        states_(specification.make_states()),
        events_(events),
        slots_(core_.size()) {}

  /// The operation at whose response no configuration is left. Collects what was possible while `watched` was open.
  std::optional<std::uint32_t> run(std::optional<std::uint32_t> watched) {
    all_.clear();
    moves_.clear();
    seen_.clear();
    returned_.clear();
    open_.clear();
    slots_ = algo::Slots<Mask>(core_.size());
    all_.push_back({.state = states_->initial()});
    frontier_ = {0};
    for (const history::HistoryEvent event : events_) {
      const std::uint32_t local = event.operation().number();
      if (!event.is_response()) {
        slots_.open(local);
        open_.push_back(local);
        continue;
      }
      if (!expand()) return std::nullopt;
      if (watched && slots_.is_open(*watched)) seen_.insert(seen_.end(), frontier_.begin(), frontier_.end());
      if (!pass(local)) return local;
    }
    return std::nullopt;
  }

  Blocking explain(std::uint32_t blocked, std::size_t most) {
    // Of each state the configuration that took the fewest steps.
    absl::flat_hash_map<StateId, std::uint32_t> by_state;
    const Mask bit = slots_.bit(blocked);
    for (const std::uint32_t each : seen_) {
      if ((all_[each].mask & bit).any()) continue;
      const auto [entry, fresh] = by_state.try_emplace(all_[each].state, each);
      if (!fresh && length(each) < length(entry->second)) entry->second = each;
    }
    std::vector<std::uint32_t> chosen;
    for (const auto& [state, configuration] : by_state) chosen.push_back(configuration);
    std::sort(chosen.begin(), chosen.end(),
              [this](std::uint32_t a, std::uint32_t b) { return std::pair(length(a), a) < std::pair(length(b), b); });
    Blocking result{.blocked = core_[blocked], .attempts = {}, .attempts_in_all = chosen.size()};
    for (std::size_t k = 0; k < chosen.size() && k < most; ++k) {
      result.attempts.push_back(attempt(chosen[k], blocked));
    }
    return result;
  }

 private:
  /// All configurations that open operations lead to from the frontier. False when there are too many.
  bool expand() {
    absl::flat_hash_map<std::pair<Mask, StateId>, std::uint32_t> index;
    for (const std::uint32_t each : frontier_) index.try_emplace({all_[each].mask, all_[each].state}, each);
    for (std::size_t next = 0; next < frontier_.size(); ++next) {
      const std::uint32_t from = frontier_[next];
      for (const std::uint32_t local : open_) {
        const Mask bit = slots_.bit(local);
        if ((all_[from].mask & bit).any()) continue;
        successors_.clear();
        states_->successors(all_[from].state, binding_.view(OperationIndex(local)), successors_);
        for (const StateId state : successors_) {
          const auto to = static_cast<std::uint32_t>(all_.size());
          const auto [entry, fresh] = index.try_emplace({all_[from].mask | bit, state}, to);
          moves_.push_back({from, local, entry->second});
          if (moves_.size() > kMostConfigurations || budget_.spent()) return false;
          if (!fresh) continue;
          all_.push_back({.mask = all_[from].mask | bit,
                          .state = state,
                          .before = from,
                          .operation = local,
                          .passed = static_cast<std::uint32_t>(returned_.size())});
          frontier_.push_back(to);
        }
      }
    }
    return true;
  }

  /// Keeps the configurations in which the responder took effect; false, and keeps all, when there is none.
  bool pass(std::uint32_t local) {
    const Mask bit = slots_.bit(local);
    const auto lacks = [&](std::uint32_t each) { return (all_[each].mask & bit).none(); };
    if (std::all_of(frontier_.begin(), frontier_.end(), lacks)) {
      returned_.push_back(local);
      return false;
    }
    std::erase_if(frontier_, lacks);
    returned_.push_back(local);
    for (const std::uint32_t each : frontier_) {
      all_[each].mask &= ~bit;
      for (std::uint32_t k = each; k != kNone && all_[k].passed < returned_.size(); k = all_[k].before) {
        all_[k].passed = static_cast<std::uint32_t>(returned_.size());
      }
    }
    slots_.close(local);
    std::erase(open_, local);
    return true;
  }

  [[nodiscard]] std::size_t length(std::uint32_t configuration) const {
    std::size_t steps = 0;
    for (; all_[configuration].before != kNone; configuration = all_[configuration].before) ++steps;
    return steps;
  }

  Attempt attempt(std::uint32_t configuration, std::uint32_t blocked) {
    Attempt result;
    std::vector<std::uint32_t> locals;
    for (std::uint32_t k = configuration; all_[k].before != kNone; k = all_[k].before) {
      locals.push_back(all_[k].operation);
    }
    std::reverse(locals.begin(), locals.end());
    std::vector<OperationIndex> order;
    order.reserve(locals.size());
    for (const std::uint32_t local : locals) order.push_back(core_[local]);
    result.order = follow(history_, order, specification_, {});
    const StateId state = all_[configuration].state;
    result.state = states_->describe(state, history_.pool());
    const std::string described = result.state;
    if (specification_.uses_process()) result.state = history::with_process_names(history_, std::move(result.state));
    std::uint32_t least = kNone;
    for (const Move& move : moves_) {
      if (move.from == configuration && move.operation == blocked) least = std::min(least, all_[move.to].passed);
    }
    if (least != kNone) {
      result.then_blocked = core_[returned_[least]];
      const std::string process = history_.process_name(history_.process(*result.then_blocked));
      result.refusal =
          fmt::format("could take effect, but then {}{} could not", history_.describe(*result.then_blocked),
                      process.empty() ? "" : fmt::format(" of process {}", process));
      return result;
    }
    bool more = false;
    const bool done = only_says_done(state, blocked);
    for (const Value value : possible_results(state, blocked, done, more)) {
      result.results.push_back(history_.pool().to_text(value));
    }
    if (result.results.empty() || is_pair(part_.result(OperationIndex(blocked)), part_.pool())) {
      bool more_pairs = false;
      std::vector<std::string> pairs = possible_pairs(locals, described, blocked, more_pairs);
      if (!pairs.empty()) {
        result.results = std::move(pairs);
        more = more_pairs;
      }
    }
    if (!result.results.empty()) {
      result.refusal = fmt::format("would return {}{}", fmt::join(result.results, " or "), more ? " or another" : "");
    } else if (done) {
      result.refusal = "would only say that it is done";
    } else {
      result.refusal = legal(state, blocked, Value::unknown()) ? "would return something else" : "is not possible";
    }
    return result;
  }

  bool legal(StateId state, std::uint32_t local, Value result) {
    Operation operation = binding_.view(OperationIndex(local));
    operation.result = result;
    return legal(state, operation);
  }
  bool legal(StateId state, const Operation& operation) {
    // What the type refuses to read nobody can have returned.
    if (!operation.result.is_unknown() && !specification_.invalid(operation).empty()) return false;
    successors_.clear();
    states_->successors(state, operation, successors_);
    return !successors_.empty();
  }

  /// Whether any word for "done" is legal, and the operation returned another one: such words are no results to name.
  bool only_says_done(StateId state, std::uint32_t local) {
    return !part_.result(OperationIndex(local)).is_boolean() && legal(state, local, Value::none()) &&
           legal(state, local, Value::nil()) && legal(state, local, Value::boolean(true));
  }
  /// A word for "done", or an argument repeated: a result that would be illegal if the argument were another one.
  bool says_done(StateId state, std::uint32_t local, Value result) {
    Operation operation = binding_.view(OperationIndex(local));
    operation.result = result;
    std::vector<Value> arguments(operation.arguments.begin(), operation.arguments.end());
    if (operation.acknowledged()) return true;
    if (std::find(arguments.begin(), arguments.end(), result) == arguments.end()) return false;
    if (!result.is_integer()) return true;
    std::replace(arguments.begin(), arguments.end(), result, Value::integer(kOtherNumber));
    operation.arguments = arguments;
    return !legal(state, operation);
  }

  /// What the operation could return instead: tried with every value that occurs in the core, and the usual answers
  /// unless it only says that it is `done`.
  std::vector<Value> possible_results(StateId state, std::uint32_t local, bool done, bool& more) {
    const Value given = part_.result(OperationIndex(local));
    std::vector<Value> candidates;
    const ValuePool& pool = part_.pool();
    const auto add = [&](Value value) {
      if (!value.is_none() && !value.is_unknown()) candidates.push_back(value);
      if (!value.is_list()) return;
      for (const Value element : pool.elements_of(value)) candidates.push_back(element);
    };
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      for (const Value argument : part_.arguments(OperationIndex(i))) add(argument);
      add(part_.result(OperationIndex(i)));
    }
    candidates.push_back(Value::nil());
    if (given.is_integer()) {
      for (std::int64_t number = -1; number <= static_cast<std::int64_t>(part_.size()); ++number) {
        candidates.push_back(Value::integer(number));
      }
      // Of a number its state, and what is next to it.
      const std::string shown = states_->describe(state, pool);
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(shown.data(), shown.data() + shown.size(), number);
      if (error == std::errc() && end == shown.data() + shown.size() && number > -kMostNumber && number < kMostNumber) {
        for (const std::int64_t near : {number - 1, number, number + 1}) candidates.push_back(Value::integer(near));
      }
    }
    std::sort(candidates.begin(), candidates.end(),
              [&pool](Value a, Value b) { return pool.compare(a, b) == std::strong_ordering::less; });
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    if (candidates.size() > kMostCandidates) candidates.resize(kMostCandidates);
    std::erase_if(candidates,
                  [&](Value value) { return value.is_boolean() || (done && says_done(state, local, value)); });
    for (const bool answer : {false, true}) {
      if (done) break;
      const auto place = given.is_boolean() ? candidates.begin() : candidates.end();
      candidates.insert(place, Value::boolean(answer));
    }
    std::vector<Value> results;
    for (const Value candidate : candidates) {
      if (!legal(state, local, candidate)) continue;
      more = results.size() == kMostResults;
      if (more) break;
      results.push_back(candidate);
      // A method that only acknowledges accepts many answers; one tells enough.
      if (candidate.is_boolean() || candidate.is_nil()) break;
    }
    return results;
  }

  /// Results of a value and a number that are legal after `order`: lists that the history's own pool may not have, so
  /// that the order is executed once more with a pool of its own.
  std::vector<std::string> possible_pairs(const std::vector<std::uint32_t>& order, const std::string& described,
                                          std::uint32_t blocked, bool& more) {
    ValuePool pool;
    std::vector<std::vector<Value>> arguments(part_.size());
    std::vector<Value> results(part_.size()), firsts = {Value::nil()};
    const auto add = [&](Value value) {
      if (value.is_list() || value.is_none() || value.is_unknown()) return;
      if (std::find(firsts.begin(), firsts.end(), value) == firsts.end()) firsts.push_back(value);
    };
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      for (const Value each : part_.arguments(OperationIndex(i)))
        arguments[i].push_back(pool.import(each, part_.pool()));
      results[i] = pool.import(part_.result(OperationIndex(i)), part_.pool());
      for (const Value each : arguments[i]) add(each);
    }
    const auto view = [&](std::uint32_t local) {
      Operation operation = binding_.view(OperationIndex(local));
      operation.arguments = arguments[local];
      operation.result = results[local];
      operation.pool = &pool;
      return operation;
    };
    const std::unique_ptr<StateTable> states = specification_.make_states();
    std::vector<StateId> reached = {states->initial()}, next;
    for (const std::uint32_t local : order) {
      next.clear();
      for (const StateId each : reached) states->successors(each, view(local), next);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      std::swap(reached, next);
      if (reached.size() > kMostStatesInSentence) return {};
    }
    std::erase_if(reached, [&](StateId each) { return states->describe(each, pool) != described; });
    std::vector<std::string> pairs;
    std::size_t tried = 0;
    for (const Value first : firsts) {
      for (std::int64_t number = 0; number <= static_cast<std::int64_t>(part_.size()); ++number) {
        if (++tried > kMostPairs) return pairs;
        Operation operation = view(blocked);
        operation.result = pool.list({first, Value::integer(number)});
        if (!specification_.invalid(operation).empty()) continue;
        next.clear();
        for (const StateId each : reached) states->successors(each, operation, next);
        if (next.empty()) continue;
        more = pairs.size() == kMostResults;
        if (more) return pairs;
        pairs.push_back(pool.to_text(operation.result));
      }
    }
    return pairs;
  }

  const History& history_;
  std::span<const OperationIndex> core_;
  core::Budget& budget_;
  const History& part_;
  const Specification& specification_;
  evidence::Binding binding_;
  std::unique_ptr<StateTable> states_;
  const std::vector<history::HistoryEvent>& events_;
  algo::Slots<Mask> slots_;
  std::vector<Configuration<Mask>> all_;
  std::vector<Move> moves_;
  std::vector<std::uint32_t> frontier_;
  std::vector<std::uint32_t> seen_;  // while the watched operation was open
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> returned_;  // locals, in the order of their responses
  std::vector<StateId> successors_;
};

}  // namespace

std::optional<Blocking> find_blocking(const History& history, std::span<const OperationIndex> core,
                                      const Specification& specification, Ties ties, std::size_t most_attempts,
                                      core::Budget& budget) {
  const History part = history.restricted_to({core.begin(), core.end()});
  const std::vector<history::HistoryEvent> events = history::sort_events(part, ties);
  const auto find = [&]<class Mask>() -> std::optional<Blocking> {
    Sweep<Mask> sweep(history, core, part, events, specification, budget);
    const auto blocked = sweep.run(std::nullopt);
    if (!blocked || !sweep.run(blocked)) return std::nullopt;
    return sweep.explain(*blocked, most_attempts);
  };
  const std::uint32_t open = history::most_open(events);
  if (open > algo::kMostOpen) return std::nullopt;
  return algo::with_slots(open, find);
}

std::string noun_of(std::string_view type) {
  std::string name(type.substr(0, type.find(' ')));
  if (name == "rmw" || name == "cas-register") return "register";
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

std::string blocking_sentence(const History& history, const Specification& specification, const Blocking& blocking) {
  std::string text = fmt::format("{} fits no order: while it was open, the {} was", history.describe(blocking.blocked),
                                 noun_of(specification.name()));
  for (std::size_t k = 0; k < blocking.attempts.size() && k < kMostStatesInSentence; ++k) {
    const Attempt& attempt = blocking.attempts[k];
    text += fmt::format("{} {}, where it {}", k == 0 ? "" : "; or", attempt.state, attempt.refusal);
  }
  if (blocking.attempts_in_all > kMostStatesInSentence) {
    text += fmt::format("; or one of {} other states", blocking.attempts_in_all - kMostStatesInSentence);
  }
  return text;
}

}  // namespace linchpin::explain
