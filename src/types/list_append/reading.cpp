#include "types/list_append/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "types/list_append/transaction.hpp"

namespace linchpin::types::list_append {

namespace {

class Reader {
 public:
  explicit Reader(const history::Subhistory& part) : part_(part), parts_(part.history->pool()) {}

  Reading read() {
    reading_.fate.assign(part_.size(), Fate::committed);
    reading_.appends.reserve(part_.size());
    reading_.reads.reserve(part_.size());
    for (std::uint32_t t = 0; t < part_.size() && reading_.obstacle.empty(); ++t) look(t);
    if (reading_.obstacle.empty()) index();
    if (promised_ && reading_.obstacle.empty()) look_for_promised();
    return std::move(reading_);
  }

 private:
  /// What the transaction that is being read did to a key.
  struct Own {
    std::uint32_t transaction = kNone;
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    std::uint32_t count = 0;
  };

  void look(std::uint32_t t) {
    const Operation operation = part_.view(t);
    const bool pending = part_.pending(t);
    if (aborted(operation)) {
      reading_.fate[t] = Fate::aborted;
      for (const Value asked : operation.pool->elements_of(operation.argument(0))) {
        const auto part = parts_.parse(asked);
        if (part && part->writes) reading_.aborted.try_emplace({part->value.bits(), number(part->key)}, t);
      }
      return;
    }
    if (pending) reading_.fate[t] = Fate::open;
    const bool complete = visit(operation, parts_, [&](const MicroOperation& part) {
      if (part.writes) {
        append(t, part);
      } else if (!part.value.is_unknown()) {
        if (pending) {
          reading_.fate[t] = Fate::promised;
          promised_ = true;
        } else {
          see(t, part);
        }
      }
      return reading_.obstacle.empty();
    });
    if (complete || !reading_.obstacle.empty()) return;
    if (!pending) {
      if (!reading_.malformed) reading_.malformed = t;
      return;
    }
    // No state gives that result. What it would have appended may be appended by others.
    reading_.obstacle = fmt::format("{} is pending, and is said to return what does not complete it",
                                    part_.history->describe(part_.operation[t]));
  }

  /// One that was seen took effect, and would have to read what it promises.
  void look_for_promised() {
    for (const Read& read : reading_.reads) {
      for (const Value value : read.list) {
        const std::uint32_t element = reading_.find(value, read.key);
        if (element == kNone) continue;
        const std::uint32_t t = reading_.appends[element].transaction;
        if (reading_.fate[t] != Fate::promised) continue;
        reading_.obstacle = fmt::format("{} is pending, and was seen: it must have read what it is said to return",
                                        part_.history->describe(part_.operation[t]));
        return;
      }
    }
  }

  std::uint32_t number(Value key) {
    if (!reading_.keys.empty() && last_key_ == key) return last_number_;
    Known& known = known_[(key.bits() * 0x9e3779b97f4a7c15ULL) >> (64 - kKnownBits)];
    if (known.number != kNone && known.key == key) {
      last_key_ = key;
      return last_number_ = known.number;
    }
    const auto [entry, fresh] = numbers_.try_emplace(key.bits(), static_cast<std::uint32_t>(reading_.keys.size()));
    if (fresh) {
      reading_.keys.push_back(key);
      own_.emplace_back();
    }
    last_key_ = key;
    known = {.key = key, .number = entry->second};
    return last_number_ = entry->second;
  }

  Own& own_of(std::uint32_t t, std::uint32_t key) {
    Own& own = own_[key];
    if (own.transaction != t) own = Own{.transaction = t};
    return own;
  }

  void append(std::uint32_t t, const MicroOperation& part) {
    const std::uint32_t key = number(part.key);
    const auto element = static_cast<std::uint32_t>(reading_.appends.size());
    Own& own = own_of(t, key);
    reading_.appends.push_back({.value = part.value, .transaction = t, .key = key, .first = own.count == 0});
    if (own.count == 0) {
      own.first = element;
    } else {
      reading_.appends[own.last].next = element;
    }
    own.last = element;
    ++own.count;
  }

  /// The elements of each key by their values, of which none may come twice.
  void index() {
    const std::vector<Append>& appends = reading_.appends;
    reading_.begin.assign(reading_.keys.size() + 1, 0);
    for (const Append& append : appends) ++reading_.begin[append.key + 1];
    for (std::size_t key = 0; key < reading_.keys.size(); ++key) reading_.begin[key + 1] += reading_.begin[key];
    std::vector<std::uint32_t> next(reading_.begin.begin(), reading_.begin.end() - 1);
    reading_.by_value.resize(appends.size());
    for (std::uint32_t element = 0; element < appends.size(); ++element) {
      reading_.by_value[next[appends[element].key]++] = element;
    }
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      return appends[a].value.bits() < appends[b].value.bits();
    };
    for (std::size_t key = 0; key < reading_.keys.size(); ++key) {
      const auto first = reading_.by_value.begin() + reading_.begin[key];
      const auto last = reading_.by_value.begin() + reading_.begin[key + 1];
      if (!std::is_sorted(first, last, less)) std::sort(first, last, less);
      const auto twice = std::adjacent_find(
          first, last, [&](std::uint32_t a, std::uint32_t b) { return appends[a].value == appends[b].value; });
      if (twice == last) continue;
      reading_.obstacle =
          fmt::format("{} is appended to {} twice", part_.history->pool().to_text(appends[*twice].value),
                      part_.history->pool().to_text(reading_.keys[key]));
      return;
    }
  }

  void see(std::uint32_t t, const MicroOperation& part) {
    const std::uint32_t key = number(part.key);
    const Own& own = own_of(t, key);
    reading_.reads.push_back({.transaction = t, .key = key, .list = {}, .own = own.count, .first_own = own.first});
    if (part.value.is_list()) reading_.reads.back().list = part_.history->pool().elements_of(part.value);
  }

  const history::Subhistory& part_;
  MicroOperations parts_;
  Reading reading_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;  // of keys, by their bits
  std::vector<Own> own_;                                       // by key
  bool promised_ = false;                                      // some pending transaction says what it would read
  struct Known {
    Value key;
    std::uint32_t number = kNone;
  };
  static constexpr unsigned kKnownBits = 10;
  std::vector<Known> known_ = std::vector<Known>(std::size_t{1} << kKnownBits);  // keys met lately, by their bits
  Value last_key_;
  std::uint32_t last_number_ = 0;
};

}  // namespace

Reading read(const history::Subhistory& part) { return Reader(part).read(); }

}  // namespace linchpin::types::list_append
