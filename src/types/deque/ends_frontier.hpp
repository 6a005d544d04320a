// Where the search over sets of contents stands in a deque's history: while many values are inside, each end for
// itself.
//
// While more values are inside than open operations can pop, nothing that is done at one end is noticed at the other
// (deque_frontier.hpp). So the configurations are a product: masks of operations at the front, each with its set of
// stacks, and masks of operations at the back, each with its own, on a common floor between them. Each end goes through
// its own events, as a stack does. Instead of all pairs of masks there are the masks of one end and those of the other.
//
//   joint    few values are inside: configurations of Deques
//   apart    a few such products, each with its own floor
//
// A floor that one end comes near to is moved, into what the other end has at its bottom: for each set of what can
// stand there a product of its own. Where there is not enough inside, all become joint; where there is again, they
// part. What the most promising products do not hold is left out then. A history that tells sizes stays joint: a size
// is felt at both ends. Source: own: docs/design/search.md, sets of contents for deques. Tests: deque_sets_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "types/deque/deque_frontier.hpp"
#include "types/shared/content_set_search.hpp"
#include "types/shared/stack_frontier.hpp"

namespace linchpin::types::deque {

/// What is done at one end, as a stack has it; the rest is never done there.
[[nodiscard]] inline EndActs stack_acts(const EndActs& acts) {
  EndActs all{.of = acts.of, .values = acts.values};
  for (EndAct& act : all.of) {
    if (!act.has_end()) act = {};
  }
  return all;
}

template <class OfSlots>
class EndsFrontier {
 public:
  using Domain = Deques<OfSlots>;
  using Mask = OfSlots;
  using Joint = algo::Frontier<Domain>;
  using Configurations = std::vector<typename Joint::Configuration>;

 private:
  using Half = DequeSets::Half;
  using OfEnd = algo::Frontier<Stacks<Mask>>;
  using Halves = std::vector<typename OfEnd::Configuration>;
  /// All masks of the one end with all of the other.
  using Pair = std::array<Halves, 2>;  // by end

 public:
  /// One of them is empty.
  struct State {
    Configurations joint;
    std::vector<Pair> pairs;
  };

  /// @param part, acts  outlive it
  /// @param apart       how many values more than can be popped have to be inside for the ends to part
  EndsFrontier(const algo::FixedSlots& slots, const history::Subhistory& part, const EndActs& acts, std::uint32_t apart)
      : acts_(acts),
        stack_acts_(stack_acts(acts)),
        apart_(apart),
        joint_(slots, algo::Order{.due = part.response}, false, part, acts),
        front_(slots, algo::Order{.due = part.response}, false, part, stack_acts_, &joint_.domain().sets().halves()),
        back_(slots, algo::Order{.due = part.response}, false, part, stack_acts_, &joint_.domain().sets().halves()) {
    tells_sizes_ = std::ranges::any_of(acts.of, [](const EndAct& act) { return act.pure() && act.feels_height(); });
  }
  EndsFrontier(const EndsFrontier&) = delete;
  EndsFrontier& operator=(const EndsFrontier&) = delete;

  [[nodiscard]] Joint& joint() { return joint_; }
  [[nodiscard]] const Joint& joint() const { return joint_; }
  [[nodiscard]] State state() const {
    return pairs_.empty() ? State{.joint = joint_.current(), .pairs = {}} : State{.joint = {}, .pairs = pairs_};
  }
  void go_to(State state) {
    joint_.current() = std::move(state.joint);
    pairs_ = std::move(state.pairs);
    refuted_ = false;
  }
  void set_staying(std::vector<bool> staying) {
    front_.domain().set_staying(staying);
    back_.domain().set_staying(staying);
    joint_.domain().set_staying(std::move(staying));
  }

