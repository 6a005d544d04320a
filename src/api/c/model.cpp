// Models of the caller's own behind the C interface: callbacks over states and operations that only they can read, made
// a specification like any other, so that the searches, the evidence and the explanations work on them as they are.
//
// A callback cannot throw, and may be wrong. What it fails with ends the check by an exception that
// linchpin_check_model turns into an error. That it gives the same answer twice, and that equal states have equal
// hashes, is tried on the first states and steps: searches that rest on answers that change would be wrong silently.
// A state that is given while the library still holds it would be released twice, so that it is an error as well.
// Tests: tests/c/model_test.c.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <type_traits>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <absl/container/inlined_vector.h>
#include <fmt/format.h>

#include "api/c/objects.hpp"
#include "core/budget.hpp"
#include "history/operation_error.hpp"
#include "linchpin/specification.hpp"

namespace linchpin::c {

using Given = absl::InlinedVector<void*, 4>;  // most steps have one successor

/// When a check is to end; by default: whenever it does.
struct End {
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  std::stop_token stop = {};

  [[nodiscard]] bool is_requested() const { return stop.stop_requested(); }
  /// Requested, or so long after the deadline.
  [[nodiscard]] bool has_come(std::chrono::milliseconds after = std::chrono::milliseconds(0)) const {
    return is_requested() || (deadline && std::chrono::steady_clock::now() >= *deadline + after);
  }
};

}  // namespace linchpin::c

// NOLINTBEGIN(readability-identifier-naming): the names are those of the C header.
struct linchpin_successors {
  linchpin::c::Given states = {};
  std::string failure = {};
  linchpin::c::End end = {};
  bool out_of_memory = false;
};
struct linchpin_text {
  std::string text = {};
};
// NOLINTEND(readability-identifier-naming)

namespace linchpin::c {

Value Pointers::value_of(const void* pointer, const char* text, ValuePool& pool) {
  const auto number = static_cast<std::int64_t>(value_.size());
  const auto [known, is_new] = value_.try_emplace(pointer);
  if (!is_new) return Value::from_bits(known->second);
  Value value = text == nullptr ? pool.integer(number) : pool.string(text);
  if (!pointer_.try_emplace(value.bits(), pointer).second) {
    std::size_t& again = again_[value.bits()];
    do {
      value = pool.string(fmt::format("{} ({})", text, ++again + 1));
    } while (!pointer_.try_emplace(value.bits(), pointer).second);
  }
  known->second = value.bits();
  return value;
}

namespace {

/// A callback failed, or contradicted itself.
class ModelFailure : public std::exception {
 public:
  ModelFailure(std::string message, std::optional<Value> call) : message_(std::move(message)), call_(call) {}
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }
  [[nodiscard]] std::optional<Value> call() const { return call_; }  ///< of the operation that was asked about

 private:
  std::string message_;
  std::optional<Value> call_;
};

/// A callback gave up when its time was over.
class ModelGaveUp : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "a step of the model used up the time"; }
};

/// Without a hash, comparing has come to cost more than all else: the check begins again (Callbacks::know_by_origin).
class TooManyStates : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "too many states to compare each with all"; }
};

/// What a model is asked about an operation, and the part that it touches, by a number: two keys have two.
struct Question {
  linchpin_step step;
  std::uint64_t part = 0;
};

/// The callbacks, as one version of the header or another has them.
class Callbacks {
 public:
  Callbacks(const linchpin_model& model, const linchpin_history& of, End end)
      : opaque_(of.opaque), end_(std::move(end)) {
    std::memcpy(&model_, &model, std::min(model.size, sizeof model_));
    if (of.history.size() != 0) first_argument_ = of.history.arguments(0).data();
    index_.reserve(of.history.size());
    of_operation_.reserve(of.history.size());
    for (OperationIndex i = 0; i < of.history.size(); ++i) {
      const Value call = of.history.arguments(i)[0];
      const Value result = of.history.result(i);
      const auto next = static_cast<std::uint32_t>(occurring_.size());
      const auto [at, is_new] = index_.try_emplace(std::pair(call.bits(), result.bits()), next);
      if (is_new) occurring_.push_back({.call = call, .result = result, .question = {.step = step_of(call, result)}});
      of_operation_.push_back(at->second);
    }
  }

