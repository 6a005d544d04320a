#include "types/level.hpp"

#include <string>
#include <utility>

#include "base/assert.hpp"
#include "linchpin/specification.hpp"
#include "types/list_append/specification.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::types {

namespace {

template <class S>
std::shared_ptr<const Specification> with_sessions(const Specification& specification, const S& inner,
                                                   std::shared_ptr<const Sessions> sessions) {
  return specify(std::string(specification.name()), InSessions<S>{.inner = inner, .sessions = std::move(sessions)});
}

}  // namespace

Level level_of(const Specification& specification) {
  if (const auto* const lists = specification.get_if<ListAppend>()) return lists->level;
  if (const auto* const registers = specification.get_if<MultiRegister>()) return registers->level;
  return Level::strict;
}

std::shared_ptr<const Specification> in_sessions(const Specification& specification,
                                                 std::shared_ptr<const Sessions> sessions) {
  LINCHPIN_ASSERT(level_of(specification) == Level::session);
  if (const auto* const lists = specification.get_if<ListAppend>()) {
    return with_sessions(specification, *lists, std::move(sessions));
  }
  return with_sessions(specification, *specification.get_if<MultiRegister>(), std::move(sessions));
}

}  // namespace linchpin::types
