// Reads a history of a Java class as one of the container that the class is, operation by operation in the same order:
// whatever decides the one has decided the other, with the same witness and the same core.
//
// An exception of an empty container is `nil` there, one of a full container `false`. What waits (put, take) must have
// got through where it returned. Methods that plain containers lack are left to the search, and so is a result that the
// container would take for another: an error of the recording is told in Java's words then.
// Compare: decide/search (any history). Tests: as_container_test.cpp.
#include "types/juc/as_container.hpp"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/data_type.hpp"
#include "types/juc/heap.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

namespace {

using history::Subhistory;
using Methods = SequenceMethods;

/// What a method of Java is to a plain container. What its operations do is read where they are decided, from the
/// translation.
enum class MethodRole : std::uint8_t { none, adds, waits_to_add, takes, waits_to_take, looks, counts, asks_empty };

MethodRole role_of(std::uint16_t method, bool with_argument) {
  switch (method) {
    case Methods::kAdd:
    case Methods::kAddFirst:
    case Methods::kAddLast:
    case Methods::kOffer:
    case Methods::kOfferFirst:
    case Methods::kOfferLast: return MethodRole::adds;
    case Methods::kPut:
    case Methods::kPutFirst:
    case Methods::kPutLast: return MethodRole::waits_to_add;
    case Methods::kRemove: return with_argument ? MethodRole::none : MethodRole::takes;
    case Methods::kPoll:
    case Methods::kPollFirst:
    case Methods::kPollLast:
    case Methods::kRemoveFirst:
    case Methods::kRemoveLast: return MethodRole::takes;
    case Methods::kTake:
    case Methods::kTakeFirst:
    case Methods::kTakeLast: return MethodRole::waits_to_take;
    case Methods::kPeek:
    case Methods::kPeekFirst:
    case Methods::kPeekLast:
    case Methods::kElement:
    case Methods::kGetFirst:
    case Methods::kGetLast: return MethodRole::looks;
    case Methods::kSize: return MethodRole::counts;
    case Methods::kIsEmpty: return MethodRole::asks_empty;
    default: return MethodRole::none;
  }
}

class Translator {
 public:
  explicit Translator(const Subhistory& part) : part_(part), pool_(part.history->pool()) {}

  /// Why it cannot be read so; empty: `out` is it.
  std::string run(TypeName type, bool is_deque, bool bounded, Translation& out) {
    is_deque_ = is_deque;
    bounded_ = bounded;
    auto specification = core::find_data_type(type.name)->make(type);
    if (!specification) return specification.error().message;
    out.specification = std::move(*specification);
    builder_.set_type(std::move(type));
    builder_.reserve(part_.size());
    for (std::uint32_t local = 0; local < part_.size(); ++local) {
      if (!add(local)) return fmt::format("{} {}", part_.history->describe(part_.operation[local]), obstacle_);
    }
    return out.take(std::move(builder_).build());
  }

 private:
  bool refuse(std::string obstacle) {
    obstacle_ = std::move(obstacle);
    return false;
  }

  [[nodiscard]] Value copied(Value value) { return builder_.pool().import(value, pool_); }

  bool add(std::uint32_t local) {
    const Operation operation = part_.view(local);
    const MethodRole role = role_of(operation.method, !operation.arguments.empty());
    if (role == MethodRole::none) return refuse("is no operation of a plain container");
    Value result;
    if (!result_of(operation, role, part_.pending(local), result)) return false;
    std::vector<Value> arguments;
    for (const Value given : operation.arguments) arguments.push_back(copied(given));
    builder_.add({.process = local,
                  .method = name_of(operation.method, role),
                  .arguments = std::move(arguments),
                  .result = result,
                  .call = part_.call[local].number(),
                  .response = part_.pending(local) ? kPending : Tick{part_.response[local].number()}});
    return true;
  }