  [[nodiscard]] const linchpin_model& model() const { return model_; }

  /// Numbers the parts that the history touches, in its order. Throws what a failing `key` leads to.
  void divide() {
    if (model_.key == nullptr) return;
    for (Occurring& each : occurring_) each.question.part = numbered(each.call, each.question.step);
  }

  /// What the model is asked about the operation; nothing where it may not be asked: explanations also try results that
  /// others had, and calls that nobody made, which it may not be able to read.
  [[nodiscard]] std::optional<Question> question(const Operation& operation) const {
    const Value call = operation.argument(0);
    if (const Occurring* const own = by_place(operation)) return own->question;
    if (const auto at = index_.find(std::pair(call.bits(), operation.result.bits())); at != index_.end()) {
      return occurring_[at->second].question;
    }
    if (!operation.result.is_unknown()) return std::nullopt;
    Question question{.step = step_of(call, operation.result)};
    if (question.step.call == nullptr) return std::nullopt;
    if (model_.key != nullptr) question.part = numbered(call, question.step);
    return question;
  }

  /// What is told of a verdict later is not limited.
  void forget_limits() {
    end_ = {};
    limited_ = false;
  }

  /// A model without a hash has its states compared with all others at first, which finds all that are equal. Where
  /// they are many, they are compared with those that come of the same operations, whatever their order: with all that
  /// can stand for one another in a search. (So does Porcupine, with the set of operations; Athalye 2017.)
  void know_by_origin() { by_origin_ = true; }
  [[nodiscard]] bool by_origin() const { return by_origin_; }

  [[nodiscard]] bool equal(const void* left, const void* right) const {
    if (left == right) return true;
    if (model_.hash == nullptr && !by_origin_) {
      const std::uint64_t most = kFewComparisons + kComparisonsAStep * steps_.load(std::memory_order_relaxed);
      if (comparisons_.fetch_add(1, std::memory_order_relaxed) > most) {
        if (limited_) throw TooManyStates();
        by_origin_ = true;
      }
    }
    return caught("equal", std::nullopt, [&] { return model_.equal(model_.user, left, right); }) != 0;
  }
  /// @pre the model has one
  [[nodiscard]] std::uint64_t hash(const void* state) const {
    return caught("hash", std::nullopt, [&] { return model_.hash(model_.user, state); });
  }
  void stepped() const { steps_.fetch_add(1, std::memory_order_relaxed); }
  void release(void* state) const noexcept {
    if (model_.release == nullptr) return;
    if (model_.shared == 0) {
      const std::lock_guard lock(mutex_);
      held_.erase(state);
    }
    try {
      model_.release(model_.user, state);
    } catch (...) {
      release_threw_ = true;
    }
  }
  [[nodiscard]] bool release_threw() const { return release_threw_; }

  /// What the callback returns. It must not throw; in C++ it can, and that ends the check like any failure.
  template <class Ask>
  static std::invoke_result_t<Ask&> caught(const char* callback, std::optional<Value> call, Ask&& ask) {
    try {
      return ask();
    } catch (const std::exception& thrown) {
      throw ModelFailure(fmt::format("the model's {} threw an exception: {}", callback, thrown.what()), call);
    } catch (...) {
      throw ModelFailure(fmt::format("the model's {} threw an exception", callback), call);
    }
  }

  /// What the callback `ask` leaves, to be released by whoever takes it.
  template <class Ask>
  [[nodiscard]] Given asked(const char* callback, std::optional<Value> call, Ask&& ask) const {
    linchpin_successors out{.end = end_};
    std::optional<ModelFailure> thrown;
    int code = 0;
    try {
      code = caught(callback, call, [&] { return ask(&out); });
    } catch (const ModelFailure& failure) {
      thrown = failure;
    }
    const bool all_new = hold(out.states);
    if (!thrown && all_new && code == 0 && !out.out_of_memory && !overdue()) return std::move(out.states);
    for (void* const state : out.states) release(state);
    if (thrown) throw ModelFailure(*thrown);
    if (out.out_of_memory) throw std::bad_alloc();
    if (!all_new) {
      throw ModelFailure(fmt::format("the model's {} gave a state that the library still holds", callback), call);
    }
    if (code == 0 || (code == LINCHPIN_GAVE_UP && linchpin_expired(&out) != 0)) throw ModelGaveUp();
    if (code == LINCHPIN_GAVE_UP && out.failure.empty()) {
      throw ModelFailure(fmt::format("the model's {} gave up although its time was not over", callback), call);
    }
    throw ModelFailure(out.failure.empty() ? fmt::format("the model's {} returned {}", callback, code)
                                           : fmt::format("the model's {} failed: {}", callback, out.failure),
                       call);
  }

