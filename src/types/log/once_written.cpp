// An entry that only one operation writes comes into the log once, at one place, behind one entry, and leaves it for
// good when the log is overwritten. So two operations that saw it must agree on its place, on the entry before it and
// on the one behind it; nobody sees it behind a `put` that ran after its writer had returned; and of two such entries,
// the one whose writer returned before the other's was called stands before the other.
//
// Each is a violation of two or three operations, whatever else was done. What is consistent so is left to the search.
// Cost: O(n + the lists), and one sort of the puts. Source: own. Compare: reading.cpp (logs without `put`, any
// entries), contents.cpp. Tests: log_contents_test.cpp.
#include "types/log/once_written.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "types/log/specification.hpp"

namespace linchpin::types::log_ {

namespace {

using Local = std::uint32_t;
using history::Rank;

/// Somebody who says so; none: nobody does.
template <class What>
struct Said {
  std::optional<Local> by;
  What what = {};
};

struct Entry {
  std::optional<Local> writer;  // none: it is written more than once
  Said<std::size_t> place;
  Said<Value> before;  // none: it is the first
  Said<Value> behind;
};

class Contradictions {
 public:
  explicit Contradictions(const history::Subhistory& part) : part_(part), log_(*part.specification->get_if<Log>()) {}

  std::optional<Contradiction> find() {
    for (Local x = 0; x < part_.size(); ++x) note_writes(x);
    sort_puts();
    for (Local x = 0; x < part_.size() && !found_; ++x) look(x);
    return std::move(found_);
  }

 private:
  struct Put {
    Rank response;
    Local latest;  // of the puts that returned by then, the one that was called last
  };

  [[nodiscard]] std::span<const Value> elements(Value list) const { return part_.history->pool().elements_of(list); }
  [[nodiscard]] std::string described(Local x) const { return part_.history->describe(part_.operation[x]); }
  [[nodiscard]] std::string text(Value value) const {
    return value.is_none() ? "nothing" : part_.history->pool().to_text(value);
  }

  void note_writes(Local x) {
    const auto note = [&](Value value) {
      const auto [at, is_new] = entries_.try_emplace(value.bits());
      at->second.writer = is_new ? std::optional(x) : std::nullopt;
    };
    if (part_.method[x] == Log::kAppend) note(part_.arguments(x)[0]);
    if (part_.method[x] != Log::kPut) return;
    for (const Value value : elements(part_.arguments(x)[0])) note(value);
    if (!part_.pending(x)) puts_.push_back({part_.response[x], x});
  }
  void sort_puts() {
    std::sort(puts_.begin(), puts_.end(), [](const Put& a, const Put& b) { return a.response < b.response; });
    for (std::size_t at = 1; at < puts_.size(); ++at) {
      const Local before = puts_[at - 1].latest;
      if (part_.call[before] > part_.call[puts_[at].latest]) puts_[at].latest = before;
    }
  }

  void look(Local x) {
    const Operation operation = part_.view(x);
    switch (operation.method) {
      case Log::kAppend:
        if (!part_.pending(x) && log_.returns_place(operation)) told_place(x, operation);
        return;
      case Log::kPut: shown(x, elements(operation.argument(0))); return;
      case Log::kRead:
        if (part_.pending(x) || !operation.result.is_list()) return;
        shown(x, elements(operation.result));
        seen_in_order(x, elements(operation.result));
        return;
      case Log::kGet: {
        if (part_.pending(x) || operation.result_unknown() || operation.result.is_nil()) return;
        const std::int64_t place = operation.pool->integer_of(operation.argument(0));
        if (place >= 0) seen_at(x, operation.result, static_cast<std::size_t>(place));
        return;
      }
      default: return;
    }
  }
  void told_place(Local x, const Operation& operation) {
    const std::int64_t told = operation.pool->integer_of(operation.result);
    const std::int64_t place = log_.returned == Log::Returned::length ? told - 1 : told;
    if (place >= 0) seen_at(x, operation.argument(0), static_cast<std::size_t>(place));
  }

  /// The entry, where it is written once.
  [[nodiscard]] Entry* find(Value value) {
    const auto at = entries_.find(value.bits());
    return at != entries_.end() && at->second.writer ? &at->second : nullptr;
  }

  void shown(Local x, std::span<const Value> list) {
    for (std::size_t at = 0; at < list.size() && !found_; ++at) {
      seen_at(x, list[at], at);
      Entry* const entry = find(list[at]);
      if (entry == nullptr || found_) continue;
      agree(entry->before, x, at == 0 ? Value::none() : list[at - 1], [&](Local other, Value its, Value own) {
        return fmt::format("{} is behind {} in {} and behind {} in {}, but it was written once", text(list[at]),
                           text(its), described(other), text(own), described(x));
      });
      if (at + 1 == list.size()) continue;
      agree(entry->behind, x, list[at + 1], [&](Local other, Value its, Value own) {
        return fmt::format("{} is followed by {} in {} and by {} in {}, but it was written once", text(list[at]),
                           text(its), described(other), text(own), described(x));
      });
    }
  }

  void seen_at(Local x, Value value, std::size_t place) {
    Entry* const entry = find(value);
    if (entry == nullptr || found_) return;
    agree(entry->place, x, place, [&](Local other, std::size_t its, std::size_t own) {
      return fmt::format("{} is at place {} by {} and at {} by {}, but it was written once", text(value), its,
                         described(other), own, described(x));
    });
    const Local writer = *entry->writer;
    if (found_ || x == writer) return;
    const auto after =
        std::partition_point(puts_.begin(), puts_.end(), [&](const Put& put) { return put.response < part_.call[x]; });
    if (after == puts_.begin()) return;
    const Local put = std::prev(after)->latest;
    if (part_.response[writer] >= part_.call[put]) return;
    take({writer, put, x}, fmt::format("{} saw {}, but {} had overwritten it after {}, which alone wrote it",
                                       described(x), text(value), described(put), described(writer)));
  }

  template <class What, class Words>
  void agree(Said<What>& said, Local x, What what, const Words& words) {
    if (found_) return;
    if (!said.by) {
      said = {x, what};
    } else if (said.what != what) {
      take({*said.by, x}, words(*said.by, said.what, what));
    }
  }

  /// Whether each writer may have come after those of the entries before.
  void seen_in_order(Local x, std::span<const Value> list) {
    std::optional<std::pair<Local, Value>> latest;  // the writer that was called last, and what it wrote
    for (const Value value : list) {
      const Entry* const entry = find(value);
      if (entry == nullptr || found_) continue;
      const Local writer = *entry->writer;
      if (latest && part_.response[writer] < part_.call[latest->first]) {
        take({writer, latest->first, x},
             fmt::format("{} shows {} before {}, but {} had returned when {} was called", described(x),
                         text(latest->second), text(value), described(writer), described(latest->first)));
      }
      if (!latest || part_.call[writer] > part_.call[latest->first]) latest = {writer, value};
    }
  }

  void take(std::vector<Local> operations, std::string sentence) {
    std::sort(operations.begin(), operations.end());
    operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
    found_ = Contradiction{std::move(operations), std::move(sentence)};
  }

  const history::Subhistory& part_;
  const Log& log_;
  absl::flat_hash_map<std::uint64_t, Entry> entries_;  // by bits
  std::vector<Put> puts_;                              // that returned, by response
  std::optional<Contradiction> found_;
};

}  // namespace

std::optional<Contradiction> find_contradiction(const history::Subhistory& part) { return Contradictions(part).find(); }

}  // namespace linchpin::types::log_
