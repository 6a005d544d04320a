#include "types/mvcc_kv/reading.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/none.hpp"
#include "types/mvcc_kv/effects.hpp"

namespace linchpin::types::mvcc_kv {

namespace {

using history::Rank;
using history::Subhistory;
using Kind = Answer::Kind;

constexpr const char* kMayBeRevoked = "grants a lease that may have been revoked before a put, or not";

/// What is known of one lease.
struct Lease {
  std::uint32_t grant = kNone;
  Rank first_other_call = history::Rank::none();   // of requests that need it or revoke it
  Rank first_lost_revoke = history::Rank::none();  // the first call of a revoke that is pending
  Rank first_open_revoke = history::Rank::none();  // and of one that returned, and tells no revision
  Rank last_return = 0;                            // of requests that returned and put something under it
  std::int64_t first_told_revoke = std::numeric_limits<std::int64_t>::max();  // the first revision that a revoke tells
  bool others = false;
  std::string obstacle;
};

class Reader {
 public:
  explicit Reader(const Subhistory& part) : part_(part) {}

  Reading run() && {
    for (std::uint32_t i = 0; i < part_.size(); ++i) read_operation(i);
    look_at_leases();
    settle_leased_puts();
    look_at_compactions();
    if (!reading_.impossible) place();
    return std::move(reading_);
  }

