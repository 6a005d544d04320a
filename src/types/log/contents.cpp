// Decides logs that are overwritten by `put`, in any mixture with what else a log has.
//
// A configuration is a content, the open operations that took effect, and those that are *excused*: a put overwrites
// the content, so a write that returned nothing and was open then may have taken effect just before it, unseen. It need
// not any more, but still can. So a write is done only where it matters: on the way to something that an operation saw,
// or because it is due and nothing hides it.
//
// Before the response of x: from one content to the next that an open operation can see, by at most one put and then
// appends (a put behind an unseen write would hide it). A list that a read saw is gone for directly: from the content,
// or from a put, that it begins with, by appends of the entries that follow. Of equal writes the one that returns first
// goes first. Operations that only look are done as soon as they are legal.
//
// Where the search starts from any content (types/narrow_search.hpp), looks are legal until a put, or a read of the
// whole, says what is there; all writes that are open then are excused.
//
// Contents are nodes of a tree: one for each prefix, below that of the prefix before. So contents are compared by
// number. First of all, an entry that nobody can have written is refuted at once. Precondition: at most 1,024
// operations open at once. Cost: exponential at worst. Source: own. Compare: monitor.cpp and places.cpp (no put),
// decide/search. Cores: contents_core.cpp. Tests: log_contents_test.cpp.
#include "types/log/contents.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "algo/frontier/slots.hpp"
#include "types/answers.hpp"
#include "types/log/contents_core.hpp"
#include "types/log/once_written.hpp"
#include "types/log/since_last_put.hpp"
#include "types/log/specification.hpp"
#include "types/narrow_search.hpp"

namespace linchpin::types::log_ {

namespace {

using Local = std::uint32_t;
using Node = std::uint32_t;
using history::Subhistory;

constexpr Node kEmpty = 0;
constexpr Node kAnything = 1;  // any content

/// Every content that was met: an entry behind another content.
class Contents {
 public:
  Contents() : nodes_(2) {}  // the empty one, and anything

  Node append(Node content, Value entry) {
    if (content == kAnything) return kAnything;
    const auto [at, is_new] = children_.try_emplace({content, entry.bits()}, static_cast<Node>(nodes_.size()));
    if (is_new) {
      const Entry& before = nodes_[content];
      // Ways back of lengths that double, as digits of a number whose digits may be two: one walk is O(log length).
      const Entry& back = nodes_[before.jump];
      const bool joins = content != kEmpty && before.length - back.length == back.length - nodes_[back.jump].length;
      nodes_.push_back(
          {.entry = entry, .before = content, .jump = joins ? back.jump : content, .length = before.length + 1});
    }
    return at->second;
  }
  [[nodiscard]] std::uint32_t length(Node content) const { return nodes_[content].length; }
  /// The beginning of a content. @pre length <= its length
  [[nodiscard]] Node beginning(Node content, std::uint32_t length) const {
    while (nodes_[content].length > length) {
      const Entry& here = nodes_[content];
      content = nodes_[here.jump].length >= length ? here.jump : here.before;
    }
    return content;
  }
  /// @pre index < its length
  [[nodiscard]] Value entry(Node content, std::uint32_t index) const {
    return nodes_[beginning(content, index + 1)].entry;
  }
  /// @pre neither the empty content nor anything
  [[nodiscard]] Value last(Node content) const { return nodes_[content].entry; }
  [[nodiscard]] Node before(Node content) const { return nodes_[content].before; }
  [[nodiscard]] bool begins_with(Node content, Node beginning_of_it) const {
    const std::uint32_t its = length(beginning_of_it);
    return its <= length(content) && beginning(content, its) == beginning_of_it;
  }
  [[nodiscard]] std::size_t growth() const {
    constexpr std::size_t kAhead = 8192;
    if (nodes_.size() + kAhead <= nodes_.capacity()) return 0;
    return nodes_.capacity() * 2 * (sizeof(Entry) + 3 * sizeof(std::uint64_t));
  }

