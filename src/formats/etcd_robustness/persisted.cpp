// Requests that ask for the same are *alike*, and known by what they ask for only: the log does not say whose they are.
//
// 1. Each answer of alike requests is given the entry that had its effect at its revision. Entries that had an effect
//    and are left over belong to requests of unknown fate, and are given to these in the order of their calls. That is
//    as good as the truth: the k-th of these entries comes after the calls of k of the requests, so after the call of
//    the k-th. And requests alike whose answers nobody knows can be exchanged in any linearization.
// 2. Requests that are left had no effect up to the end of the log. If the log goes as far as anything that anybody was
//    told, they can be left out: if they were executed later, nobody saw it. That a lease ended somebody may have seen
//    without any revision, since it was granted again: all its grants have to be in the log then.
// 3. Where the log does not begin at the beginning, a request may have been executed in what is missing. It was not if
//    it was called after an answer whose entry is behind that. And all requests alike were not if there are as many
//    entries left as requests.
//
// 4. A lease may expire by itself: the leader revokes it then, as a client would. If its time to live is not longer
//    than the recording, each revoke of it that had an effect, and that no client was told of, is taken for one of the
//    store's own. It may have been that of a client who was not told; but what the store does on its own it may do at
//    any time, so it can take that one's place in any linearization, and the client's can be left out.
//
// Latest times: a request was executed before the answer of any request that is behind it in the log. The store's own
// ones were executed after the call of any request that is before them.
#include "formats/etcd_robustness/persisted.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "formats/etcd_robustness/log/replay.hpp"

namespace linchpin::formats::etcd_robustness {

namespace {

using log::LoggedRequest;
using log::Outcome;
using log::Told;
using log::Truth;

constexpr Tick kNever = std::numeric_limits<Tick>::max();
constexpr const char* kExpired = "a lease may have expired, which no client asks for";
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

bool is_number(Value value) { return value.kind() == Value::Kind::integer || value.kind() == Value::Kind::big_integer; }

/// What was told of a request.
struct Answer {
  enum class Kind : std::uint8_t {
    lost,   // nothing
    told,   // all
    at,     // the revision after it; it need not have made that
    vague,  // that it was executed
  };
  Kind kind = Kind::lost;
  Told told;
};

/// Requests that ask for the same.
struct Alike {
  std::vector<std::size_t> rows;     // by call
  std::vector<std::size_t> entries;  // in the order of the log
};

struct Lease {
  std::size_t requests = 0;            // grants that clients asked for
  std::size_t grants = 0;              // entries that had an effect
  std::size_t revokes = 0;             // the same
  bool may_be_granted_behind = false;  // the log: so a client was told
};

/// What an entry did when it was executed.
struct Executed {
  std::size_t alike = kNone;  // which requests it may be of
  LoggedRequest::Kind kind = LoggedRequest::Kind::none;
  std::int64_t lease = 0;  // that is granted or revoked
  Outcome outcome;
  Tick answered = kNever;  // when the client was told of it
  bool confirmed = false;  // the only request that asks for this was told what the log gives
};

class Inferring {
 public:
  Inferring(const log::ClusterLog& log, std::vector<Row>& rows, ValuePool& pool, std::int64_t watched, Tick last)
      : log_(log), rows_(rows), pool_(pool), greatest_(watched), last_(last) {}

  Inferred run() {
    if (log_.entries.empty() || rows_.empty()) return {};
    group_rows();
    group_entries();
    replay();
    if (problem_.empty()) match();
    if (problem_.empty()) decide();
    if (!problem_.empty()) {
      return {
          .sentences = {{Inference::kAll, fmt::format("nothing is inferred from the members' logs: {}", problem_)}}};
    }
    apply();
    return {.sentences = std::move(inferences_), .leases = leases_are_known()};
  }

 private:
  void contradiction(std::string what) {
    if (problem_.empty()) problem_ = std::move(what);
  }

  // --- What clients were told ---

