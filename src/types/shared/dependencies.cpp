#include "types/shared/dependencies.hpp"

#include <utility>

namespace linchpin::types::dependencies {

std::vector<std::uint32_t> previous_in_sessions(const history::Subhistory& part, const std::vector<bool>& kept,
                                                const Sessions& sessions) {
  // Transactions are numbered by their calls, which is the order of each session.
  std::vector<std::uint32_t> previous(part.size(), kNone), last;
  for (std::uint32_t t = 0; t < part.size(); ++t) {
    if (!kept[t]) continue;
    const std::uint32_t session = sessions.places[part.operation[t].number()].session;
    if (session >= last.size()) last.resize(session + 1, kNone);
    previous[t] = std::exchange(last[session], t);
  }
  return previous;
}

void add_sessions(const history::Subhistory& part, const std::vector<bool>& kept, const Sessions& sessions,
                  Graph& graph) {
  const std::vector<std::uint32_t> previous = previous_in_sessions(part, kept, sessions);
  for (std::uint32_t t = 0; t < graph.transactions; ++t) {
    if (previous[t] != kNone) graph.edges.push_back({previous[t], t, kNone, Dependency::process});
  }
}

}  // namespace linchpin::types::dependencies
