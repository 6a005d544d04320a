// Decides logs that are overwritten by `put`, in any mixture with what else a log has.
//
// A configuration is a content, the open operations that took effect, and those that are *free*: a put overwrites
// the content, so a write that returned nothing and was open then may have taken effect just before it, unseen. It need
// not any more, but still can. So a write is done only where it matters: on the way to something that an operation saw,
// or because it is due and nothing hides it.
//
// Before the response of x: from one content to the next that an open operation can see, by at most one put and then
// appends (a put behind an unseen write would hide it). A list that a read saw is gone for directly: from the content,
// or from a put, that it begins with, by appends of the entries that follow. Of equal writes the one that returns first
// goes first. Operations that only look are done as soon as they are legal.
//
// A domain of algo::Frontier that keeps few configurations and refutes by windows. Where one starts from any content
// (algo/frontier/windows.hpp), looks are legal until a put, or a read of the whole, says what is there; all writes that
// are open then are free.
//
// Contents are nodes of a tree: one for each prefix, below that of the prefix before. So contents are compared by
// number. First of all, an entry that nobody can have written is refuted at once. Precondition: at most 1,024
// operations open at once. Cost: exponential at worst. Source: own. Compare: monitor.cpp and places.cpp (no put),
// decide/search. Cores: contents_core.cpp. Tests: log_contents_test.cpp.
#include "types/log/contents.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "algo/frontier/frontier_search.hpp"
#include "algo/frontier/promise.hpp"
#include "algo/frontier/unseen.hpp"
#include "base/none.hpp"
#include "types/answers.hpp"
#include "types/log/contents_core.hpp"
#include "types/log/once_written.hpp"
#include "types/log/since_last_put.hpp"
#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using Local = std::uint32_t;
using Node = std::uint32_t;
using history::Rank;
using history::Subhistory;

constexpr Node kEmpty = 0;
constexpr Node kAnything = 1;  // any content

constexpr std::size_t kFewConfigurations = 16;

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
  absl::flat_hash_map<std::uint64_t, Rank> written_;
};

bool is_look(Role role) { return role == Role::reads || role == Role::gets || role == Role::counts; }
/// Whether nobody can tell where it took effect, but by the content.
bool is_blind(Role role) { return role == Role::puts || role == Role::appends; }

