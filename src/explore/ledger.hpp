// What became of each scenario of an exploration: the same whoever explored it, and when. What is told of all
// (coverage, counts) is read off here, so that it does not depend on how many processes there were, or how often it was
// begun.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "explore/scenario/scenario.hpp"
#include "linchpin/explore.hpp"

namespace linchpin::explorer {

/// Scenarios of one size, in the order in which they are generated.
struct Portion {
  Size size;  ///< without prefixes: those come one after the other
  ExploreReuse reuse = ExploreReuse::none;
  bool beyond = false;  ///< of the bounds
};

/// One scenario that was explored, or begun. Plain data: it goes through a pipe as it is.
struct Entry {
  std::uint32_t portion = 0, number = 0;  ///< from 0; the number is its place in the portion
  std::uint64_t fingerprint = 0;          ///< of its text
  std::uint64_t schedules = 0, steps = 0, histories = 0;
  bool complete = false;    ///< all schedules within the bounds, and nothing was found
  bool late = false;        ///< if not: there was no more time
  bool one_by_one = false;  ///< dpor could not follow
  bool held_back = false;   ///< a thread that looked in vain was
  bool frees = false;       ///< threads freed memory
};

/// A place in the order of all scenarios, those of all portions; 0 comes before all.
using Place = std::uint64_t;
inline constexpr unsigned kNumberBits = 32;  // of the scenario
constexpr Place place_of(std::uint32_t portion, std::uint32_t number) {
  return (Place{portion} + 1) << kNumberBits | number;
}
/// @pre the place is in a portion
constexpr std::size_t portion_of(Place place) { return static_cast<std::size_t>(place >> kNumberBits) - 1; }
inline constexpr Place kNowhere = UINT64_MAX;

class Ledger {
 public:
  struct Page {
    Portion portion;
    bool begun = false;
    bool all = true;  ///< the scenarios are all that there are of the size
    std::size_t scenarios_in_all = 0;
    std::map<std::uint32_t, Entry> entries;

    [[nodiscard]] std::size_t complete() const;
  };

  Ledger() = default;
  /// Of the scenarios whose number is `shard` modulo `shards`.
  Ledger(unsigned shard, unsigned shards) : shard_(shard), shards_(shards) {}

  /// Its index is the portion's number.
  void append(const std::vector<Portion>& portions);
  void begin(std::uint32_t portion, std::size_t scenarios_in_all, bool all);
  void add(const Entry& entry) { pages_[entry.portion].entries[entry.number] = entry; }
  /// Null: nothing is known of that scenario.
  [[nodiscard]] const Entry* find(std::uint32_t portion, std::uint32_t number) const;

  [[nodiscard]] const std::vector<Page>& pages() const { return pages_; }
  [[nodiscard]] bool frees_memory() const;
  /// All portions within the bounds are begun, and all of their scenarios (of the shard) complete.
  [[nodiscard]] bool complete() const;
  /// Whether each scenario before that place has been told of.
  [[nodiscard]] bool has_all_before(Place place) const;
  /// Coverage and counts of what comes up to the place; steps are added to those that are there.
  void tell(ExploreResult& result, Place end) const;

 private:
  /// How many of so many scenarios are the shard's.
  [[nodiscard]] std::size_t of_shard(std::size_t scenarios) const {
    return (scenarios + shards_ - 1 - shard_) / shards_;
  }

  std::vector<Page> pages_;
  unsigned shard_ = 0, shards_ = 1;
};

}  // namespace linchpin::explorer
