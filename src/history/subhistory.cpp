#include "history/subhistory.hpp"

#include <algorithm>
#include <mutex>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/assert.hpp"
#include "base/none.hpp"
#include "base/numbered_subset.hpp"
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
  return BoundMethod{.row = *row,
                     .least = method.least,
                     .most = method.most,
                     .restricted = specification.has_invalid() && (method.most > 0 || specification.judges_results())};
}

Result<void> check_arguments(const History& history, OperationIndex i, const Specification& specification,
                             const BoundMethod& bound) {
  const Method& method = specification.methods()[bound.row];
  const std::size_t count = history.arguments(i).size();
  if (count < method.least || count > method.most) {
    const std::string wanted = method.least == method.most ? fmt::format("{}", method.least)
                                                           : fmt::format("{} to {}", method.least, method.most);
    return error_at(history, i, ErrorCode::bad_arguments,
                    fmt::format("{} takes {} argument{}, not {}", history.describe(i), wanted,
                                method.least == 1 && method.most == 1 ? "" : "s", count),
                    fmt::format("method {} of type {}", method.name, specification.name()));
  }
  const Operation operation{.method = bound.row,
                            .arguments = history.arguments(i),
                            .result = history.result(i),
                            .process = specification.uses_process() ? history.process(i) : kNoProcess,
                            .pool = &history.pool()};
  if (std::string why = specification.invalid(operation); !why.empty()) {
    return error_at(history, i, ErrorCode::bad_arguments, fmt::format("{}: {}", history.describe(i), why),
                    fmt::format("method {} of type {}", method.name, specification.name()));
  }
  return {};
}

/// A result of which a part was lost is taken for what it says only by types that say so: to others `[1 ?]` would be
/// one list among others.
Result<void> check_results(const History& history,
                           std::span<const std::shared_ptr<const Specification>> specifications) {
  if (!history.pool().has_partial()) return {};
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Specification& specification = *specifications[history.object(i).number()];
    if (!history.pool().partial(history.result(i)) || specification.reads_partial_results()) continue;
    return error_at(
        history, i, ErrorCode::bad_arguments,
        fmt::format("{} returned a list that holds '?': a result is known or lost as a whole", history.describe(i)),
        fmt::format("write '?' alone; only some types can tell what is lost of a list, and {} cannot",
                    specification.name()));
  }
  return {};
}

/// Appends an event of an operation to a part whose operations get local indices at their calls; this one's is `local`.
void append(Subhistory& part, std::uint32_t& local, OperationIndex operation, bool is_response, std::uint16_t method) {
  const Rank rank = part.ranks();  // every operation is pending until its response comes
  if (is_response) {
    part.response[local] = rank;
    --part.pending_count;
    return;
  }
  local = part.size();
  part.operation.push_back(operation);
  part.method.push_back(method);
  part.call.push_back(rank);
  part.response.push_back(Rank::none());
  ++part.pending_count;
}

/// The sub-history of a history's only object.
void fill(Subhistory& part, RankedOperations ranked, std::span<const BoundMethod> methods) {
  const History& history = *part.history;
  part.operation = std::move(ranked.operation);
  part.call = std::move(ranked.call);
  part.response = std::move(ranked.response);
  part.method.resize(part.size());
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    part.method[local] = methods[history.method(part.operation[local])].row;
  }
  part.pending_count = static_cast<std::uint32_t>(history.pending_count());
}

void reserve(Subhistory& part, std::size_t operations) {
  part.operation.reserve(operations);
  part.method.reserve(operations);
  part.call.reserve(operations);
  part.response.reserve(operations);
}

Subhistory empty_like(const Subhistory& whole) {
  Subhistory part;
  part.history = whole.history;
  part.specification = whole.specification;
  part.object = whole.object;
  part.key = whole.key;
  part.promised = whole.promised;
  return part;
}

}  // namespace

void Subhistory::check_invariants() const {
  LINCHPIN_ASSERT(method.size() == size() && call.size() == size() && response.size() == size());
  ByRank<bool> met(ranks(), false);
  std::uint32_t open = 0;
  const auto meet = [&](Rank rank) {
    LINCHPIN_ASSERT(rank < ranks() && !met[rank]);
    met[rank] = true;
  };
  for (std::uint32_t local = 0; local < size(); ++local) {
    LINCHPIN_ASSERT(local == 0 || call[local - 1] < call[local]);
    LINCHPIN_ASSERT(pending(local) || call[local] < response[local]);
    LINCHPIN_ASSERT(history->object(operation[local]) == object);
    meet(call[local]);
    if (pending(local)) {
      ++open;
    } else {
      meet(response[local]);
    }
  }
  LINCHPIN_ASSERT(open == pending_count);
}

const ByRank<Event>& Subhistory::make_events() const {
  const std::lock_guard lock(by_rank_->mutex);
  ByRank<Event>& events = by_rank_->events;
  if (by_rank_->known.load(std::memory_order_relaxed) == nullptr) {
    events.resize(ranks());
    for (std::uint32_t local = 0; local < size(); ++local) {
      events[call[local]] = Event::call(local);
      if (response[local] != Rank::none()) events[response[local]] = Event::response(local);
    }
    by_rank_->known.store(&events, std::memory_order_release);
  }
  return events;
}