 private:
  /// Notes that states are the library's. Those that it holds already are taken out, to be released once.
  [[nodiscard]] bool hold(Given& states) const {
    if (model_.release == nullptr || model_.shared != 0) return true;
    const std::lock_guard lock(mutex_);
    const auto known = [this](void* state) { return !held_.insert(state).second; };
    const auto end = std::remove_if(states.begin(), states.end(), known);
    const bool all_new = end == states.end();
    states.erase(end, states.end());
    return all_new;
  }

  [[nodiscard]] linchpin_step step_of(Value call, Value result) const {
    const bool returned = !result.is_unknown();
    return {.call = opaque_->calls.pointer_of(call),
            .result = returned ? opaque_->results.pointer_of(result) : nullptr,
            .returned = returned ? 1 : 0};
  }

  [[nodiscard]] std::uint64_t numbered(Value call, const linchpin_step& asked) const {
    const std::uint64_t key = caught("key", call, [&] { return model_.key(model_.user, &asked); });
    const std::lock_guard lock(mutex_);
    return number_.try_emplace(key, number_.size()).first->second;
  }

  /// Long past the time limit. Searches look at the clock once in many steps, which is too seldom where steps are slow.
  [[nodiscard]] bool overdue() const { return end_.has_come(std::chrono::milliseconds(100)); }

  /// A call and a result of the history.
  struct Occurring {
    Value call, result;
    Question question;
  };

  /// The same as a look at `index_`, in a third of the time: each operation of the history has one argument, so that
  /// where it stands says which operation it is. Null where it is none of them, or has another result.
  [[nodiscard]] const Occurring* by_place(const Operation& operation) const {
    const auto bytes = reinterpret_cast<std::uintptr_t>(operation.arguments.data()) -
                       reinterpret_cast<std::uintptr_t>(first_argument_);
    const std::size_t i = bytes / sizeof(Value);
    if (i >= of_operation_.size()) return nullptr;
    const Occurring& at = occurring_[of_operation_[i]];
    return at.call == operation.arguments[0] && at.result == operation.result ? &at : nullptr;
  }

  static constexpr std::uint64_t kFewComparisons = std::uint64_t{1} << 14, kComparisonsAStep = 64;

  linchpin_model model_{};
  std::shared_ptr<const Opaque> opaque_;
  std::vector<Occurring> occurring_;                                                   // in the history's order
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> index_;  // by the bits of both
  const Value* first_argument_ = nullptr;
  std::vector<std::uint32_t> of_operation_;  // in occurring_
  End end_;
  mutable std::mutex mutex_;
  mutable absl::flat_hash_map<std::uint64_t, std::uint64_t> number_;  // of a part, by its key
  mutable absl::flat_hash_set<const void*> held_;                     // states that are not released
  mutable std::atomic<bool> release_threw_ = false;
  bool limited_ = true;
  mutable std::atomic<bool> by_origin_ = false;
  mutable std::atomic<std::uint64_t> comparisons_ = 0, steps_ = 0;
};

/// A state of the caller's, given back when the last of us forgets it.
struct Held {
  Held(std::shared_ptr<const Callbacks> of, void* given, std::uint64_t origin_of_it)
      : callbacks(std::move(of)), state(given), origin(origin_of_it) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { callbacks->release(state); }

  /// Equal states have equal ones, as far as the search is to know.
  [[nodiscard]] std::uint64_t hash() const {
    if (callbacks->model().hash != nullptr) return callbacks->hash(state);
    return callbacks->by_origin() ? origin : 0;
  }