 private:
  struct Entry {
    Value entry;
    Node before = kEmpty, jump = kEmpty;
    std::uint32_t length = 0;
  };
  std::vector<Entry> nodes_;
  absl::flat_hash_map<std::pair<Node, std::uint64_t>, Node> children_;
};

enum class Role : std::uint8_t {
  idle,     // tells nothing and changes nothing, or is pending and need not take effect
  puts,     // overwrites the content
  appends,  // and says nothing
  places,   // appends, and says where
  reads,    // saw the whole content
  gets,     // saw an entry, or that there is none
  counts,   // saw how many entries there are
};

struct Act {
  Role role = Role::idle;
  Value value;              // appended, seen at a place, or the list that was put or read
  std::int64_t number = 0;  // the place, or the length
};

struct ContentsRead {
  std::string obstacle;  // empty: there is none
  std::vector<Act> acts;
  std::optional<Local> impossible;  // an operation that cannot have returned what it did, whatever came before
  std::string why;                  // it cannot: a sentence
};

class ContentsReader {
 public:
  explicit ContentsReader(const Subhistory& part) : part_(part), log_(*part.specification->get_if<Log>()) {}

  ContentsRead read() {
    read_acts();
    for (Local x = 0; x < part_.size() && !reading_.impossible; ++x) check_seen(x);
    return read_on();
  }
  /// Where the log may hold anything at first.
  ContentsRead read_from_anywhere() {
    read_acts();
    return read_on();
  }

 private:
  void read_acts() {
    reading_.acts.resize(part_.size());
    for (Local x = 0; x < part_.size(); ++x) {
      note_written(x);
      look(x, part_.view(x));
    }
  }
  ContentsRead read_on() {
    const auto counts = [&](Local x) { return reading_.acts[x].role != Role::idle; };
    if (history::most_open(part_.events(), counts) > algo::kMostOpen) reading_.obstacle = algo::kTooManyOpen;
    return std::move(reading_);
  }

  /// `why`: what is said of the operation.
  void never(Local x, std::string_view why) {
    if (part_.pending(x) || reading_.impossible) return;
    reading_.impossible = x;
    reading_.why = fmt::format("{} {}", part_.history->describe(part_.operation[x]), why);
  }

  void look(Local x, const Operation& operation) {
    Act& act = reading_.acts[x];
    if (operation.method == Log::kAppend && log_.returns_place(operation)) {
      const std::int64_t told = operation.pool->integer_of(operation.result);
      const std::int64_t place = log_.returned == Log::Returned::length ? told - 1 : told;
      act = {.role = Role::places, .value = operation.argument(0), .number = place};
      return;
    }
    if (operation.method == Log::kAppend || operation.method == Log::kPut) {
      if (!operation.acknowledged(0)) return never(x, "returned what is no acknowledgement");
      act = {.role = operation.method == Log::kPut ? Role::puts : Role::appends, .value = operation.argument(0)};
      return;
    }
    if (part_.pending(x) || operation.result_unknown()) return;
    if (operation.method == Log::kRead) {
      if (!operation.result.is_list()) return never(x, "returned no list");
      act = {.role = Role::reads, .value = operation.result};
    } else if (operation.method == Log::kGet) {
      act = {
          .role = Role::gets, .value = operation.result, .number = operation.pool->integer_of(operation.argument(0))};
      if (act.number < 0) {  // there is never an entry
        if (!operation.returns(Value::nil())) return never(x, "saw an entry where there is never one");
        act = {};
      }
    } else {
      if (!is_integer(operation.result)) return never(x, "returned no number");
      act = {.role = Role::counts, .number = operation.pool->integer_of(operation.result)};
    }
  }

  /// When each entry may have been written first.
  void note_written(Local x) {
    if (part_.method[x] == Log::kAppend) written_.try_emplace(part_.arguments(x)[0].bits(), part_.call[x]);
    if (part_.method[x] != Log::kPut) return;
    for (const Value entry : part_.history->pool().elements_of(part_.arguments(x)[0])) {
      written_.try_emplace(entry.bits(), part_.call[x]);
    }
  }
  [[nodiscard]] bool can_be_there(Value entry, Local reader) const {
    const auto at = written_.find(entry.bits());
    return at != written_.end() && at->second < part_.response[reader];
  }
  void check_seen(Local x) {
    const Act& act = reading_.acts[x];
    const auto unheard_of = [&](Value entry) {
      never(x, fmt::format("saw {}, which no operation had written that was called before it returned",
                           part_.history->pool().to_text(entry)));
    };
    if (act.role == Role::gets && act.value != Value::nil() && !can_be_there(act.value, x)) unheard_of(act.value);
    if (act.role != Role::reads) return;
    for (const Value entry : part_.history->pool().elements_of(act.value)) {
      if (!can_be_there(entry, x)) return unheard_of(entry);
    }
  }

