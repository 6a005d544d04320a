// What is known of the elements of a Java collection from the whole history: which operation added each, and which ones
// found it inside.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "history/subhistory.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {

class ElementFacts {
 public:
  struct Element {
    std::uint32_t adds = 0;                        ///< how often it is put in
    history::Rank first_added = history::kNoRank;  ///< least call of what puts it in
    std::vector<std::uint32_t> needs =
        {};  ///< the operations that were legal only with it inside, the last called first
  };

  /// Of a queue, a deque or a heap: their method tables begin alike.
  explicit ElementFacts(const history::Subhistory& part);

  /// Null: nobody puts it in.
  [[nodiscard]] const Element* find(Value value) const {
    const auto at = elements_.find(value.bits());
    return at == elements_.end() ? nullptr : &at->second;
  }

  /// An operation that returned something that no order explains: an element that nobody had put in by then, or what is
  /// no answer of the method. The number of operations: there is none.
  [[nodiscard]] std::uint32_t unheard() const { return unheard_; }

 private:
  void read_added(std::uint32_t x);
  void read_needed(std::uint32_t x);
  void need(std::uint32_t x, Value value);
  void need_listed(std::uint32_t x, std::string_view text);
  void must_be(std::uint32_t x, bool possible) {
    if (!possible && x < unheard_) unheard_ = x;
  }

  const history::Subhistory& part_;
  absl::flat_hash_map<std::uint64_t, Element> elements_;
  absl::flat_hash_map<std::string, Value> by_text_;
  bool texts_differ_ = true;  // no two elements print alike, and none has a comma
  std::uint32_t unheard_;
};

}  // namespace linchpin::types::juc