  /// Java's own name, which the container knows, too: sentences are about what was recorded. Deques do not know the
  /// names of queues' methods.
  [[nodiscard]] std::string_view name_of(std::uint16_t method, MethodRole role) const {
    if (!is_deque_ || method >= Methods::kQueueMethodCount) return part_.specification->methods()[method].name;
    switch (role) {
      case MethodRole::adds:
      case MethodRole::waits_to_add: return "addLast";
      case MethodRole::takes:
      case MethodRole::waits_to_take: return "pollFirst";
      case MethodRole::looks: return "peekFirst";
      case MethodRole::counts: return "size";
      default: return "isEmpty";
    }
  }

  bool result_of(const Operation& operation, MethodRole role, bool pending, Value& out) {
    const Value result = operation.result;
    if (result.is_unknown()) {
      out = result;
      // What waited got through; the containers have no such operation whose result is lost.
      const bool waited = role == MethodRole::waits_to_take || (role == MethodRole::waits_to_add && bounded_);
      return !waited || pending || refuse("waited, and its result is lost");
    }
    switch (role) {
      case MethodRole::adds:
      case MethodRole::waits_to_add: {
        // Each method has but one of these answers.
        const bool throws_when_full = operation.method == Methods::kAdd || operation.method == Methods::kAddFirst ||
                                      operation.method == Methods::kAddLast;
        const bool returns_nothing =
            throws_when_full ? operation.method != Methods::kAdd : role == MethodRole::waits_to_add;
        const bool added = returns_nothing ? result.is_none() : result == Value::boolean(true);
        const bool full = throws_when_full ? threw(operation, kIllegalState)
                                           : role == MethodRole::adds && result == Value::boolean(false);
        out = Value::boolean(added);
        return added || (full && bounded_) || refuse("gives no answer of that method, or only a full container's");
      }
      case MethodRole::takes:
      case MethodRole::waits_to_take:
      case MethodRole::looks: {
        const bool throws_when_empty =
            operation.method == Methods::kRemove || operation.method == Methods::kRemoveFirst ||
            operation.method == Methods::kRemoveLast || operation.method == Methods::kElement ||
            operation.method == Methods::kGetFirst || operation.method == Methods::kGetLast;
        if (throws_when_empty && threw(operation, kNoSuchElement)) {
          out = Value::nil();
          return true;
        }
        const bool nothing =
            result.is_none() || (result.is_nil() && (throws_when_empty || role == MethodRole::waits_to_take));
        if (nothing) return refuse("gives no answer of that method");
        out = copied(result);
        return true;
      }
      default: out = copied(result); return true;
    }
  }

  const Subhistory& part_;
  const ValuePool& pool_;
  HistoryBuilder builder_;
  std::string obstacle_;
  bool is_deque_ = false, bounded_ = false;
};

/// Why the part cannot be read as a container; empty: `out` is it.
std::string translate(const Subhistory& part, Translation& out) {
  const auto sequence = [&](const auto& specification, std::string name, bool is_deque) {
    const bool bounded = specification.capacity < kMaxInteger;
    TypeName type{.name = std::move(name), .options = {}};
    if (bounded) type.options.emplace_back("capacity", std::to_string(specification.capacity));
    return Translator(part).run(std::move(type), is_deque, bounded, out);
  };
  if (const auto* const queue = part.specification->get_if<FifoQueue>()) return sequence(*queue, "queue", false);
  if (const auto* const deque = part.specification->get_if<LinkedDeque>()) return sequence(*deque, "deque", true);
  return Translator(part).run({.name = "priority-queue", .options = {}}, false, false, out);
}

bool is_container(const Specification& specification) {
  return specification.get_if<FifoQueue>() != nullptr || specification.get_if<LinkedDeque>() != nullptr ||
         specification.get_if<Heap>() != nullptr;
}

}  // namespace

Translated translate_to_container(const Subhistory& part) {
  if (!is_container(*part.specification)) {
    return {nullptr, core::not_of_this_type("no queue or deque of java.util.concurrent")};
  }
  auto translation = std::make_shared<Translation>();
  if (std::string obstacle = translate(part, *translation); !obstacle.empty()) {
    return {nullptr, {false, std::move(obstacle)}};
  }
  return {std::move(translation)};
}

}  // namespace linchpin::types::juc