  /// As of OneFrontier.
  template <class Attempt>
  bool try_within(State state, const Mask& mask, std::uint32_t x, Attempt&& attempt) {
    if (state.pairs.empty()) {
      std::erase_if(state.joint, [&](const auto& each) { return (each.mask & ~mask).any(); });
      return attempt(std::move(state.joint));
    }
    // While the ends stay apart, nothing is done at the other one.
    std::array<Mask, 2> least;
    for (const std::uint32_t y : joint_.window().open()) {
      if (has_end(y) && (x == kNone || acts_.of[y].end != acts_.of[x].end)) {
        least[acts_.of[y].end] |= mask & joint_.window().bit(y);
      }
    }
    for (const Pair& pair : state.pairs) {
      Configurations few = products(pair, least, mask);
      if (!few.empty() && attempt(std::move(few))) return true;
    }
    return attempt(joined(state.pairs, mask));
  }
  /// As of OneFrontier: the fewer products, the less there is to be cut anew.
  [[nodiscard]] DequeSets::Set to_follow(DequeSets::Set set) { return joint_.domain().sets().one_of(set); }
  /// Of what is known, the mask with the most operations done.
  [[nodiscard]] Mask furthest() const {
    const auto most = [](const auto& all) {
      const auto fewer = [](const auto& a, const auto& b) { return a.mask.count() < b.mask.count(); };
      return std::max_element(all.begin(), all.end(), fewer)->mask;
    };
    if (pairs_.empty()) return most(joint_.current());
    return most(pairs_[0][0]) | most(pairs_[0][1]) | idle();
  }
  [[nodiscard]] typename Domain::Level level(std::uint32_t passed) const {
    if (pairs_.empty()) return joint_.domain().level(joint_.current().front(), passed);
    return joint_.domain().level({.mask = pairs_[0][0].front().mask | pairs_[0][1].front().mask}, passed);
  }

  void call(std::uint32_t x) {
    if (pairs_.empty()) {
      joint_.call(x);
      if (has_end(x)) end(x).open(x);
      return;
    }
    joint_.open(x);
    if (!has_end(x)) return;
    OfEnd& own = end(x);
    own.open(x);
    for (Pair& pair : pairs_) own.domain().call(x, pair[acts_.of[x].end]);
  }
  void respond(std::uint32_t x, const ContentSetManner& manner, history::Rank now) {
    left_out_ = refuted_ = false;
    joint_.domain().limit(manner.all_ways);
    if (!pairs_.empty() && manner.all_ways) join(manner, now);
    if (!pairs_.empty()) keep_off_the_floor(manner, now);
    if (pairs_.empty()) {
      joint_.respond(x, joint_manner(manner).effort());
      after_joint(x);
      return;
    }
    if (!has_end(x)) {
      refuted_ = !acts_.of[x].idle();
      left_out_ = true;
      if (!refuted_) joint_.shut(x);
      return;
    }
    respond_apart(x, manner);
  }
  [[nodiscard]] bool busy() const { return pairs_.empty() && joint_.busy(); }
  void step() {
    const std::uint32_t x = responder_;
    joint_.step();
    after_joint(x);
  }
  [[nodiscard]] bool refuted() const { return pairs_.empty() ? joint_.refuted() : refuted_; }
  [[nodiscard]] bool left_out() const { return left_out_ || joint_.left_out() || !pairs_.empty(); }
  void open(std::uint32_t x) {
    joint_.open(x);
    if (has_end(x)) end(x).open(x);
  }
  void shut(std::uint32_t x) {
    joint_.shut(x);
    if (has_end(x)) end(x).shut(x);
  }
  [[nodiscard]] std::uint64_t steps() const { return joint_.steps() + front_.steps() + back_.steps(); }
  [[nodiscard]] bool may_grow(core::Budget& budget) const { return joint_.may_grow(budget); }

  /// Keeps the most promising configurations, after the event before that rank; true if there were more.
  bool narrow(const ContentSetManner& manner, history::Rank now) {
    if (pairs_.empty()) {
      const bool cut = narrow_joint(joint_manner(manner).width, manner, now);
      if (manner.all_ways || !can_part()) return cut;
      part(most_pairs(manner));
      if (pairs_.empty()) return cut;
    }
    for (const End end : {End{0}, End{1}}) {
      OfEnd& own = end == 0 ? front_ : back_;
      own.domain().weigh(now);
      for (Pair& pair : pairs_) {
        std::swap(own.current(), pair[end]);
        own.narrow(manner.width, [&](const auto& each) { return manner.weigh(own.domain().cost(each)); });
        std::swap(own.current(), pair[end]);
      }
    }
    return true;
  }