/// What is known beforehand, and every content that was met.
class Known {
 public:
  /// @param past  what is known where the part has lost what came before; null: nothing came before
  Known(const Subhistory& part, std::vector<Act> acts, const Past* past)
      : part_(part), acts_(std::move(acts)), past_(past), seen_(part.size(), kEmpty) {
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
      if (act.role != Role::puts && act.role != Role::reads) continue;
      for (const Value entry : entries(act.value)) seen_[x] = contents.append(seen_[x], entry);
    }
    learn();
  }

  [[nodiscard]] const Act& act(Local x) const { return acts_[x]; }
  [[nodiscard]] std::span<const Value> entries(Value list) const { return part_.history->pool().elements_of(list); }
  /// The list of a put or a read.
  [[nodiscard]] Node seen(Local x) const { return seen_[x]; }
  [[nodiscard]] const Past* past() const { return past_; }
  /// Whether an operation that is called at that rank or later saw, or writes, the entry.
  [[nodiscard]] bool seen_from(Value entry, Rank rank) const { return is_from(last_seen_, entry, rank); }
  [[nodiscard]] bool written_once(Value entry) const {
    const auto at = times_written_.find(entry.bits());
    const bool before = past_ != nullptr && past_->repeated->contains(entry.bits());
    return at != times_written_.end() && at->second == 1 && !before;
  }
  [[nodiscard]] bool written_from(Value entry, Rank rank) const { return is_from(last_written_, entry, rank); }

  /// Whether the append can stand behind that content, by what reads saw of entries that are written once.
  [[nodiscard]] bool can_follow(Node content, Local append) const {
    if (const auto before = before_.find(append); before != before_.end() && before->second != content) return false;
    if (content == kEmpty) return true;
    const auto next = next_.find(contents.last(content).bits());
    return next == next_.end() || next->second == act(append).value;
  }

  Contents contents;

 private:
  using Ranks = absl::flat_hash_map<std::uint64_t, Rank>;  // by entry
  void note_written(Value entry, Rank call) {
    last_written_[entry.bits()] = call;
    ++times_written_[entry.bits()];
  }
  static bool is_from(const Ranks& ranks, Value entry, Rank rank) {
    const auto at = ranks.find(entry.bits());
    return at != ranks.end() && at->second >= rank;
  }

  /// What reads say of entries that were written once: what stood before it, and what is next to stand behind it.
  void learn() {
    absl::flat_hash_map<std::uint64_t, Local> appended;  // by entry
    for (Local x = 0; x < part_.size(); ++x) {
      const Role role = act(x).role;
      if (role != Role::appends && role != Role::places) continue;
      if (written_once(act(x).value)) appended.emplace(act(x).value.bits(), x);
    }
    for (Local x = 0; x < part_.size(); ++x) {
      if (act(x).role != Role::reads) continue;
      const std::span<const Value> list = entries(act(x).value);
      for (std::size_t at = 0; at < list.size(); ++at) {
        if (!written_once(list[at])) continue;
        const auto own = appended.find(list[at].bits());
        if (own != appended.end()) {
          before_.try_emplace(own->second, contents.beginning(seen_[x], static_cast<std::uint32_t>(at)));
        }
        if (at + 1 < list.size()) next_.try_emplace(list[at].bits(), list[at + 1]);
      }
    }
  }

  const Subhistory& part_;
  const std::vector<Act> acts_;
  const Past* past_;
  std::vector<Node> seen_;
  Ranks last_seen_, last_written_;  // the calls
  Ranks times_written_;
  absl::flat_hash_map<Local, Node> before_;         // by append of an entry that is written once: what it is behind
  absl::flat_hash_map<std::uint64_t, Value> next_;  // by entry that is written once: the one behind it
};

template <class OfSlots>
class LogContents {
 public:
  using Mask = OfSlots;
  using Link = Local;  // with algo::kUnseen: a put hid it
  using Window = algo::Window<Mask>;
  struct Configuration {
    Mask mask;  // what is open and done
    Mask free;  // what is open and not done, and need not be
    Node content = kEmpty;
    bool unseen = false;  // in the middle of a response: something was written that nobody has seen yet
    std::uint32_t tail = kNone;
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::nearest;
  static constexpr bool kSkipsIdle = true;
  static constexpr bool kLooksAhead = true;

  LogContents(Window& window, const Subhistory& part, std::shared_ptr<Known> known)
      : window_(window),
        part_(part),
        known_(std::move(known)),
        contents_(known_->contents),
        turn_(algo::turns(part, [this](Local x) { return !skipped(x); })),
        promise_(turn_) {}
  LogContents(Window& window, const LogContents& alike) : LogContents(window, alike.part_, alike.known_) {}
  LogContents(const LogContents&) = delete;
  LogContents& operator=(const LogContents&) = delete;

  [[nodiscard]] Configuration start() const {
    const Past* const past = known_->past();
    if (past == nullptr) return {};
    Configuration any{.mask = {}, .free = {}, .content = kAnything};
    for (Local x = 0; x < part_.size() && part_.call[x] < past->first; ++x) {
      if (!skipped(x)) any.free |= window_.bit(x);
    }
    return any;
  }
  [[nodiscard]] Configuration anywhere() const { return {.mask = {}, .free = window_.used(), .content = kAnything}; }
  [[nodiscard]] bool skipped(Local x) const { return act_of(x).role == Role::idle; }
  [[nodiscard]] static bool impossible(Local) { return false; }
  [[nodiscard]] static bool alike(Local, Local) { return false; }
  [[nodiscard]] std::uint64_t hash(const Configuration& each) const {
    const std::uint64_t seed = mix(each.mask.hash(), 2 * std::uint64_t{each.content} + (each.unseen ? 1 : 0));
    return each.free.none() ? seed : mix(seed, each.free.hash());
  }
  [[nodiscard]] bool same(const Configuration& a, const Configuration& b) const {
    return a.content == b.content && a.mask == b.mask && a.free == b.free && a.unseen == b.unseen;
  }