  std::shared_ptr<const Callbacks> callbacks;
  void* state;
  std::uint64_t origin;  ///< the operations that led to it, as a sum; 0 where nobody asks
};

/// Looks whether a model contradicts itself, as long as that costs little.
class Audit {
 public:
  explicit Audit(std::shared_ptr<const Callbacks> callbacks) : callbacks_(std::move(callbacks)) {}

  /// Equal states have equal hashes.
  void look(const std::shared_ptr<const Held>& made) {
    if (callbacks_->model().hash == nullptr || full_) return;
    const std::lock_guard lock(mutex_);
    for (const auto& other : seen_) {
      if (!callbacks_->equal(other->state, made->state)) continue;
      if (callbacks_->hash(other->state) == callbacks_->hash(made->state)) return;
      throw ModelFailure("the model has two states that are equal and have different hashes", std::nullopt);
    }
    seen_.push_back(made);
    full_ = seen_.size() >= kStates;
  }
  /// Whether the step should be asked for a second time.
  [[nodiscard]] bool wants_again() { return steps_ < kSteps && steps_++ < kSteps; }

 private:
  static constexpr std::size_t kStates = 64, kSteps = 256;

  std::shared_ptr<const Callbacks> callbacks_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const Held>> seen_;
  std::atomic<bool> full_ = false;
  std::atomic<std::size_t> steps_ = 0;
};

using HeldState = std::shared_ptr<const Held>;
using HeldStates = absl::InlinedVector<HeldState, 2>;

bool equal(const HeldState& left, const HeldState& right) { return left->callbacks->equal(left->state, right->state); }

/// The specification (linchpin/specification.hpp): an object of one part, or of one for each key.
struct Model {
  /// The parts that are no longer as they began, ascending by key. A part that is not here is in any of the states in
  /// which it may begin.
  struct State {
    absl::InlinedVector<std::pair<std::uint64_t, HeldState>, 1> parts = {};

    bool operator==(const State& other) const {
      return std::equal(parts.begin(), parts.end(), other.parts.begin(), other.parts.end(),
                        [](const auto& left, const auto& right) {
                          return left.first == right.first && equal(left.second, right.second);
                        });
    }
    [[nodiscard]] std::uint64_t hash() const {
      std::uint64_t seed = parts.size();
      for (const auto& [key, held] : parts) seed = mix(mix(seed, key), held->hash());
      return seed;
    }
  };
  static constexpr std::array methods{Method{"operation", 1}};

  std::shared_ptr<const Callbacks> callbacks;
  std::shared_ptr<Audit> audit;
  HeldStates beginnings = {};

  [[nodiscard]] static State initial() { return {}; }

  template <class Emit>
  void step(const State& from, const Operation& operation, Emit&& emit) const {
    const auto asked = callbacks->question(operation);
    if (!asked) return;
    const auto at = std::lower_bound(from.parts.begin(), from.parts.end(), asked->part,
                                     [](const auto& entry, std::uint64_t wanted) { return entry.first < wanted; });
    const bool begun = at != from.parts.end() && at->first == asked->part;
    const auto position = at - from.parts.begin();
    // A state known by its origin is another than the one in which its part begins.
    const bool may_be_as_it_began = beginnings.size() == 1 && !callbacks->by_origin();
    const auto emit_after = [&](const HeldState& state) {
      for (HeldState& next : successors(state, operation, *asked)) {
        State to = from;
        const bool as_it_began = may_be_as_it_began && equal(next, beginnings.front());
        if (begun && as_it_began) {
          to.parts.erase(to.parts.begin() + position);
        } else if (begun) {
          to.parts[static_cast<std::size_t>(position)].second = std::move(next);
        } else if (!as_it_began) {
          to.parts.emplace(to.parts.begin() + position, asked->part, std::move(next));
        }
        emit(std::move(to));
      }
    };
    if (begun) return emit_after(at->second);
    for (const HeldState& beginning : beginnings) emit_after(beginning);
  }

  [[nodiscard]] bool pure(const Operation& operation) const {
    if (callbacks->model().pure == nullptr) return false;
    const auto asked = callbacks->question(operation);
    return asked && pure(operation, *asked);
  }

