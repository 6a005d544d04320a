#include "types/mvcc_kv/prospects.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

namespace linchpin::types::mvcc_kv {

namespace {

constexpr std::ptrdiff_t kMostTried = 16;

/// How many of the revisions, which ascend, are in (after, last].
std::ptrdiff_t count_in(const std::vector<std::int64_t>& revisions, std::int64_t after, std::int64_t last) {
  const auto first = std::upper_bound(revisions.begin(), revisions.end(), after);
  return std::upper_bound(first, revisions.end(), last) - first;
}

/// The revision at which the key was created, as far as the sighting tells it; 0: it does not.
std::int64_t creation(const Sighting& each) { return each.create == 0 && each.version == 1 ? each.mod : each.create; }

}  // namespace

Prospects::Prospects(const history::Subhistory& part, const Reading& reading, const Sightings& sightings,
                     const Labels& labels)
    : sightings_(sightings),
      missing_(labels.missing()),
      touches_{0},
      puts_{0},
      keys_(sightings.keys().size()),
      touchable_(labels.missing().size()) {
  std::vector<bool> puts(keys_.size()), erases(keys_.size());
  for (std::size_t at = 0; at < labels.missing().size(); ++at) {
    const std::int64_t revision = labels.missing()[at];
    puts.assign(keys_.size(), false);
    erases.assign(keys_.size(), false);
    std::ptrdiff_t touched_at_once = 1, put_at_once = 0;
    const auto add = [&](const Label& label) {
      const auto open = [&](std::uint32_t key) { return !sightings.of(key).untouched_at(revision); };
      if (!label.revokes) {
        touched_at_once = std::max(touched_at_once, std::count_if(label.keys.begin(), label.keys.end(), open));
      }
      put_at_once = std::max(put_at_once, std::count_if(label.puts.begin(), label.puts.end(),
                                                        [&](const auto& put) { return open(put.first); }));
      for (const auto& [key, value] : label.puts) puts[key] = true;
      for (const std::uint32_t key : label.erases) erases[key] = true;
    };
    for (const std::uint32_t l : labels.makers(at)) add(labels.all()[l]);
    for (const std::uint32_t i : reading.either[reading.index(revision)]) add(labels.label_of(part, i));
    for (std::uint32_t key = 0; key < keys_.size(); ++key) {
      if ((!puts[key] && !erases[key]) || sightings.of(key).untouched_at(revision)) continue;
      touchable_[at].push_back(key);
      if (puts[key]) keys_[key].puts.push_back(revision);
      if (erases[key]) keys_[key].erases.push_back(revision);
    }
    const bool choice = touchable_[at].size() > 1;
    if (touchable_[at].size() == 1) keys_[touchable_[at].front()].own.push_back(revision);
    touches_.push_back(touches_.back() + (choice ? touched_at_once : 0));
    puts_.push_back(puts_.back() + (choice ? put_at_once : 0));
  }
  if (labels.missing().empty()) return;
  for (std::uint32_t key = 0; key < keys_.size(); ++key) mark(reading, key);
}

void Prospects::mark(const Reading& reading, std::uint32_t key) {
  const KeySightings& of = sightings_.of(key);
  std::vector<Mark>& marks = keys_[key].marks;
  for (const Touch& touch : of.touches) marks.push_back({touch.revision, touch.puts ? Kind::put : Kind::erased});
  for (const std::int64_t revision : of.vague) marks.push_back({revision, Kind::vague});
  for (const At& absence : of.absences) marks.push_back({absence.revision, Kind::absent});
  for (const std::int64_t revision : of.inferred_absences) marks.push_back({revision, Kind::absent});
  for (const Sighting& each : of.seen) {
    if (reading.missing(each.mod)) marks.push_back({each.mod, Kind::put});
    if (creation(each) < 2) continue;
    marks.push_back({creation(each) - 1, Kind::absent});
    if (reading.missing(creation(each))) marks.push_back({creation(each), Kind::put});
  }
  const auto same = [](const Mark& a, const Mark& b) { return a.revision == b.revision && a.kind == b.kind; };
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return std::tuple(a.revision, a.kind) < std::tuple(b.revision, b.kind);
  });
  marks.erase(std::unique(marks.begin(), marks.end(), same), marks.end());
  for (const Mark& each : marks) {
    if (each.kind == Kind::erased || each.kind == Kind::absent) keys_[key].breaks.push_back(each.revision);
  }
}

std::size_t Prospects::until(std::int64_t revision) const {
  return static_cast<std::size_t>(std::upper_bound(missing_.begin(), missing_.end(), revision) - missing_.begin());
}