  const Subhistory& part_;
  const Log& log_;
  ContentsRead reading_;
  absl::flat_hash_map<std::uint64_t, history::Rank> written_;
};

bool is_look(Role role) { return role == Role::reads || role == Role::gets || role == Role::counts; }
/// Whether nobody can tell where it took effect, but by the content.
bool is_blind(Role role) { return role == Role::puts || role == Role::appends; }

template <class MaskOf>
class Problem {
 public:
  using Mask = MaskOf;
  static constexpr bool kLooksAhead = true;
  struct Configuration {
    Mask done;     // of what is open
    Mask excused;  // of what is open and not done: it need not be
    Node content = kEmpty;
    bool unseen = false;  // in the middle of a response: something was written that nobody has seen yet
    bool operator==(const Configuration&) const = default;
    template <class H>
    friend H AbslHashValue(H hash, const Configuration& configuration) {
      return H::combine(std::move(hash), configuration.done, configuration.excused, configuration.content,
                        configuration.unseen);
    }
  };
  class Window;

  /// @param past  what is known where the part has lost what came before; null: nothing came before
  Problem(const Subhistory& part, ContentsRead reading, const Past* past)
      : part_(&part), acts_(std::move(reading.acts)), past_(past) {
    slots_ = algo::fixed_slots(part, [&](Local x) { return counts(x); });
    // In the order of their calls: the last call stays.
    for (Local x = 0; x < part.size(); ++x) {
      const Act& act = acts_[x];
      switch (act.role) {
        case Role::appends:
        case Role::places: note_written(act.value, part.call[x]); break;
        case Role::gets: last_seen_[act.value.bits()] = part.call[x]; break;
        case Role::puts:
          for (const Value entry : entries(act.value)) note_written(entry, part.call[x]);
          break;
        case Role::reads:
          for (const Value entry : entries(act.value)) last_seen_[entry.bits()] = part.call[x];
          break;
        default: break;
      }
    }
  }
  /// Whether an operation that is called at that rank or later saw, or writes, the entry.
  [[nodiscard]] bool seen_from(Value entry, std::uint32_t rank) const { return is_from(last_seen_, entry, rank); }
  [[nodiscard]] bool written_once(Value entry) const {
    const auto at = times_written_.find(entry.bits());
    const bool before = past_ != nullptr && past_->repeated->contains(entry.bits());
    return at != times_written_.end() && at->second == 1 && !before;
  }
  [[nodiscard]] bool written_from(Value entry, std::uint32_t rank) const { return is_from(last_written_, entry, rank); }

  [[nodiscard]] bool counts(Local x) const { return acts_[x].role != Role::idle; }
  [[nodiscard]] std::uint32_t slot(Local x) const { return slots_.slot[x]; }
  [[nodiscard]] bool looks(Local x) const { return is_look(acts_[x].role); }
  [[nodiscard]] const Act& act(Local x) const { return acts_[x]; }
  [[nodiscard]] std::uint32_t deadline(Local x) const { return part_->response[x]; }
  [[nodiscard]] std::uint32_t operations() const { return part_->size(); }
  [[nodiscard]] std::span<const Value> entries(Value list) const { return part_->history->pool().elements_of(list); }
  [[nodiscard]] Configuration start() const {
    if (past_ == nullptr) return {};
    Configuration any = anywhere();
    for (Local x = 0; x < part_->size() && part_->call[x] < past_->first; ++x) {
      if (counts(x)) forgive(any, x);
    }
    return any;
  }
  [[nodiscard]] Configuration anywhere() const { return {.done = {}, .excused = {}, .content = kAnything}; }
  void forgive(Configuration& configuration, Local x) const { configuration.excused |= Mask::of(slot(x)); }

  /// What took effect in the search, with what a put hid just before the last put that it can have been hidden by, and
  /// what tells nothing anywhere in its interval.
  [[nodiscard]] std::vector<Local> witness(const std::vector<Local>& done) const;

 private:
  using Ranks = absl::flat_hash_map<std::uint64_t, std::uint32_t>;  // by entry
  void note_written(Value entry, std::uint32_t call) {
    last_written_[entry.bits()] = call;
    ++times_written_[entry.bits()];
  }
  static bool is_from(const Ranks& ranks, Value entry, std::uint32_t rank) {
    const auto at = ranks.find(entry.bits());
    return at != ranks.end() && at->second >= rank;
  }

