#include "history/subhistory.hpp"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "history/operation_error.hpp"

namespace linchpin::history {

namespace {

std::string list_methods(const Specification& specification) {
  std::string text;
  for (const Method& method : specification.methods()) {
    if (!text.empty()) text += ", ";
    text += method.name;
  }
  return text;
}

Result<std::uint16_t> bind(const History& history, OperationIndex i, const Specification& specification) {
  const std::string_view name = history.method_name(history.method(i));
  const auto row = specification.find_method(name);
  if (!row) {
    return error_at(history, i, ErrorCode::unknown_method,
                    fmt::format("the type {} has no method '{}'", specification.name(), name),
                    fmt::format("its methods are {}; choose another type with --type", list_methods(specification)));
  }
  return *row;
}

Result<void> check_arguments(const History& history, OperationIndex i, const Subhistory& part, std::uint32_t local) {
  const Specification& specification = *part.specification;
  const Method& method = specification.methods()[part.method[local]];
  const std::size_t count = history.arguments(i).size();
  if (count < method.least || count > method.most) {
    const std::string wanted = method.least == method.most ? fmt::format("{}", method.least)
                                                           : fmt::format("{} to {}", method.least, method.most);
    return error_at(history, i, ErrorCode::bad_arguments,
                    fmt::format("{} takes {} argument{}, not {}", history.describe(i), wanted,
                                method.least == 1 && method.most == 1 ? "" : "s", count),
                    fmt::format("method {} of type {}", method.name, specification.name()));
  }
  if (std::string why = specification.invalid(part.view(local)); !why.empty()) {
    return error_at(history, i, ErrorCode::bad_arguments, fmt::format("{}: {}", history.describe(i), why),
                    fmt::format("method {} of type {}", method.name, specification.name()));
  }
  return {};
}

/// Appends an event to a part whose operations get local indices at their calls.
void append(Subhistory& part, std::vector<std::uint32_t>& local_of, Event event, std::uint16_t method) {
  const auto rank = static_cast<Rank>(part.events.size());
  if (event.is_response()) {
    const std::uint32_t local = local_of[event.operation()];
    part.response[local] = rank;
    --part.pending_count;
    part.events.push_back(Event::response(local));
    return;
  }
  const std::uint32_t local = part.size();
  local_of[event.operation()] = local;
  part.operation.push_back(event.operation());
  part.method.push_back(method);
  part.call.push_back(rank);
  part.response.push_back(kNoRank);
  ++part.pending_count;
  part.events.push_back(Event::call(local));
}

void reserve(Subhistory& part, std::size_t operations) {
  part.operation.reserve(operations);
  part.method.reserve(operations);
  part.call.reserve(operations);
  part.response.reserve(operations);
  part.events.reserve(2 * operations);
}

Subhistory empty_like(const Subhistory& whole) {
  Subhistory part;
  part.history = whole.history;
  part.specification = whole.specification;
  part.object = whole.object;
  part.key = whole.key;
  return part;
}

}  // namespace

Result<std::vector<Subhistory>> split_by_object(const History& history,
                                                std::span<const std::shared_ptr<const Specification>> specifications,
                                                Ties ties) {
  constexpr std::uint16_t kUnbound = 0xffff;
  const std::size_t object_count = history.objects().size();
  const std::size_t method_count = history.method_names().size();
  std::vector<Subhistory> parts(object_count);
  for (ObjectIndex object = 0; object < object_count; ++object) {
    parts[object].history = &history;
    parts[object].specification = specifications[object].get();
    parts[object].object = object;
  }
  if (object_count == 1) reserve(parts[0], history.size());
  // A method name is looked up once an object; wrong operations are reported in the order of the input.
  std::vector<std::uint16_t> rows(object_count * method_count, kUnbound);
  for (OperationIndex i = 0; i < history.size(); ++i) {
    std::uint16_t& row = rows[history.object(i) * method_count + history.method(i)];
    if (row != kUnbound) continue;
    const auto bound = bind(history, i, *specifications[history.object(i)]);
    if (!bound) return bound.error();
    row = *bound;
  }
  std::vector<std::uint32_t> local_of(history.size());
  for (const Event event : sort_events(history, ties)) {
    const OperationIndex i = event.operation();
    append(parts[history.object(i)], local_of, event, rows[history.object(i) * method_count + history.method(i)]);
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const auto checked = check_arguments(history, i, parts[history.object(i)], local_of[i]);
    if (!checked) return checked.error();
  }
  return parts;
}

std::optional<std::vector<Subhistory>> split_by_key(const Subhistory& whole) {
  absl::flat_hash_map<std::uint64_t, std::uint32_t> part_of_key;
  std::vector<std::uint32_t> part_of(whole.size());
  std::vector<Subhistory> parts;
  for (std::uint32_t local = 0; local < whole.size(); ++local) {
    const std::optional<Value> key = whole.specification->key(whole.view(local));
    if (!key) return std::nullopt;
    const auto [entry, fresh] = part_of_key.try_emplace(key->bits(), static_cast<std::uint32_t>(parts.size()));
    if (fresh) {
      parts.push_back(empty_like(whole));
      parts.back().key = *key;
    }
    part_of[local] = entry->second;
  }
  std::vector<std::uint32_t> local_of(whole.size());
  for (const Event event : whole.events) {
    const std::uint32_t local = event.operation();
    append(parts[part_of[local]], local_of, event, whole.method[local]);
  }
  for (Subhistory& part : parts) {
    for (OperationIndex& operation : part.operation) operation = whole.operation[operation];
  }
  return parts;
}

Subhistory prefix(const Subhistory& whole, Rank rank) {
  Subhistory part = empty_like(whole);
  reserve(part, rank);
  std::vector<std::uint32_t> local_of(whole.size());
  for (Rank r = 0; r < rank; ++r) append(part, local_of, whole.events[r], whole.method[whole.events[r].operation()]);
  for (OperationIndex& operation : part.operation) operation = whole.operation[operation];
  return part;
}

Subhistory restrict(const Subhistory& whole, std::span<const std::uint32_t> locals) {
  Subhistory part = empty_like(whole);
  reserve(part, locals.size());
  std::vector<bool> kept(whole.size(), false);
  for (const std::uint32_t local : locals) kept[local] = true;
  std::vector<std::uint32_t> local_of(whole.size());
  for (const Event event : whole.events) {
    if (kept[event.operation()]) append(part, local_of, event, whole.method[event.operation()]);
  }
  for (OperationIndex& operation : part.operation) operation = whole.operation[operation];
  return part;
}

}  // namespace linchpin::history