  void clear() {
    puts_.clear();
    appends_.clear();
    looks_.clear();
    look_bits_ = blind_ = {};
  }
  void open(Local x) {
    std::vector<Local>& list = list_of(x);
    const auto key = [&](Local y) {
      return std::tuple(act_of(y).role == Role::puts ? seen(y) : act_of(y).value.bits(), part_.response[y], y);
    };
    const auto before = [&](Local a, Local b) { return key(a) < key(b); };
    list.insert(is_look(act_of(x).role) ? list.end() : std::upper_bound(list.begin(), list.end(), x, before), x);
    if (is_look(act_of(x).role)) look_bits_ |= window_.bit(x);
    if (is_blind(act_of(x).role)) blind_ |= window_.bit(x);
  }
  void close(Local x) {
    std::erase(list_of(x), x);
    look_bits_ &= ~window_.bit(x);
    blind_ &= ~window_.bit(x);
  }

  void call(Local x, std::vector<Configuration>& current) {
    if (!is_look(act_of(x).role)) return;
    window_.steps += current.size();
    for (Configuration& each : current) {
      if (!sees(each.content, x)) continue;
      each.mask |= window_.bit(x);
      each.free &= ~window_.bit(x);
      each.tail = window_.extended(each.tail, x);
    }
  }

  template <class Meet>
  void begin(Local x, const std::vector<Configuration>& current, Meet&& meet) {
    for (const Configuration& each : current) pass_free(each, x, meet);
  }
  template <class Meet>
  void finish(const Configuration& from, Local x, Meet&& meet) {
    expand(from, x, true, meet);
  }
  template <class Meet>
  void expand(const Configuration& from, Local x, Meet&& meet) {
    expand(from, x, false, meet);
  }

  bool prune(Local x, std::vector<Configuration>& passed);

  void weigh(std::uint32_t attempts, std::uint32_t passed) {
    promise_.weigh(window_, attempts, passed, [this](Local y) { return is_look(act_of(y).role); });
  }
  [[nodiscard]] std::int64_t cost(const Configuration& each) {
    ++window_.steps;
    return promise_.cost(each.mask, [&](Local y, std::int64_t cost) {
      return each.free.has(window_.slot(y)) || ready(each, y) ? 0 : cost;
    });
  }

  /// The operations of a chain: what a put hid stands before the last that may have.
  [[nodiscard]] std::vector<Local> order(std::uint32_t tail) const {
    return algo::order_with_unseen(window_.chains(), tail,
                                   [&](Local y, Local) { return act_of(y).role == Role::puts; });
  }
  [[nodiscard]] std::size_t growth() const { return contents_.growth(); }

 private:
  [[nodiscard]] const Act& act_of(Local x) const { return known_->act(x); }
  [[nodiscard]] Node seen(Local x) const { return known_->seen(x); }
  [[nodiscard]] std::vector<Local>& list_of(Local x) {
    const Role role = act_of(x).role;
    return role == Role::puts ? puts_ : is_look(role) ? looks_ : appends_;
  }
  [[nodiscard]] bool undone(const Configuration& configuration, Local y) const {
    return !configuration.mask.has(window_.slot(y));
  }

  /// x is due: where a put hides it, it has passed as well.
  template <class Meet>
  void pass_free(const Configuration& each, Local x, Meet&& meet) {
    if (each.free.has(window_.slot(x)) && lives(each, x)) algo::pass_unseen(window_, each, x, meet);
  }
  /// What was taken leads there.
  template <class Meet>
  void note(const Configuration& to, Local x, Meet&& meet) {
    ++window_.steps;
    const auto met = meet(to);
    if (!met.fresh) return;
    met.entry->tail = window_.extended(to.tail, std::span<const Local>(taken_));
    pass_free(*met.entry, x, meet);
  }
  /// `last`: the moves that end with x; else all others that may lead there.
  template <class Meet>
  void expand(const Configuration& from, Local x, bool last, Meet&& meet) {
    const auto meet_taken = [&](const Configuration& to) { note(to, x, meet); };
    for (const Local y : looks_) {
      if (act_of(y).role == Role::reads && (y == x) == last && undone(from, y)) go_for(from, y, meet_taken);
    }
    write(from, x, last, meet_taken);
  }