  const Subhistory* part_;
  std::vector<Act> acts_;
  const Past* past_;
  algo::FixedSlots slots_;
  Ranks last_seen_, last_written_;  // the calls
  Ranks times_written_;
};

template <class MaskOf>
std::vector<Local> Problem<MaskOf>::witness(const std::vector<Local>& done) const {
  std::vector<bool> is_done(part_->size(), false);
  for (const Local x : done) is_done[x] = true;
  // What is done later than a place of the order returns later than this.
  std::vector<std::uint32_t> deadline(done.size() + 1, history::kNoRank);  // by place in `done`
  for (std::size_t at = done.size(); at-- > 0;) deadline[at] = std::min(deadline[at + 1], part_->response[done[at]]);
  std::vector<Local> hidden, idle;
  for (Local x = 0; x < part_->size(); ++x) {
    if (is_done[x] || part_->pending(x)) continue;
    (counts(x) ? hidden : idle).push_back(x);
  }
  std::vector<std::vector<Local>> before_put(done.size());
  std::vector<std::size_t> puts;
  for (std::size_t at = 0; at < done.size(); ++at) {
    if (act(done[at]).role == Role::puts) puts.push_back(at);
  }
  for (const Local x : hidden) {
    // The put that hid it was done after its call, and this one is no later: nothing done before it was called too
    // late.
    const auto first =
        std::partition_point(puts.begin(), puts.end(), [&](std::size_t at) { return deadline[at] < part_->call[x]; });
    if (first != puts.end()) before_put[*first].push_back(x);
  }
  std::vector<Local> order;
  for (std::size_t at = 0; at < done.size(); ++at) {
    order.insert(order.end(), before_put[at].begin(), before_put[at].end());
    order.push_back(done[at]);
  }
  std::sort(idle.begin(), idle.end(), [&](Local a, Local b) { return part_->response[a] < part_->response[b]; });
  std::vector<Local> all;
  std::size_t next = 0;
  for (const Local x : order) {
    while (next < idle.size() && part_->response[idle[next]] < part_->call[x]) all.push_back(idle[next++]);
    all.push_back(x);
  }
  all.insert(all.end(), idle.begin() + static_cast<std::ptrdiff_t>(next), idle.end());
  return all;
}

template <class MaskOf>
class Problem<MaskOf>::Window {
 public:
  explicit Window(const Problem& problem) : problem_(problem), seen_(problem.operations(), kEmpty) {
    for (Local x = 0; x < problem.operations(); ++x) {
      const Role role = problem.act(x).role;
      if (role == Role::puts || role == Role::reads) seen_[x] = content_of(problem.entries(problem.act(x).value));
    }
    learn();
  }

  void prepare(std::span<const Local> open, Local /*x*/, std::uint32_t rank) {
    rank_ = rank;
    puts_.clear();
    appends_.clear();
    looks_.clear();
    blind_ = {};
    for (const Local y : open) {
      const Role role = problem_.act(y).role;
      (role == Role::puts ? puts_ : is_look(role) ? looks_ : appends_).push_back(y);
      if (is_blind(role)) blind_ |= Mask::of(problem_.slot(y));
    }
    const auto key = [&](Local y) {
      const Act& act = problem_.act(y);
      return std::tuple(act.role == Role::puts ? seen_[y] : act.value.bits(), problem_.deadline(y), y);
    };
    const auto before = [&](Local a, Local b) { return key(a) < key(b); };
    std::sort(puts_.begin(), puts_.end(), before);
    std::sort(appends_.begin(), appends_.end(), before);
  }

  bool called(Configuration& configuration, Local x) {
    if (!sees(configuration.content, x)) return false;
    configuration.done |= Mask::of(problem_.slot(x));
    return true;
  }

  [[nodiscard]] bool ready(const Configuration& configuration, Local y) const {
    const Act& act = problem_.act(y);
    const Node content = configuration.content;
    if (is_blind(act.role) || content == kAnything) return true;
    if (act.role == Role::reads) return contents_.begins_with(seen_[y], content);
    if (act.role == Role::places) return contents_.length(content) == act.number;
    return sees(content, y);
  }

  template <class Emit>
  std::uint64_t expand(const Configuration& from, Local x, bool last, Emit&& emit) {
    work_ = 0;
    for (const Local y : looks_) {
      if (problem_.act(y).role == Role::reads && (y == x) == last && undone(from, y)) go_for(from, y, emit);
    }
    write(from, x, last, emit);
    return work_;
  }

