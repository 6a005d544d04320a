// A Michael-Scott queue whose nodes live as long as it: what exploring is measured and tested by.
//
// `Store` is where nodes come from (stress/node_store.hpp). Source: Michael and Scott, Simple, fast, and practical
// non-blocking and blocking concurrent queue algorithms, PODC 1996.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace linchpin::controls {

template <template <class> class Store>
class MichaelScottQueue {
 public:
  MichaelScottQueue() {
    head_ = &nodes_.make();
    tail_ = head_.load();
  }
  void enqueue(std::int64_t value) {
    Node* const node = &nodes_.make();
    node->value = value;
    for (;;) {
      Node* tail = tail_.load();
      Node* next = tail->next.load();
      if (tail != tail_.load()) continue;
      if (next != nullptr) {
        tail_.compare_exchange_strong(tail, next);
      } else if (tail->next.compare_exchange_strong(next, node)) {
        tail_.compare_exchange_strong(tail, node);
        return;
      }
    }
  }
  std::optional<std::int64_t> dequeue() {
    for (;;) {
      Node* head = head_.load();
      Node* tail = tail_.load();
      Node* const next = head->next.load();
      if (head != head_.load()) continue;
      if (head == tail) {
        if (next == nullptr) return std::nullopt;
        tail_.compare_exchange_strong(tail, next);
      } else {
        const std::int64_t value = next->value;
        if (head_.compare_exchange_strong(head, next)) return value;
      }
    }
  }

 private:
  struct Node {
    std::int64_t value = 0;
    std::atomic<Node*> next = nullptr;
  };
  Store<Node> nodes_;
  std::atomic<Node*> head_ = nullptr, tail_ = nullptr;
};

}  // namespace linchpin::controls
