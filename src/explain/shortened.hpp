// Operations shown together, with long lists cut to the elements that matter among them.
//
// What a transaction read, or a log, a set or a queue held, may be a list of hundreds of elements, of which two or
// three tell why the operations are a violation: "[(28 more) 29 30 (3 more) 34]". It is how they are shown; the
// operations that are saved, and those in JSON, are whole.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin::explain {

class Shortened {
 public:
  /// Of a list with more than a dozen elements those matter that stand elsewhere in the operations' arguments, or in
  /// the sentence; the last one; and where two lists begin to differ, the elements on both sides of that place.
  /// O(length of the lists, times the lists), and no list is cut where there are more than `kMostLists`.
  Shortened(const History& history, std::span<const OperationIndex> operations, std::string_view sentence);

  /// As History::describe.
  [[nodiscard]] std::string describe(OperationIndex i) const;
  /// As ValuePool::to_text.
  [[nodiscard]] std::string text(Value value) const;

 private:
  static constexpr std::size_t kMostLists = 1024;

  void collect(Value value, bool argument);
  void keep_differences();
  [[nodiscard]] bool cut(Value value) const;
  [[nodiscard]] bool matters(Value value) const;

  const History& history_;
  std::vector<Value> lists_;                                          // each once, those that are short among them
  std::unordered_set<std::uint64_t> named_;                           // bits of what stands outside long lists
  std::unordered_set<std::string_view> words_;                        // of the sentence
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> kept_;  // by the bits of a list: places in it
};

}  // namespace linchpin::explain
