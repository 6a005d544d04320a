#include "types/shared/dependencies.hpp"

#include <utility>

namespace linchpin::types::dependencies {

void add_sessions(const history::Subhistory& part, const std::vector<bool>& kept, const Sessions& sessions,
                  Graph& graph) {
  // Transactions are numbered by their calls, which is the order of each session.
  std::vector<std::uint32_t> last;
  for (std::uint32_t t = 0; t < graph.transactions; ++t) {
    if (!kept[t]) continue;
    const std::uint32_t session = sessions.places[part.operation[t].number()].session;
    if (session >= last.size()) last.resize(session + 1, kNone);
    const std::uint32_t before = std::exchange(last[session], t);
    if (before != kNone) graph.edges.push_back({before, t, kNone, Dependency::process});
  }
}

}  // namespace linchpin::types::dependencies
