// The schedules of the closed form, each once for a chain, as a tree that shares prefixes.
//
// A schedule of the closed form is the order of the calls with some operations delayed. So walk along the calls with an
// ordered list of delayed operations and a budget of d - 1 delays. At operation y: what happens before y, and all in
// front of it in the list, goes first. Then
//   - y of the chain goes to the front of the list for nothing, or to a later place in the list for one delay;
//   - any other y goes now, or to a place in the list for one delay. In front of an operation that the chain has put
//     there for nothing it takes two: that one is then delayed on purpose as well (x_0 is of another chain);
//   - a branch ends when an operation that was paid for leaves the list with nothing having gone in between: it might
//     have gone at once. The list goes at the end.
// Each leaf is one schedule, and no schedule has two leaves for one chain; the leaves with at most d - 1 delays are the
// closed form's schedules for tuples of at most d - 1 operations, so there are at most n^(d-1), m n^(d-1) for all
// chains. Each edge is one operation executed: a wrong result cuts off everything that begins so.
//
// Cost: O(n) a schedule at worst, less where prefixes are shared. Memory O(n d).
// Source: ours. Compare: published.hpp (Algorithm 1), closed_form.hpp (the same set, by sorting). Tests:
// schedules_test.cpp (the same set, without duplicates, hitting every tuple).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "research/schedules/poset.hpp"

namespace linchpin::research {

/// An operation that waits for what it happens before.
struct Delayed {
  std::uint32_t operation = 0;
  std::uint32_t since = 0;  ///< how many operations had gone when it was delayed
  bool paid = false;        ///< not: it is of the chain, and stands in front
};

/// Where a walk stands, for a memo: what follows depends on nothing else but the runner's state.
struct Standing {
  std::uint32_t position = 0;  ///< the operation whose turn it is
  std::span<const Delayed> list;
  bool fresh = false;        ///< the first of the list was paid for and may not leave yet
  std::uint32_t budget = 0;  ///< delays left
};

/// The walk for one chain. A Runner has
///   bool emit(operation)     executes the operation; false: a wrong result
///   void retract(count)      takes back all but the first `count` operations
///   bool finish(delays)      a whole schedule; true: stop here, what was emitted stands
///   bool known(standing)     whether nothing new is to be found from here (and remembers to have been here)
template <class Runner>
class Enumeration {
 public:
  enum class Status : std::uint8_t { paused, stopped, done };

  Enumeration(const OperationPoset& poset, Runner& runner) : poset_(poset), runner_(runner) {}

  /// @pre nothing is emitted
  void start(std::uint32_t chain, std::uint32_t budget) {
    chain_ = chain;
    budget_ = budget;
    position_ = emitted_ = spent_ = 0;
    list_.clear();
    nodes_.clear();
    lists_.clear();
    descending_ = true;
  }

  /// Goes on for about `steps` operations; counts them down.
  Status run(std::int64_t& steps) {
    while (steps > 0) {
      if (descending_) {
        descending_ = false;
        if (descend(steps)) return Status::stopped;
      } else if (nodes_.empty()) {
        return Status::done;
      } else {
        descending_ = choose_next();
      }
    }
    return Status::paused;
  }

 private:
  /// A point with more than one way on; the list is as it was after what had to go went.
  struct Node {
    std::uint32_t position, emitted, spent;
    std::uint32_t list_begin;  // into lists_, to its end or to the next node's
    std::uint32_t list_size;
    std::uint32_t next;  // of the choices: see choose_next
  };

  bool emit(std::uint32_t operation) {
    if (!runner_.emit(operation)) return false;
    ++emitted_;
    return true;
  }

  /// Lets the first `count` of the list go; false: the branch ends.
  bool release(std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      if (list_[k].paid && list_[k].since == emitted_) return false;
      if (!emit(list_[k].operation)) return false;
    }
    list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(count));
    return true;
  }

  /// Goes down along first choices to a leaf or a dead end; true: the runner wants no more.
  bool descend(std::int64_t& steps) {
    --steps;
    for (; position_ < poset_.size(); ++position_) {
      --steps;
      std::size_t leaving = list_.size();
      while (leaving > 0 && !poset_.before(list_[leaving - 1].operation, position_)) --leaving;
      if (leaving > 0 && !release(leaving)) return false;
      const bool fresh = !list_.empty() && list_.front().paid && list_.front().since == emitted_;
      if (runner_.known({.position = position_, .list = list_, .fresh = fresh, .budget = budget_ - spent_})) {
        return false;
      }
      if (spent_ < budget_) {
        nodes_.push_back({.position = position_,
                          .emitted = emitted_,
                          .spent = spent_,
                          .list_begin = static_cast<std::uint32_t>(lists_.size()),
                          .list_size = static_cast<std::uint32_t>(list_.size()),
                          .next = 1});
        lists_.insert(lists_.end(), list_.begin(), list_.end());
      }
      if (poset_.chain[position_] == chain_) {
        list_.insert(list_.begin(), {.operation = position_, .since = emitted_, .paid = false});
      } else if (!emit(position_)) {
        return false;
      }
    }
    if (!release(list_.size())) return false;
    return runner_.finish(spent_);
  }

  /// Takes the next choice of the last node that has one; false: that node had none left and is gone.
  /// Choice 0 (go now, or to the front for nothing) was taken on the way down; choice k + 1 is place k of the list.
  bool choose_next() {
    Node& node = nodes_.back();
    const std::uint32_t y = node.position;
    const std::span<const Delayed> list = std::span(lists_).subspan(node.list_begin, node.list_size);
    const bool own = poset_.chain[y] == chain_;
    const bool guest = !list.empty() && !list.front().paid;  // the chain's, in front for nothing
    while (node.next <= list.size() + 1) {
      const std::uint32_t place = node.next++ - 1;
      if (place == 0 && own) continue;  // choice 0
      const std::uint32_t cost = place == 0 && guest ? 2 : 1;
      if (node.spent + cost > budget_) continue;
      if (place == 0 && leaves_at(y, list) <= y + 1) continue;  // it would leave at once
      runner_.retract(node.emitted);
      emitted_ = node.emitted;
      spent_ = node.spent + cost;
      position_ = y + 1;
      list_.assign(list.begin(), list.end());
      if (cost == 2) list_.front().paid = true;
      list_.insert(list_.begin() + place, {.operation = y, .since = emitted_, .paid = true});
      return true;
    }
    lists_.resize(node.list_begin);
    nodes_.pop_back();
    return false;
  }

  /// The operation at whose turn y leaves the list when it stands in front of it.
  [[nodiscard]] std::uint32_t leaves_at(std::uint32_t y, std::span<const Delayed> list) const {
    std::uint32_t first = poset_.beyond[y];
    for (const Delayed& behind : list) first = std::min(first, poset_.beyond[behind.operation]);
    return first;
  }

  const OperationPoset& poset_;
  Runner& runner_;
  std::uint32_t chain_ = 0, budget_ = 0;
  std::uint32_t position_ = 0, emitted_ = 0, spent_ = 0;
  bool descending_ = false;     // else the last node's next choice is due
  std::vector<Delayed> list_;   // at most budget_ + 1
  std::vector<Node> nodes_;     // on the way to where the walk stands
  std::vector<Delayed> lists_;  // of the nodes
};

}  // namespace linchpin::research
