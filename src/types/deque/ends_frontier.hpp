// Where the search over sets of contents stands in a deque's history: while many values are inside, each end for
// itself.
//
// While more values are inside than open operations can pop, nothing that is done at one end is noticed at the other
// (deque_frontier.hpp). So each end goes through its own events, as a stack does: instead of all pairs of masks there
// are the masks of one end and those of the other. What goes with what say the floors that the stacks stand on
// (floors.hpp).
//
//   joint    few values are inside: configurations of Deques
//   apart    masks of operations at the front, each with its set of stacks, and masks of those at the back
//
// A floor that one end comes near to is moved, into what the other end has at its bottom: there is a new one for each
// set of what can stand there. Where there is not enough inside, all become joint; where there is again, they part.
// While nothing was missed (ContentSetManner::sparing), half of what could be popped is enough: what a block does with
// values of both ends is left out then. A history that tells sizes stays joint: a size is felt at both ends. So is a
// capacity, where the open pushes may reach it: there, all become joint, too. Source: own: docs/design/search.md, sets
// of contents for deques. Tests: deque_sets_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "types/deque/deque_frontier.hpp"
#include "types/deque/floors.hpp"
#include "types/shared/content_set_search.hpp"
#include "types/shared/stack_frontier.hpp"

namespace linchpin::types::deque {

/// What is done at one end, as a stack has it; the rest is never done there.
[[nodiscard]] inline EndActs stack_acts(const EndActs& acts) {
  EndActs all{.of = acts.of, .values = acts.values};
  for (EndAct& act : all.of) {
    if (!act.has_end()) act = {};
    act.most = EndAct::kAnyNumber;
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
  using Half = Floors::Half;
  using Set = DequeSets::Set;
  using OfEnd = algo::Frontier<Stacks<Mask>>;
  using Halves = std::vector<typename OfEnd::Configuration>;
  using Ends = std::array<Halves, 2>;  // by end

 public:
  /// Joint, or both ends have some.
  struct State {
    Configurations joint;
    Ends ends;
  };

  /// @param part, acts  outlive it
  /// @param apart       how many values more than can be popped have to be inside for the ends to part
  EndsFrontier(const algo::FixedSlots& slots, const history::Subhistory& part, const EndActs& acts, std::uint32_t apart)
      : part_(part),
        acts_(acts),
        stack_acts_(stack_acts(acts)),
        apart_(apart),
        joint_(slots, algo::Order{.due = part.response}, false, part, acts),
        front_(slots, algo::Order{.due = part.response}, false, part, stack_acts_, &joint_.domain().sets().halves()),
        back_(slots, algo::Order{.due = part.response}, false, part, stack_acts_, &joint_.domain().sets().halves()),
        floors_(joint_.domain().sets().halves(), algo::ValueNumber(acts.values.size() + 1)) {
    joint_.domain().sets().keep_whole(kWhole);
    const std::uint32_t room = joint_.domain().room();
    tells_sizes_ = std::ranges::any_of(
        acts.of, [room](const EndAct& act) { return act.pure() && act.feels_height() && act.least != room; });
    if (room != EndAct::kAnyNumber) count_returned(room);
    mostly_apart_ = !tells_sizes_ && room / 2 > slots.used;
  }
  EndsFrontier(const EndsFrontier&) = delete;
  EndsFrontier& operator=(const EndsFrontier&) = delete;

  [[nodiscard]] Joint& joint() { return joint_; }
  [[nodiscard]] const Joint& joint() const { return joint_; }
  [[nodiscard]] State state() const {
    return apart() ? State{.joint = {}, .ends = ends_} : State{.joint = joint_.current(), .ends = {}};
  }
  void go_to(State state) {
    joint_.current() = std::move(state.joint);
    ends_ = std::move(state.ends);
    refuted_ = false;
  }
  void set_staying(std::vector<bool> staying) {
    front_.domain().set_staying(staying);
    back_.domain().set_staying(staying);
    joint_.domain().set_staying(std::move(staying));
  }

  /// As of OneFrontier.
  template <class Attempt>
  bool try_within(State state, const Mask& mask, std::uint32_t x, Set target, Attempt&& attempt) {
    if (state.ends[0].empty()) {
      std::erase_if(state.joint, [&](const auto& each) { return (each.mask & ~mask).any(); });
      return attempt(std::move(state.joint), target);
    }
    Ends ends = state.ends;
    Set on_floor = target;
    if (!may_fill(part_.response[x]) && keep_off_the_floor(ends, kSparing)) {
      Configurations few = apart_within(ends, mask, x, on_floor);
      if (!few.empty() && attempt(std::move(few), on_floor)) return true;
    }
    return attempt(joined(state.ends, mask), target);
  }
  /// As of OneFrontier: one content alone, the fewer products, the less there is to be cut anew. And no floor in it.
  [[nodiscard]] Set to_follow(Set set) {
    std::vector<algo::ValueNumber> content = joint_.domain().sets().any_content(set);
    std::erase_if(content, [&](algo::ValueNumber value) { return floors_.is_floor(value); });
    return content_of(content, content.size() / 2);
  }
  /// Of what is known, the mask with the most operations done, and its contents.
  [[nodiscard]] std::pair<Mask, Set> furthest() {
    const auto most = [](const auto& all) {
      const auto fewer = [](const auto& a, const auto& b) { return a.mask.count() < b.mask.count(); };
      return *std::max_element(all.begin(), all.end(), fewer);
    };
    if (!apart()) return {most(joint_.current()).mask, most(joint_.current()).set};
    const auto each = most(joined(ends_, Mask::all()));
    return {each.mask, each.set};
  }
  [[nodiscard]] typename Domain::Level level(std::uint32_t passed) const {
    if (!apart()) return joint_.domain().level(joint_.current().front(), passed);
    return joint_.domain().level({.mask = ends_[0].front().mask | ends_[1].front().mask}, passed);
  }

  void call(std::uint32_t x) {
    if (!apart()) {
      joint_.call(x);
      if (has_end(x)) end(x).open(x);
      return;
    }
    joint_.open(x);
    if (!has_end(x)) return;
    OfEnd& own = end(x);
    own.open(x);
    own.domain().call(x, ends_[acts_.of[x].end]);
  }
  void respond(std::uint32_t x, const ContentSetManner& manner, history::Rank now) {
    left_out_ = refuted_ = false;
    joint_.domain().limit(manner.all_ways);
    if (apart() && (may_fill(now) || !keep_off_the_floor(ends_, manner))) join(manner, now);
    if (!apart()) {
      joint_.respond(x, joint_manner(manner).effort());
      after_joint(x);
      return;
    }
    if (has_end(x)) {
      respond_apart(x, manner);
    } else {
      respond_nowhere(x);
    }
  }
  [[nodiscard]] bool busy() const { return !apart() && joint_.busy(); }
  void step() {
    const std::uint32_t x = responder_;
    joint_.step();
    after_joint(x);
  }
  [[nodiscard]] bool refuted() const { return apart() ? refuted_ : joint_.refuted(); }
  [[nodiscard]] bool left_out() const { return left_out_ || (!apart() && joint_.left_out()); }
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
    bool cut = false;
    if (!apart()) {
      cut = narrow_joint(joint_manner(manner).width, manner, now);
      const std::uint32_t pops = open_pops(0) + open_pops(1), inside = fewest_inside();
      if (tells_sizes_ || may_fill(now + 1) || inside <= pops / (manner.sparing ? kSpared : 1) + apart_) return cut;
      left_out_ = left_out_ || joint_.left_out();
      cut = part(manner) || inside <= pops || cut;
      if (!apart()) return cut;
    }
    for (const End end : {End{0}, End{1}}) {
      OfEnd& own = end == 0 ? front_ : back_;
      if (ends_[end].size() <= manner.width) continue;
      cut = true;
      own.domain().weigh(now);
      std::swap(own.current(), ends_[end]);
      own.narrow(manner.width, [&](const auto& each) { return manner.weigh(own.domain().cost(each)); });
      std::swap(own.current(), ends_[end]);
      agree();
    }
    return cut;
  }

  /// Keeps what these states need, and renames it there.
  void collect(std::span<State* const> states, std::span<Set* const> sets) {
    DequeSets& all = joint_.domain().sets();
    const auto visit = [&](auto&& body, auto&& body_of_half) {
      const auto each = [&](Configurations& joint, Ends& ends) {
        for (auto& configuration : joint) body(configuration.set);
        for (Halves& halves : ends) {
          for (auto& half : halves) body_of_half(half.set);
        }
      };
      each(joint_.current(), ends_);
      for (State* const state : states) each(state->joint, state->ends);
      for (Set* const set : sets) body(*set);
    };
    visit([&](Set set) { all.mark(set); }, [&](Half half) { all.mark_half(half); });
    all.collect();
    visit([&](Set& set) { set = all.renamed(set); }, [&](Half& half) { half = all.renamed_half(half); });
  }

 private:
  static constexpr ContentSetManner kSparing{.width = 0, .first_weight = 0, .sparing = true, .all_ways = false};
  static constexpr std::uint32_t kWhole = 40;  // values, of joint contents that are not cut
  static constexpr std::uint32_t kSpared = 2;  // of what could be popped, one in so many is inside
  static constexpr std::int64_t kSpare = 2;    // room besides, for the ends to be apart: a floor counts as a value
  static constexpr std::uint32_t kFewest = 4;  // values inside for the ends to stay apart
  static constexpr std::size_t kJoined = 2;    // times what is kept of joint ones, where ends are joined
  static constexpr std::size_t kWider = 4;     // of joint ones, where most of the time the ends are apart

  [[nodiscard]] bool apart() const { return !ends_[0].empty(); }
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
  /// Of the mask, what is open at an end; what found nothing, and so is at none, counts as done at the back.
  [[nodiscard]] Mask at(End end, const Mask& mask) const {
    Mask front;
    for (const std::uint32_t x : joint_.window().open()) {
      if (has_end(x) && acts_.of[x].end == 0) front |= joint_.window().bit(x);
    }
    return end == 0 ? mask & front : mask & joint_.window().used() & ~front & ~idle();
  }
  /// Of a deque that has room for so many: the room that what returned leaves.
  void count_returned(std::uint32_t room) {
    room_.push_back(room);
    for (const history::Event event : part_.events()) {
      const EndAct& act = acts_.of[event.operation()];
      const std::int64_t change = !event.is_response() || act.pure() ? 0 : act.pops() ? 1 : -1;
      room_.push_back(room_.back() + change);
    }
  }
  /// Whether the pushes that are open before the event of that rank may fill the deque, or nearly.
  [[nodiscard]] bool may_fill(history::Rank rank) const {
    if (room_.empty()) return false;
    return open_where([](const EndAct& act) { return act.kind == ActKind::add; }) + kSpare > room_[rank.number()];
  }
  /// How many operations are open that pop there.
  [[nodiscard]] std::uint32_t open_pops(End end) const {
    return open_where([end](const EndAct& act) { return act.pops() && act.end == end; });
  }
  template <class Wanted>
  [[nodiscard]] std::uint32_t open_where(Wanted&& wanted) const {
    const std::vector<std::uint32_t>& open = joint_.window().open();
    return static_cast<std::uint32_t>(
        std::count_if(open.begin(), open.end(), [&](std::uint32_t x) { return wanted(acts_.of[x]); }));
  }

  void after_joint(std::uint32_t x) {
    responder_ = x;
    if (!joint_.busy() && !joint_.refuted() && has_end(x)) end(x).shut(x);
  }

  void respond_apart(std::uint32_t x, const ContentSetManner& manner) {
    OfEnd& own = end(x);
    Halves& halves = ends_[acts_.of[x].end];
    own.current() = halves;
    own.respond(x, manner.effort());
    while (own.busy()) own.step();
    left_out_ = left_out_ || own.left_out();
    refuted_ = own.refuted();
    if (refuted_) {
      own.abandon();
      return;
    }
    halves = std::exchange(own.current(), {});
    agree();
    joint_.shut(x);
  }

  /// What found nothing had to be done before the ends parted.
  void respond_nowhere(std::uint32_t x) {
    if (!acts_.of[x].idle()) {
      const Mask own = joint_.window().bit(x);
      Halves& halves = ends_[1];
      refuted_ = std::ranges::none_of(halves, [&](const auto& each) { return (each.mask & own).any(); });
      if (refuted_) return;
      std::erase_if(halves, [&](const auto& each) { return (each.mask & own).none(); });
      for (auto& each : halves) each.mask &= ~own;
      agree();
    }
    joint_.shut(x);
  }

  /// What is on no common floor goes. @pre some is
  void agree() {
    std::array<Floors::Numbers, 2> numbers{};
    for (const End end : {End{0}, End{1}}) {
      for (const auto& each : ends_[end]) numbers[end] |= floors_.of(each.set);
    }
    for (const End end : {End{0}, End{1}}) {
      if ((numbers[end] & ~numbers[1 - end]) != 0) {
        over(ends_[end], [&](std::vector<Half>& halves) { floors_.keep(halves, numbers[1 - end]); });
      }
    }
  }
  /// Changes the sets, and leaves out what becomes nothing.
  template <class Change>
  static void over(Halves& halves, Change&& change) {
    std::vector<Half> sets;
    for (const auto& each : halves) sets.push_back(each.set);
    change(sets);
    for (std::size_t at = 0; at < sets.size(); ++at) halves[at].set = sets[at];
    std::erase_if(halves, [](const auto& each) { return each.set == StackSets::kNothing; });
  }

  [[nodiscard]] ContentSetManner joint_manner(ContentSetManner manner) const {
    if (mostly_apart_) manner.width *= kWider;
    return manner;
  }
  bool narrow_joint(std::size_t width, const ContentSetManner& manner, history::Rank now) {
    if (joint_.current().size() <= width) return false;
    joint_.domain().weigh(now);
    return joint_.narrow(width, [&](const auto& each) { return manner.weigh(joint_.domain().cost(each)); });
  }

  /// In any joint configuration.
  [[nodiscard]] std::uint32_t fewest_inside() const {
    std::uint32_t fewest = UINT32_MAX;
    for (const auto& each : joint_.current()) fewest = std::min(fewest, joint_.domain().sets().length(each.set));
    return fewest;
  }

  /// What one product of a joint configuration has at each end.
  struct Parted {
    std::array<Mask, 2> masks;
    DequeSets::Product halves;
  };
  /// Of all joint configurations, cut in one place; none: some are too short there.
  [[nodiscard]] std::vector<Parted> parted() {
    DequeSets& sets = joint_.domain().sets();
    sets.limit(SIZE_MAX);
    const auto pushed_at_front = [&](const auto& each) { return -joint_.domain().level({.mask = each.mask}, 0).front; };
    const auto& first = joint_.current().front();
    const std::int32_t place = static_cast<std::int32_t>(sets.narrow_cut(first.set)) - pushed_at_front(first);
    std::vector<Parted> all;
    for (const auto& each : joint_.current()) {
      const auto length = static_cast<std::int32_t>(sets.length(each.set));
      const std::int32_t cut = place + pushed_at_front(each);
      if (cut < 1 || cut >= length) return {};
      const Set set = sets.cut_at(static_cast<std::uint32_t>(cut), each.set);
      for (const DequeSets::Product& product : sets.products_of(set)) {
        all.push_back({.masks = {at(0, each.mask), at(1, each.mask)}, .halves = product});
      }
    }
    return all;
  }
  /// From joint configurations to what is at one end and at the other: of the end that has fewer, each mask and set has
  /// a floor. True: there were too many of them. Where nothing may be left out, they stay joint then.
  bool part(const ContentSetManner& manner) {
    const std::vector<Parted> all = parted();
    std::array<std::vector<std::pair<Mask, Half>>, 2> distinct;
    const auto of = [](const Parted& each, End end) { return std::pair(each.masks[end], each.halves[end]); };
    for (const End end : {End{0}, End{1}}) {
      for (const Parted& each : all) {
        if (std::ranges::find(distinct[end], of(each, end)) == distinct[end].end()) {
          distinct[end].push_back(of(each, end));
        }
      }
    }
    const End fewer = distinct[0].size() <= distinct[1].size() ? 0 : 1;
    const bool too_many = distinct[fewer].size() > Floors::kMost;
    if (too_many && manner.all_ways) return false;
    for (const Parted& each : all) {
      const auto number = std::ranges::find(distinct[fewer], of(each, fewer)) - distinct[fewer].begin();
      if (static_cast<std::size_t>(number) >= Floors::kMost) continue;
      const Half floor = floors_.alone(static_cast<std::size_t>(number));
      for (const End end : {End{0}, End{1}}) {
        add(ends_[end], {.mask = each.masks[end], .set = floors_.on(each.halves[end], floor)});
      }
    }
    for (Halves& halves : ends_) {
      std::ranges::sort(halves, {}, [](const auto& each) { return each.mask; });
    }
    if (apart()) joint_.current().clear();
    return too_many;
  }
  void add(Halves& halves, const typename OfEnd::Configuration& half) {
    for (auto& each : halves) {
      if (each.mask != half.mask) continue;
      each.set = joint_.domain().sets().halves().unite(each.set, half.set);
      return;
    }
    halves.push_back(half);
  }

  [[nodiscard]] std::uint32_t lowest(const Halves& halves) const {
    std::uint32_t least = UINT32_MAX;
    for (const auto& each : halves) least = std::min(least, floors_.height(each.set));
    return least;
  }

  /// Sees to it that no open operation can pop what stands at the other end's bottom, or at least, where little may be
  /// left out, that each end has its share. False: there is too little inside.
  bool keep_off_the_floor(Ends& ends, const ContentSetManner& manner) {
    const std::array<std::uint32_t, 2> needed = {open_pops(0) + 1, open_pops(1) + 1};
    const std::array<std::uint32_t, 2> has = {lowest(ends[0]), lowest(ends[1])};
    const std::uint32_t all = has[0] + has[1];
    const auto too_few = [&](End end) { return has[end] < needed[end]; };
    if (!too_few(0) && !too_few(1)) return true;
    if (all >= needed[0] + needed[1]) {
      const End to = too_few(0) ? 0 : 1;
      return move_floor(to, needed[to] - has[to], has[1 - to] - needed[1 - to], manner, ends);
    }
    if (!manner.sparing || all < std::max(kFewest, (needed[0] + needed[1]) / kSpared)) return false;
    left_out_ = true;
    for (const End to : {End{0}, End{1}}) {
      const std::uint32_t share = std::clamp(all * needed[to] / (needed[0] + needed[1]), 1U, all - 1);
      if (2 * has[to] < share) return move_floor(to, share - has[to], share - has[to], manner, ends);
    }
    return true;
  }

  /// Between `least` and `most` values of the other end's bottom go to this end. False: not without leaving something
  /// out, which it is not to.
  bool move_floor(End to, std::uint32_t least, std::uint32_t most, const ContentSetManner& manner, Ends& ends) {
    std::vector<Half> giving;
    for (const auto& each : ends[1 - to]) giving.push_back(each.set);
    std::vector<std::vector<Half>> nodes = floors_.by_height(giving, most);
    // Where little is open; of equal ones about the middle.
    const std::uint32_t middle = (least + most) / 2;
    std::uint32_t best = middle;
    for (std::uint32_t height = least; height <= most; ++height) {
      const auto apart = [&](std::uint32_t at) { return at > middle ? at - middle : middle - at; };
      if (std::pair(nodes[height].size(), apart(height)) < std::pair(nodes[best].size(), apart(best))) best = height;
    }
    std::vector<Half>& cuts = nodes[best];
    if (cuts.size() > Floors::kMost) {
      if (manner.all_ways) return false;
      left_out_ = true;
      cuts.resize(Floors::kMost);
    }
    std::vector<std::pair<Half, Half>> starts;
    for (std::size_t at = 0; at < cuts.size(); ++at) starts.emplace_back(cuts[at], floors_.alone(at));
    const Floors::ByFloor bottoms = floors_.turned(starts);
    over(ends[to], [&](std::vector<Half>& halves) { floors_.replace(halves, bottoms); });
    over(ends[1 - to], [&](std::vector<Half>& halves) { floors_.cut(halves, cuts); });
    return true;
  }

  /// The content with so many values in its front half.
  [[nodiscard]] Set content_of(std::span<const algo::ValueNumber> content, std::size_t cut) {
    DequeSets& sets = joint_.domain().sets();
    return sets.settled(sets.of_halves({stack_of(content.first(cut), 0, StackSets::kEmptyStack),
                                        stack_of(content.subspan(cut), 1, StackSets::kEmptyStack)}));
  }
  /// @param values  front first
  [[nodiscard]] Half stack_of(std::span<const algo::ValueNumber> values, End end, Half below) {
    StackSets& halves = joint_.domain().sets().halves();
    for (std::size_t k = 0; k < values.size(); ++k) {
      below = halves.push(values[end == 0 ? values.size() - 1 - k : k], below);
    }
    return below;
  }

  /// The configurations within the mask that can lead to the target over the response of x, as joint ones; those at the
  /// other end have done what the mask has. Their floors are a value of the contents, and of the target's.
  [[nodiscard]] Configurations apart_within(const Ends& ends, const Mask& mask, std::uint32_t x, Set& target) {
    const End own = has_end(x) ? acts_.of[x].end : 0, other = own == 0 ? 1 : 0;
    const Mask done = idle(), there = at(other, mask);
    if ((done & ~mask).any()) return {};
    const auto found = std::ranges::find(ends[other], there, [](const auto& each) { return each.mask; });
    if (found == ends[other].end()) return {};
    const std::vector<algo::ValueNumber> content = joint_.domain().sets().any_content(target);
    const std::uint32_t height = floors_.height(found->set);
    if (height > content.size()) return {};
    // Both as stacks.
    std::vector<algo::ValueNumber> top_first = content;
    if (other == 1) std::ranges::reverse(top_first);
    const Half floors = floors_.under(std::span(top_first).first(height), found->set);
    if (floors == StackSets::kNothing) return {};
    const std::span<const algo::ValueNumber> all = content;
    const std::size_t cut = other == 0 ? height : content.size() - height;
    DequeSets::Product halves;
    halves[other] = stack_of(other == 0 ? all.first(cut) : all.subspan(cut), other, StackSets::kEmptyStack);
    halves[own] = stack_of(own == 0 ? all.first(cut) : all.subspan(cut), own, floors);
    target = joint_.domain().sets().of_halves(halves);
    Configurations few;
    for (const auto& each : ends[own]) {
      if ((each.mask & ~mask).any()) continue;
      halves[own] = each.set;
      few.push_back({.mask = each.mask | there | done, .set = joint_.domain().sets().of_halves(halves)});
    }
    return few;
  }

  /// Of the masks of the one end with those of the other, those within, as joint configurations.
  [[nodiscard]] Configurations joined(const Ends& ends, const Mask& within) {
    DequeSets& sets = joint_.domain().sets();
    const Mask done = idle();
    Configurations all;
    if ((done & ~within).any()) return all;
    Halves fronts = ends[0];
    std::erase_if(fronts, [&](const auto& each) { return (each.mask & ~within).any(); });
    for (const auto& back : ends[1]) {
      if ((back.mask & ~within).any()) continue;
      Halves whole = fronts;
      const Floors::ByFloor bottoms = floors_.turned(std::array{std::pair(back.set, StackSets::kEmptyStack)});
      over(whole, [&](std::vector<Half>& halves) { floors_.replace(halves, bottoms); });
      for (const auto& each : whole) {
        all.push_back(
            {.mask = each.mask | back.mask | done, .set = sets.of_halves({each.set, StackSets::kEmptyStack})});
      }
    }
    std::ranges::stable_sort(all, {}, [](const auto& each) { return each.mask; });
    return all;
  }
  void join(const ContentSetManner& manner, history::Rank now) {
    joint_.current() = joined(ends_, Mask::all());
    ends_ = {};
    left_out_ = narrow_joint(kJoined * joint_manner(manner).width, manner, now) || left_out_;
  }

  const history::Subhistory& part_;
  const EndActs& acts_;
  const EndActs stack_acts_;
  const std::uint32_t apart_;
  bool tells_sizes_ = false, mostly_apart_ = false;
  std::vector<std::int64_t> room_;  // where there is a capacity, by rank: what has returned before leaves so much
  Joint joint_;
  OfEnd front_, back_;
  Floors floors_;
  Ends ends_;  // empty: joint
  std::uint32_t responder_ = 0;
  bool refuted_ = false, left_out_ = false;
};

}  // namespace linchpin::types::deque
