#include "decide/lift/choices.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/assert.hpp"

namespace linchpin::decide::lift {

Choices::Choices(Problem problem) : problem_(std::move(problem)) {
  const auto options = static_cast<std::uint32_t>(problem_.resource.size());
  variable_.resize(options);
  left_.resize(variables());
  for (std::uint32_t x = 0; x < variables(); ++x) {
    left_[x] = problem_.begin[x + 1] - problem_.begin[x];
    std::fill_n(variable_.begin() + problem_.begin[x], left_[x], x);
  }
  every_.resize(options);
  std::iota(every_.begin(), every_.end(), 0);
  options_begin_.assign(problem_.resources + 1, 0);
  for (const std::uint32_t resource : problem_.resource) {
    if (resource != kNone) ++options_begin_[resource + 1];
  }
  std::partial_sum(options_begin_.begin(), options_begin_.end(), options_begin_.begin());
  options_.resize(options_begin_.back());
  takers_.assign(problem_.resources, 0);
  for (std::uint32_t option = 0; option < options; ++option) {
    const std::uint32_t resource = problem_.resource[option];
    if (resource != kNone) options_[options_begin_[resource] + takers_[resource]++] = option;
  }
  value_.assign(options, kOpen);
  level_.assign(options, 0);
  ground_.resize(options);
  seen_.assign(options, 0);
  chosen_.assign(variables(), kNone);
  saved_ = problem_.first_choice;
  saved_.resize(variables(), kNone);
  problem_.home.resize(variables(), kNone);
  holder_.assign(problem_.resources, kNone);
  watch_.assign(2 * std::size_t{options}, kNone);
  for (std::uint32_t x = 0; x < variables() && !refuted_; ++x) {
    if (left_[x] > 1) continue;
    if (left_[x] == 0) {
      refuted_ = true;
      conflict_ground_ = {Kind::variable, x};
    } else if (value_[problem_.begin[x]] == kOpen) {
      assign(Literal::chosen(problem_.begin[x]), {Kind::variable, x});
    }
  }
  settle();
}

void Choices::assign(Literal literal, Ground ground) {
  const std::uint32_t option = literal.option();
  value_[option] = literal.negative() ? kFalse : kTrue;
  level_[option] = present_level();
  ground_[option] = ground;
  trail_.push_back(option);
  const std::uint32_t x = variable_[option], resource = problem_.resource[option];
  if (literal.negative()) {
    --left_[x];
    if (resource != kNone) --takers_[resource];
  } else {
    chosen_[x] = option;
    if (resource != kNone) holder_[resource] = x;
  }
}

void Choices::back_to(std::uint32_t level) {
  if (level >= present_level()) return;
  const std::uint32_t kept = level_begin_[level];
  while (trail_.size() > kept) {
    const std::uint32_t option = trail_.back();
    trail_.pop_back();
    const std::uint32_t x = variable_[option], resource = problem_.resource[option];
    if (value_[option] == kFalse) {
      ++left_[x];
      if (resource != kNone) ++takers_[resource];
    } else {
      if (chosen_[x] == option) chosen_[x] = kNone;
      saved_[x] = option;
      if (resource != kNone && holder_[resource] == x) holder_[resource] = kNone;
      frontier_ = std::min(frontier_, x);
    }
    value_[option] = kOpen;
  }
  lowest_ = std::min(lowest_, frontier_);
  level_begin_.resize(level);
  followed_ = trail_.size();
}

bool Choices::exclude(std::uint32_t option, std::span<const std::uint32_t> others, Kind kind, std::uint32_t index) {
  looked_at_ += others.size();
  for (const std::uint32_t other : others) {
    if (other == option || value_[other] == kFalse) continue;
    if (value_[other] == kTrue) {
      conflict_ = {Literal::rejected(option), Literal::rejected(other)};
      conflict_ground_ = {kind, index};
      return false;
    }
    assign(Literal::rejected(other), {kind, index, option});
  }
  return true;
}

bool Choices::visit_watchers(Literal failed) {
  std::uint32_t* link = &watch_[failed.packed];
  while (*link != kNone) {
    const std::uint32_t clause = *link >> 1, which = *link & 1U;
    Clause& here = clauses_[clause];
    Literal* const literals = literals_.data() + here.begin;
    const Literal other = literals[1 - which];
    ++looked_at_;
    if (holds(other)) {
      link = &here.next[which];
      continue;
    }
    std::uint32_t k = 2;
    while (k < here.size && fails(literals[k])) ++k;
    looked_at_ += k;
    if (k < here.size) {
      std::swap(literals[which], literals[k]);
      *link = here.next[which];
      watch(clause, which);
      continue;
    }
    if (fails(other)) {
      conflict_.assign(literals, literals + here.size);
      conflict_ground_ = {Kind::clause, clause};
      return false;
    }
    assign(other, {Kind::clause, clause});
    link = &here.next[which];
  }
  return true;
}

bool Choices::propagate() {
  while (followed_ < trail_.size()) {
    const std::uint32_t option = trail_[followed_++];
    const std::uint32_t x = variable_[option], resource = problem_.resource[option];
    if (value_[option] == kTrue) {
      const auto own = std::span(every_).subspan(problem_.begin[x], problem_.begin[x + 1] - problem_.begin[x]);
      if (!exclude(option, own, Kind::variable, x)) return false;
      if (resource != kNone && !exclude(option, options_of(resource), Kind::resource, resource)) return false;
      if (!visit_watchers(Literal::rejected(option))) return false;
      continue;
    }
    if (left_[x] == 0) {
      conflict_.clear();
      for (std::uint32_t o = problem_.begin[x]; o < problem_.begin[x + 1]; ++o) {
        conflict_.push_back(Literal::chosen(o));
      }
      conflict_ground_ = {Kind::variable, x};
      return false;
    }
    if (left_[x] == 1 && chosen_[x] == kNone) {
      std::uint32_t last = problem_.begin[x];
      while (value_[last] == kFalse) ++last;
      assign(Literal::chosen(last), {Kind::variable, x});
    }
    if (!visit_watchers(Literal::chosen(option))) return false;
  }
  return true;
}

void Choices::premises(std::uint32_t option, const Ground& ground, std::vector<Literal>& out) const {
  out.clear();
  if (ground.by != kNone) {
    out.push_back(Literal::rejected(ground.by));
  } else if (ground.kind == Kind::clause) {
    const Clause& clause = clauses_[ground.index];
    for (std::uint32_t k = clause.begin; k < clause.begin + clause.size; ++k) {
      if (literals_[k].option() != option) out.push_back(literals_[k]);
    }
  } else if (ground.kind == Kind::variable) {
    for (std::uint32_t o = problem_.begin[ground.index]; o < problem_.begin[ground.index + 1]; ++o) {
      if (o != option) out.push_back(Literal::chosen(o));
    }
  }
}

void Choices::watch(std::uint32_t clause, std::uint32_t which) {
  Clause& here = clauses_[clause];
  std::uint32_t& head = watch_[literals_[here.begin + which].packed];
  here.next[which] = head;
  head = (clause << 1) | which;
}

std::uint32_t Choices::add_clause(std::span<const Literal> literals) {
  const auto clause = static_cast<std::uint32_t>(clauses_.size());
  clauses_.push_back(
      {.begin = static_cast<std::uint32_t>(literals_.size()), .size = static_cast<std::uint32_t>(literals.size())});
  literals_.insert(literals_.end(), literals.begin(), literals.end());
  if (literals.size() > 1) {
    watch(clause, 0);
    watch(clause, 1);
  }
  return clause;
}

void Choices::learn() {
  std::vector<Literal> learned(1);
  const auto first_ground = static_cast<std::uint32_t>(grounds_.size());
  std::uint32_t pending = 0;  // literals of the present level still to be replaced by their premises
  std::size_t at = trail_.size();
  std::vector<std::uint32_t> marked;
  premises_ = conflict_;
  grounds_.push_back({conflict_ground_.kind, conflict_ground_.index});
  for (;;) {
    for (const Literal literal : premises_) {
      const std::uint32_t option = literal.option();
      if (seen_[option] != 0) continue;
      seen_[option] = 1;
      marked.push_back(option);
      if (level_[option] == 0) {
        grounds_.push_back({Kind::fixed, option});
      } else if (level_[option] == present_level()) {
        ++pending;
      } else {
        learned.push_back(literal);
      }
    }
    do {
      --at;
    } while (seen_[trail_[at]] == 0);
    const std::uint32_t option = trail_[at];
    if (--pending == 0) {
      learned[0] = value_[option] == kTrue ? Literal::rejected(option) : Literal::chosen(option);
      break;
    }
    grounds_.push_back({ground_[option].kind, ground_[option].index});
    premises(option, ground_[option], premises_);
  }
  for (const std::uint32_t option : marked) seen_[option] = 0;
  std::uint32_t level = 0;
  for (std::size_t k = 1; k < learned.size(); ++k) {
    if (level_of(learned[k]) <= level) continue;
    level = level_of(learned[k]);
    std::swap(learned[1], learned[k]);
  }
  back_to(level);
  const std::uint32_t clause = add_clause(learned);
  clauses_[clause].grounds = first_ground;
  clauses_[clause].grounds_end = static_cast<std::uint32_t>(grounds_.size());
  assign(learned[0], {Kind::clause, clause});
}

void Choices::settle() {
  while (!refuted_ && !propagate()) {
    std::uint32_t level = 0;
    for (const Literal literal : conflict_) level = std::max(level, level_of(literal));
    if (level == 0) {
      refuted_ = true;
      return;
    }
    back_to(level);
    learn();
  }
  while (frontier_ < variables() && chosen_[frontier_] != kNone) ++frontier_;
  if (!refuted_) LINCHPIN_INVARIANTS(check_invariants());
}

std::uint32_t Choices::guess(std::uint32_t variable) const {
  for (const std::uint32_t option : {saved_[variable], problem_.home[variable]}) {
    if (option != kNone && value_[option] == kOpen) return option;
  }
  std::uint32_t option = problem_.last_first ? problem_.begin[variable + 1] - 1 : problem_.begin[variable];
  while (value_[option] != kOpen) option += problem_.last_first ? -1U : 1U;
  return option;
}

bool Choices::extend() {
  if (refuted_ || complete()) return false;
  level_begin_.push_back(static_cast<std::uint32_t>(trail_.size()));
  assign(Literal::chosen(guess(frontier_)), {});
  settle();
  return !refuted_;
}

void Choices::refute(std::span<const Literal> clause, std::uint32_t leaf) {
  std::vector<Literal> literals(clause.begin(), clause.end());
  std::sort(literals.begin(), literals.end(), [&](Literal a, Literal b) {
    return level_of(a) != level_of(b) ? level_of(a) > level_of(b) : a.packed < b.packed;
  });
  literals.erase(
      std::unique(literals.begin(), literals.end(), [](Literal a, Literal b) { return a.packed == b.packed; }),
      literals.end());
  const std::uint32_t level = literals.empty() ? 0 : level_of(literals[0]);
  const std::uint32_t next = literals.size() < 2 ? 0 : level_of(literals[1]);
  if (level > next) back_to(next);
  const std::uint32_t added = add_clause(literals);
  clauses_[added].leaf = leaf;
  if (level > next) {
    assign(literals[0], {Kind::clause, added});
  } else {
    conflict_ = std::move(literals);
    conflict_ground_ = {Kind::clause, added};
    if (level == 0) {
      refuted_ = true;
      return;
    }
    back_to(level);
    learn();
  }
  settle();
}

void Choices::check_invariants() const {
  LINCHPIN_ASSERT(followed_ <= trail_.size());
  std::vector<std::uint32_t> open(variables(), 0), takers(problem_.resources, 0), held(problem_.resources, 0);
  for (std::uint32_t option = 0; option < value_.size(); ++option) {
    const std::uint32_t resource = problem_.resource[option];
    if (value_[option] == kFalse) continue;
    ++open[variable_[option]];
    if (resource != kNone) ++takers[resource];
    if (value_[option] != kTrue) continue;
    LINCHPIN_ASSERT(chosen_[variable_[option]] == option);
    if (resource != kNone) ++held[resource];
  }
  LINCHPIN_ASSERT(open == left_ && takers == takers_);
  for (const std::uint32_t holders : held) LINCHPIN_ASSERT(holders <= 1);
  for (std::uint32_t x = 0; x < std::min(frontier_, variables()); ++x) LINCHPIN_ASSERT(chosen_[x] != kNone);
}

Choices::Refutation Choices::refutation() const {
  LINCHPIN_ASSERT(refuted_);
  Refutation result;
  std::vector<bool> clause_seen(clauses_.size(), false), option_seen(value_.size(), false);
  std::vector<Ground> open = {{conflict_ground_.kind, conflict_ground_.index}};
  for (const Literal literal : conflict_) open.push_back({Kind::fixed, literal.option()});
  std::vector<Literal> because;
  while (!open.empty()) {
    const Ground ground = open.back();
    open.pop_back();
    switch (ground.kind) {
      case Kind::variable: result.variables.push_back(ground.index); break;
      case Kind::resource: result.resources.push_back(ground.index); break;
      case Kind::choice: break;
      case Kind::clause: {
        if (clause_seen[ground.index]) break;
        clause_seen[ground.index] = true;
        const Clause& clause = clauses_[ground.index];
        if (clause.leaf != kNone) result.leaves.push_back(clause.leaf);
        open.insert(open.end(), grounds_.begin() + clause.grounds, grounds_.begin() + clause.grounds_end);
        break;
      }
      case Kind::fixed: {
        if (option_seen[ground.index]) break;
        option_seen[ground.index] = true;
        const Ground& own = ground_[ground.index];
        open.push_back({own.kind, own.index});
        premises(ground.index, own, because);
        for (const Literal literal : because) open.push_back({Kind::fixed, literal.option()});
        break;
      }
    }
  }
  const auto tidy = [](std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  };
  tidy(result.leaves);
  tidy(result.variables);
  tidy(result.resources);
  return result;
}

}  // namespace linchpin::decide::lift
