#include "explore/ledger.hpp"

#include <algorithm>

namespace linchpin::explorer {

std::size_t Ledger::Page::complete() const {
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.second.complete; }));
}

void Ledger::append(const std::vector<Portion>& portions) {
  for (const Portion& portion : portions) {
    pages_.emplace_back();
    pages_.back().portion = portion;
  }
}

void Ledger::begin(std::uint32_t portion, std::size_t scenarios_in_all, bool all) {
  Page& page = pages_[portion];
  page.begun = true;
  page.all = all;
  page.scenarios_in_all = scenarios_in_all;
}

const Entry* Ledger::find(std::uint32_t portion, std::uint32_t number) const {
  const auto found = pages_[portion].entries.find(number);
  return found == pages_[portion].entries.end() ? nullptr : &found->second;
}

bool Ledger::frees_memory() const {
  return std::any_of(pages_.begin(), pages_.end(), [](const Page& page) {
    return std::any_of(page.entries.begin(), page.entries.end(), [](const auto& entry) { return entry.second.frees; });
  });
}

bool Ledger::complete() const {
  return std::all_of(pages_.begin(), pages_.end(), [this](const Page& page) {
    return page.portion.beyond || (page.begun && page.all && page.complete() == of_shard(page.scenarios_in_all));
  });
}

bool Ledger::has_all_before(Place place) const {
  for (std::uint32_t portion = 0; portion < pages_.size(); ++portion) {
    const Page& page = pages_[portion];
    for (std::uint32_t number = shard_; place_of(portion, number) < place; number += shards_) {
      if (page.begun && number >= page.scenarios_in_all) break;
      if (!page.entries.contains(number)) return false;
    }
  }
  return true;
}

void Ledger::tell(ExploreResult& result, Place end) const {
  for (std::uint32_t portion = 0; portion < pages_.size() && place_of(portion, 0) <= end; ++portion) {
    const Page& page = pages_[portion];
    if (!page.begun) continue;
    ExploreCoverage covered{.threads = page.portion.size.threads,
                            .operations = page.portion.size.operations,
                            .reuse = page.portion.reuse,
                            .beyond = page.portion.beyond,
                            .scenarios_in_all = page.scenarios_in_all};
    for (const auto& [number, entry] : page.entries) {
      if (place_of(portion, number) > end) break;
      ++result.scenarios;
      result.steps += entry.steps;
      covered.schedules += entry.schedules;
      covered.histories += entry.histories;
      covered.scenarios += entry.complete ? 1 : 0;
      covered.one_by_one += entry.one_by_one ? 1 : 0;
      covered.held_back += entry.held_back ? 1 : 0;
    }
    result.schedules += covered.schedules;
    result.histories += covered.histories;
    result.coverage.push_back(covered);
  }
}

}  // namespace linchpin::explorer