  /// Keeps what these states need, and renames it there.
  void collect(std::span<State* const> states, std::span<DequeSets::Set* const> sets) {
    DequeSets& all = joint_.domain().sets();
    const auto visit = [&](auto&& body, auto&& body_of_half) {
      const auto each = [&](Configurations& joint, std::vector<Pair>& pairs) {
        for (auto& configuration : joint) body(configuration.set);
        for (Pair& pair : pairs) {
          for (Halves& halves : pair) {
            for (auto& half : halves) body_of_half(half.set);
          }
        }
      };
      each(joint_.current(), pairs_);
      for (State* const state : states) each(state->joint, state->pairs);
      for (DequeSets::Set* const set : sets) body(*set);
    };
    visit([&](DequeSets::Set set) { all.mark(set); }, [&](Half half) { all.mark_half(half); });
    all.collect();
    visit([&](DequeSets::Set& set) { set = all.renamed(set); }, [&](Half& half) { half = all.renamed_half(half); });
  }

 private:
  static constexpr std::size_t kMostPairs = 6;     // at first
  static constexpr std::size_t kMasksForPair = 4;  // once many are kept
  static constexpr std::size_t kJoined = 2;        // times what is kept of joint ones, where ends are joined
  static constexpr std::size_t kWider = 4;         // of joint ones, where most of the time the ends are apart

  [[nodiscard]] bool has_end(std::uint32_t x) const { return acts_.of[x].has_end(); }
  [[nodiscard]] OfEnd& end(std::uint32_t x) { return acts_.of[x].end == 0 ? front_ : back_; }
  /// The open operations that are done wherever something is inside.
  [[nodiscard]] Mask idle() const {
    Mask idle;
    for (const std::uint32_t x : joint_.window().open()) {
      if (acts_.of[x].idle()) idle |= joint_.window().bit(x);
    }
    return idle;
  }
  /// How many operations are open that pop there.
  [[nodiscard]] std::uint32_t open_pops(End end) const {
    std::uint32_t count = 0;
    for (const std::uint32_t x : joint_.window().open()) count += acts_.of[x].pops() && acts_.of[x].end == end ? 1 : 0;
    return count;
  }

  void after_joint(std::uint32_t x) {
    responder_ = x;
    if (!joint_.busy() && !joint_.refuted() && has_end(x)) end(x).shut(x);
  }

  void respond_apart(std::uint32_t x, const ContentSetManner& manner) {
    OfEnd& own = end(x);
    std::vector<Pair> passed;
    for (const Pair& pair : pairs_) {
      own.current() = pair[acts_.of[x].end];
      own.respond(x, manner.effort());
      while (own.busy()) own.step();
      if (own.refuted()) {
        own.abandon();
        continue;
      }
      passed.push_back(pair);
      passed.back()[acts_.of[x].end] = own.current();
      own.open(x);
    }
    refuted_ = passed.empty();
    if (refuted_) return;
    pairs_ = std::move(passed);
    shut(x);
  }

  [[nodiscard]] ContentSetManner joint_manner(ContentSetManner manner) const {
    if (!tells_sizes_) manner.width *= kWider;
    return manner;
  }
  bool narrow_joint(std::size_t width, const ContentSetManner& manner, history::Rank now) {
    if (joint_.current().size() <= width) return false;
    joint_.domain().weigh(now);
    return joint_.narrow(width, [&](const auto& each) { return manner.weigh(joint_.domain().cost(each)); });
  }

  [[nodiscard]] bool can_part() {
    if (tells_sizes_) return false;
    const std::uint32_t pops = open_pops(0) + open_pops(1) + apart_;
    DequeSets& sets = joint_.domain().sets();
    return std::ranges::all_of(joint_.current(), [&](const auto& each) { return sets.length(each.set) > pops; });
  }

  /// The more masks are kept of each end, the more products are.
  [[nodiscard]] static std::size_t most_pairs(const ContentSetManner& manner) {
    return std::max(kMostPairs, manner.width / kMasksForPair);
  }

