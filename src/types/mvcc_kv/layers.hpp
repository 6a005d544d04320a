// All ways to have reached a revision, one revision after the other.
//
// A revision that a request told to have made is made by it. One that nobody told of is made by a request of unknown
// fate: by each that was called before all that is known to come behind returned, and that leads to what the answers
// show. Of what a way is, only the contents and the lost requests that it used count for the future. Ways that agree
// there are one, and of two with the same contents the one will do that used fewer of each kind: what is available to
// one revision is so to all later ones, so the time of a lost request never decides between two. Where a kind
// cannot run dry, even if it made every revision that it may, it does not count how many were used. (Requests that
// returned without an answer make the times of those before them matter: then it counts, and so does the latest call.)
//
// Few kinds run dry at all. So at first no kind is counted, as if there were any number of each: ways are one if their
// contents agree, and the one goes on that used least of what is scarce. If even so no way leads to the end, there is
// none. If one does, its requests are counted; if there are enough of each kind, it is a way. Otherwise the kinds that
// ran dry are counted from then on, and everything is done again. In the worst case all are counted.
//
// Only so many ways are followed. Where there are more, some are left out: a way that comes to the end is one all the
// same. If none does, that says nothing, and more are followed from where there was one way last; if none was left out
// since, from where there was one before that, and in the end from the beginning.
//
// In contents, what no answer behind the revision tells makes no difference (contents.hpp). And whoever touches a key
// has to lead to what is next seen of it (prospects.hpp).
//
// Exact, and exponential only in the revisions that nobody told of and whose effect nobody saw.
// The proof: docs/design/monitors.md. Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/none.hpp"
#include "core/budget.hpp"
#include "types/mvcc_kv/contents.hpp"
#include "types/mvcc_kv/labels.hpp"
#include "types/mvcc_kv/prospects.hpp"
#include "types/mvcc_kv/reading.hpp"
#include "types/mvcc_kv/sightings.hpp"
#include "types/mvcc_kv/times.hpp"

namespace linchpin::types::mvcc_kv {

/// What no answer tells of a way: `operation` made the revision, or was executed behind it and changed nothing.
struct WayStep {
  std::uint32_t before = kNone;  ///< index of the step before
  std::uint32_t operation = kNone;
  std::uint32_t label = kNone;  ///< of which the operation is one; kNone: none is taken from
  std::int64_t revision = 0;
  bool makes = false;
};

class Layers {
 public:
  Layers(const history::Subhistory& part, const Reading& reading, const Times& times, const Sightings& sightings)
      : part_(part),
        reading_(reading),
        times_(times),
        sightings_(sightings),
        labels_(part, reading, times, sightings),
        prospects_(part, reading, sightings, labels_),
        counted_(labels_.all().size(), false),
        tried_(sightings) {}

  enum class End : std::uint8_t { reached, blocked, given_up };
  End run(core::Budget& budget);

  /// Where no way went on: the revision, and the operation that fits no way; kNone: nobody can have made it.
  [[nodiscard]] std::int64_t blocked_at() const { return revision_; }
  [[nodiscard]] std::uint32_t blocked_by() const { return blocked_by_; }
  /// The last steps of a way that was blocked, the latest first; of a way to the end, from the first on.
  [[nodiscard]] const std::vector<WayStep>& way() const { return way_; }
  [[nodiscard]] const Labels& labels() const { return labels_; }

  /// How far the run came that came farthest: a way up to a revision, with a request of its own for each step.
  struct Reached {
    std::int64_t revision = 0;
    std::vector<WayStep> way;
  };
  /// @pre it was given up
  [[nodiscard]] Reached reached() const;

 private:
  struct Way {
    Contents contents;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> used = {};  // label, how many; ascending
    history::Rank latest = 0;                                        // call of those that were used
    std::uint64_t strain = 0;                                        // how scarce what it used was
    std::uint32_t last = kNone;                                      // step
    std::uint32_t maker = kNone;                                     // of this revision
  };

  /// Where there was one way: what was followed from there on left some out.
  struct Start {
    Way way;
    std::int64_t revision = 1;
    std::size_t next_old = 0, next_missing = 0;
    std::size_t most_ways = 0;
  };
  End follow(core::Budget& budget);
  End follow_revisions(core::Budget& budget);
  void go_back();
  void note_start();
  [[nodiscard]] std::vector<WayStep> steps_to(std::uint32_t last) const;
  void drop_dead_steps();
  bool count_what_ran_dry();
  void count_all();
  void tell_way(const Way& way);
  [[nodiscard]] static std::uint32_t used(const Way& way, std::uint32_t label);
  void use(Way& way, std::uint32_t label) const;
  void note(Way& way, std::uint32_t operation, std::uint32_t label, bool makes);
  /// Keeps the ways in which it holds; where there are none, the operation blocks.
  template <class Holds>
  bool keep(std::uint32_t operation, Holds&& holds);

  bool make(core::Budget& budget);
  void make_missing(const Way& from, std::vector<Way>& made);
  void attempt(const Way& from, std::uint32_t operation, std::uint32_t label, std::vector<Way>& made);
  void look_ahead(const Way& from, std::size_t at);
  [[nodiscard]] bool leads_to_what_is_seen(const Contents& from, const Contents& to);
  bool look();
  bool look_under_leases();
  /// False, as of `merge`: the budget is spent.
  bool place_quiet(core::Budget& budget);
  void drop_what_nobody_takes(Way& way) const;
  bool merge(core::Budget& budget);
  void narrow(std::vector<Way>& ways);
  [[nodiscard]] bool covers(const Way& better, const Way& way) const;
  bool finish();
  [[nodiscard]] std::size_t bytes(const std::vector<Way>& ways) const;

  const history::Subhistory& part_;
  const Reading& reading_;
  const Times& times_;
  const Sightings& sightings_;
  Labels labels_;
  Prospects prospects_;
  std::vector<bool> counted_;  // by label: whether it can run dry. Those that must happen always can
  std::vector<Way> ways_;
  Contents tried_;                                    // of an attempt, most of which fail
  std::vector<std::uint32_t> urgent_;                 // keys that have to be touched by the revision that is made
  std::vector<Prospects::Need> needs_, needs_after_;  // by key, if the revision does not touch it; behind an attempt
  std::size_t most_ways_ = 0;                         // that are followed
  bool left_out_ = false;                             // there were more since the last start, and some were left out
  std::vector<Start> starts_;                         // ascending; behind each but the last, some were left out
  std::uint64_t attempts_ = 0;                        // to make a missing revision
  std::vector<WayStep> steps_;                        // of all ways, and of some that ended
  std::size_t most_steps_ = 0;                        // with so many those of ways that ended are dropped
  std::vector<WayStep> way_;
  std::uint32_t came_by_ = kNone;  // last step of some way to this revision
  Reached farthest_;
  std::int64_t revision_ = 1;
  std::uint32_t blocked_by_ = kNone;
  std::size_t next_old_ = 0;      // index of reading_.old
  std::size_t next_missing_ = 0;  // index of missing revisions: the first behind this one
};

}  // namespace linchpin::types::mvcc_kv