  [[nodiscard]] Answer answer_of(const Row& row) const {
    using Kind = Response::Kind;
    if (row.response.kind == Kind::lost) return {};
    const Value result = row.response.result;
    if (row.response.kind == Kind::executed) {
      if (!row.watched) return {.kind = Answer::Kind::vague, .told = {}};
      const Value revision = result.is_list() ? pool_.elements_of(result)[0] : result;
      return {.kind = Answer::Kind::told, .told = {.revision = pool_.integer_of(revision)}};
    }
    if (row.request.method != "txn") {
      if (!is_number(result)) return {.kind = Answer::Kind::vague, .told = {}};
      return {.kind = Answer::Kind::at, .told = {.revision = pool_.integer_of(result)}};
    }
    const auto parts = pool_.elements_of(result);
    if (parts[0].is_nil()) return {.kind = Answer::Kind::vague, .told = {}};
    Answer answer{.kind = Answer::Kind::told, .told = {.revision = pool_.integer_of(parts[0]), .changed = false}};
    answer.told.succeeded = parts[1] == Value::boolean(true);
    const auto acts = pool_.elements_of(row.request.arguments[answer.told.succeeded ? 1 : 2]);
    const auto results = pool_.elements_of(parts[2]);
    for (std::size_t i = 0; i < acts.size(); ++i) {
      const std::string_view verb = pool_.text_of(pool_.elements_of(acts[i])[0]);
      const bool deleted = verb == "delete" && pool_.integer_of(results[i]) > 0;
      answer.told.changed = answer.told.changed || verb == "put" || deleted;
    }
    return answer;
  }

  /// What the row lets one know of the greatest revision that anybody was told.
  void look_at_revision(const Row& row) {
    const Value result = row.response.result;
    if (row.request.method == "compact") {
      greatest_ = std::max(greatest_, pool_.integer_of(row.request.arguments[0]));  // it may have succeeded
      return;
    }
    if (row.response.kind == Response::Kind::lost || row.request.method == "defragment") return;
    if (is_number(result)) {
      greatest_ = std::max(greatest_, pool_.integer_of(result));
    } else if (result.is_list()) {
      const Value revision = pool_.elements_of(result)[0];
      if (revision.is_nil()) vague_ = true;
      if (!revision.is_nil()) greatest_ = std::max(greatest_, pool_.integer_of(revision));
    }
  }

  // --- Who asks for the same ---

  Value key_of(std::string_view method, const std::vector<Value>& arguments) {
    std::vector<Value> words{pool_.string(method)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return pool_.list(words);
  }

  /// Of a grant; null: it is another request.
  [[nodiscard]] Lease* granted_by(const Row& row) {
    if (row.request.method != "grant") return nullptr;
    return &leases_[pool_.integer_of(row.request.arguments[0])];
  }

  void group_rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      look_at_revision(row);
      first_ = std::min(first_, row.call);
      const bool changes = row.request.method == "txn" && !row.request.reads_only;
      if (!changes && row.request.method != "revoke" && row.request.method != "grant") continue;
      if (row.request.is_nothing) continue;
      if (Lease* const lease = granted_by(row)) ++lease->requests;
      const auto [at, fresh] =
          by_key_.try_emplace(key_of(row.request.method, row.request.arguments).bits(), alike_.size());
      if (fresh) alike_.emplace_back();
      alike_[at->second].rows.push_back(i);
    }
    for (Alike& each : alike_) {
      std::stable_sort(each.rows.begin(), each.rows.end(),
                       [&](std::size_t a, std::size_t b) { return rows_[a].call < rows_[b].call; });
    }
  }

  void group_entries() {
    steps_.resize(log_.entries.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const log::Entry& entry = log_.entries[i];
      if (!entry.is_request || entry.data.empty()) continue;
      const LoggedRequest request = log::request_of_entry(entry.data);
      steps_[i].kind = request.kind;
      steps_[i].lease = request.number;
      const auto arguments = log::arguments_of(request, pool_);
      if (!arguments) continue;
      const auto found = by_key_.find(key_of(log::method_of(request.kind), *arguments).bits());
      if (found == by_key_.end()) continue;
      steps_[i].alike = found->second;
      alike_[found->second].entries.push_back(i);
    }
  }

