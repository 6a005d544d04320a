// Lists only grow, so every list read is a prefix of the final one of its key, and the longest one read says how the
// final list begins. The appends of one transaction stand next to each other in it. Whatever contradicts this does so
// with two or three transactions. Cost O(length of all lists).
#include "types/list_append/lists.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

namespace linchpin::types::list_append {

namespace {

class Finder {
 public:
  Finder(const history::Subhistory& part, const Reading& reading, Lists& lists)
      : part_(part), pool_(part.history->pool()), reading_(reading), lists_(lists) {}

  Anomaly find() {
    inside() && numbered() && prefixes() && in_runs() && ends();
    return std::move(anomaly_);
  }

 private:
  /// As it was asked for: what its reads saw may be long.
  std::string text(std::uint32_t t) const {
    return fmt::format("{}({})", part_.history->method_name(part_.history->method(part_.operation[t])),
                       text(part_.arguments(t)[0]));
  }
  std::string text(Value value) const { return pool_.to_text(value); }
  std::string key_text(std::uint32_t key) const { return pool_.to_text(reading_.keys[key]); }

  bool fail(std::string name, std::vector<std::uint32_t> transactions, std::uint32_t blocked, std::string sentence) {
    std::sort(transactions.begin(), transactions.end());
    transactions.erase(std::unique(transactions.begin(), transactions.end()), transactions.end());
    anomaly_ = {std::move(name), std::move(transactions), blocked, std::move(sentence)};
    return false;
  }

  /// The transactions given, with those that append the values to the key.
  std::vector<std::uint32_t> with_writers(std::vector<std::uint32_t> transactions, std::uint32_t key,
                                          std::initializer_list<Value> values) const {
    for (const Value value : values) {
      const std::uint32_t element = reading_.find(value, key);
      if (element != kNone) transactions.push_back(reading_.appends[element].transaction);
    }
    return transactions;
  }

  /// Each list ends with what its own transaction appended before, and each read of it saw as much of the others.
  bool inside() {
    struct First {
      std::uint32_t transaction = kNone;
      std::uint32_t read = 0;
    };
    std::vector<First> first(reading_.keys.size());
    longest_.assign(reading_.keys.size(), kNone);
    for (std::uint32_t r = 0; r < reading_.reads.size(); ++r) {
      const Read& read = reading_.reads[r];
      const std::span<const Value> values = read.list;
      if (!ends_with_own(read, values)) return fail_own(read, values);
      First& before = first[read.key];
      if (before.transaction == read.transaction) {
        const Read& other = reading_.reads[before.read];
        if (values.size() - read.own != other.list.size() - other.own) return fail_twice(other, read);
      } else {
        before = {read.transaction, r};
      }
      std::uint32_t& longest = longest_[read.key];
      if (longest == kNone || values.size() > reading_.reads[longest].list.size()) longest = r;
    }
    return true;
  }

  bool ends_with_own(const Read& read, std::span<const Value> values) const {
    if (values.size() < read.own) return false;
    std::uint32_t element = read.first_own;
    for (std::size_t i = values.size() - read.own; i < values.size(); ++i) {
      if (element == kNone || reading_.appends[element].value != values[i]) return false;
      element = reading_.appends[element].next;
    }
    return true;
  }

  bool fail_own(const Read& read, std::span<const Value> values) {
    // The first element of others behind one of its own; none: its own are missing, or in another order.
    std::uint32_t intruder = kNone;
    bool behind = false;
    for (const Value value : values) {
      const std::uint32_t element = reading_.find(value, read.key);
      const bool own = element != kNone && reading_.appends[element].transaction == read.transaction;
      behind = behind || own;
      if (!behind || own || element == kNone) continue;
      intruder = reading_.appends[element].transaction;
      break;
    }
    std::vector<std::uint32_t> transactions{read.transaction};
    if (intruder != kNone) transactions.push_back(intruder);
    return fail("internal", std::move(transactions), read.transaction,
                fmt::format("internal: {} read from {} a list that does not end with what it had appended itself",
                            text(read.transaction), key_text(read.key)));
  }

  bool fail_twice(const Read& earlier, const Read& later) {
    std::span<const Value> longer = earlier.list.first(earlier.list.size() - earlier.own);
    std::span<const Value> shorter = later.list.first(later.list.size() - later.own);
    if (longer.size() < shorter.size()) std::swap(longer, shorter);
    absl::flat_hash_set<std::uint64_t> common;
    for (const Value value : shorter) common.insert(value.bits());
    // One that the longer list has and the other has not, or one that the longer list has twice.
    Value only = longer.front();
    for (const Value value : longer) {
      if (common.erase(value.bits()) != 0) continue;
      only = value;
      break;
    }
    return fail("internal", with_writers({later.transaction}, later.key, {only}), later.transaction,
                fmt::format("internal: {} read {} twice, and once with more from others than the other time",
                            text(later.transaction), key_text(later.key)));
  }

