// Makes the deciders of this library known to the one that decides: by their names, which alone choose them.
#include <span>

#include "decide/choose.hpp"
#include "linchpin/research.hpp"
#include "research/check_pq/decider.hpp"
#include "research/plain/plain.hpp"
#include "research/planted/planted.hpp"
#include "research/published/wgl.hpp"
#include "research/schedules/schedule_task.hpp"
#include "research/value_blocks/decider.hpp"

namespace linchpin {

void add_research_deciders() {
  for (const std::span<const core::Decider> list :
       {research::published_searches(), research::plain_deciders(), research::check_pq_deciders(),
        research::value_block_deciders(), std::span(&research::schedules(), 1), research::planted_deciders()}) {
    decide::add_deciders(list);
  }
}

}  // namespace linchpin