  /// From joint configurations to products of what is at one end and at the other.
  void part(std::size_t most) {
    DequeSets& sets = joint_.domain().sets();
    Mask of_front;
    for (const std::uint32_t x : joint_.window().open()) {
      if (has_end(x) && acts_.of[x].end == 0) of_front |= joint_.window().bit(x);
    }
    const Mask of_back = joint_.window().used() & ~of_front & ~idle();
    // One place for all cuts.
    const auto pushed_at_front = [&](const auto& each) { return -joint_.domain().level({.mask = each.mask}, 0).front; };
    const auto& first = joint_.current().front();
    const std::int32_t place = static_cast<std::int32_t>(sets.narrow_cut(first.set)) - pushed_at_front(first);
    for (const auto& each : joint_.current()) {
      const auto length = static_cast<std::int32_t>(sets.length(each.set));
      const std::int32_t cut = place + pushed_at_front(each);
      if (cut < 1 || cut >= length) continue;
      const DequeSets::Set set = sets.cut_at(static_cast<std::uint32_t>(cut), each.set);
      for (const DequeSets::Product& product : sets.products_of(set)) {
        pairs_.push_back({Halves{{.mask = each.mask & of_front, .set = product[0]}},
                          Halves{{.mask = each.mask & of_back, .set = product[1]}}});
      }
    }
    simplify(most);
    if (!pairs_.empty()) joint_.current().clear();
  }

