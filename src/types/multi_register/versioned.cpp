// What of registers with versions is not in the header.
#include "types/multi_register/versioned.hpp"

#include "types/executed.hpp"

namespace linchpin::types {

std::unique_ptr<Replay> VersionedRegisters::make_replay() const { return execute_on<HashedMap<Cell>>(*this); }

std::string VersionedRegisters::invalid(const Operation& operation) {
  constexpr const char* kShape =
      "a transaction is a list of [read key value version] and [write key value version], with integers as versions";
  const ValuePool& pool = *operation.pool;
  if (!operation.argument(0).is_list()) return kShape;
  for (const Value part : pool.elements_of(operation.argument(0))) {
    const auto micro = parse(part, pool);
    if (!micro) return kShape;
    if (micro->writes && micro->value.is_nil()) return "nil stands for a value that is not told, and cannot be written";
    if (std::string why = refuse_none(pool.elements_of(part)); !why.empty()) return why;
  }
  if (!operation.result.is_list()) return {};
  for (const Value part : pool.elements_of(operation.result)) {
    const Value version = multi_register::version_of(part, pool).value_or(Value::nil());
    if (!version.is_nil() && !version.is_unknown() && !is_integer(version)) return "a version is an integer of 64 bits";
  }
  if (!pool.partial(operation.result)) return {};
  for (const Value part : pool.elements_of(operation.result)) {
    if (!pool.partial(part)) continue;
    const auto micro = parse(part, pool);
    const bool told = micro && !pool.partial(micro->key) && !micro->key.is_unknown();
    if (told && !pool.partial(micro->value) && !(micro->writes && micro->value.is_unknown())) continue;
    return "'?' stands for a part of the result, for what a read in it saw, or for a version";
  }
  return {};
}

std::string VersionedRegisters::describe(const State& state, const ValuePool& pool) {
  std::string text;
  for (const auto& [key, cell] : state) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", pool.to_text(key),
                        cell.value ? pool.to_text(*cell.value) : "any");
    if (cell.known == Cell::Known::nothing) continue;
    text += fmt::format(" version {}{}", cell.known == Cell::Known::above ? "above " : "", cell.version);
  }
  return fmt::format("{{{}}}", text);
}

}  // namespace linchpin::types