  // --- What entries did ---

  /// What was told of the only request of its kind, which has the only entry of its kind.
  [[nodiscard]] std::optional<Told> told_of(const Executed& step) const {
    if (step.alike == kNone || step.kind != LoggedRequest::Kind::transaction) return std::nullopt;
    const Alike& alike = alike_[step.alike];
    if (alike.rows.size() != 1 || alike.entries.size() != 1 || rows_[alike.rows[0]].watched) return std::nullopt;
    const Answer answer = answer_of(rows_[alike.rows[0]]);
    return answer.kind == Answer::Kind::told ? std::optional(answer.told) : std::nullopt;
  }

  void replay() {
    complete_ = log_.entries[0].index == 1 && !log_.restored;
    log::Replay replay(complete_);
    std::size_t end = log_.sure;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const log::Entry& entry = log_.entries[i];
      if (i > 0 && entry.index != log_.entries[i - 1].index + 1) {
        replay.forget();
        complete_ = false;
        after_gaps_ = i;
      }
      Executed& step = steps_[i];
      const LoggedRequest request =
          entry.is_request && !entry.data.empty() ? log::request_of_entry(entry.data) : LoggedRequest{};
      if (request.kind == LoggedRequest::Kind::grant) {
        const auto [at, fresh] = times_to_live_.try_emplace(request.number, request.time_to_live);
        if (!fresh) at->second = std::min(at->second, request.time_to_live);
      }
      const auto told = told_of(step);
      step.outcome = replay.apply(request, told ? &*told : nullptr);
      if (told) {
        const Row& row = rows_[alike_[step.alike].rows[0]];
        step.answered = row.returned;
        calls_.emplace_back(i, row.call);
      }
      step.confirmed = told && step.outcome.known() && !step.outcome.contradicts;
      if (step.outcome.contradicts) {
        if (i >= log_.sure) break;
        const Row& row = rows_[alike_[step.alike].rows[0]];
        return contradiction(fmt::format("by them the {} of client {} made another revision than it was told ({})",
                                         what(row), row.client, told->revision));
      }
      // An answer proves that its entry is committed, and all before it.
      if (i >= log_.sure && told && step.outcome.known() && step.outcome.changed == Truth::yes) end = i + 1;
    }
    steps_.resize(end);
    if (!complete_) keep_confirmed();
    std::int64_t before = 0;
    for (const Executed& step : steps_) {
      if (!step.outcome.revision) continue;
      if (*step.outcome.revision < before) return contradiction("the revisions that clients were told go back in them");
      before = *step.outcome.revision;
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Executed& step = steps_[i];
      if (step.kind == LoggedRequest::Kind::changing) {
        return contradiction(
            fmt::format("from the entry {} on requests may have been refused, by an alarm or for want "
                        "of rights, or it is not understood",
                        log_.entries[i].index));
      }
      if (step.kind == LoggedRequest::Kind::odd || (step.alike == kNone && step.outcome.changed == Truth::unknown))
        followed_ = false;
    }
    if (!steps_.empty()) revision_ = steps_.back().outcome.revision;
    for (const Executed& step : steps_) {
      const bool grants = step.kind == LoggedRequest::Kind::grant;
      if ((!grants && step.kind != LoggedRequest::Kind::revoke) || step.outcome.effect != Truth::yes) continue;
      const auto found = leases_.find(step.lease);
      if (found != leases_.end()) ++(grants ? found->second.grants : found->second.revokes);
    }
    for (const Row& row : rows_) {
      Lease* const lease = granted_by(row);
      if (lease != nullptr && may_be_behind(answer_of(row))) lease->may_be_granted_behind = true;
    }
    for (Alike& each : alike_) {
      std::erase_if(each.entries, [end](std::size_t entry) { return entry >= end; });
    }
  }