  template <class Entries>
  std::uint64_t prune(Entries& entries);

  void forget(Configuration& configuration, Local y) const {
    const Mask own = Mask::of(problem_.slot(y));
    configuration.done &= ~own;
    configuration.excused &= ~own;
    configuration.unseen = false;
  }

  [[nodiscard]] std::int64_t burden(const Configuration& /*configuration*/) const { return 0; }
  /// Whether what x, which nobody needs to have seen, writes is not seen later, or can be there otherwise.
  [[nodiscard]] bool lives(const Configuration& configuration, Local x) const {
    if (configuration.done.has(problem_.slot(x)) || is_look(problem_.act(x).role)) return true;
    if (configuration.content == kAnything) return true;
    const auto lost = [&](Value entry) {
      return is_missed(configuration, entry) && !holds(configuration.content, entry) &&
             !can_be_written(configuration, entry, x);
    };
    if (problem_.act(x).role == Role::appends) return !lost(problem_.act(x).value);
    if (problem_.act(x).role != Role::puts) return true;
    const auto entries = problem_.entries(problem_.act(x).value);
    return std::none_of(entries.begin(), entries.end(), lost);
  }
  [[nodiscard]] std::size_t growth() const { return contents_.growth(); }

 private:
  /// What reads say of entries that were written once: what stood before it, and what is next to stand behind it.
  void learn() {
    absl::flat_hash_map<std::uint64_t, Local> appended;  // by entry
    for (Local x = 0; x < problem_.operations(); ++x) {
      const Role role = problem_.act(x).role;
      if (role != Role::appends && role != Role::places) continue;
      if (problem_.written_once(problem_.act(x).value)) appended.emplace(problem_.act(x).value.bits(), x);
    }
    for (Local x = 0; x < problem_.operations(); ++x) {
      if (problem_.act(x).role != Role::reads) continue;
      const auto entries = problem_.entries(problem_.act(x).value);
      for (std::size_t at = 0; at < entries.size(); ++at) {
        if (!problem_.written_once(entries[at])) continue;
        const auto own = appended.find(entries[at].bits());
        if (own != appended.end()) {
          before_.try_emplace(own->second, contents_.beginning(seen_[x], static_cast<std::uint32_t>(at)));
        }
        if (at + 1 < entries.size()) next_.try_emplace(entries[at].bits(), entries[at + 1]);
      }
    }
  }

  Node content_of(std::span<const Value> entries) {
    Node content = kEmpty;
    for (const Value entry : entries) content = contents_.append(content, entry);
    return content;
  }
  [[nodiscard]] bool undone(const Configuration& configuration, Local y) const {
    return !configuration.done.has(problem_.slot(y));
  }

  /// Whether a look is legal, and changes nothing of what is known.
  [[nodiscard]] bool sees(Node content, Local y) const {
    const Act& act = problem_.act(y);
    if (act.role == Role::reads) return content == seen_[y];
    if (content == kAnything) return true;
    const std::int64_t length = contents_.length(content);
    if (act.role == Role::counts) return act.number == length;
    const bool inside = act.number < length;
    return act.value == (inside ? contents_.entry(content, static_cast<std::uint32_t>(act.number)) : Value::nil());
  }