Result<std::vector<Subhistory>> split_by_object(const History& history,
                                                std::span<const std::shared_ptr<const Specification>> specifications,
                                                Ties ties) {
  const std::size_t object_count = history.objects().size();
  const std::size_t method_count = history.method_names().size();
  std::vector<Subhistory> parts(object_count);
  for (ObjectIndex object = 0; object < object_count; ++object) {
    Subhistory& part = parts[object.number()];
    part.history = &history;
    part.specification = specifications[object.number()].get();
    part.object = object;
  }
  // A method name is looked up once an object; wrong operations are reported in the order of the input.
  std::vector<BoundMethod> methods(object_count * method_count);
  const auto method_of = [&](OperationIndex i) -> BoundMethod& {
    return methods[history.object(i).number() * method_count + history.method(i)];
  };
  for (OperationIndex i = 0; i < history.size(); ++i) {
    BoundMethod& method = method_of(i);
    if (method.row != BoundMethod::kUnbound) continue;
    const auto bound = bind(history, i, *specifications[history.object(i).number()]);
    if (!bound) return bound.error();
    method = *bound;
  }
  if (object_count == 1) {
    fill(parts[0], rank_operations(history, ties), methods);
  } else {
    std::vector<std::uint32_t> local_of(history.size());
    for (const HistoryEvent event : sort_events(history, ties)) {
      const OperationIndex i = event.operation();
      append(parts[history.object(i).number()], local_of[i.number()], i, event.is_response(), method_of(i).row);
    }
  }
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const BoundMethod& method = method_of(i);
    const std::size_t count = history.arguments(i).size();
    if (!method.restricted && count >= method.least && count <= method.most) continue;
    const auto checked = check_arguments(history, i, *specifications[history.object(i).number()], method);
    if (!checked) return checked.error();
  }
  if (const auto checked = check_results(history, specifications); !checked) return checked.error();
  for (const Subhistory& part : parts) LINCHPIN_INVARIANTS(part.check_invariants());
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
  std::vector<std::uint32_t> sizes(parts.size(), 0);
  for (const std::uint32_t k : part_of) ++sizes[k];
  for (std::size_t k = 0; k < parts.size(); ++k) reserve(parts[k], sizes[k]);
  std::vector<std::uint32_t> local_of(whole.size());
  for (const Event event : whole.events()) {
    const std::uint32_t local = event.operation();
    append(parts[part_of[local]], local_of[local], whole.operation[local], event.is_response(), whole.method[local]);
  }
  if (whole.recorded == nullptr) return parts;
  std::optional<std::vector<Subhistory>> keys = split_by_key(*whole.recorded);
  for (Subhistory& recorded : *keys) {
    Subhistory& part = parts[part_of_key.at(recorded.key->bits())];
    part.recorded = std::make_shared<const Subhistory>(std::move(recorded));
  }
  return parts;
}

Subhistory prefix(const Subhistory& whole, Rank rank, bool promised) {
  Subhistory part = empty_like(whole);
  part.promised = part.promised || promised;
  const auto called = std::lower_bound(whole.call.begin(), whole.call.end(), rank) - whole.call.begin();
  part.operation.assign(whole.operation.begin(), whole.operation.begin() + called);
  part.method.assign(whole.method.begin(), whole.method.begin() + called);
  part.call.assign(whole.call.begin(), whole.call.begin() + called);
  part.response.assign(whole.response.begin(), whole.response.begin() + called);
  for (Rank& response : part.response) {
    if (response >= rank) response = Rank::none();
    part.pending_count += response == Rank::none() ? 1 : 0;
  }
  return part;
}

std::vector<std::uint32_t> same_operations(const Subhistory& from, const Subhistory& to) {
  std::vector<std::uint32_t> local_of(from.history->size(), kNone);
  for (std::uint32_t local = 0; local < to.size(); ++local) local_of[to.operation[local].number()] = local;
  std::vector<std::uint32_t> same;
  same.reserve(from.size());
  for (const OperationIndex i : from.operation) {
    LINCHPIN_ASSERT(local_of[i.number()] != kNone);
    same.push_back(local_of[i.number()]);
  }
  return same;
}

Subhistory restrict(const Subhistory& whole, std::span<const std::uint32_t> locals) {
  Subhistory part = empty_like(whole);
  reserve(part, locals.size());
  base::NumberedSubset kept(whole.ranks().number());
  for (const std::uint32_t local : locals) {
    kept.insert(whole.call[local].number());
    if (!whole.pending(local)) kept.insert(whole.response[local].number());
  }
  kept.number();
  const auto dense = [&](Rank rank) { return Rank(kept.below(rank.number())); };
  for (const std::uint32_t local : locals) {
    part.operation.push_back(whole.operation[local]);
    part.method.push_back(whole.method[local]);
    part.call.push_back(dense(whole.call[local]));
    part.response.push_back(whole.pending(local) ? Rank::none() : dense(whole.response[local]));
    part.pending_count += whole.pending(local) ? 1 : 0;
  }
  return part;
}

}  // namespace linchpin::history
