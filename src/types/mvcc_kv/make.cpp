// The type from its options, behind the interface of all types, and what of it is not in the headers.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/mvcc_kv/effects.hpp"
#include "types/mvcc_kv/specification.hpp"

namespace linchpin::types {

namespace {

std::string refuse_act(const mvcc_kv::Act& act) {
  if (act.key.is_nil() || act.key.is_none()) return "a key must be a value other than nil";
  if (act.verb != mvcc_kv::Verb::put) return act.end.is_none() ? "the end of a range must be a value, or nil" : "";
  if (act.value.is_nil() || act.value.is_none()) return "nil stands for a value that is not told, and cannot be put";
  return !act.lease.is_nil() && !is_integer(act.lease) && !act.lease.is_string() ? "a lease is a number or a name" : "";
}

/// Whether one of the acts puts what another one puts or deletes.
bool touches_twice(const std::vector<mvcc_kv::Act>& acts, const ValuePool& pool) {
  const auto touches = [&](const mvcc_kv::Act& act, Value key) {
    if (act.verb == mvcc_kv::Verb::range) return false;
    return act.end.is_nil() ? act.key == key : mvcc_kv::in_range(key, act.key, act.end, pool);
  };
  for (std::size_t a = 0; a < acts.size(); ++a) {
    for (std::size_t b = 0; b < acts.size(); ++b) {
      if (a != b && acts[a].verb == mvcc_kv::Verb::put && touches(acts[b], acts[a].key)) return true;
    }
  }
  return false;
}

std::string refuse_transaction(const Operation& operation) {
  const ValuePool& pool = *operation.pool;
  for (const Value argument : operation.arguments) {
    if (!argument.is_list()) return "a transaction has three lists: its compares, and what it does if they hold or not";
  }
  for (const Value each : pool.elements_of(operation.argument(0))) {
    if (!mvcc_kv::parse_compare(each, pool)) {
      return "a compare is [target key value] or [target key relation value], with the target mod, version, create, "
             "lease or value and the relation =, !=, < or >";
    }
  }
  for (const Value branch : operation.arguments.subspan(1)) {
    std::vector<mvcc_kv::Act> acts;
    for (const Value each : pool.elements_of(branch)) {
      const auto act = mvcc_kv::parse_act(each, pool);
      if (!act) return "an act of a transaction is [put k v lease], [delete k end] or [range k end options]";
      if (act->revision != 0) return "a range in a transaction has no revision of its own";
      if (std::string why = refuse_act(*act); !why.empty()) return why;
      acts.push_back(*act);
    }
    if (touches_twice(acts, pool)) return "a transaction may not put a key twice, nor put one that it deletes";
  }
  return {};
}

std::string content_text(Value key, const mvcc_kv::Content& content, const ValuePool& pool) {
  return fmt::format("{}: {} mod {} version {} create {}{}", pool.to_text(key), pool.to_text(content.value),
                     content.mod, content.version, content.create,
                     content.lease.is_nil() ? "" : fmt::format(" lease {}", pool.to_text(content.lease)));
}

}  // namespace

Result<std::shared_ptr<const Specification>> MvccKv::make(const TypeName& type) {
  core::TypeOptions given(type);
  if (auto finished = given.finish(options); !finished) return finished.error();
  return specify(full_name("mvcc-kv", type), MvccKv());
}

bool MvccKv::pure(const Operation& operation) { return mvcc_kv::effect_of(operation).keeps_all(); }

/// The version is the revision, 0 being the first one. Leases and compactions change the store without moving it.
std::optional<core::Versions> MvccKv::versions(const Operation& operation) {
  const mvcc_kv::Effect effect = mvcc_kv::effect_of(operation);
  if (effect.changes_leases != mvcc_kv::Sure::no || effect.compacts != mvcc_kv::Sure::no) {
    return core::Versions::disordered();
  }
  const mvcc_kv::Answer answer = mvcc_kv::answer_of(operation);
  if (operation.method == mvcc_kv::kDefragment || effect.makes_revision == mvcc_kv::Sure::maybe) return std::nullopt;
  const std::int64_t before = effect.makes_revision == mvcc_kv::Sure::yes ? 2 : 1;  // which revision it tells at first
  if (!answer.executed() || !answer.revision || *answer.revision < before) return std::nullopt;
  return core::Versions{*answer.revision - before, *answer.revision - 1};
}

std::string MvccKv::invalid(const Operation& operation) {
  if (std::string why = refuse_none(operation.arguments); !why.empty()) return why;
  const ValuePool& pool = *operation.pool;
  switch (operation.method) {
    case mvcc_kv::kRange:
      if (operation.arguments.size() > 2) {
        if (std::string why = mvcc_kv::refuse_options(operation.argument(2), pool); !why.empty()) return why;
      }
      return refuse_act(mvcc_kv::range_of(operation));
    case mvcc_kv::kPut: return refuse_act(mvcc_kv::put_of(operation));
    case mvcc_kv::kDelete: return refuse_act(mvcc_kv::delete_of(operation));
    case mvcc_kv::kTxn: return refuse_transaction(operation);
    case mvcc_kv::kGrant:
    case mvcc_kv::kRevoke:
      return mvcc_kv::no_lease(operation.argument(0)) ? "a lease has a number other than 0, or a name" : "";
    case mvcc_kv::kCompact: return is_integer(operation.argument(0)) ? "" : "a revision is an integer";
    default: return {};
  }
}

std::string MvccKv::describe(const State& state, const ValuePool& pool) {
  constexpr int kMostSteps = 8;
  std::string text;
  for (const auto& [key, content] : state.contents()) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", content_text(key, content, pool));
  }
  text = fmt::format("revision {}, {{{}}}", state.revision(), text);
  if (!state.leases().empty()) text += fmt::format(", leases {}", join(state.leases(), pool));
  if (state.compacted() > 0) text += fmt::format(", compacted to {}", state.compacted());
  int steps = 0;
  for (const mvcc_kv::Past* past = state.past(); past != nullptr; past = past->older()) {
    if (++steps > kMostSteps) return text + ", ...";
    for (const mvcc_kv::Before& before : past->before()) {
      text += fmt::format("; before {}: {}", past->revision(),
                          before.content ? content_text(before.key, *before.content, pool)
                                         : pool.to_text(before.key) + " was not there");
    }
  }
  return text;
}

}  // namespace linchpin::types
