#include "types/multi_register/reading.hpp"

#include <algorithm>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "types/in_sessions.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::types::multi_register {

namespace {

using Key = std::pair<std::uint64_t, std::uint32_t>;  // a value's bits, and a key's number

/// A part of a transaction that the outside sees: a read of what was there before, or the last write of a key.
struct Mention {
  std::uint32_t transaction = 0;
  std::uint32_t key = 0;
  Value value;
};

class Reader {
 public:
  Reader(const history::Subhistory& part, const MultiRegister& specification)
      : part_(part), specification_(specification) {}

  Reading run() {
    malformed_.assign(part_.size(), false);
    for (std::uint32_t t = 0; t < part_.size() && go_on(); ++t) look(t);
    for (std::uint32_t i = 0; i < writes_.size() && go_on(); ++i) number(writes_[i]);
    if (go_on()) keep();
    if (go_on()) resolve();
    return std::move(reading_);
  }

 private:
  [[nodiscard]] bool go_on() const { return reading_.obstacle.empty() && !reading_.contradiction; }
  [[nodiscard]] std::string text(Value value) const { return part_.history->pool().to_text(value); }
  [[nodiscard]] std::string describe(std::uint32_t t) const { return part_.history->describe(part_.operation[t]); }

  void contradict(std::vector<std::uint32_t> transactions, std::uint32_t blocked, std::string sentence) {
    std::sort(transactions.begin(), transactions.end());
    reading_.contradiction = {
        .transactions = std::move(transactions), .blocked = blocked, .sentence = std::move(sentence), .certain = true};
  }

  std::uint32_t number_of(Value key) {
    const auto [entry, fresh] = numbers_.try_emplace(key.bits(), static_cast<std::uint32_t>(reading_.keys.size()));
    if (fresh) {
      reading_.keys.push_back(key);
      own_.emplace_back();
    }
    return entry->second;
  }

  /// What the transaction that is being read did to a key.
  struct Own {
    std::uint32_t transaction = kNone;
    bool wrote = false, saw = false;
    Value written, seen;
  };

  void look(std::uint32_t t) {
    touched_.clear();
    bool possible = true;
    const bool complete = specification_.visit(part_.view(t), [&](const MultiRegister::MicroOperation& micro) {
      const std::uint32_t key = number_of(micro.key);
      Own& own = own_[key];
      if (own.transaction != t) {
        own = {.transaction = t};
        touched_.push_back(key);
      }
      if (micro.writes) {
        if (own.wrote && own.written != micro.value) overwritten_.try_emplace({own.written.bits(), key}, t);
        own.wrote = true;
        own.written = micro.value;
      } else if (!micro.value.is_nil()) {
        const bool fits = own.wrote ? own.written == micro.value : !own.saw || own.seen == micro.value;
        if (!fits || micro.value.is_none()) return possible = false;
        if (!own.wrote && !own.saw) {
          own.saw = true;
          own.seen = micro.value;
        }
      }
      return true;
    });
    if (!complete) {
      malformed_[t] = true;
      if (!part_.pending(t)) {
        contradict({t}, t,
                   possible ? fmt::format("{} returned what does not complete it", describe(t))
                            : fmt::format("{} read one key and found two values", describe(t)));
      }
    }
    for (const std::uint32_t key : touched_) {
      const Own& own = own_[key];
      if (own.saw) reads_.push_back({t, key, own.seen});
      if (own.wrote) writes_.push_back({t, key, own.written});
    }
  }

  void number(const Mention& write) {
    if (write.value.is_nil()) return;  // no read says that it saw nil
    if (specification_.initial_value == write.value) {
      reading_.obstacle =
          fmt::format("{} is written to {}, which began with it", text(write.value), text(reading_.keys[write.key]));
      return;
    }
    const auto [entry, fresh] = writer_.try_emplace({write.value.bits(), write.key}, write.transaction);
    if (fresh) return;
    reading_.obstacle = fmt::format("{} is written to {} twice", text(write.value), text(reading_.keys[write.key]));
  }

  [[nodiscard]] std::uint32_t writer_of(const Mention& read) const {
    const auto found = writer_.find({read.value.bits(), read.key});
    return found == writer_.end() ? kNone : found->second;
  }

