// The plain polynomial deciders of the paper on decrease and conquer (docs/papers/README.md) for the library's own
// containers: Lemma 4.7 (registers), Definitions 6.1 (sets, and bags), 7.1 (stacks), 8.1 (queues) and 9.1 (priority
// queues) with Algorithm 1.
//
// They know methods by their names. They share no code with the monitors in src/types; the
// cross tests compare the two. Precondition: no value is added twice, results say what happened. Cost O(n^2) to O(n^3).
// Used on request only: --decider queue-plain and so on. Compare: the type's monitor.
#include "research/plain/plain.hpp"

#include <array>
#include <memory>

#include "core/data_type.hpp"
#include "decide/framework/decider.hpp"
#include "decide/framework/standardise.hpp"
#include "types/bag/specification.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/specification.hpp"
#include "types/register/specification.hpp"
#include "types/set/specification.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::research {

namespace {

using core::Applicability;
using decide::bind;
using decide::decrease_and_conquer;
using history::Subhistory;

/// The method called `name` in the type's own table.
class Rows {
 public:
  explicit Rows(const Specification& specification) : methods_(specification.methods()) {}
  [[nodiscard]] bool is(const Operation& operation, std::string_view name) const {
    return methods_[operation.method].name == name;
  }

 private:
  std::span<const Method> methods_;
};

Act unclear() { return {}; }

/// size and is_empty, of which only the answers that say "empty" are understood.
Act counts(const Rows& rows, const Operation& operation, bool pending) {
  const bool size = rows.is(operation, "size");
  if (!size && !rows.is(operation, "is_empty")) return unclear();  // it may change everything
  if (pending) return {ActKind::look, Value::unknown()};
  const Value nothing = size ? Value::integer(0) : Value::boolean(true);
  return operation.result == nothing ? Act{ActKind::empty} : unclear();
}

/// Queues, stacks and priority queues: one way in, one way out.
Act passes(const Rows& rows, const Operation& operation, bool pending, std::string_view add, std::string_view remove) {
  if (rows.is(operation, add)) {
    return operation.acknowledged(0) ? Act{ActKind::add, operation.argument(0)} : unclear();
  }
  const bool removes = rows.is(operation, remove);
  if (!removes && !rows.is(operation, "peek")) return counts(rows, operation, pending);
  if (operation.result.is_nil()) return {ActKind::empty};
  return {removes ? ActKind::take : ActKind::look, operation.result};
}

struct PlainQueue {
  Rows rows;
  [[nodiscard]] Act act(const Operation& operation, bool pending) const {
    return passes(rows, operation, pending, "enqueue", "dequeue");
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) {
    return potentially_front_value(history);
  }
};

struct PlainStack {
  Rows rows;
  [[nodiscard]] Act act(const Operation& operation, bool pending) const {
    return passes(rows, operation, pending, "push", "pop");
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) {
    return potentially_bottom_value(history);
  }
};

struct PlainPriorityQueue {
  Rows rows;
  bool largest_first = false;
  bool fifo_ties = false;
  [[nodiscard]] Act act(const Operation& operation, bool pending) const {
    return passes(rows, operation, pending, "insert", "poll");
  }
  [[nodiscard]] std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) const {
    const auto better = [&](std::uint32_t u, std::uint32_t v) {
      const Operation& left = history.added(u);
      const auto order = left.pool->compare(left.arguments.back(), history.added(v).arguments.back());
      return largest_first ? order > 0 : order < 0;
    };
    return potentially_minimal_value(history, better, fifo_ties);
  }
};

/// Sets and bags: an operation names its element and says whether it was there.
struct PlainSet {
  Rows rows;
  [[nodiscard]] Act act(const Operation& operation, bool pending) const {
    const bool yes = operation.result == Value::boolean(true), no = operation.result == Value::boolean(false);
    const auto tells = [&](ActKind done, ActKind not_done) -> Act {
      if (no) return {not_done, operation.argument(0)};
      const bool did = yes || (pending && operation.result_unknown());
      return did ? Act{done, operation.argument(0)} : unclear();
    };
    if (rows.is(operation, "add")) return tells(ActKind::add, ActKind::look);
    if (rows.is(operation, "remove")) return tells(ActKind::take, ActKind::missing);
    if (pending && rows.is(operation, "contains")) return {ActKind::look, operation.argument(0)};
    if (rows.is(operation, "contains")) return tells(ActKind::look, ActKind::missing);
    return unclear();
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) {
    return safe_value(history);
  }
};

struct PlainBag {
  PlainSet set;
  [[nodiscard]] Act act(const Operation& operation, bool pending) const {
    if (set.rows.is(operation, "add")) {
      return operation.acknowledged(0) ? Act{ActKind::add, operation.argument(0)} : unclear();
    }
    if (set.rows.is(operation, "take")) {
      if (operation.result.is_nil()) return {ActKind::empty};
      return {ActKind::take, operation.result};
    }
    if (set.rows.is(operation, "remove") || set.rows.is(operation, "contains")) return set.act(operation, pending);
    return counts(set.rows, operation, pending);
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) {
    return safe_value(history);
  }
};

/// Registers: the initial value is what there is before any write, and is not written.
struct PlainRegister {
  static constexpr bool overwrites = true;
  Rows rows;
  Value initial = Value::nil();  ///< none: undefined
  [[nodiscard]] Act act(const Operation& operation, bool pending) const {
    if (rows.is(operation, "write")) {
      const bool plain = operation.acknowledged(0) && operation.argument(0) != initial;
      return plain ? Act{ActKind::add, operation.argument(0)} : unclear();
    }
    if (pending) return {ActKind::look, Value::unknown()};
    if (operation.result == initial && !initial.is_none()) return {ActKind::empty};
    return {ActKind::look, operation.result};
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) {
    return compatible_value(history);
  }
};

