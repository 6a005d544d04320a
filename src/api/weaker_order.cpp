#include "api/weaker_order.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "history/columns.hpp"
#include "linchpin/specification.hpp"
#include "types/in_sessions.hpp"
#include "types/list_append/specification.hpp"
#include "types/multi_register/specification.hpp"
#include "types/multi_register/versioned.hpp"

namespace linchpin {

namespace {

using types::Level;

/// By call; those called at one tick by response, as a process that runs one at a time can only have run them, with one
/// that is pending as the last; of one tick as a whole in the order of the recording.
std::vector<OperationIndex> by_call(const History& history) {
  std::vector<OperationIndex> order(history.size());
  for (OperationIndex i = 0; i < order.size(); ++i) order[i.number()] = i;
  const auto earlier = [&](OperationIndex a, OperationIndex b) {
    if (history.call(a) != history.call(b)) return history.call(a) < history.call(b);
    return history.response(a) < history.response(b);
  };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) std::stable_sort(order.begin(), order.end(), earlier);
  return order;
}

/// The sessions of one object: one a process, and one for each operation whose process is not known.
std::shared_ptr<const types::Sessions> sessions_of(const History& history, ObjectIndex object,
                                                   const std::vector<OperationIndex>& order) {
  auto sessions = std::make_shared<types::Sessions>();
  sessions->places.resize(history.size());
  absl::flat_hash_map<ProcessId, std::uint32_t> known;
  std::vector<std::uint32_t> last;  // by session
  for (const OperationIndex i : order) {
    if (history.object(i) != object) continue;
    auto session = static_cast<std::uint32_t>(last.size());
    if (history.process(i) != kNoProcess) session = known.try_emplace(history.process(i), session).first->second;
    if (session == last.size()) last.push_back(0);
    sessions->places[i.number()] = {.session = session, .number = ++last[session]};
  }
  return sessions;
}

template <class S>
std::shared_ptr<const Specification> with_sessions(const Specification& specification, const S& inner,
                                                   const std::shared_ptr<const types::Sessions>& sessions) {
  return specify(std::string(specification.name()), types::InSessions<S>{.inner = inner, .sessions = sessions});
}

/// The same type, keeping the order of the sessions.
std::shared_ptr<const Specification> in_sessions(const Specification& specification,
                                                 const std::shared_ptr<const types::Sessions>& sessions) {
  if (const auto* const lists = specification.get_if<types::ListAppend>()) {
    return with_sessions(specification, *lists, sessions);
  }
  if (const auto* const registers = specification.get_if<types::VersionedRegisters>()) {
    return with_sessions(specification, *registers, sessions);
  }
  return with_sessions(specification, *specification.get_if<types::MultiRegister>(), sessions);
}

}  // namespace

types::Level level_of(const Specification& specification) {
  if (const auto* const lists = specification.get_if<types::ListAppend>()) return lists->level;
  if (const auto* const registers = specification.get_if<types::MultiRegister>()) return registers->level;
  if (const auto* const registers = specification.get_if<types::VersionedRegisters>()) return registers->level;
  return Level::strict;
}

std::optional<WeakerOrder> weaken(const History& history, const Specifications& specifications) {
  std::vector<bool> weaker;
  for (const auto& specification : specifications) {
    weaker.push_back(level_of(*specification) != Level::strict);
  }
  if (std::find(weaker.begin(), weaker.end(), true) == weaker.end()) return std::nullopt;

  const std::vector<OperationIndex> order = by_call(history);
  HistoryColumns columns;
  columns.history = history;
  // Each operation is a process of its own, since a process runs one operation at a time. Times are places in the order
  // of the calls, which leaves room for a response after all of them.
  columns.processes().resize(history.size(), kNoProcess);
  Tick now = 0;
  for (const OperationIndex i : order) {
    if (!weaker[history.object(i).number()]) continue;
    columns.processes()[i.number()] = i.number();
    columns.calls()[i.number()] = now++;
    if (!history.pending(i)) columns.responses()[i.number()] = static_cast<Tick>(history.size());
  }
  WeakerOrder result{.history = std::move(columns.history), .specifications = specifications};
  for (ObjectIndex object = 0; object < specifications.size(); ++object) {
    if (level_of(*specifications[object.number()]) != Level::session) continue;
    result.specifications[object.number()] =
        in_sessions(*specifications[object.number()], sessions_of(history, object, order));
  }
  return result;
}

void remember_recorded(std::span<history::Subhistory> parts, const History& history,
                       const Specifications& specifications, Ties ties) {
  auto recorded = history::split_by_object(history, specifications, ties);
  if (!recorded) return;  // as the parts were, without an error
  for (history::Subhistory& part : parts) {
    const std::size_t object = part.object.number();
    if (level_of(*specifications[object]) == Level::strict) continue;
    part.recorded = std::make_shared<const history::Subhistory>(std::move((*recorded)[object]));
  }
}

}  // namespace linchpin
