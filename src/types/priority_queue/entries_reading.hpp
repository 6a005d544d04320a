// What the operations of a priority queue do, for the search over what is inside (entries.cpp).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "linchpin/hash.hpp"
#include "types/priority_queue/order.hpp"

namespace linchpin::types::priority_queue {

/// What is inside: a priority and a value, and where ages matter two numbers of them (entries.cpp).
struct Entry {
  std::uint32_t priority = 0, value = 0, earliest = 0, latest = 0;

  friend auto operator<=>(const Entry&, const Entry&) = default;
  [[nodiscard]] std::uint64_t hash() const {
    return mix(mix(0, (std::uint64_t{priority} << 32) | value), (std::uint64_t{earliest} << 32) | latest);
  }
  [[nodiscard]] bool goes_before(const Entry& other) const { return latest <= other.earliest; }
};

struct EntryAct {
  enum class Kind : std::uint8_t {
    insert,
    poll,      ///< takes a value
    poll_any,  ///< takes nobody knows what, or finds nothing
    peek,      ///< sees a value
    empty,     ///< finds nothing
    filled,    ///< finds something
    nothing,   ///< legal anywhere, changes nothing
    never,     ///< legal nowhere
  };
  Kind kind = Kind::nothing;
  std::uint32_t value = 0;     ///< a number
  std::uint32_t priority = 0;  ///< of an insert: its place in an order that extends that of the priorities
  std::uint32_t earliest = 0;  ///< of an insert, by its call, among those of its priority; 0: any order will do

  [[nodiscard]] bool looks() const { return kind == Kind::empty || kind == Kind::filled || kind == Kind::nothing; }
  bool operator==(const EntryAct&) const = default;
};

class EntryActs {
 public:
  explicit EntryActs(const history::Subhistory& part);

  /// Why they cannot be read; empty: they are.
  [[nodiscard]] const std::string& obstacle() const { return obstacle_; }
  [[nodiscard]] bool other_type() const { return other_type_; }
  /// By local index.
  [[nodiscard]] const EntryAct& operator[](std::uint32_t x) const { return acts_[x]; }
  /// Whether of equal priorities the one inserted first leaves first.
  [[nodiscard]] bool by_age() const { return by_age_; }
  /// Whether `left` has to leave before `right`.
  [[nodiscard]] bool better(std::uint32_t left, std::uint32_t right) const {
    return left < right && (total_ || order_.before(priorities_[left], priorities_[right], *pool_));
  }
  [[nodiscard]] bool total() const { return total_; }
  [[nodiscard]] std::size_t values() const { return values_; }
  [[nodiscard]] std::size_t priorities() const { return priorities_.size(); }
  /// How many inserts of the priority were called before the rank; 1 where any order will do.
  [[nodiscard]] std::uint32_t latest(std::uint32_t priority, history::Rank rank) const;
  /// The insert of the priority before which `earliest` others of it were called. @pre by_age()
  [[nodiscard]] std::uint32_t insert(std::uint32_t priority, std::uint32_t earliest) const {
    return inserts_[priority][earliest];
  }
  /// Whether it never has to run and changes nothing, or is legal nowhere.
  [[nodiscard]] bool needless(std::uint32_t x) const { return needless_[x]; }

 private:
  std::string obstacle_;
  bool other_type_ = false, by_age_ = false, total_ = true;
  std::size_t values_ = 0;
  std::vector<EntryAct> acts_;
  std::vector<bool> needless_;
  PriorityOrder order_;
  const ValuePool* pool_ = nullptr;
  std::vector<Value> priorities_;                    // in an order that extends theirs
  std::vector<std::vector<std::uint32_t>> inserts_;  // by priority, by call
  std::vector<std::vector<history::Rank>> calls_;    // of these
};

}  // namespace linchpin::types::priority_queue