/// The rules for the type of the part; null where there are none, then `why` is set.
using MakeRules = std::unique_ptr<const ContainerRules> (*)(const Subhistory& part, const TypeName& type,
                                                            std::string& why);

template <class S>
std::unique_ptr<const ContainerRules> make_rules(S rules) {
  return std::make_unique<ContainerRulesOf<S>>(std::move(rules));
}

std::string option(const TypeName& type, std::string_view name, std::string_view otherwise) {
  return std::string(core::TypeOptions(type).text(name).value_or(otherwise));
}

std::unique_ptr<const ContainerRules> register_rules(const Subhistory& part, const TypeName& type,
                                                     std::string& /*why*/) {
  const bool undefined = option(type, "initial", "") == "undefined";
  const Value initial = undefined ? Value::none() : core::TypeOptions(type).value("initial").value_or(Value::nil());
  return make_rules(PlainRegister{.rows = Rows(*part.specification), .initial = initial});
}

std::unique_ptr<const ContainerRules> queue_rules(const Subhistory& part, const TypeName& type, std::string& why) {
  if (!option(type, "capacity", "").empty()) why = "the queue has a capacity";
  return make_rules(PlainQueue{.rows = Rows(*part.specification)});
}

std::unique_ptr<const ContainerRules> stack_rules(const Subhistory& part, const TypeName& type, std::string& why) {
  if (option(type, "heights", "no") != "no") why = "results carry heights";
  return make_rules(PlainStack{.rows = Rows(*part.specification)});
}

std::unique_ptr<const ContainerRules> priority_queue_rules(const Subhistory& part, const TypeName& type,
                                                           std::string& why) {
  const std::string order = option(type, "order", "smallest");
  if (order != "smallest" && order != "largest") why = "priorities are not totally ordered";
  if (!option(type, "capacity", "").empty()) why = "the priority queue has a capacity";
  return make_rules(PlainPriorityQueue{.rows = Rows(*part.specification),
                                       .largest_first = order == "largest",
                                       .fifo_ties = option(type, "ties", "any") == "fifo"});
}

std::unique_ptr<const ContainerRules> set_rules(const Subhistory& part, const TypeName& /*type*/,
                                                std::string& /*why*/) {
  return make_rules(PlainSet{.rows = Rows(*part.specification)});
}

std::unique_ptr<const ContainerRules> bag_rules(const Subhistory& part, const TypeName& /*type*/,
                                                std::string& /*why*/) {
  return make_rules(PlainBag{.set = {.rows = Rows(*part.specification)}});
}

struct Plain {
  std::string_view type;
  bool (*is)(const Specification& specification);
  MakeRules make;
};

/// Not by its name: a container that holds values at first, or a type of the user's own, may have the same.
template <class S>
bool is_a(const Specification& specification) {
  return specification.get_if<S>() != nullptr;
}
constexpr Plain kRegister{"register", &is_a<types::Register>, &register_rules};
constexpr Plain kQueue{"queue", &is_a<types::Queue>, &queue_rules};
constexpr Plain kStack{"stack", &is_a<types::Stack>, &stack_rules};
constexpr Plain kPriorityQueue{"priority-queue", &is_a<types::PriorityQueue>, &priority_queue_rules};
constexpr Plain kSet{"set", &is_a<types::Set>, &set_rules};
constexpr Plain kBag{"bag", &is_a<types::Bag>, &bag_rules};

template <const Plain& plain>
Applicability applicable(const Subhistory& part) {
  if (!plain.is(*part.specification)) return core::not_of_this_type("not a " + std::string(plain.type));
  std::string why;
  const auto rules = plain.make(part, *TypeName::parse(part.specification->name()), why);
  if (why.empty()) why = bind(part, *rules).obstacle;
  return why.empty() ? Applicability{true, "no value is added twice"} : Applicability{false, std::move(why)};
}

template <const Plain& plain>
core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  std::string why;
  const auto rules = plain.make(part, *TypeName::parse(part.specification->name()), why);
  return decrease_and_conquer(part, *rules, options, budget);
}

template <const Plain& plain>
constexpr core::Decider decider(std::string_view name, std::string_view types, std::string_view method,
                                std::string_view cost) {
  return {.name = name,
          .kind = core::Kind::published,
          .about = {.types = types,
                    .when = "on request; no value is added twice",
                    .method = method,
                    .cost = cost,
                    .source = "decrease and conquer, the definitions as they stand: docs/design/framework.md"},
          .applicable = &applicable<plain>,
          .at_once = &decide<plain>};
}

constexpr std::array kPlain{
    decider<kRegister>("register-plain", "register", "values that are compatible with all others one by one", "O(n^3)"),
    decider<kQueue>("queue-plain", "queue", "potentially front values one by one", "O(n^3)"),
    decider<kStack>("stack-plain", "stack", "potentially bottom values one by one", "O(n^2·k)"),
    decider<kPriorityQueue>("priority-queue-plain", "priority-queue", "potentially minimal values one by one",
                            "O(n^2·k)"),
    decider<kSet>("set-plain", "set", "safe elements one by one", "O(n^2)"),
    decider<kBag>("bag-plain", "bag", "safe values one by one", "O(n^2)"),
};

}  // namespace

std::span<const core::Decider> plain_deciders() { return kPlain; }

}  // namespace linchpin::research