  /// Products that agree at one end are one. Keeps so many.
  void simplify(std::size_t most) {
    const auto alike = [](const Halves& a, const Halves& b) {
      return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.mask == y.mask && x.set == y.set; });
    };
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t a = 0; a < pairs_.size(); ++a) {
        for (std::size_t b = a + 1; b < pairs_.size();) {
          const bool front = alike(pairs_[a][0], pairs_[b][0]), back = alike(pairs_[a][1], pairs_[b][1]);
          if (!front && !back) {
            ++b;
            continue;
          }
          changed = true;
          const End other = front ? 1 : 0;
          for (const auto& each : pairs_[b][other]) add(pairs_[a][other], each);
          pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(b));
        }
      }
    }
    if (pairs_.size() <= most) return;
    std::ranges::stable_sort(pairs_, std::greater<>(),
                             [](const Pair& pair) { return pair[0].size() * pair[1].size(); });
    pairs_.resize(most);
  }
  void add(Halves& halves, const typename OfEnd::Configuration& half) {
    for (auto& each : halves) {
      if (each.mask != half.mask) continue;
      each.set = joint_.domain().sets().halves().unite(each.set, half.set);
      return;
    }
    halves.push_back(half);
    std::ranges::sort(halves, {}, [](const auto& each) { return each.mask; });
  }

  [[nodiscard]] std::uint32_t lowest(const Halves& halves) {
    std::uint32_t least = UINT32_MAX;
    for (const auto& each : halves) least = std::min(least, joint_.domain().sets().halves().height(each.set));
    return least;
  }

  /// Sees to it that no open operation can pop what stands at the other end's bottom.
  void keep_off_the_floor(const ContentSetManner& manner, history::Rank now) {
    const std::array<std::uint32_t, 2> needed = {open_pops(0) + 1, open_pops(1) + 1};
    std::vector<Pair> moved;
    bool changed = false;
    for (Pair& pair : pairs_) {
      const std::array<std::uint32_t, 2> has = {lowest(pair[0]), lowest(pair[1])};
      if (has[0] >= needed[0] && has[1] >= needed[1]) {
        moved.push_back(pair);
        continue;
      }
      if (has[0] + has[1] < needed[0] + needed[1]) {
        join(manner, now);
        return;
      }
      changed = true;
      const End to = has[0] < needed[0] ? 0 : 1;
      move_floor(to, needed[to] - has[to], has[1 - to] - needed[1 - to], pair, moved);
    }
    pairs_ = std::move(moved);
    if (changed) simplify(most_pairs(manner));
  }

  /// Between `least` and `most` values of the other end's bottom go to this end.
  void move_floor(End to, std::uint32_t least, std::uint32_t most, const Pair& pair, std::vector<Pair>& out) {
    DequeSets& sets = joint_.domain().sets();
    const auto sets_at = [&](End end) {
      std::vector<Half> all;
      for (const auto& each : pair[end]) all.push_back(each.set);
      return all;
    };
    const std::vector<Half> taking = sets_at(to), giving = sets_at(1 - to);
    std::vector<std::vector<Half>> floors(std::size_t{most} + 1);  // by height
    for (const Half node : sets.nodes_of(giving)) {
      const std::uint32_t height = sets.halves().height(node);
      if (height >= least && height <= most) floors[height].push_back(node);
    }
    // Where little is open; of equal ones about the middle.
    const std::uint32_t middle = (least + most) / 2;
    std::uint32_t best = middle;
    for (std::uint32_t height = least; height <= most; ++height) {
      const auto apart = [&](std::uint32_t at) { return at > middle ? at - middle : middle - at; };
      if (std::pair(floors[height].size(), apart(height)) < std::pair(floors[best].size(), apart(best))) best = height;
    }
    // The numbers of nodes do not matter: events gone through again have to lead to the same.
    std::ranges::sort(floors[best], {}, [&](Half floor) { return sets.halves().content_hash(floor); });
    for (const Half floor : floors[best]) {
      Pair moved;
      const std::vector<Half> more = sets.on_top_of(taking, sets.reversed(floor)), less = sets.above(giving, floor);
      for (std::size_t at = 0; at < more.size(); ++at)
        moved[to].push_back({.mask = pair[to][at].mask, .set = more[at]});
      for (std::size_t at = 0; at < less.size(); ++at) {
        if (less[at] != StackSets::kNothing) moved[1 - to].push_back({.mask = pair[1 - to][at].mask, .set = less[at]});
      }
      out.push_back(std::move(moved));
    }
  }

  /// Of the masks of the one end with all of the other, those between, as joint configurations.
  [[nodiscard]] Configurations products(const Pair& pair, const std::array<Mask, 2>& least, const Mask& within) {
    DequeSets& sets = joint_.domain().sets();
    const Mask done = idle();
    Configurations all;
    if ((done & ~within).any()) return all;
    const auto between = [&](const auto& half, End end) {
      return (half.mask & ~within).none() && (least[end] & ~half.mask).none();
    };
    for (const auto& front : pair[0]) {
      if (!between(front, 0)) continue;
      for (const auto& back : pair[1]) {
        if (!between(back, 1)) continue;
        all.push_back({.mask = front.mask | back.mask | done, .set = sets.of_halves({front.set, back.set})});
      }
    }
    return all;
  }
  /// One for each mask.
  [[nodiscard]] Configurations joined(const std::vector<Pair>& pairs, const Mask& within) {
    DequeSets& sets = joint_.domain().sets();
    Configurations all;
    for (const Pair& pair : pairs) {
      const Configurations more = products(pair, {}, within);
      all.insert(all.end(), more.begin(), more.end());
    }
    std::ranges::stable_sort(all, {}, [](const auto& each) { return each.mask; });
    std::size_t kept = 0;
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (kept > 0 && all[kept - 1].mask == all[at].mask) {
        all[kept - 1].set = sets.unite(all[kept - 1].set, all[at].set);
      } else {
        all[kept++] = all[at];
      }
    }
    all.resize(kept);
    return all;
  }
  void join(const ContentSetManner& manner, history::Rank now) {
    joint_.current() = joined(pairs_, Mask::all());
    pairs_.clear();
    left_out_ = true;
    (void)narrow_joint(kJoined * joint_manner(manner).width, manner, now);
  }

  const EndActs& acts_;
  const EndActs stack_acts_;
  const std::uint32_t apart_;
  bool tells_sizes_ = false;
  Joint joint_;
  OfEnd front_, back_;
  std::vector<Pair> pairs_;  // empty: joint
  std::uint32_t responder_ = 0;
  bool refuted_ = false, left_out_ = false;
};

}  // namespace linchpin::types::deque
