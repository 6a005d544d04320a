// Walks from position to position of a queue: which enqueue, which peeks and which dequeue each has.
//
// A node is the set of enqueues, of dequeues, of peeks and of empty results that are placed; each set is a prefix of an
// interval order up to a window, so there are at most n * 4^k nodes (k: operations open at once), whatever the length
// of the queue. The walk is depth first, in the order of responses, and enters no node that is no better than one which
// led nowhere (position_memo.hpp).
//
//   rE, rD, rK, rO   least response among the enqueues, dequeues, peeks, empties not placed (infinity: none)
//   mx               greatest call among placed dequeues and peeks
//   on entering a node:   if rE > mx, place every empty called before min(rE, rD, rK)        (pure, so eagerly)
//   enqueue of a value:   called before min(rE, rD, rK, rO); of equal values the one that responds first
//   peek of the front v:  called before min(rD, rO, rK). Placed at once if no empty remains or it was called before
//                         max(rE, mx); else it raises mx, which may forbid an empty: branch over prefixes by call
//   dequeue of v:         called before min(rD, rO, rK); of equal values the one that responds first, but while empties
//                         remain every one that no other beats in both call and response
//   a pending dequeue may take any value: called before min(rD, rO); the pending ones are used in order of their calls,
//                         and only where no dequeue that returned leads on, or as the enqueue responds (Takes)
//   end: no dequeue, peek or empty remains (enqueues that remain follow behind)
// An enqueue that remains may happen before a dequeue that is placed (it is enqueued behind); an empty separates all
// that is placed from all that remains, hence the test rE > mx.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/none.hpp"
#include "history/subhistory.hpp"
#include "types/queue/position_memo.hpp"
#include "types/queue/position_track.hpp"

namespace linchpin::types::queue {

struct Placement {
  Kind kind;
  std::uint32_t member;  // kNone: the next pending dequeue
};

/// When it is tried that a pending dequeue takes a value.
enum class Takes : std::uint8_t {
  last_as_returned,  ///< where nothing else leads on, the value whose enqueue returned first before others
  last_as_called,    ///< the same, the value whose enqueue was called first
  as_returned,       ///< among dequeues that returned, as if it had returned with the enqueue
};

/// What is placed when a walk begins elsewhere than at the first position: `base`, and one of `more`.
struct PositionStarts {
  std::vector<Placement> base;
  std::vector<std::vector<Placement>> more;
  history::Rank latest = 0;  ///< one more than mx; 0: nothing is placed
};

class PositionWalk {
 public:
  enum class Status : std::uint8_t {
    going,
    found,     ///< a way to the end
    nowhere,   ///< no start leads to the end
    got_away,  ///< some start leads `far` positions further
  };

  explicit PositionWalk(const history::Subhistory& part, Takes takes = Takes::last_as_returned);
  PositionWalk(const PositionWalk&) = delete;
  PositionWalk& operator=(const PositionWalk&) = delete;

  /// From one start after the other; `far`: the number of positions that are enough.
  void begin(PositionStarts starts, std::size_t far = SIZE_MAX);
  /// One step; the status is `going` before.
  void advance();
  [[nodiscard]] Status status() const { return status_; }

  [[nodiscard]] const std::array<PositionTrack, kKinds>& tracks() const { return tracks_; }
  /// Pending dequeues whose results are lost, by call.
  [[nodiscard]] const std::vector<std::uint32_t>& wildcards() const { return wildcards_; }
  /// The number of the value that a member enqueues or dequeues.
  [[nodiscard]] algo::ValueNumber value_number(Kind kind, std::uint32_t member) const { return numbers_[kind][member]; }
  [[nodiscard]] std::uint32_t values() const { return values_; }

  /// What is placed, in order.
  [[nodiscard]] const std::vector<Placement>& trail() const { return trail_; }
  /// The positions that are placed beyond the start, now and at most.
  [[nodiscard]] std::size_t depth() const { return frames_.empty() ? 0 : frames_.size() - 1; }
  [[nodiscard]] std::size_t deepest() const { return deepest_; }
  /// Bytes that the next step takes at once because a table grows.
  [[nodiscard]] std::size_t growth() const {
    std::size_t bytes = memo_ ? memo_->growth() : 0;
    for (const PositionTrack& track : tracks_) bytes += track.growth();
    return bytes;
  }

 private:
  /// An enqueue, the number of peeks of its value placed by branching, and a dequeue.
  struct Choice {
    std::uint32_t enqueue;
    std::uint32_t branched_peeks;
    std::uint32_t dequeue;  // member; kNone: a pending dequeue, or none at the last position
    bool wildcard;
    history::Rank order;  // what is tried first: mostly the least response of the two
  };
  struct Frame {
    std::size_t trail;   // length on entering, before eager empties
    std::size_t placed;  // length after them
    std::vector<Choice> choices;
    std::size_t tried = 0;
    history::Rank latest;  // mx on entering
    std::uint32_t wildcards_used;
  };

  [[nodiscard]] Value value_of_enqueue(std::uint32_t member) const {
    return part_.arguments(tracks_[kEnqueues].local(member))[0];
  }
  [[nodiscard]] Value value_of(Kind kind, std::uint32_t member) const {
    return part_.result(tracks_[kind].local(member));
  }
  [[nodiscard]] history::Rank least(std::initializer_list<Kind> kinds) const;
  void number_values();

  [[nodiscard]] std::uint64_t weight(Kind kind, std::uint32_t member) const;
  void place(Kind kind, std::uint32_t member);
  void undo_to(std::size_t length);

  void next_start();
  void enter();
  [[nodiscard]] bool enqueues_follow() const;
  [[nodiscard]] PositionKey key();
  void list_choices(Frame& frame);
  void list_choices_of(std::uint32_t enqueue, Frame& frame);
  void list_dequeues(std::uint32_t enqueue, std::uint32_t branched, Value value, Frame& frame);
  [[nodiscard]] std::uint32_t next_peek(Value value) const;
  void place_free_peeks(Value value);
  bool place_next_peek(Value value);

  const history::Subhistory& part_;
  const Takes takes_;
  std::array<PositionTrack, kKinds> tracks_;
  std::vector<std::uint32_t> wildcards_;
  std::array<std::vector<algo::ValueNumber>, 2> numbers_;  // of the values of enqueues and dequeues
  std::uint32_t values_ = 0;

  PositionStarts starts_;
  std::size_t next_start_ = 0;
  std::size_t far_ = SIZE_MAX;
  Status status_ = Status::going;

  std::vector<Placement> trail_;
  std::vector<std::uint32_t> turns_;  // of the track before each placement
  history::Rank latest_ = 0;          // one more than mx
  std::uint32_t wildcards_used_ = 0;
  std::vector<Frame> frames_;
  std::size_t deepest_ = 0;
  std::uint64_t placed_ = 0;  // sum of weights
  std::optional<PositionMemo> memo_;
};

}  // namespace linchpin::types::queue
