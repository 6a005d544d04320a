// What the searches for queues whose values are counted share: nodes whose moves are tried one after the other, depth
// first.
#pragma once

#include <cstdint>
#include <vector>

namespace linchpin::types::queue {

/// `Frame` has the places of its moves in the list of all: `moves`, where they begin, and `next`, the next to be tried.
/// `Search` has
///   bool reach_response()                      goes on to a response whose operation has not taken effect; false: the
///   end void enter()                               a frame with its moves, if the node was not met before void
///   undo_to(const Frame&) bool follow(Frame&, std::uint32_t move)    false: the move leads nowhere
template <class Search, class Frame>
class DepthFirst {
 public:
  enum class Status : std::uint8_t { going, found, nowhere };

  /// One node; the status is `going` before.
  void advance() {
    if (forward_) {
      if (!self().reach_response()) {
        status_ = Status::found;
        return;
      }
      forward_ = false;
      self().enter();
    }
    go_back();
  }
  [[nodiscard]] Status status() const { return status_; }

 protected:
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> moves_;

 private:
  Search& self() { return static_cast<Search&>(*this); }

  /// Follows the next move of the last node that has one.
  void go_back() {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      self().undo_to(frame);
      if (frame.next == moves_.size()) {
        moves_.resize(frame.moves);
        frames_.pop_back();
        continue;
      }
      if (self().follow(frame, moves_[frame.next++])) {
        forward_ = true;
        return;
      }
    }
    status_ = Status::nowhere;
  }

  Status status_ = Status::going;
  bool forward_ = true;
};

}  // namespace linchpin::types::queue