  /// Whether the content has the entry. Longer ones are not looked through.
  [[nodiscard]] bool holds(Node content, Value entry) const {
    if (contents_.length(content) > kShort) return true;
    for (; content != kEmpty; content = contents_.before(content)) {
      if (contents_.last(content) == entry) return true;
    }
    return false;
  }
  [[nodiscard]] static bool has(std::span<const Value> entries, Value entry) {
    return entries.size() <= kShort && std::find(entries.begin(), entries.end(), entry) != entries.end();
  }
  /// Whether an operation that has to take effect, and has not, saw the entry.
  [[nodiscard]] bool is_missed(const Configuration& configuration, Value entry) const {
    if (entry.is_nil()) return false;  // it is also the answer where no entry is
    if (problem_.seen_from(entry, rank_)) return true;
    return std::any_of(looks_.begin(), looks_.end(), [&](Local y) {
      if (!undone(configuration, y) || configuration.excused.has(problem_.slot(y))) return false;
      const Act& act = problem_.act(y);
      return act.role == Role::gets ? act.value == entry
                                    : act.role == Role::reads && has(problem_.entries(act.value), entry);
    });
  }
  /// Whether an operation other than x that has not taken effect writes the entry.
  [[nodiscard]] bool can_be_written(const Configuration& configuration, Value entry, Local x) const {
    if (problem_.written_from(entry, rank_)) return true;
    for (const Local y : appends_) {
      if (y != x && undone(configuration, y) && problem_.act(y).value == entry) return true;
    }
    for (const Local y : puts_) {
      if (y == x || !undone(configuration, y)) continue;
      const auto entries = problem_.entries(problem_.act(y).value);
      if (entries.size() > kShort || has(entries, entry)) return true;
    }
    return false;
  }
  /// Whether a put would overwrite for good what an operation that is to come saw.
  [[nodiscard]] bool overwrites_what_is_missed(const Configuration& configuration, Local put) const {
    Node content = configuration.content;
    if (content == kAnything || contents_.length(content) > kShort) return false;
    const auto entries = problem_.entries(problem_.act(put).value);
    for (; content != kEmpty; content = contents_.before(content)) {
      const Value entry = contents_.last(content);
      if (entries.size() > kShort || has(entries, entry)) continue;
      if (is_missed(configuration, entry) && !can_be_written(configuration, entry, put)) return true;
    }
    return false;
  }

  /// Does a write or, from anything, a read.
  void take(Configuration& configuration, Local y) {
    const Act& act = problem_.act(y);
    const Mask own = Mask::of(problem_.slot(y));
    const bool reveals = act.role == Role::reads || act.role == Role::puts;
    configuration.done |= own;
    configuration.excused &= ~own;
    configuration.unseen = !is_look(act.role);
    taken_.push_back(y);
    if (reveals) {
      if (configuration.content == kAnything) configuration.excused |= writes() & ~configuration.done;
      if (act.role == Role::puts) configuration.excused |= blind_ & ~configuration.done;
      configuration.content = seen_[y];
    } else {
      configuration.content = contents_.append(configuration.content, act.value);
    }
    for (const Local look : looks_) {
      if (!undone(configuration, look) || !sees(configuration.content, look)) continue;
      configuration.done |= Mask::of(problem_.slot(look));
      configuration.excused &= ~Mask::of(problem_.slot(look));
      configuration.unseen = false;
      taken_.push_back(look);
    }
    if (act.role == Role::places) configuration.unseen = false;
  }
  [[nodiscard]] Mask writes() const {
    Mask all;
    for (const auto* const list : {&puts_, &appends_}) {
      for (const Local y : *list) all |= Mask::of(problem_.slot(y));
    }
    return all;
  }