  [[nodiscard]] bool ready(const Configuration& configuration, Local y) const {
    const Role role = act_of(y).role;
    const Node content = configuration.content;
    if (is_blind(role) || content == kAnything) return true;
    if (role == Role::reads) return contents_.begins_with(seen(y), content);
    if (role == Role::places) return contents_.length(content) == act_of(y).number;
    return sees(content, y);
  }
  /// Whether what x, which nobody needs to have seen, writes is not seen later, or can be there otherwise.
  [[nodiscard]] bool lives(const Configuration& configuration, Local x) const {
    if (is_look(act_of(x).role) || configuration.content == kAnything) return true;
    const auto lost = [&](Value entry) {
      return is_missed(configuration, entry) && !holds(configuration.content, entry) &&
             !can_be_written(configuration, entry, x);
    };
    if (act_of(x).role == Role::appends) return !lost(act_of(x).value);
    if (act_of(x).role != Role::puts) return true;
    const auto entries = known_->entries(act_of(x).value);
    return std::none_of(entries.begin(), entries.end(), lost);
  }

  /// Whether a look is legal, and changes nothing of what is known.
  [[nodiscard]] bool sees(Node content, Local y) const {
    const Act& act = act_of(y);
    if (act.role == Role::reads) return content == seen(y);
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
    if (known_->seen_from(entry, window_.moment)) return true;
    return std::any_of(looks_.begin(), looks_.end(), [&](Local y) {
      if (!undone(configuration, y) || configuration.free.has(window_.slot(y))) return false;
      const Act& act = act_of(y);
      return act.role == Role::gets ? act.value == entry
                                    : act.role == Role::reads && has(known_->entries(act.value), entry);
    });
  }
  /// Whether an operation other than x that has not taken effect writes the entry.
  [[nodiscard]] bool can_be_written(const Configuration& configuration, Value entry, Local x) const {
    if (known_->written_from(entry, window_.moment)) return true;
    for (const Local y : appends_) {
      if (y != x && undone(configuration, y) && act_of(y).value == entry) return true;
    }
    for (const Local y : puts_) {
      if (y == x || !undone(configuration, y)) continue;
      const auto entries = known_->entries(act_of(y).value);
      if (entries.size() > kShort || has(entries, entry)) return true;
    }
    return false;
  }
  /// Whether a put would overwrite for good what an operation that is to come saw.
  [[nodiscard]] bool overwrites_what_is_missed(const Configuration& configuration, Local put) const {
    Node content = configuration.content;
    if (content == kAnything || contents_.length(content) > kShort) return false;
    const auto entries = known_->entries(act_of(put).value);
    for (; content != kEmpty; content = contents_.before(content)) {
      const Value entry = contents_.last(content);
      if (entries.size() > kShort || has(entries, entry)) continue;
      if (is_missed(configuration, entry) && !can_be_written(configuration, entry, put)) return true;
    }
    return false;
  }