 private:
  [[nodiscard]] std::string text(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  void impossible(std::uint32_t i, std::string why) {
    if (!reading_.impossible) reading_.impossible.emplace(i, std::move(why));
  }
  void obstacle(std::uint32_t i, const char* why) {
    if (reading_.obstacle.empty()) reading_.obstacle = fmt::format("{} {}", text(i), why);
  }

  /// How many values an answer may have after its revision.
  static std::size_t most_told(std::uint16_t method) {
    switch (method) {
      case kGrant:
      case kRevoke: return 0;
      case kPut:
      case kDelete: return 1;
      case kRange:
      case kTxn: return 2;
      default: return SIZE_MAX;  // they are not looked at
    }
  }

  void read_operation(std::uint32_t i) {
    const Operation operation = part_.view(i);
    const Answer answer = answer_of(operation);
    const Effect effect = effect_of(operation);
    const bool pending = part_.pending(i);
    if (pending && effect.keeps_all()) return;  // left out
    if (answer.kind != Kind::refused) note_leases(i, operation, answer);
    if (pending && answer.kind != Kind::unknown) {
      lost_compaction_ = lost_compaction_ || operation.method == kCompact;
      return obstacle(i, "is pending with a result");
    }
    if (answer.kind == Kind::impossible || answer.rest.size() > most_told(operation.method)) {
      return impossible(i, "is no answer to this request");
    }
    switch (operation.method) {
      case kRange: return read_range(i, operation, answer);
      case kCompact: return read_compaction(i, operation, answer);
      case kDefragment:
        if (answer.executed()) {
          reading_.free.push_back(i);
        } else {
          impossible(i, "is no answer to this request");
        }
        return;
      default: break;
    }
    if (answer.kind == Kind::compacted || answer.kind == Kind::future) {
      return impossible(i, "is no answer to this request");
    }
    if (answer.kind == Kind::refused) {
      const bool for_no_lease = operation.method == kPut && put_of(operation).lease.is_nil();
      if (operation.method == kDelete || operation.method == kTxn || for_no_lease) {
        return impossible(i, "is no answer to this request");
      }
      reading_.refused.push_back(i);
      return;
    }
    if (pending) {
      if (operation.method != kGrant) reading_.lost.push_back(i);
      return;
    }
    if (!answer.revision) {
      if (effect.keeps_all()) {
        if (answer.kind == Kind::unknown) {
          reading_.free.push_back(i);
        } else {
          obstacle(i, "does not tell its revision");
        }
      } else if (operation.method == kGrant) {
        reading_.free.push_back(i);
      } else if (answer.kind == Kind::told) {
        obstacle(i, "does not tell its revision");
      } else if (puts_under_a_lease(operation, answer)) {
        obstacle(i, "puts under a lease, and does not tell its revision");
      } else {
        reading_.lost_answer.push_back(i);
      }
      return;
    }
    const std::int64_t revision = *answer.revision;
    if (revision < 1 || (effect.makes_revision == Sure::yes && revision < 2)) {
      return impossible(i, "tells a revision that it cannot have made");
    }
    told_.push_back({revision, i});
    // Of what changed nothing, the order only matters if it is about leases.
    const bool leased = operation.method == kRevoke || puts_under_a_lease(operation, answer);
    sure_.push_back(leased ? std::max(effect.makes_revision, Sure::maybe) : effect.makes_revision);
  }

  static bool puts_under_a_lease(const Operation& operation, const Answer& answer) {
    bool found = false;
    for_each_act(operation, answer, [&](const Act& act, Value) { found = found || !act.lease.is_nil(); });
    return found;
  }

  void read_range(std::uint32_t i, const Operation& operation, const Answer& answer) {
    const std::int64_t asked = range_of(operation).revision;
    if (answer.kind == Kind::unknown) {
      reading_.free.push_back(i);
    } else if (answer.kind == Kind::future) {
      if (asked < 2) return impossible(i, "names a revision that was there from the beginning");
      reading_.too_early.push_back({asked, i});
    } else if (answer.kind == Kind::compacted) {
      if (asked < 1) return impossible(i, "names no revision that can be compacted");
      reading_.too_late.push_back({asked + 1, i});
    } else if (!answer.executed()) {
      impossible(i, "is no answer to this request");
    } else if (!answer.revision) {
      obstacle(i, "does not tell its revision");
    } else if (*answer.revision < 1 || asked > *answer.revision) {
      impossible(i, "shows a revision before it was made");
    } else {
      told_.push_back({*answer.revision, i});
      sure_.push_back(Sure::no);
      if (asked > 0) reading_.old.push_back({asked, i});
    }
  }

  void read_compaction(std::uint32_t i, const Operation& operation, const Answer& answer) {
    const std::int64_t to = operation.pool->integer_of(operation.argument(0));
    if (part_.pending(i)) {
      lost_compaction_ = true;
    } else if (answer.kind == Kind::unknown) {
      if (to <= 0) {
        reading_.free.push_back(i);
      } else {
        open_compactions_.push_back(i);
      }
    } else if (answer.kind == Kind::compacted) {
      if (to >= 1) {
        reading_.too_late.push_back({to, i});
      } else {
        reading_.free.push_back(i);
      }
    } else if (answer.kind == Kind::future) {
      if (to < 2) return impossible(i, "names a revision that was there from the beginning");
      reading_.too_early.push_back({to, i});
    } else if (answer.kind == Kind::refused || to < 1) {
      impossible(i, "is no answer to this request");
    } else {
      reading_.compactions.push_back({to, i});
    }
  }

  void note_leases(std::uint32_t i, const Operation& operation, const Answer& answer) {
    if (operation.method == kGrant || operation.method == kRevoke) {
      Lease& lease = leases_[operation.argument(0).bits()];
      if (operation.method == kGrant) {
        if (lease.grant != kNone) lease.obstacle = fmt::format("{} grants a lease again", text(i));
        if (part_.pending(i) || !answer.revision) {
          vague_grants_.emplace_back(operation.argument(0), i);
        }
        lease.grant = i;
      } else {
        needs(i, lease);
        Rank& first = part_.pending(i) ? lease.first_lost_revoke : lease.first_open_revoke;
        if (!answer.revision) first = std::min(first, part_.call[i]);
        if (answer.revision) lease.first_told_revoke = std::min(lease.first_told_revoke, *answer.revision);
      }
      return;
    }
    for_each_act(operation, answer, [&](const Act& act, Value) {
      if (act.verb != Verb::put || act.lease.is_nil()) return;
      Lease& lease = leases_[act.lease.bits()];
      needs(i, lease);
      if (!part_.pending(i)) lease.last_return = std::max(lease.last_return, part_.response[i]);
    });
  }
  void needs(std::uint32_t i, Lease& lease) {
    lease.others = true;
    lease.first_other_call = std::min(lease.first_other_call, part_.call[i]);
  }

  /// Leases are followed where each is granted once, before anybody uses it, and where no revoke of unknown fate can
  /// come before a put that counts on the lease. If such a revoke is pending, only its making a revision is followed,
  /// or that it was not executed: it may as well have ended a lease under which there was nothing.
  void look_at_leases() {
    for (const auto& [name, i] : vague_grants_) {
      if (leases_[name.bits()].others) return obstacle(i, "does not tell its revision, and its lease is used");
    }
    for (const auto& [name, lease] : leases_) {
      if (!lease.obstacle.empty()) {
        if (reading_.obstacle.empty()) reading_.obstacle = lease.obstacle;
        return;
      }
      if (lease.grant != kNone && lease.others && part_.response[lease.grant] > lease.first_other_call) {
        return obstacle(lease.grant, "overlaps a request that uses its lease");
      }
      if (lease.grant == kNone) continue;
      if (lease.first_open_revoke < lease.last_return) return obstacle(lease.grant, kMayBeRevoked);
      if (lease.first_lost_revoke < lease.last_return && reading_.assumption.empty()) {
        reading_.assumption = fmt::format("{} {}", text(lease.grant), kMayBeRevoked);
      }
    }
  }

  /// Whether the leases under which it puts something were there for sure: each was granted before, and every revoke of
  /// it tells a later revision, or was called only afterwards.
  [[nodiscard]] bool leases_are_there(std::uint32_t i, std::int64_t revision) const {
    const Operation operation = part_.view(i);
    bool all = true;
    for_each_act(operation, answer_of(operation), [&](const Act& act, Value) {
      if (act.verb != Verb::put || act.lease.is_nil()) return;
      const Lease& lease = leases_.at(act.lease.bits());
      all = all && lease.grant != kNone && part_.happens_before(lease.grant, i) && lease.first_told_revoke > revision &&
            part_.response[i] < std::min(lease.first_lost_revoke, lease.first_open_revoke);
    });
    return all;
  }

  /// What was put under leases that were there was put for sure.
  void settle_leased_puts() {
    reading_.leases_are_there.resize(part_.size());
    for (std::size_t k = 0; k < told_.size(); ++k) {
      const auto [revision, i] = told_[k];
      if (sure_[k] != Sure::maybe || revision < 2) continue;
      const Operation operation = part_.view(i);
      const Answer answer = answer_of(operation);
      if (branch_is_open(operation, answer) || !puts(operation, answer) || !leases_are_there(i, revision)) continue;
      sure_[k] = Sure::yes;
      reading_.leases_are_there[i] = true;
    }
  }
  static bool puts(const Operation& operation, const Answer& answer) {
    bool found = false;
    for_each_act(operation, answer, [&](const Act& act, Value) { found = found || act.verb == Verb::put; });
    return found;
  }

  void look_at_compactions() {
    if (lost_compaction_ && !reading_.too_late.empty()) {
      obstacle(reading_.too_late.front().operation, "may be due to a compaction of unknown fate");
      reading_.too_late.clear();
    }
    if (!open_compactions_.empty()) {
      const bool matters = !reading_.old.empty() || !reading_.compactions.empty() || !reading_.too_late.empty() ||
                           !reading_.too_early.empty();
      if (matters) {
        reading_.too_late.clear();
        return obstacle(open_compactions_.front(), "may have compacted or not");
      }
      reading_.free.insert(reading_.free.end(), open_compactions_.begin(), open_compactions_.end());
    }
    if (!reading_.lost_answer.empty() && !reading_.too_early.empty()) {
      return obstacle(reading_.lost_answer.front(), "does not tell its revision");
    }
  }

  void place() {
    const auto by_revision = [](const At& a, const At& b) {
      return std::tie(a.revision, a.operation) < std::tie(b.revision, b.operation);
    };
    for (std::vector<At>* const each :
         {&reading_.old, &reading_.compactions, &reading_.too_late, &reading_.too_early}) {
      std::sort(each->begin(), each->end(), by_revision);
    }
    for (std::size_t k = 1; k < reading_.compactions.size(); ++k) {
      const At &a = reading_.compactions[k - 1], &b = reading_.compactions[k];
      if (a.revision != b.revision || reading_.clash) continue;
      reading_.clash =
          Reading::Clash{a.operation, b.operation, fmt::format("both compacted to revision {}", a.revision)};
    }
    // Each revision needs a request of its own.
    const auto most = static_cast<std::int64_t>(part_.size()) + 1;
    for (const At& each : told_) {
      if (each.revision > most)
        return impossible(each.operation, "tells a revision for which there are too few requests");
      reading_.last = std::max(reading_.last, each.revision);
    }
    for (const At& each : reading_.compactions) {
      if (each.revision > most)
        return impossible(each.operation, "needs a revision for which there are too few requests");
      reading_.last = std::max(reading_.last, each.revision);
    }
    const std::size_t size = reading_.index(reading_.last) + 1;
    reading_.event.assign(size, kNone);
    reading_.looks.resize(size);
    reading_.either.resize(size);
    for (std::size_t k = 0; k < told_.size(); ++k) {
      const auto [revision, i] = told_[k];
      if (sure_[k] == Sure::no) {
        reading_.looks[reading_.index(revision)].push_back(i);
      } else if (sure_[k] == Sure::maybe) {
        reading_.either[reading_.index(revision)].push_back(i);
      } else if (std::uint32_t& event = reading_.event[reading_.index(revision)]; event == kNone) {
        event = i;
      } else if (!reading_.clash) {
        reading_.clash = Reading::Clash{event, i, fmt::format("both made revision {}", revision)};
      }
    }
  }

  const Subhistory& part_;
  Reading reading_;
  std::vector<At> told_;
  std::vector<Sure> sure_;  // of `told_`: whether it made the revision
  std::map<std::uint64_t, Lease> leases_;
  std::vector<std::pair<Value, std::uint32_t>> vague_grants_;
  bool lost_compaction_ = false;
  std::vector<std::uint32_t> open_compactions_;
};

}  // namespace

Reading read(const Subhistory& part) { return Reader(part).run(); }

}  // namespace linchpin::types::mvcc_kv