  [[nodiscard]] std::optional<Value> key(const Operation& operation) const {
    if (callbacks->model().key == nullptr) return std::nullopt;
    const auto asked = callbacks->question(operation);
    return Value::integer(asked ? static_cast<std::int64_t>(asked->part) : 0);
  }

  [[nodiscard]] std::string describe(const State& state, const ValuePool& /*pool*/) const {
    if (state.parts.empty()) {
      std::string text;
      for (const HeldState& beginning : beginnings) text += (text.empty() ? "" : " or ") + described(beginning);
      return text;
    }
    std::string text;
    for (const auto& [part, held] : state.parts) text += (text.empty() ? "" : ", ") + described(held);
    return text;
  }

  static std::size_t bytes(const State& state) {
    std::size_t all = 0;
    for (const auto& [part, held] : state.parts) {
      const linchpin_model& model = held->callbacks->model();
      all += sizeof(Held) + sizeof(std::pair<std::uint64_t, HeldState>);
      if (model.bytes == nullptr) continue;
      const void* const own = held->state;
      all += Callbacks::caught("bytes", std::nullopt, [&] { return model.bytes(model.user, own); });
    }
    return all;
  }

  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// Where parts begin. Throws what a failing callback leads to.
  void begin() {
    const linchpin_model& model = callbacks->model();
    const auto initial_states = [&](linchpin_successors* out) { return model.initial(model.user, out); };
    for (HeldState& state : kept(callbacks->asked("initial", std::nullopt, initial_states), 0)) {
      add_once(beginnings, std::move(state));
    }
    if (beginnings.empty()) throw ModelFailure("the model's initial gave no state", std::nullopt);
  }

  static void add_once(HeldStates& states, HeldState state) {
    const auto same = [&](const HeldState& other) { return equal(other, state); };
    if (std::none_of(states.begin(), states.end(), same)) states.push_back(std::move(state));
  }

  /// After the operation, of the part that it touches.
  [[nodiscard]] HeldStates successors(const HeldState& from, const Operation& operation, const Question& asked) const {
    callbacks->stepped();
    if (!audit->wants_again()) return ask(from, operation, asked);
    const std::uint64_t hash = from->hash();
    HeldStates states = ask(from, operation, asked);
    if (from->hash() != hash) {
      throw ModelFailure("the model's step has changed the state that it was given, or the hash of a state changes",
                         operation.argument(0));
    }
    HeldStates again = ask(from, operation, asked);
    for (const HeldState& state : states) {
      const auto same =
          std::find_if(again.begin(), again.end(), [&](const HeldState& other) { return equal(other, state); });
      if (same == again.end()) contradicted(operation);
      again.erase(same);
    }
    if (!again.empty()) contradicted(operation);
    return states;
  }

 private:
  [[nodiscard]] HeldStates kept(const Given& states, std::uint64_t origin) const {
    HeldStates all;
    all.reserve(states.size());
    for (void* const state : states) all.push_back(std::make_shared<const Held>(callbacks, state, origin));
    for (const HeldState& state : all) audit->look(state);
    return all;
  }

  [[nodiscard]] HeldStates ask(const HeldState& from, const Operation& operation, const Question& asked) const {
    const linchpin_model& model = callbacks->model();
    const auto step = [&](linchpin_successors* out) { return model.step(model.user, from->state, &asked.step, out); };
    return kept(callbacks->asked("step", operation.argument(0), step), origin_after(from, operation, asked));
  }

  [[nodiscard]] bool pure(const Operation& operation, const Question& asked) const {
    const linchpin_model& model = callbacks->model();
    // With several beginnings, what is seen tells them apart.
    if (model.pure == nullptr || beginnings.size() != 1) return false;
    return Callbacks::caught("pure", operation.argument(0), [&] { return model.pure(model.user, &asked.step); }) != 0;
  }

  [[nodiscard]] std::uint64_t origin_after(const HeldState& from, const Operation& operation,
                                           const Question& asked) const {
    if (!callbacks->by_origin() || pure(operation, asked)) return from->origin;
    return from->origin + mix(mix(1, operation.argument(0).bits()), operation.result.bits());
  }

