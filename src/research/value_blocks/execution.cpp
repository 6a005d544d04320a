#include "research/value_blocks/execution.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/none.hpp"
#include "core/data_type.hpp"
#include "types/cas_register/specification.hpp"
#include "types/register/specification.hpp"

namespace linchpin::research::value_blocks {

namespace {

using history::Subhistory;

std::string described(const Subhistory& part, std::uint32_t local) {
  return part.history->describe(part.operation[local]);
}

/// Why the type is not the thesis's; empty where it is.
std::string wrong_options(const TypeName& type) {
  core::TypeOptions options(type);
  if (options.text("initial").value_or("nil") != "undefined") return "the register does not start undefined";
  if (options.text("failed-cas").value_or("constraint") != "constraint") return "a failed cas tells nothing";
  return {};
}

class Reader {
 public:
  explicit Reader(const Subhistory& part) : part_(part) {}

  Reading read() {
    const bool is_register = part_.specification->get_if<types::Register>() != nullptr;
    if (!is_register && part_.specification->get_if<types::CasRegister>() == nullptr) {
      reading_.obstacle = "not a register with compare-and-set";
      reading_.other_type = true;
      return std::move(reading_);
    }
    reading_.obstacle = wrong_options(*TypeName::parse(part_.specification->name()));
    for (std::uint32_t i = 0; i < part_.size() && reading_.obstacle.empty(); ++i) add(i);
    if (reading_.obstacle.empty()) find_overlap();
    return std::move(reading_);
  }

 private:
  std::uint32_t number(Value value) {
    Execution& execution = reading_.execution;
    const auto next = static_cast<std::uint32_t>(execution.values.size());
    const auto [at, is_new] = numbers_.try_emplace(value.bits(), next);
    if (is_new) {
      execution.values.push_back(value);
      execution.by_value.emplace_back();
      execution.write_of.push_back(kNone);
    }
    return at->second;
  }

  /// What the operation is in the thesis's terms; nothing where it is none of its four.
  std::optional<Call> call_of(const Operation& operation) {
    const std::string_view method = part_.specification->methods()[operation.method].name;
    if (method == "write") {
      if (!operation.acknowledged(0)) return std::nullopt;
      return Call{.kind = CallKind::write, .value = number(operation.argument(0))};
    }
    if (operation.result_unknown()) return std::nullopt;
    if (method == "read") return Call{.kind = CallKind::read, .value = number(operation.result)};
    if (method != "cas") return std::nullopt;
    const std::uint32_t compare = number(operation.argument(0));
    if (operation.result == Value::boolean(false)) return Call{.kind = CallKind::false_cas, .value = compare};
    if (!operation.acknowledged()) return std::nullopt;
    return Call{.kind = CallKind::true_cas, .value = number(operation.argument(1)), .compare = compare};
  }

  void add(std::uint32_t local) {
    Execution& execution = reading_.execution;
    if (part_.pending(local)) {
      reading_.obstacle = "an operation is pending, and the thesis has none";
      return;
    }
    std::optional<Call> call = call_of(part_.view(local));
    if (!call) {
      reading_.obstacle = fmt::format("{} is no write, read, true or false CAS", described(part_, local));
      return;
    }
    call->local = local;
    call->start = part_.call[local];
    call->end = part_.response[local];
    const auto index = static_cast<std::uint32_t>(execution.calls.size());
    execution.calls.push_back(*call);
    if (call->kind == CallKind::false_cas) {
      execution.false_cases.push_back(index);
      return;
    }
    execution.by_value[call->value].push_back(index);
    if (call->kind == CallKind::true_cas) {
      execution.true_cases.push_back(index);
      execution.by_value[call->compare].push_back(index);
    }
    if (!call->writes()) return;
    if (execution.write_of[call->value] != kNone) {
      reading_.obstacle =
          fmt::format("value {} is written twice", part_.history->pool().to_text(execution.values[call->value]));
    }
    execution.write_of[call->value] = index;
  }

  void find_overlap() {
    const Execution& execution = reading_.execution;
    for (const std::uint32_t each : execution.false_cases) {
      const Call& false_cas = execution.calls[each];
      const auto overlaps = [&](const Call& call) {
        return call.writes() && call.start < false_cas.end && false_cas.start < call.end;
      };
      const auto other = std::find_if(execution.calls.begin(), execution.calls.end(), overlaps);
      if (other == execution.calls.end()) continue;
      reading_.obstacle =
          fmt::format("{} overlaps {}", described(part_, false_cas.local), described(part_, other->local));
      return;
    }
  }

  const Subhistory& part_;
  Reading reading_;
  std::map<std::uint64_t, std::uint32_t> numbers_;  // of values
};

}  // namespace

Reading read_execution(const Subhistory& part) { return Reader(part).read(); }

}  // namespace linchpin::research::value_blocks