  /// A pending transaction took effect iff one that did saw what it wrote.
  void keep() {
    reading_.kept.assign(part_.size(), false);
    reading_.seen_by.assign(part_.size(), kNone);
    std::vector<std::uint32_t> waiting;
    std::vector<std::uint32_t> begin(part_.size() + 1, 0);
    for (const Mention& read : reads_) ++begin[read.transaction + 1];
    for (std::uint32_t t = 0; t < part_.size(); ++t) begin[t + 1] += begin[t];
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      if (part_.pending(t)) continue;
      reading_.kept[t] = true;
      waiting.push_back(t);
    }
    while (!waiting.empty()) {
      const std::uint32_t t = waiting.back();
      waiting.pop_back();
      for (std::uint32_t i = begin[t]; i < begin[t + 1]; ++i) {
        const std::uint32_t writer = writer_of(reads_[i]);
        if (writer == kNone || reading_.kept[writer]) continue;
        if (malformed_[writer]) {
          reading_.obstacle =
              fmt::format("{} is pending, was seen, and is said to return what does not complete it", describe(writer));
          return;
        }
        reading_.kept[writer] = true;
        reading_.seen_by[writer] = t;
        waiting.push_back(writer);
      }
    }
  }

  void resolve() {
    const std::size_t keys = reading_.keys.size();
    std::vector<Value> initial(keys, Value::none());  // what a read saw that nobody wrote
    std::vector<std::uint32_t> initial_reader(keys, kNone);
    std::vector<std::uint32_t> first_written(keys, kNone);  // of the kept writers, who returned first
    for (const Mention& write : writes_) {
      if (!reading_.kept[write.transaction]) continue;
      std::uint32_t& first = first_written[write.key];
      if (first == kNone || part_.response[write.transaction] < part_.response[first]) first = write.transaction;
    }
    reading_.read_begin.assign(part_.size() + 1, 0);
    reading_.write_begin.assign(part_.size() + 1, 0);
    for (const Mention& read : reads_) {
      if (!reading_.kept[read.transaction]) continue;
      const std::uint32_t writer = writer_of(read);
      if (writer == kNone && !reading_.contradiction) begin_with(read, initial, initial_reader);
      ++reading_.read_begin[read.transaction + 1];
      reading_.reads.push_back({.key = read.key, .writer = writer});
    }
    for (const Mention& write : writes_) {
      if (!reading_.kept[write.transaction]) continue;
      ++reading_.write_begin[write.transaction + 1];
      reading_.writes.push_back(write.key);
    }
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      reading_.read_begin[t + 1] += reading_.read_begin[t];
      reading_.write_begin[t + 1] += reading_.write_begin[t];
    }
    for (std::uint32_t t = 0; t < part_.size(); ++t) {
      for (std::uint32_t i = reading_.read_begin[t]; i < reading_.read_begin[t + 1]; ++i) {
        Read& read = reading_.reads[i];
        if (read.writer == kNone) {
          read.content = reading_.initial_content(read.key);
          continue;
        }
        read.content = reading_.write_begin[read.writer];
        while (reading_.writes[read.content] != read.key) ++read.content;
        if (specification_.initial_value) continue;
        const std::uint32_t first = first_written[read.key];
        // A pending one may have been seen by none other than this read.
        const std::uint32_t seer = initial_reader[read.key];
        if (seer != kNone && !part_.pending(seer)) read.shown_by = seer;
        if (read.shown_by == kNone && part_.happens_before(first, t)) read.shown_by = first;
        if (read.shown_by == kNone) read.shown_by = shown_in_session(t, read);
        read.certain = read.shown_by != kNone;
      }
      if (sessions_ != nullptr && !part_.pending(t)) note_in_session(t);
    }
  }

  /// What a session has seen of a key so far, or done to it.
  struct InSession {
    std::uint32_t writer = kNone;  ///< a transaction
    std::uint32_t reader = kNone, content = kNone;
    std::uint32_t other = kNone;  ///< one that saw another content than that
  };
  [[nodiscard]] std::uint64_t in_session(std::uint32_t t, std::uint32_t key) const {
    return std::uint64_t{sessions_->places[part_.operation[t].number()].session} << 32 | key;
  }
  void note_in_session(std::uint32_t t) {
    for (const Read& read : reading_.reads_of(t)) {
      InSession& known = in_sessions_[in_session(t, read.key)];
      if (known.reader == kNone) {
        known.reader = t;
        known.content = read.content;
      } else if (known.other == kNone && known.content != read.content) {
        known.other = t;
      }
    }
    for (const std::uint32_t key : reading_.writes_of(t)) {
      InSession& known = in_sessions_[in_session(t, key)];
      if (known.writer == kNone) known.writer = t;
    }
  }
  /// Who shows that the key had been written: an earlier one of its session that wrote it, or saw another content of
  /// it, since the key began with one of the two at most. kNone: nobody.
  [[nodiscard]] std::uint32_t shown_in_session(std::uint32_t t, const Read& read) const {
    if (sessions_ == nullptr) return kNone;
    const auto known = in_sessions_.find(in_session(t, read.key));
    if (known == in_sessions_.end()) return kNone;
    if (known->second.writer != kNone) return known->second.writer;
    return known->second.content != read.content ? known->second.reader : known->second.other;
  }

  /// The key began with what the read saw, or cannot have.
  void begin_with(const Mention& read, std::vector<Value>& initial, std::vector<std::uint32_t>& reader) {
    const std::string key = text(reading_.keys[read.key]), value = text(read.value);
    if (specification_.initial_value) {
      if (*specification_.initial_value == read.value) return;
      const auto found = overwritten_.find({read.value.bits(), read.key});
      contradict({read.transaction}, read.transaction,
                 found == overwritten_.end()
                     ? fmt::format("{} saw {} in {}, which nobody wrote there", describe(read.transaction), value, key)
                     : fmt::format("{} saw {} in {}, which {} wrote and overwrote itself", describe(read.transaction),
                                   value, key, describe(found->second)));
    } else if (reader[read.key] == kNone || (initial[read.key] == read.value && part_.pending(reader[read.key]))) {
      initial[read.key] = read.value;
      reader[read.key] = read.transaction;
    } else if (initial[read.key] != read.value) {
      contradict({reader[read.key], read.transaction}, read.transaction,
                 fmt::format("{} began with {} or with {}: nobody wrote them there, and both were seen", key,
                             text(initial[read.key]), value));
    }
  }

  const history::Subhistory& part_;
  const MultiRegister& specification_;
  const Sessions* const sessions_ = sessions_of<MultiRegister>(*part_.specification);  // null: they do not count
  absl::flat_hash_map<std::uint64_t, InSession> in_sessions_;                          // by session and key
  Reading reading_;
  std::vector<Mention> reads_, writes_;                        // in the order of transactions
  std::vector<bool> malformed_;                                // by local index: no state allows it
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;  // of keys, by their bits
  absl::flat_hash_map<Key, std::uint32_t> writer_;             // whose transaction ends with it
  absl::flat_hash_map<Key, std::uint32_t> overwritten_;        // by its own transaction
  std::vector<Own> own_;                                       // by key
  std::vector<std::uint32_t> touched_;
};

}  // namespace

Contradiction with_support(const Reading& reading, Contradiction contradiction) {
  std::vector<std::uint32_t>& all = contradiction.transactions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t t = all[i];
    if (t >= reading.seen_by.size() || reading.seen_by[t] == kNone) continue;
    const std::uint32_t reader = reading.seen_by[t];
    for (const Read& read : reading.reads_of(reader)) {
      if (read.writer != t) continue;
      contradiction.certain = contradiction.certain && read.certain;
      for (const std::uint32_t more : {reader, read.shown_by}) {
        if (more != kNone && std::find(all.begin(), all.end(), more) == all.end()) all.push_back(more);
      }
      break;
    }
  }
  std::sort(all.begin(), all.end());
  return contradiction;
}

Reading read(const history::Subhistory& part) {
  return Reader(part, *without_sessions<MultiRegister>(*part.specification)).run();
}

}  // namespace linchpin::types::multi_register