  [[noreturn]] static void contradicted(const Operation& operation) {
    throw ModelFailure("the model's step gave two answers to one question, or states are not equal that are the same",
                       operation.argument(0));
  }

  [[nodiscard]] std::string described(const HeldState& held) const {
    const linchpin_model& model = callbacks->model();
    if (model.describe == nullptr) return "a state";
    linchpin_text out;
    try {
      model.describe(model.user, held->state, &out);
    } catch (...) {
      return "a state that cannot be described";
    }
    return std::move(out.text);
  }
};

/// One order of operations, part by part: the states that each may be in, at a cost a step of one part's.
class ReplayOfParts final : public Replay {
 public:
  explicit ReplayOfParts(const Model& model) : model_(model) {}

  bool step(const Operation& operation) override {
    const auto asked = model_.callbacks->question(operation);
    if (!asked) return false;
    const auto [part, begins] = possible_.try_emplace(asked->part);
    if (begins) part->second = model_.beginnings;
    HeldStates next;
    for (const HeldState& state : part->second) {
      if (has_to_end(part->second.size())) return false;
      for (HeldState& after : model_.successors(state, operation, *asked)) Model::add_once(next, std::move(after));
    }
    part->second = std::move(next);
    return !part->second.empty();
  }

 private:
  Model model_;
  absl::flat_hash_map<std::uint64_t, HeldStates> possible_;  // by part
};

std::unique_ptr<Replay> Model::make_replay() const { return std::make_unique<ReplayOfParts>(*this); }

Error error_of(const ModelFailure& failure, const History& history) {
  for (OperationIndex i = 0; failure.call() && i < history.size(); ++i) {
    if (history.arguments(i).empty() || history.arguments(i)[0] != *failure.call()) continue;
    return history::error_at(history, i, ErrorCode::model, fmt::format("{}: {}", history.describe(i), failure.what()),
                             "");
  }
  return Error{.code = ErrorCode::model, .source = history.source(), .message = failure.what()};
}

std::optional<Error> incomplete(const linchpin_model& model, const History& history, const Opaque& opaque) {
  const auto wrong = [](std::string message) { return Error{.code = ErrorCode::model, .message = std::move(message)}; };
  if (model.size < offsetof(linchpin_model, hash)) return wrong("the model's size is not that of a linchpin_model");
  if (model.initial == nullptr || model.step == nullptr || model.equal == nullptr) {
    return wrong("a model has to have initial, step and equal");
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const auto arguments = history.arguments(i);
    if (arguments.size() == 1 && opaque.calls.pointer_of(arguments[0]) != nullptr) continue;
    return history::error_at(history, i, ErrorCode::model,
                             fmt::format("{} is not an operation of a model", history.describe(i)),
                             "operations of a model are called by linchpin_call_opaque, and not with NULL");
  }
  return std::nullopt;
}

/// Decides; a second time where there are too many states to compare each with all.
Result<HistoryVerdict> decide(const History& history, const CheckOptions& options, Callbacks& callbacks,
                              const End& end) {
  try {
    return check(history, options);
  } catch (const TooManyStates&) {
    callbacks.know_by_origin();
  }
  CheckOptions left = options;
  if (end.deadline) {
    left.limits.time = std::max(*end.deadline - std::chrono::steady_clock::now(), std::chrono::nanoseconds(0));
  }
  return check(history, left);
}

HistoryVerdict ended_in_a_step(const History& history, const std::string& type, const End& end) {
  HistoryVerdict verdict;
  verdict.reason = end.is_requested() ? Reason::cancelled : Reason::time;
  verdict.operations = history.size();
  verdict.pending = history.pending_count();
  ObjectVerdict object;
  object.name = history.objects().empty() ? "" : history.objects()[0].name;
  object.type = type;
  object.reason = verdict.reason;
  object.decider = "search";
  object.why = end.is_requested() ? "a step of the model was asked to end" : "a step of the model used up the time";
  object.operations = verdict.operations;
  object.pending = verdict.pending;
  verdict.objects.push_back(std::move(object));
  return verdict;
}

}  // namespace

}  // namespace linchpin::c

