#include "history/subhistory.hpp"

#include <array>

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

/// A method of an object's type, as far as every operation has to be held against it.
struct BoundMethod {
  std::uint16_t row = kUnbound;
  std::uint8_t least = 0, most = 0;  // arguments
  bool restricted = false;           // its type may find fault with them

  static constexpr std::uint16_t kUnbound = 0xffff;
};

Result<BoundMethod> bind(const History& history, OperationIndex i, const Specification& specification) {
  const std::string_view name = history.method_name(history.method(i));
  const auto row = specification.find_method(name);
  if (!row) {
    return error_at(history, i, ErrorCode::unknown_method,
                    fmt::format("the type {} has no method '{}'", specification.name(), name),
                    fmt::format("its methods are {}; choose another type with --type", list_methods(specification)));
  }
  const Method& method = specification.methods()[*row];
  return BoundMethod{
      .row = *row, .least = method.least, .most = method.most, .restricted = specification.has_invalid()};
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

/// The sub-history of a history's only object, from its events, which become the part's.
void fill(Subhistory& part, std::vector<Event> events, std::span<const BoundMethod> methods,
          std::vector<std::uint32_t>& local_of) {
  const History& history = *part.history;
  const auto n = static_cast<std::uint32_t>(history.size());
  part.operation.resize(n);
  part.call.resize(n);
  part.response.resize(n, kNoRank);
  // Calls and responses take turns as good as at random, so nothing branches on which it is.
  const std::array<Rank*, 2> rank_of = {part.call.data(), part.response.data()};
  std::uint32_t next = 0;
  for (Rank rank = 0; rank < events.size(); ++rank) {
    const OperationIndex i = events[rank].operation();
    const std::uint32_t is_response = events[rank].is_response() ? 1 : 0;
    const std::uint32_t returned = 0U - is_response;
    const std::uint32_t local = (local_of[i] & returned) | (next & ~returned);
    local_of[i] = local;
    part.operation[local] = i;
    rank_of[is_response][local] = rank;
    events[rank].packed = local << 1 | is_response;
    next += 1 - is_response;
  }
  part.method.resize(n);
  for (std::uint32_t local = 0; local < n; ++local) {
    part.method[local] = methods[history.method(part.operation[local])].row;
  }
  part.events = std::move(events);
  part.pending_count = static_cast<std::uint32_t>(history.pending_count());
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
  const std::size_t object_count = history.objects().size();
  const std::size_t method_count = history.method_names().size();
  std::vector<Subhistory> parts(object_count);
  for (ObjectIndex object = 0; object < object_count; ++object) {
    parts[object].history = &history;
    parts[object].specification = specifications[object].get();
    parts[object].object = object;
  }
  // A method name is looked up once an object; wrong operations are reported in the order of the input.
  std::vector<BoundMethod> methods(object_count * method_count);
  const auto method_of = [&](OperationIndex i) -> BoundMethod& {
    return methods[history.object(i) * method_count + history.method(i)];
  };
  for (OperationIndex i = 0; i < history.size(); ++i) {
    BoundMethod& method = method_of(i);
    if (method.row != BoundMethod::kUnbound) continue;
    const auto bound = bind(history, i, *specifications[history.object(i)]);
    if (!bound) return bound.error();
    method = *bound;
  }
  std::vector<std::uint32_t> local_of(history.size());
  if (object_count == 1) {
    fill(parts[0], sort_events(history, ties), methods, local_of);
  } else {
    for (const Event event : sort_events(history, ties)) {
      const OperationIndex i = event.operation();
      append(parts[history.object(i)], local_of, event, method_of(i).row);
    }
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const BoundMethod& method = method_of(i);
    const std::size_t count = history.arguments(i).size();
    if (!method.restricted && count >= method.least && count <= method.most) continue;
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