Prospects::Need Prospects::by_marks(std::uint32_t key, std::int64_t revision, const Content& content) const {
  const Key& of = keys_[key];
  const bool there = content.mod != 0;
  const auto next = std::upper_bound(of.marks.begin(), of.marks.end(), revision,
                                     [](std::int64_t wanted, const Mark& each) { return wanted < each.revision; });
  const bool now_absent =
      next != of.marks.begin() && std::prev(next)->revision == revision && std::prev(next)->kind == Kind::absent;
  if (now_absent && there) return {.possible = false};
  if (next == of.marks.end()) return {};
  const bool must_go = next->kind == Kind::absent && there, must_come = next->kind == Kind::erased && !there;
  if (!must_go && !must_come) return {};
  const std::int64_t last = must_go ? next->revision : next->revision - 1;
  if (count_in(must_go ? of.erases : of.puts, revision, last) == 0) return {.possible = false};
  // What is under a lease may go together with others. What is not needs a revision of its own, to be put under one
  // too.
  const bool together = must_go && !content.lease.is_nil();
  const std::int64_t more = !together && count_in(of.own, revision, last) == 0 ? 1 : 0;
  return {.more = more, .puts = must_come ? more : 0, .until = until(last)};
}

std::int64_t Prospects::known_puts(std::uint32_t key, std::int64_t after, std::int64_t last) const {
  const auto& touches = sightings_.of(key).touches;
  const auto later = [](std::int64_t wanted, const Touch& each) { return wanted < each.revision; };
  const auto first = std::upper_bound(touches.begin(), touches.end(), after, later);
  return std::upper_bound(first, touches.end(), last, later) - first;
}

/// It is next seen with a version, and nobody tells when it was created: either it stands until then, and was put so
/// often more, or it is deleted before, and was put so often since.
Prospects::Need Prospects::by_version(std::uint32_t key, std::int64_t revision, const Content& content,
                                      const Sighting& next) const {
  const Key& of = keys_[key];
  const Need marked = by_marks(key, revision, content);
  if (!marked.possible || count_in(of.breaks, revision, next.mod - 1) > 0) return marked;
  const bool there = content.mod != 0;
  const std::int64_t known = known_puts(key, revision, next.mod);
  const std::int64_t vague = count_in(sightings_.of(key).vague, revision, next.mod);
  const std::int64_t puts = count_in(of.puts, revision, next.mod), own = count_in(of.own, revision, next.mod);
  const auto rest = [&](std::int64_t needed) { return std::max<std::int64_t>(0, needed - vague - own); };
  Need need{.possible = false, .until = until(next.mod)};
  const std::int64_t more = next.version - (there ? content.version : 0) - known;
  if (more >= own && more <= puts + vague) need = {.more = rest(more), .puts = rest(more), .until = need.until};
  const std::int64_t since = std::max<std::int64_t>(0, next.version - known);
  if (count_in(of.erases, revision, next.mod) + vague > 0 && since <= puts + vague) {
    // What is under a lease, or is put under one, may go together with others.
    const std::int64_t goes = there && known == 0 && content.lease.is_nil() ? 1 : 0;
    const std::int64_t all = rest(since + goes);
    if (!need.possible || all < need.more) need.more = all;
    if (!need.possible || rest(since) < need.puts) need.puts = rest(since);
    need.possible = true;
  }
  return need;
}

Prospects::Need Prospects::need(std::uint32_t key, std::int64_t revision, const Content& content) const {
  const KeySightings& of = sightings_.of(key);
  auto next = std::lower_bound(of.seen.begin(), of.seen.end(), revision,
                               [](const Sighting& each, std::int64_t wanted) { return each.mod < wanted; });
  const Sighting* versioned = nullptr;  // the first that tells a version, and no creation
  for (std::ptrdiff_t tried = 0; next != of.seen.end() && next->create == 0; ++next) {
    if (next->version != 0 && versioned == nullptr) versioned = &*next;
    if (++tried > kMostTried || (versioned != nullptr && !of.create_matters)) {
      next = of.seen.end();
      break;
    }
  }
  if (next == of.seen.end() || next->create > revision) {
    return versioned != nullptr ? by_version(key, revision, content, *versioned) : by_marks(key, revision, content);
  }
  // It is next seen as created before: it is there, and was put as often as its version tells.
  if (content.mod == 0 || content.create != next->create) return {.possible = false};
  if (next->version == 0) return {};
  const std::int64_t known = known_puts(key, revision, next->mod);
  const std::int64_t more = next->version - content.version - known;
  const std::int64_t vague = count_in(of.vague, revision, next->mod);
  const std::int64_t own = count_in(keys_[key].own, revision, next->mod);  // they must put it: it may not be deleted
  if (more < own || more > count_in(keys_[key].puts, revision, next->mod) + vague) return {.possible = false};
  const std::int64_t rest = std::max<std::int64_t>(0, more - vague - own);
  return {.more = rest, .puts = rest, .until = until(next->mod)};
}

bool Prospects::enough(std::vector<Need>& needs, std::size_t at) const {
  std::sort(needs.begin(), needs.end(), [](const Need& a, const Need& b) { return a.until < b.until; });
  std::int64_t all = 0, puts = 0;
  for (const Need& need : needs) {
    if (need.more == 0) continue;
    all += need.more;
    puts += need.puts;
    if (all > touches_[need.until] - touches_[at + 1] || puts > puts_[need.until] - puts_[at + 1]) return false;
  }
  return true;
}

}  // namespace linchpin::types::mvcc_kv