// Nothing is thrown through the caller's frames.
void linchpin_successor(linchpin_successors* out, void* state) {
  try {
    out->states.push_back(state);
  } catch (const std::bad_alloc&) {
    out->out_of_memory = true;
  }
}
void linchpin_fail(linchpin_successors* out, const char* message) {
  try {
    out->failure = message == nullptr ? "" : message;
  } catch (const std::bad_alloc&) {
    out->out_of_memory = true;
  }
}
int linchpin_expired(const linchpin_successors* out) { return out->end.has_come() ? 1 : 0; }
void linchpin_write(linchpin_text* out, const char* text, size_t bytes) {
  try {
    out->text.append(text, bytes);
  } catch (const std::bad_alloc&) {
    out->text.clear();  // a description is not worth a failure
  }
}

const void* linchpin_keep(linchpin_builder* builder, const void* bytes, size_t size) {
  return linchpin::c::kept(builder, static_cast<const void*>(nullptr), [&]() -> const void* {
    auto& all = builder->opaque->kept;
    const std::string_view given(static_cast<const char*>(bytes), size);
    if (const auto known = all.find(given); known != all.end()) return known->second.get();
    auto copy = std::make_unique<char[]>(size + 1);
    given.copy(copy.get(), size);
    const std::string_view own(copy.get(), size);
    return all.emplace(own, std::move(copy)).first->second.get();
  });
}

size_t linchpin_call_opaque(linchpin_builder* builder, uint32_t process, const void* call, const char* text,
                            int64_t tick) {
  return linchpin::c::kept(builder, LINCHPIN_NONE, [&] {
    linchpin::HistoryBuilder& into = builder->builder;
    const linchpin::MethodIndex method = into.method("operation");
    into.argument(builder->opaque->calls.value_of(call, text, into.pool()));
    return into.add(process, 0, method, linchpin::Value::none(), tick, linchpin::kPending).number();
  });
}

void linchpin_return_opaque(linchpin_builder* builder, size_t operation, const void* result, const char* text,
                            int64_t tick) {
  linchpin::c::kept(builder, 0, [&] {
    const linchpin::Value value = result == nullptr
                                      ? linchpin::Value::none()
                                      : builder->opaque->results.value_of(result, text, builder->builder.pool());
    linchpin_return(builder, operation, {value.bits()}, tick);
    return 0;
  });
}

linchpin_verdict* linchpin_check_model(const linchpin_history* history, const linchpin_model* model,
                                       const linchpin_options* options, linchpin_error** error) {
  using namespace linchpin;
  return c::guarded(error, static_cast<linchpin_verdict*>(nullptr), [&]() -> linchpin_verdict* {
    if (auto wrong = c::incomplete(*model, history->history, *history->opaque)) {
      c::report(error, std::move(*wrong));
      return nullptr;
    }
    auto check = c::check_options(options);
    if (!check) {
      c::report(error, std::move(check.error()));
      return nullptr;
    }
    c::End end{.stop = check->limits.stop};
    if (check->limits.time) {
      end.deadline = core::Budget::moment_after(std::chrono::steady_clock::now(), *check->limits.time);
    }
    const auto callbacks = std::make_shared<c::Callbacks>(*model, *history, end);
    if (callbacks->model().threads == 0) check->threads = 1;
    const std::string type = model->name == nullptr ? "model" : model->name;
    try {
      callbacks->divide();
      c::Model own{.callbacks = callbacks, .audit = std::make_shared<c::Audit>(callbacks)};
      own.begin();
      check->type.reset();
      check->specification = specify<c::Model>(type, std::move(own));
      auto verdict = c::decide(history->history, *check, *callbacks, end);
      callbacks->forget_limits();
      if (callbacks->release_threw()) throw c::ModelFailure("the model's release threw an exception", std::nullopt);
      if (verdict) return c::verdict_of(std::move(*verdict), std::move(*check));
      c::report(error, std::move(verdict.error()));
      return nullptr;
    } catch (const c::ModelFailure& failure) {
      c::report(error, c::error_of(failure, history->history));
      return nullptr;
    } catch (const c::ModelGaveUp&) {
      return c::verdict_of(c::ended_in_a_step(history->history, type, end), std::move(*check));
    }
  });
}