  /// Does a write or, from anything, a read.
  void take(Configuration& configuration, Local y) {
    const Act& act = act_of(y);
    const Mask own = window_.bit(y);
    const bool reveals = act.role == Role::reads || act.role == Role::puts;
    configuration.mask |= own;
    configuration.free &= ~own;
    configuration.unseen = !is_look(act.role);
    taken_.push_back(y);
    if (reveals) {
      if (configuration.content == kAnything) configuration.free |= writes() & ~configuration.mask;
      if (act.role == Role::puts) configuration.free |= blind_ & ~configuration.mask;
      configuration.content = seen(y);
    } else {
      configuration.content = contents_.append(configuration.content, act.value);
    }
    for (const Local look : looks_) {
      if (!undone(configuration, look) || !sees(configuration.content, look)) continue;
      configuration.mask |= window_.bit(look);
      configuration.free &= ~window_.bit(look);
      configuration.unseen = false;
      taken_.push_back(look);
    }
    if (act.role == Role::places) configuration.unseen = false;
  }
  [[nodiscard]] Mask writes() const {
    Mask all;
    for (const auto* const list : {&puts_, &appends_}) {
      for (const Local y : *list) all |= window_.bit(y);
    }
    return all;
  }

  /// Whether an equal write goes before the one at `at` of the list.
  [[nodiscard]] bool has_earlier_equal(const std::vector<Local>& list, std::size_t at,
                                       const Configuration& configuration) const {
    const Act& act = act_of(list[at]);
    const bool is_free = configuration.free.has(window_.slot(list[at]));
    for (std::size_t other = at; other-- > 0;) {
      const Act& its = act_of(list[other]);
      if (act.role == Role::puts ? seen(list[other]) != seen(list[at]) : its.value != act.value) return false;
      if (its.role != act.role || (its.role == Role::places && its.number != act.number)) continue;
      if (undone(configuration, list[other]) && configuration.free.has(window_.slot(list[other])) == is_free) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool fits(const Configuration& configuration, Local append) const {
    const Act& act = act_of(append);
    const Node content = configuration.content;
    if (content == kAnything) return true;
    if (act.role == Role::places && contents_.length(content) != act.number) return false;
    return known_->can_follow(content, append);
  }

  /// One write, which is x, or leads to x or to a look; reads are gone for directly.
  template <class Meet>
  void write(const Configuration& from, Local x, bool last, Meet&& meet) {
    const auto done = [&](Local y) {
      ++window_.steps;
      taken_.clear();
      Configuration to = from;
      take(to, y);
      meet(to);
    };
    const bool is_put = act_of(x).role == Role::puts;
    if (!from.unseen) {
      if (is_put && last && !overwrites_what_is_missed(from, x)) done(x);
      for (std::size_t at = 0; at < puts_.size() && !last; ++at) {
        const Local y = puts_[at];
        if (y == x || !undone(from, y) || !leads_on(from, seen(y), x) || has_earlier_equal(puts_, at, from)) continue;
        if (overwrites_what_is_missed(from, y)) continue;
        done(y);
      }
    }
    for (std::size_t at = 0; at < appends_.size(); ++at) {
      const Local y = appends_[at];
      if ((y == x) != last || !undone(from, y) || !fits(from, y)) continue;
      if (y != x) {
        if (from.content == kAnything || has_earlier_equal(appends_, at, from)) continue;
        const bool tells = act_of(y).role == Role::places;
        if (!tells && !leads_on(from, contents_.append(from.content, act_of(y).value), x)) continue;
      }
      done(y);
    }
  }

  /// Whether x may be appended to the content, or something open but a read may see it with what is appended to it.
  [[nodiscard]] bool leads_on(const Configuration& from, Node content, Local x) const {
    const std::int64_t length = contents_.length(content);
    const Act& due = act_of(x);
    if (due.role == Role::appends || (due.role == Role::places && length <= due.number)) return true;
    for (const Local y : looks_) {
      const Act& act = act_of(y);
      if (act.role == Role::reads || !undone(from, y)) continue;
      if (act.role == Role::counts) {
        if (length <= act.number) return true;
      } else if (length <= act.number ||
                 contents_.entry(content, static_cast<std::uint32_t>(act.number)) == act.value) {
        return true;
      }
    }
    return std::any_of(appends_.begin(), appends_.end(), [&](Local y) {
      const Act& act = act_of(y);
      return act.role == Role::places && undone(from, y) && length <= act.number;
    });
  }

  /// From the content, or from a put, that the list begins with, to the list that y read.
  template <class Meet>
  void go_for(const Configuration& from, Local y, Meet&& meet) {
    taken_.clear();
    if (from.content == kAnything) {
      ++window_.steps;
      Configuration to = from;
      take(to, y);
      meet(to);
    } else if (contents_.begins_with(seen(y), from.content)) {
      append_rest(from, y, meet);
    }
    if (from.unseen) return;
    for (std::size_t at = 0; at < puts_.size(); ++at) {
      const Local put = puts_[at];
      if (!undone(from, put) || has_earlier_equal(puts_, at, from)) continue;
      if (!contents_.begins_with(seen(y), seen(put)) || overwrites_what_is_missed(from, put)) continue;
      ++window_.steps;
      taken_.clear();
      Configuration to = from;
      take(to, put);
      append_rest(to, y, meet);
    }
  }
  template <class Meet>
  void append_rest(const Configuration& from, Local y, Meet&& meet) {
    const std::uint32_t length = contents_.length(from.content);
    if (length == contents_.length(seen(y))) {
      meet(from);
      return;
    }
    const Value next = contents_.entry(seen(y), length);
    for (std::size_t at = 0; at < appends_.size(); ++at) {
      const Local append = appends_[at];
      if (act_of(append).value != next || !undone(from, append) || !fits(from, append)) continue;
      if (has_earlier_equal(appends_, at, from)) continue;
      ++window_.steps;
      const std::size_t before = taken_.size();
      Configuration to = from;
      take(to, append);
      append_rest(to, y, meet);
      taken_.resize(before);
    }
  }

  Window& window_;
  const Subhistory& part_;
  const std::shared_ptr<Known> known_;
  Contents& contents_;
  const std::vector<std::uint32_t> turn_;
  algo::Promise promise_;
  std::vector<Local> puts_, appends_, looks_;  // that are open; equals together, those that return first before others
  Mask look_bits_, blind_;
  std::vector<Local> taken_;
  static constexpr std::uint32_t kShort = 64;  // entries of contents and lists that are looked through
};

/// Leaves out a configuration where another one of the same content may do all that it may.
template <class OfSlots>
bool LogContents<OfSlots>::prune(Local /*x*/, std::vector<Configuration>& passed) {
  constexpr std::size_t kCompared = 64;
  for (Configuration& each : passed) each.unseen = false;
  if (passed.size() < 2) return true;
  std::sort(passed.begin(), passed.end(), [](const Configuration& a, const Configuration& b) {
    if (a.content != b.content) return a.content < b.content;
    const std::uint32_t free_a = a.free.count(), free_b = b.free.count();
    if (free_a != free_b) return free_a > free_b;
    return std::tie(b.mask, b.free) < std::tie(a.mask, a.free);
  });
  window_.steps += passed.size();
  std::size_t kept = 0, group = 0;
  for (std::size_t at = 0; at < passed.size(); ++at) {
    const Configuration b = passed[at];
    if (kept > 0 && passed[group].content != b.content) group = kept;
    bool needless = false;
    const std::size_t end = std::min(kept, group + kCompared);
    for (std::size_t other = group; other < end && !needless; ++other) {
      ++window_.steps;
      const Configuration& a = passed[other];
      const Mask differ = (a.mask ^ b.mask) & ~look_bits_ & ~a.free;
      needless = differ.none() && (b.free & ~a.free & ~a.mask).none() && (b.mask & look_bits_ & ~a.mask).none();
    }
    if (!needless) passed[kept++] = b;
  }
  passed.resize(kept);
  return true;
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
  const algo::FixedSlots slots = algo::fixed_slots(part, [&](Local x) { return reading.acts[x].role != Role::idle; });
  const auto known = std::make_shared<Known>(part, std::move(reading.acts), past);
  return algo::with_slots(slots.used, [&]<class Mask>() -> std::unique_ptr<core::SearchTask> {
    auto search = std::make_unique<algo::FrontierSearch<LogContents<Mask>>>(slots, part, options.witness, part, known);
    search->narrow(kFewConfigurations);
    return search;
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