  /// Whether an equal write goes before the one at `at` of the list.
  [[nodiscard]] bool has_earlier_equal(const std::vector<Local>& list, std::size_t at,
                                       const Configuration& configuration) const {
    const Act& act = problem_.act(list[at]);
    const bool excused = configuration.excused.has(problem_.slot(list[at]));
    for (std::size_t other = at; other-- > 0;) {
      const Act& its = problem_.act(list[other]);
      if (act.role == Role::puts ? seen_[list[other]] != seen_[list[at]] : its.value != act.value) return false;
      if (its.role != act.role || (its.role == Role::places && its.number != act.number)) continue;
      if (undone(configuration, list[other]) && configuration.excused.has(problem_.slot(list[other])) == excused) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool fits(const Configuration& configuration, Local append) const {
    const Act& act = problem_.act(append);
    const Node content = configuration.content;
    if (content == kAnything) return true;
    if (act.role == Role::places && contents_.length(content) != act.number) return false;
    if (const auto before = before_.find(append); before != before_.end() && before->second != content) return false;
    if (content == kEmpty) return true;
    const auto next = next_.find(contents_.last(content).bits());
    return next == next_.end() || next->second == act.value;
  }

  /// One write, which is x, or leads to x or to a look; reads are gone for directly.
  template <class Emit>
  void write(const Configuration& from, Local x, bool last, Emit&& emit) {
    const auto done = [&](Local y) {
      ++work_;
      taken_.clear();
      Configuration to = from;
      take(to, y);
      emit(to, std::span<const Local>(taken_));
    };
    const bool is_put = problem_.act(x).role == Role::puts;
    if (!from.unseen) {
      if (is_put && last && !overwrites_what_is_missed(from, x)) done(x);
      for (std::size_t at = 0; at < puts_.size() && !last; ++at) {
        const Local y = puts_[at];
        if (y == x || !undone(from, y) || !leads_on(from, seen_[y], x) || has_earlier_equal(puts_, at, from)) continue;
        if (overwrites_what_is_missed(from, y)) continue;
        done(y);
      }
    }
    for (std::size_t at = 0; at < appends_.size(); ++at) {
      const Local y = appends_[at];
      if ((y == x) != last || !undone(from, y) || !fits(from, y)) continue;
      if (y != x) {
        if (from.content == kAnything || has_earlier_equal(appends_, at, from)) continue;
        const bool tells = problem_.act(y).role == Role::places;
        if (!tells && !leads_on(from, contents_.append(from.content, problem_.act(y).value), x)) continue;
      }
      done(y);
    }
  }

  /// Whether x may be appended to the content, or something open but a read may see it with what is appended to it.
  [[nodiscard]] bool leads_on(const Configuration& from, Node content, Local x) const {
    const std::int64_t length = contents_.length(content);
    const Act& due = problem_.act(x);
    if (due.role == Role::appends || (due.role == Role::places && length <= due.number)) return true;
    for (const Local y : looks_) {
      const Act& act = problem_.act(y);
      if (act.role == Role::reads || !undone(from, y)) continue;
      if (act.role == Role::counts) {
        if (length <= act.number) return true;
      } else if (length <= act.number ||
                 contents_.entry(content, static_cast<std::uint32_t>(act.number)) == act.value) {
        return true;
      }
    }
    return std::any_of(appends_.begin(), appends_.end(), [&](Local y) {
      const Act& act = problem_.act(y);
      return act.role == Role::places && undone(from, y) && length <= act.number;
    });
  }

  /// From the content, or from a put, that the list begins with, to the list that y read.
  template <class Emit>
  void go_for(const Configuration& from, Local y, Emit&& emit) {
    taken_.clear();
    if (from.content == kAnything) {
      ++work_;
      Configuration to = from;
      take(to, y);
      emit(to, std::span<const Local>(taken_));
    } else if (contents_.begins_with(seen_[y], from.content)) {
      append_rest(from, y, emit);
    }
    if (from.unseen) return;
    for (std::size_t at = 0; at < puts_.size(); ++at) {
      const Local put = puts_[at];
      if (!undone(from, put) || has_earlier_equal(puts_, at, from)) continue;
      if (!contents_.begins_with(seen_[y], seen_[put]) || overwrites_what_is_missed(from, put)) continue;
      ++work_;
      taken_.clear();
      Configuration to = from;
      take(to, put);
      append_rest(to, y, emit);
    }
  }
  template <class Emit>
  void append_rest(const Configuration& from, Local y, Emit&& emit) {
    const std::uint32_t length = contents_.length(from.content);
    if (length == contents_.length(seen_[y])) {
      emit(from, std::span<const Local>(taken_));
      return;
    }
    const Value next = contents_.entry(seen_[y], length);
    for (std::size_t at = 0; at < appends_.size(); ++at) {
      const Local append = appends_[at];
      if (problem_.act(append).value != next || !undone(from, append) || !fits(from, append)) continue;
      if (has_earlier_equal(appends_, at, from)) continue;
      ++work_;
      const std::size_t before = taken_.size();
      Configuration to = from;
      take(to, append);
      append_rest(to, y, emit);
      taken_.resize(before);
    }
  }

  const Problem& problem_;
  Contents contents_;
  std::vector<Node> seen_;                     // by put and read: the list
  std::vector<Local> puts_, appends_, looks_;  // that are open; equals together, those that return first before others
  Mask blind_;
  absl::flat_hash_map<Local, Node> before_;         // by append of an entry that is written once: what it is behind
  absl::flat_hash_map<std::uint64_t, Value> next_;  // by entry that is written once: the one behind it
  std::vector<Local> taken_;
  std::uint64_t work_ = 0;
  std::uint32_t rank_ = 0;                     // of the next event
  static constexpr std::uint32_t kShort = 64;  // entries of contents and lists that are looked through
};

/// Leaves out an entry where another one of the same content may do all that it may.
template <class MaskOf>
template <class Entries>
std::uint64_t Problem<MaskOf>::Window::prune(Entries& entries) {
  constexpr std::size_t kCompared = 64;
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    if (a.configuration.content != b.configuration.content) return a.configuration.content < b.configuration.content;
    const std::uint32_t excused_a = a.configuration.excused.count(), excused_b = b.configuration.excused.count();
    if (excused_a != excused_b) return excused_a > excused_b;
    return std::tuple(b.configuration.done, b.configuration.excused) <
           std::tuple(a.configuration.done, a.configuration.excused);
  });
  Mask looks;
  for (const Local y : looks_) looks |= Mask::of(problem_.slot(y));
  std::uint64_t work = entries.size();
  std::size_t kept = 0, group = 0;
  for (std::size_t at = 0; at < entries.size(); ++at) {
    const Configuration b = entries[at].configuration;
    if (kept > 0 && entries[group].configuration.content != b.content) group = kept;
    bool needless = false;
    const std::size_t end = std::min(kept, group + kCompared);
    for (std::size_t other = group; other < end && !needless; ++other) {
      ++work;
      const Configuration& a = entries[other].configuration;
      const Mask differ = (a.done ^ b.done) & ~looks & ~a.excused;
      needless = differ.none() && (b.excused & ~a.excused).none() && (b.done & looks & ~a.done).none();
    }
    if (!needless) entries[kept++] = entries[at];
  }
  entries.resize(kept);
  return work;
}

/// A violation by a few operations, that was found without a search.
core::Outcome impossible(const Subhistory& part, Contradiction found) {
  core::Outcome outcome{.verdict = Verdict::violation};
  outcome.core = std::move(found.operations);
  outcome.sentence = std::move(found.sentence);
  const auto last = std::max_element(outcome.core.begin(), outcome.core.end(),
                                     [&](Local a, Local b) { return part.response[a] < part.response[b]; });
  if (!part.pending(*last)) outcome.blocked = *last;
  return outcome;
}

std::unique_ptr<core::SearchTask> start(const Subhistory& part, ContentsRead reading, const Past* past,
                                        const core::DeciderOptions& options) {
  if (reading.impossible) {
    return std::make_unique<core::Decided>(
        impossible(part, Contradiction{{*reading.impossible}, std::move(reading.why)}));
  }
  const auto counts = [&](Local x) { return reading.acts[x].role != Role::idle; };
  return algo::with_slots(history::most_open(part.events(), counts),
                          [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
                            return std::make_unique<NarrowSearch<Problem<Mask>>>(
                                part, Problem<Mask>(part, std::move(reading), past), options);
                          });
}

}  // namespace

core::Applicability contents_applicable(const Subhistory& part) {
  if (part.specification->get_if<Log>() == nullptr) return core::not_of_this_type("not a log");
  auto reading = std::make_shared<ContentsRead>(ContentsReader(part).read());
  if (!reading->obstacle.empty()) return {.applies = false, .why = reading->obstacle};
  return {.applies = true, .why = "the log is overwritten", .reading = std::move(reading)};
}

std::unique_ptr<core::SearchTask> start_contents(const Subhistory& part, const core::DeciderOptions& options) {
  const auto read_before = core::reading_of<ContentsRead>(part, options, contents_applicable);
  LINCHPIN_ASSERT(read_before != nullptr);
  if (!read_before->impossible) {
    auto found = find_contradiction(part);
    if (!found) found = find_unexplained(part);
    if (found) return std::make_unique<core::Decided>(impossible(part, std::move(*found)));
  }
  const bool alone = read_before->impossible.has_value();
  auto search = start(part, *read_before, nullptr, options);
  return options.witness && !alone ? with_core(part, std::move(search)) : std::move(search);
}

std::unique_ptr<core::SearchTask> start_from(const Subhistory& part, const Past* past) {
  ContentsReader reader(part);
  return start(part, past == nullptr ? reader.read() : reader.read_from_anywhere(), past, {.witness = false});
}

Repeated written_twice(const Subhistory& part) {
  Repeated repeated;
  absl::flat_hash_set<std::uint64_t> once;
  const auto note = [&](Value entry) {
    if (!once.insert(entry.bits()).second) repeated.insert(entry.bits());
  };
  for (Local x = 0; x < part.size(); ++x) {
    if (part.method[x] == Log::kAppend) note(part.arguments(x)[0]);
    if (part.method[x] != Log::kPut) continue;
    for (const Value entry : part.history->pool().elements_of(part.arguments(x)[0])) note(entry);
  }
  return repeated;
}

}  // namespace linchpin::types::log_