  /// The longest lists as elements, each appended once by somebody who may have.
  bool numbered() {
    const std::size_t keys = reading_.keys.size();
    lists_.seen.assign(reading_.appends.size(), false);
    lists_.reader.assign(keys, kNone);
    lists_.begin.reserve(keys + 1);
    for (std::uint32_t key = 0; key < keys; ++key) {
      lists_.begin.push_back(static_cast<std::uint32_t>(lists_.element.size()));
      if (longest_[key] == kNone) continue;
      const Read& read = reading_.reads[longest_[key]];
      lists_.reader[key] = read.transaction;
      std::uint32_t place = reading_.begin[key];  // in by_value: most often values ascend
      for (const Value value : read.list) {
        const std::uint32_t end = reading_.begin[key + 1];
        const bool as_expected = place < end && reading_.appends[reading_.by_value[place]].value == value;
        const std::uint32_t element = as_expected ? reading_.by_value[place] : reading_.find(value, key);
        place += as_expected ? 1 : 0;
        if (element == kNone) return fail_unwritten(read, value);
        if (lists_.seen[element]) {
          return fail("duplicate", with_writers({read.transaction}, key, {value}), read.transaction,
                      fmt::format("duplicate: {} was appended to {} once, and {} read it twice", text(value),
                                  key_text(key), text(read.transaction)));
        }
        lists_.seen[element] = true;
        lists_.element.push_back(element);
      }
    }
    lists_.begin.push_back(static_cast<std::uint32_t>(lists_.element.size()));
    return true;
  }

  bool fail_unwritten(const Read& read, Value value) {
    const auto aborted = reading_.aborted.find({value.bits(), read.key});
    if (aborted == reading_.aborted.end()) {
      return fail("phantom", {read.transaction}, read.transaction,
                  fmt::format("phantom: {} read {} from {}, but nobody appended it", text(read.transaction),
                              text(value), key_text(read.key)));
    }
    return fail("G1a", {read.transaction, aborted->second}, read.transaction,
                fmt::format("G1a, aborted read: {} read {} from {}, but {}, which appended it, did not take effect",
                            text(read.transaction), text(value), key_text(read.key), text(aborted->second)));
  }

  bool prefixes() {
    for (const Read& read : reading_.reads) {
      const Read& longest = reading_.reads[longest_[read.key]];
      if (read.list.data() == longest.list.data()) continue;  // the same one, or how it begins
      const std::span<const Value> values = read.list;
      const std::span<const Value> all = longest.list;
      const auto differ = std::mismatch(values.begin(), values.end(), all.begin());
      if (differ.first == values.end()) continue;
      return fail(
          "incompatible order",
          with_writers({read.transaction, longest.transaction}, read.key, {*differ.first, *differ.second}),
          read.transaction,
          fmt::format("incompatible order: {} read {} from {} where {} read {}", text(read.transaction),
                      text(*differ.first), key_text(read.key), text(longest.transaction), text(*differ.second)));
    }
    return true;
  }

  /// Runs of one writer: all that it appends to the key, in its order; the last run may be cut short.
  bool in_runs() {
    lists_.kept.assign(part_.size(), false);
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      lists_.kept[t] = reading_.fate[t] == Fate::committed || (reading_.fate[t] == Fate::aborted && !part_.pending(t));
    }
    lists_.run.reserve(lists_.element.size());
    lists_.runs.reserve(reading_.keys.size() + 1);
    for (std::uint32_t key = 0; key < reading_.keys.size(); ++key) {
      lists_.runs.push_back(static_cast<std::uint32_t>(lists_.writer.size()));
      const std::uint32_t end = lists_.begin[key + 1];
      for (std::uint32_t at = lists_.begin[key]; at < end;) {
        std::uint32_t element = lists_.element[at];
        const std::uint32_t writer = reading_.appends[element].transaction;
        if (!reading_.appends[element].first) return fail_torn(key, writer, writer);
        lists_.kept[writer] = true;
        const auto run = static_cast<std::uint32_t>(lists_.writer.size());
        lists_.writer.push_back(writer);
        for (; element != kNone && at < end; element = reading_.appends[element].next, ++at) {
          if (lists_.element[at] != element) {
            return fail_torn(key, writer, reading_.appends[lists_.element[at]].transaction);
          }
          lists_.run.push_back(run);
        }
      }
    }
    lists_.runs.push_back(static_cast<std::uint32_t>(lists_.writer.size()));
    return true;
  }

  bool fail_torn(std::uint32_t key, std::uint32_t writer, std::uint32_t intruder) {
    const std::uint32_t reader = lists_.reader[key];
    return fail("torn", {writer, intruder, reader}, reader,
                fmt::format("torn: {} read from {} what {} appended, but not together and in its order", text(reader),
                            key_text(key), text(writer)));
  }

  /// What a transaction reads from others ends where one of them ended.
  bool ends() {
    for (const Read& read : reading_.reads) {
      const std::size_t size = read.list.size() - read.own;
      if (size == 0) continue;
      const std::uint32_t last = lists_.element[lists_.begin[read.key] + size - 1];
      const Append& append = reading_.appends[last];
      if (append.transaction == read.transaction) {
        return fail("internal", {read.transaction}, read.transaction,
                    fmt::format("internal: {} read from {} what it appended only later", text(read.transaction),
                                key_text(read.key)));
      }
      if (append.next != kNone) {
        return fail("G1b", {read.transaction, append.transaction}, read.transaction,
                    fmt::format("G1b, intermediate read: {} read from {} only a part of what {} appended to it",
                                text(read.transaction), key_text(read.key), text(append.transaction)));
      }
    }
    return true;
  }

  const history::Subhistory& part_;
  const ValuePool& pool_;
  const Reading& reading_;
  Lists& lists_;
  std::vector<std::uint32_t> longest_;  // by key: the read
  Anomaly anomaly_;
};

}  // namespace

Anomaly find_lists(const history::Subhistory& part, const Reading& reading, Lists& lists) {
  return Finder(part, reading, lists).find();
}

}  // namespace linchpin::types::list_append
