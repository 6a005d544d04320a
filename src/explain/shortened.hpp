// Operations shown together, with long lists and texts cut to what matters among them.
//
// What a transaction read, or a log, a set or a queue held, may be a list of hundreds of elements, of which two or
// three tell why the operations are a violation: "[(28 more) 29 30 (3 more) 34]". So may be a text, what was appended
// to a key for example: "x 0 0 y"(9120 more)"x 3 7 y". It is how they are shown; the operations that are saved, and
// those in JSON, are whole.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "linchpin/history.hpp"

namespace linchpin::explain {

/// The same of a text in which values stand as History::describe writes them, a sentence or a state: of what is long in
/// quotes, or without a blank, both ends, and how many bytes the value has besides. O(length).
[[nodiscard]] std::string with_short_texts(std::string_view text);

class Shortened {
 public:
  /// Of a list with more than a dozen elements those matter that stand elsewhere in the operations' arguments, or in
  /// the sentence; the last one; and where two lists begin to differ, the elements on both sides of that place. Of a
  /// text of more than some lines both ends are shown, and what stands about such places.
  /// O(length of the lists and texts, times their number); no list is cut where there are more than `kMostLists`, and
  /// of so many texts only the ends are shown.
  Shortened(const History& history, std::span<const OperationIndex> operations, std::string_view sentence);

  /// As History::describe.
  [[nodiscard]] std::string describe(OperationIndex i) const;
  /// As ValuePool::to_text.
  [[nodiscard]] std::string text(Value value) const;
  /// Long ones of the operations, each once.
  [[nodiscard]] std::span<const Value> long_texts() const { return texts_; }

 private:
  static constexpr std::size_t kMostLists = 1024;

  void collect(Value value, bool argument);
  void keep_differences();
  void keep_different_pieces();
  [[nodiscard]] bool is_long_text(Value value) const;
  [[nodiscard]] std::string pieces_of(Value value) const;
  [[nodiscard]] bool cut(Value value) const;
  [[nodiscard]] bool matters(Value value) const;

  const History& history_;
  std::vector<Value> lists_;                                               // each once, those that are short among them
  std::unordered_set<std::uint64_t> named_;                                // bits of what stands outside long lists
  std::unordered_set<std::string_view> words_;                             // of the sentence
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> kept_;       // by the bits of a list: places in it
  std::vector<Value> texts_;                                               // long ones, each once
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> differing_;  // by the bits of a text: places in it
};

/// Words about the operations, in which their long texts are shown as Shortened shows them; others by their ends.
/// O(length of the words), unless they hold a long text.
[[nodiscard]] std::string with_short_texts(const History& history, std::span<const OperationIndex> operations,
                                           std::string words);

}  // namespace linchpin::explain