  /// Where a revision was learnt from an answer, those that follow from it count up to the last answer that agrees: one
  /// answer by itself may be wrong, and would make others wrong.
  void keep_confirmed() {
    bool confirmed = false;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      confirmed = steps_[i].confirmed || (confirmed && steps_[i].outcome.revision);
      if (!confirmed) steps_[i].outcome.revision.reset();
    }
  }

  // --- Which entry is whose ---

  /// Whether the lease may have expired by itself, so that nobody asked for its end.
  [[nodiscard]] bool may_expire(std::int64_t lease) const {
    constexpr double kSecond = 1e9;
    const auto found = times_to_live_.find(lease);
    const double seconds = (static_cast<double>(last_) - static_cast<double>(first_)) / kSecond;
    return found == times_to_live_.end() || static_cast<double>(found->second) <= seconds + 1;
  }

  /// Whether what the client was told of, and made no revision, may have been executed behind the end of the log: that
  /// the log has the revision does not say that it has the entry.
  [[nodiscard]] bool may_be_behind(const Answer& answer) const {
    if (answer.kind == Answer::Kind::lost) return false;
    return answer.kind == Answer::Kind::vague || !revision_ || answer.told.revision >= *revision_;
  }

  /// Whether no lease can have expired but those of which the log says so. In what is missing of it one may have.
  [[nodiscard]] bool leases_are_known() const {
    return complete_ ||
           std::none_of(leases_.begin(), leases_.end(), [&](const auto& lease) { return may_expire(lease.first); });
  }

  /// Whether somebody may have seen that the lease expired behind the end of the log, although nothing that was told is
  /// of a later revision: it is granted there, and was before.
  [[nodiscard]] bool may_expire_behind(std::int64_t number, const Lease& lease) const {
    if (!lease.may_be_granted_behind || lease.requests <= lease.grants || lease.requests < 2) return false;
    const bool there = !complete_ || lease.grants > lease.revokes;  // at the end of the log
    return lease.requests - lease.grants + (there ? 1 : 0) > 1 && may_expire(number);
  }

  /// Gives answers their entries. Those that had an effect and are left are of requests of unknown fate.
  void match() {
    left_.resize(alike_.size());
    for (std::size_t k = 0; k < alike_.size() && problem_.empty(); ++k) match(alike_[k], left_[k]);
    for (std::size_t i = 0; i < steps_.size() && problem_.empty(); ++i) {
      if (steps_[i].alike != kNone) continue;
      if (is_expiry(i) && complete_ && steps_[i].outcome.known()) {
        expired_.push_back(i);
        continue;
      }
      const bool revokes = steps_[i].kind == LoggedRequest::Kind::revoke;
      if (revokes && steps_[i].outcome.effect != Truth::no) contradiction(kExpired);
      if (steps_[i].outcome.changed == Truth::yes) {
        contradiction(fmt::format("the entry {} made a revision, and no client of the report asked for it",
                                  log_.entries[i].index));
      }
    }
  }

  /// Whether the entry may be the end of a lease that expired.
  [[nodiscard]] bool is_expiry(std::size_t i) const {
    const Executed& step = steps_[i];
    return step.kind == LoggedRequest::Kind::revoke && step.outcome.effect != Truth::no && may_expire(step.lease);
  }

  struct Left {
    bool open = false;                 // too little is known of these requests
    bool expired = false;              // the store did some of them on its own
    std::vector<std::size_t> lost;     // rows, by call
    std::vector<std::size_t> effects;  // entries
  };

  void match(const Alike& alike, Left& left) {
    const bool leases = rows_[alike.rows[0]].request.method != "txn";
    std::vector<std::size_t> effects;
    absl::flat_hash_map<std::int64_t, std::size_t> reading;  // entries that changed nothing, by revision
    for (const std::size_t i : alike.entries) {
      const Outcome& outcome = steps_[i].outcome;
      if (!outcome.known()) left.open = true;
      if (outcome.known() && outcome.effect == Truth::yes) effects.push_back(i);
      if (outcome.known() && outcome.effect == Truth::no) ++reading[*outcome.revision];
    }
    if (leases && !complete_) left.open = true;
    for (std::size_t n = 1; n < effects.size(); ++n) {
      // A lease that came and went at one revision: whose answer is whose?
      if (steps_[effects[n]].outcome.revision == steps_[effects[n - 1]].outcome.revision) left.open = true;
    }
    for (const std::size_t r : alike.rows) {
      const Answer::Kind kind = answer_of(rows_[r]).kind;
      if (kind == Answer::Kind::lost) left.lost.push_back(r);
      if (kind == Answer::Kind::vague) left.open = true;
    }
    std::size_t ends = 0, answers = 0;  // of the lease
    for (const std::size_t i : alike.entries) ends += is_expiry(i) ? 1 : 0;
    for (const std::size_t r : alike.rows) {
      const Answer answer = answer_of(rows_[r]);
      if (answer.kind != Answer::Kind::at) continue;
      if (may_be_behind(answer)) {
        left.open = true;
      } else {
        ++answers;
      }
    }
    if (leases && left.open) {
      if (ends > answers) contradiction(kExpired);
      return;
    }
    std::vector<bool> taken(effects.size());
    for (const std::size_t r : alike.rows) {
      const Row& row = rows_[r];
      const Answer answer = answer_of(row);
      if (answer.kind != Answer::Kind::told && answer.kind != Answer::Kind::at) continue;
      const auto at = std::lower_bound(
          effects.begin(), effects.end(), answer.told.revision,
          [&](std::size_t i, std::int64_t revision) { return *steps_[i].outcome.revision < revision; });
      const auto n = static_cast<std::size_t>(at - effects.begin());
      const bool made = at != effects.end() && *steps_[*at].outcome.revision == answer.told.revision && !taken[n];
      if (made && (answer.kind == Answer::Kind::at || answer.told.changed)) {
        taken[n] = true;
        steps_[*at].answered = row.returned;
        calls_.emplace_back(*at, row.call);
        continue;
      }
      if (leases) left.open = true;
      if (left.open || !complete_) continue;  // its entry may be among those of which too little is known
      if (answer.kind == Answer::Kind::told && !answer.told.changed) {
        const auto found = reading.find(answer.told.revision);
        const bool there = found != reading.end() && found->second > 0;
        if (there) --found->second;
        if (!there && revision_ && answer.told.revision < *revision_) not_there(row, answer.told.revision);
      } else if (answer.kind == Answer::Kind::told && revision_ && answer.told.revision <= *revision_) {
        not_there(row, answer.told.revision);
      }
    }
    for (std::size_t n = 0; n < effects.size(); ++n) {
      if (taken[n]) continue;
      if (!is_expiry(effects[n])) {
        left.effects.push_back(effects[n]);
      } else if (left.open) {
        return contradiction(kExpired);
      } else {
        expired_.push_back(effects[n]);
        left.expired = true;
      }
    }
  }

  void not_there(const Row& row, std::int64_t revision) {
    contradiction(fmt::format("by them the {} of client {} was not executed at revision {}, as it was told", what(row),
                              row.client, revision));
  }

  // --- What that means for those whose fate is not known ---

  struct Fate {
    std::size_t row;
    std::size_t entry;  // kNone: it had no effect
    Tick end;           // the latest; kNever: that of everything
    std::string alike;  // of how many
  };

  void decide() {
    std::vector<Tick> before(steps_.size() + 1, kNever);  // by entry: the first answer of it and those behind
    Tick behind_gaps = kNever;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      before[i] = std::min(before[i + 1], steps_[i].answered);
      if (i >= after_gaps_) behind_gaps = std::min(behind_gaps, steps_[i].answered);
    }
    for (const auto& [entry, call] : calls_) {
      if (entry < steps_.size() && call > before[entry]) return contradiction("their order is not that of the answers");
    }
    const bool all = followed_ && !vague_ && revision_ && *revision_ >= greatest_;
    // Behind the log a lease may have expired by itself.
    const auto expires = [&](const auto& lease) { return may_expire(lease.first); };
    const auto expires_behind = [&](const auto& lease) { return may_expire_behind(lease.first, lease.second); };
    const bool may_end = std::any_of(leases_.begin(), leases_.end(), expires) ||
                         std::any_of(times_to_live_.begin(), times_to_live_.end(), expires);
    if (!all && may_end) return contradiction(kExpired);
    if (std::any_of(leases_.begin(), leases_.end(), expires_behind)) return contradiction(kExpired);
    std::sort(calls_.begin(), calls_.end());
    std::sort(expired_.begin(), expired_.end());
    std::size_t passed = 0;
    Tick since = first_;
    for (const std::size_t entry : expired_) {
      for (; passed < calls_.size() && calls_[passed].first < entry; ++passed) {
        since = std::max(since, calls_[passed].second);
      }
      if (since > before[entry]) return contradiction("their order is not that of the answers");
      since_.push_back(since);
      until_.push_back(before[entry]);
    }
    for (std::size_t k = 0; k < alike_.size() && problem_.empty(); ++k) {
      const Left& left = left_[k];
      if (left.open) continue;
      const bool later = complete_ || std::all_of(left.lost.begin(), left.lost.end(), [&](std::size_t row) {
                           return behind_gaps != kNever && rows_[row].call > behind_gaps;
                         });
      decide(left, before, later, all);
    }
  }

  void decide(const Left& left, const std::vector<Tick>& before, bool later, bool all) {
    const std::size_t count = left.effects.size();
    if (count > left.lost.size()) {
      return contradiction(fmt::format("the entry {} had an effect, and no client of the report asked for it",
                                       log_.entries[left.effects[left.lost.size()]].index));
    }
    if (!later && count != left.lost.size()) return;
    const std::string of =
        left.expired ? " (but for the end of the lease, which is taken for its expiry)"
        : left.lost.size() == 1
            ? ""
            : fmt::format(
                  " ({} requests alike failed, and {} of them had an effect: those called first, for it makes no "
                  "difference)",
                  left.lost.size(), count);
    for (std::size_t n = 0; n < left.lost.size(); ++n) {
      const std::size_t row = left.lost[n];
      if (n < count) {
        if (rows_[row].call > before[left.effects[n]]) return contradiction("their order is not that of the answers");
        fates_.push_back({row, left.effects[n], before[left.effects[n]], of});
      } else if (all && lease_is_known(rows_[row])) {
        fates_.push_back({row, kNone, kNever, of});
      }
    }
  }

  /// Of a revoke: whether all grants of its lease are in the log. A grant nobody misses there: a revoke answers a
  /// revision also where the lease is not there.
  [[nodiscard]] bool lease_is_known(const Row& row) const {
    if (row.request.method != "revoke") return true;
    const auto found = leases_.find(pool_.integer_of(row.request.arguments[0]));
    return found == leases_.end() || found->second.requests <= found->second.grants;
  }

  // --- Filling in ---

  void apply() {
    for (const Fate& fate : fates_) {
      Row& row = rows_[fate.row];
      if (fate.entry == kNone) {
        row.request.is_nothing = true;
        inferences_.push_back({fate.row, fmt::format("inferred: the {} of client {} failed, and had no effect, for "
                                                     "the members' logs have none of it{}",
                                                     what(row), row.client, fate.alike)});
        continue;
      }
      const Outcome& outcome = steps_[fate.entry].outcome;
      row.response = {.kind = Response::Kind::executed, .result = result_of(row, outcome)};
      row.returned = fate.end != kNever ? fate.end : std::numeric_limits<Tick>::min();
      inferences_.push_back({fate.row, fmt::format("inferred: the {} of client {} failed, and was executed at revision "
                                                   "{}, for it is the entry {} of the members' logs{}",
                                                   what(row), row.client, *outcome.revision,
                                                   log_.entries[fate.entry].index, fate.alike)});
    }
    for (std::size_t n = 0; n < expired_.size(); ++n) {
      const Executed& step = steps_[expired_[n]];
      Row row{.call = since_[n], .returned = until_[n] != kNever ? until_[n] : std::numeric_limits<Tick>::min()};
      row.request.method = "revoke";
      row.request.arguments = {pool_.integer(step.lease)};
      row.response = {.kind = Response::Kind::executed, .result = pool_.integer(*step.outcome.revision)};
      row.expiry = true;
      inferences_.push_back(
          {rows_.size(), fmt::format("inferred: the lease {} expired at revision {}, for that is the "
                                     "entry {} of the members' logs, and no client was told of it",
                                     step.lease, *step.outcome.revision, log_.entries[expired_[n]].index)});
      rows_.push_back(std::move(row));
    }
  }

  /// [revision succeeded results], of which ranges are not told.
  [[nodiscard]] Value result_of(const Row& row, const Outcome& outcome) {
    const Value revision = pool_.integer(*outcome.revision);
    if (row.request.method != "txn" || outcome.succeeded == Truth::unknown) return revision;
    std::vector<Value> results;
    std::size_t deletes = 0;
    const bool succeeded = outcome.succeeded == Truth::yes;
    for (const Value act : pool_.elements_of(row.request.arguments[succeeded ? 1 : 2])) {
      Value result = Value::nil();
      if (pool_.text_of(pool_.elements_of(act)[0]) == "delete" && deletes < outcome.deleted.size()) {
        if (const auto found = outcome.deleted[deletes++]) result = pool_.integer(*found);
      }
      results.push_back(result);
    }
    return pool_.list({revision, Value::boolean(succeeded), pool_.list(results)});
  }

  /// "put of "x" under a"
  [[nodiscard]] std::string what(const Row& row) const {
    const auto text = [&](Value value) { return pool_.to_text(value); };
    if (row.request.method != "txn") {
      return fmt::format("{} of the lease {}", row.request.method, text(row.request.arguments[0]));
    }
    const auto acts = pool_.elements_of(row.request.arguments[1]);
    const bool plain = pool_.elements_of(row.request.arguments[0]).empty() && acts.size() == 1;
    if (!plain) return "transaction";
    const auto words = pool_.elements_of(acts[0]);
    if (pool_.text_of(words[0]) == "put") return fmt::format("put of {} under {}", text(words[2]), text(words[1]));
    return fmt::format("delete of {}", text(words[1]));
  }

  const log::ClusterLog& log_;
  std::vector<Row>& rows_;
  ValuePool& pool_;
  std::int64_t greatest_;  // revision that anybody was told, or may have been
  Tick last_, first_ = kNever;
  bool vague_ = false;  // somebody was told of a revision that is not in the report

  std::vector<Alike> alike_;
  absl::flat_hash_map<std::uint64_t, std::size_t> by_key_;
  std::vector<Executed> steps_;                                    // of entries
  bool complete_ = false;                                          // the log has all entries from the first one
  std::size_t after_gaps_ = 0;                                     // the entry behind what is missing
  bool followed_ = true;                                           // what each entry asks for is known
  std::optional<std::int64_t> revision_;                           // at the end of the log
  absl::flat_hash_map<std::int64_t, Lease> leases_;                // that clients granted
  absl::flat_hash_map<std::int64_t, std::int64_t> times_to_live_;  // of leases, in seconds
  std::vector<std::pair<std::size_t, Tick>> calls_;                // of entries that were answered
  std::vector<Left> left_;
  std::vector<std::size_t> expired_;  // entries: ends of leases that no client was told of
  std::vector<Tick> since_, until_;   // by these
  std::vector<Fate> fates_;
  std::vector<Inference> inferences_;
  std::string problem_;
};

}  // namespace

Inferred infer_from_log(const log::ClusterLog& log, std::vector<Row>& rows, ValuePool& pool, std::int64_t watched,
                        Tick last) {
  return Inferring(log, rows, pool, watched, last).run();
}

}  // namespace linchpin::formats::etcd_robustness
