// Each version is made by the one transaction that tells it. A version that was seen and that nobody tells was made by
// a pending transaction, or is what the key began with; where only one of these can be, it is. Whatever leaves a choice
// is an obstacle, and the search decides.
#include "types/multi_register/versions.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"

namespace linchpin::types::multi_register {

namespace {

using Local = std::uint32_t;

class VersionReader {
 public:
  VersionReader(const history::Subhistory& part, const VersionedRegisters& registers)
      : part_(part), registers_(registers) {}

  Versions run() {
    versions_.kept.assign(part_.size(), false);
    for (Local t = 0; t < part_.size() && go_on(); ++t) look(t);
    if (go_on()) index();
    if (go_on()) match();
    if (go_on()) settle();
    return std::move(versions_);
  }

 private:
  /// What a transaction did to a key.
  struct Access {
    Local transaction = kNone;
    std::uint32_t key = 0;
    bool wrote = false, saw = false;
    Value written;
    Value seen = Value::nil();                    // before it wrote; nil: not told
    std::optional<std::int64_t> version, before;  // the one that it made, and the one that it saw
    Local told_by = kNone;                        // who saw what it made, where it is pending
  };

  [[nodiscard]] bool go_on() const { return versions_.obstacle.empty() && !versions_.contradiction; }
  [[nodiscard]] std::string text(Value value) const { return part_.history->pool().to_text(value); }
  [[nodiscard]] std::string describe(Local t) const { return part_.history->describe(part_.operation[t]); }
  [[nodiscard]] std::string key_text(const Access& access) const { return text(versions_.keys[access.key]); }

  void block(std::string why) {
    if (versions_.obstacle.empty()) versions_.obstacle = std::move(why);
  }

  /// A pending transaction that took effect is known to have done so from others, which is no small core.
  void contradict(std::vector<Local> transactions, Local blocked, std::string sentence) {
    for (const Local t : transactions) {
      if (part_.pending(t)) return block(fmt::format("{} is pending, and was seen in contradictions", describe(t)));
    }
    std::sort(transactions.begin(), transactions.end());
    transactions.erase(std::unique(transactions.begin(), transactions.end()), transactions.end());
    versions_.contradiction = {
        .transactions = std::move(transactions), .blocked = blocked, .sentence = std::move(sentence)};
  }

  std::uint32_t number_of(Value key) {
    const auto [entry, fresh] = numbers_.try_emplace(key.bits(), static_cast<std::uint32_t>(versions_.keys.size()));
    if (fresh) {
      versions_.keys.push_back(key);
      last_.push_back(kNone);
    }
    return entry->second;
  }

  Access& access_of(Local t, std::uint32_t key) {
    if (last_[key] == kNone || accesses_[last_[key]].transaction != t) {
      last_[key] = static_cast<std::uint32_t>(accesses_.size());
      accesses_.push_back({.transaction = t, .key = key, .written = Value::nil(), .version = {}, .before = {}});
    }
    return accesses_[last_[key]];
  }

  void look(Local t) {
    const std::size_t begin = accesses_.size();
    const bool complete =
        VersionedRegisters::visit(part_.view(t), [&](const VersionedRegisters::MicroOperation& micro) {
          Access& access = access_of(t, number_of(micro.key));
          if (micro.writes) {
            access.wrote = true;
            access.written = micro.value;
            return agree(access.version, micro.version);
          }
          if (micro.value.is_none()) return false;
          if (access.wrote) {
            return (micro.value.is_nil() || micro.value == access.written) && agree(access.version, micro.version);
          }
          access.saw = access.saw || !micro.value.is_nil() || micro.version;
          if (!micro.value.is_nil()) {
            if (!access.seen.is_nil() && access.seen != micro.value) return false;
            access.seen = micro.value;
          }
          return agree(access.before, micro.version);
        });
    if (complete) {
      versions_.kept[t] = !part_.pending(t);
      return;
    }
    accesses_.resize(begin);  // of a pending one: it did not take effect
    std::fill(last_.begin(), last_.end(), kNone);
    if (!part_.pending(t)) contradict({t}, t, fmt::format("{} contradicts itself, or its result another", describe(t)));
  }

  static bool agree(std::optional<std::int64_t>& known, std::optional<std::int64_t> told) {
    if (!told) return true;
    if (known && *known != *told) return false;
    known = told;
    return true;
  }

  /// Versions that transactions tell which took effect; writes that may have.
  void index() {
    by_transaction_.assign(part_.size() + 1, 0);
    pending_writes_.resize(versions_.keys.size());
    least_.assign(versions_.keys.size(), kNone);
    for (std::uint32_t a = 0; a < accesses_.size() && go_on(); ++a) {
      const Access& access = accesses_[a];
      ++by_transaction_[access.transaction + 1];
      if (!access.wrote) continue;
      if (part_.pending(access.transaction)) {
        pending_writes_[access.key].push_back(a);
      } else if (!access.version) {
        block(fmt::format("{} does not tell the version of {} that it made", describe(access.transaction),
                          key_text(access)));
      } else {
        make(a);
      }
    }
    for (Local t = 0; t < part_.size(); ++t) by_transaction_[t + 1] += by_transaction_[t];
  }

  void make(std::uint32_t a) {
    const Access& access = accesses_[a];
    const auto [entry, fresh] = maker_.try_emplace({access.key, *access.version}, a);
    if (!fresh) {
      const Local other = accesses_[entry->second].transaction;
      return contradict({other, access.transaction}, access.transaction,
                        fmt::format("{} and {} both made version {} of {}", describe(other),
                                    describe(access.transaction), *access.version, key_text(access)));
    }
    if (part_.pending(access.transaction)) return;
    std::uint32_t& least = least_[access.key];
    if (least == kNone || *accesses_[least].version > *access.version) least = a;
  }

  /// Whether a key may have begun with what was read, as far as those tell that certainly wrote it.
  [[nodiscard]] bool may_be_initial(const Access& read) const {
    const std::uint32_t least = least_[read.key];
    if (read.before && least != kNone && *read.before >= *accesses_[least].version) return false;
    return read.seen.is_nil() || registers_.initial_value.value_or(read.seen) == read.seen;
  }

  /// Finds for each read who made what it saw, and so which pending transactions took effect.
  void match() {
    saw_.assign(accesses_.size(), kNone);
    std::vector<Local> waiting;
    for (Local t = 0; t < part_.size(); ++t) {
      if (versions_.kept[t]) waiting.push_back(t);
    }
    for (std::size_t next = 0; next < waiting.size() && go_on(); ++next) {
      const Local t = waiting[next];
      for (std::uint32_t a = by_transaction_[t]; a < by_transaction_[t + 1] && go_on(); ++a) {
        if (accesses_[a].saw) match_read(a, waiting);
      }
    }
  }

  void match_read(std::uint32_t a, std::vector<Local>& waiting) {
    const Access& read = accesses_[a];
    if (!read.before) return match_value(a);
    if (const auto found = maker_.find({read.key, *read.before}); found != maker_.end()) {
      const Access& write = accesses_[found->second];
      if (write.transaction == read.transaction) {
        return contradict({read.transaction}, read.transaction,
                          fmt::format("{} saw the version of {} that it made only later", describe(read.transaction),
                                      key_text(read)));
      }
      if (!read.seen.is_nil() && read.seen != write.written) {
        return contradict({read.transaction, write.transaction}, read.transaction,
                          fmt::format("{} saw {} in version {} of {}, in which {} wrote {}", describe(read.transaction),
                                      text(read.seen), *read.before, key_text(read), describe(write.transaction),
                                      text(write.written)));
      }
      saw_[a] = found->second;
      return;
    }
    std::uint32_t by = kNone;
    std::size_t candidates = may_be_initial(read) ? 1 : 0;
    for (const std::uint32_t each : pending_writes_[read.key]) {
      const Access& write = accesses_[each];
      if (write.version.value_or(*read.before) != *read.before) continue;
      if (!read.seen.is_nil() && read.seen != write.written) continue;
      by = each;
      ++candidates;
    }
    if (candidates == 0 && pending_writes_[read.key].empty()) return nobody(read);
    if (candidates != 1) {
      return block(fmt::format("nobody tells who made version {} of {}, which was seen, and {} may have", *read.before,
                               key_text(read), candidates == 0 ? "nobody" : "several"));
    }
    if (by == kNone) return;  // initial
    accesses_[by].version = read.before;
    accesses_[by].told_by = read.transaction;
    saw_[a] = by;
    const Local writer = accesses_[by].transaction;
    if (versions_.kept[writer]) return make(by);
    versions_.kept[writer] = true;
    waiting.push_back(writer);
    for (std::uint32_t each = by_transaction_[writer]; each < by_transaction_[writer + 1] && go_on(); ++each) {
      if (accesses_[each].wrote && accesses_[each].version) make(each);
    }
  }

  void nobody(const Access& read) {
    std::vector<Local> transactions{read.transaction};
    const std::uint32_t least = least_[read.key];
    const bool other_value = !read.seen.is_nil() && registers_.initial_value.value_or(read.seen) != read.seen;
    if (!other_value && least != kNone) transactions.push_back(accesses_[least].transaction);
    contradict(std::move(transactions), read.transaction,
               fmt::format("{} saw version {} of {}, which nobody made", describe(read.transaction), *read.before,
                           key_text(read)));
  }

  /// Of a read that tells a value and no version.
  void match_value(std::uint32_t a) {
    const Access& read = accesses_[a];
    if (writers_.empty()) {
      for (std::uint32_t each = 0; each < accesses_.size(); ++each) {
        const Access& write = accesses_[each];
        if (!write.wrote) continue;
        auto& [count, last] = writers_[{write.key, write.written.bits()}];
        ++count;
        last = each;
      }
    }
    const auto found = writers_.find({read.key, read.seen.bits()});
    const bool initial = registers_.initial_value.value_or(read.seen) == read.seen;
    if (found == writers_.end()) {
      if (initial) return;
      return contradict({read.transaction}, read.transaction,
                        fmt::format("{} saw {} in {}, which nobody wrote there", describe(read.transaction),
                                    text(read.seen), key_text(read)));
    }
    const auto [count, last] = found->second;
    const Local writer = accesses_[last].transaction;
    if (count > 1 || initial || part_.pending(writer) || writer == read.transaction) {
      return block(
          fmt::format("{} does not tell which version of {} it saw", describe(read.transaction), key_text(read)));
    }
    saw_[a] = last;
  }

  /// The arrays, in order, of what took effect.
  void settle() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t a = 0; a < accesses_.size() && go_on(); ++a) {
      const Access& access = accesses_[a];
      if (!access.wrote || !versions_.kept[access.transaction]) continue;
      if (!access.version) {
        block(fmt::format("{} is pending, took effect, and nobody tells the version of {} that it made",
                          describe(access.transaction), key_text(access)));
      }
      order.push_back(a);
    }
    if (!go_on()) return;
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
      return std::tuple(accesses_[x].key, *accesses_[x].version) < std::tuple(accesses_[y].key, *accesses_[y].version);
    });
    std::vector<std::uint32_t> place(accesses_.size(), kNone);
    for (const std::uint32_t a : order) {
      place[a] = static_cast<std::uint32_t>(versions_.made.size());
      const Access& access = accesses_[a];
      versions_.made.push_back({.key = access.key,
                                .version = *access.version,
                                .transaction = access.transaction,
                                .told_by = access.told_by});
    }
    initial_.assign(versions_.keys.size(), {});
    for (std::uint32_t a = 0; a < accesses_.size() && go_on(); ++a) {
      const Access& access = accesses_[a];
      if (!access.saw || !versions_.kept[access.transaction]) continue;
      versions_.saw.push_back(
          {.transaction = access.transaction, .key = access.key, .made = saw_[a] == kNone ? kNone : place[saw_[a]]});
      if (saw_[a] == kNone) begin_with(access);
    }
  }

  /// All who saw what a key began with saw the same, below all versions.
  void begin_with(const Access& read) {
    Initial& initial = initial_[read.key];
    if (!read.seen.is_nil()) {
      if (initial.valued != kNone && initial.value != read.seen) {
        return contradict({initial.valued, read.transaction}, read.transaction,
                          fmt::format("{} began with {} or with {}: nobody wrote them there, and both were seen",
                                      key_text(read), text(initial.value), text(read.seen)));
      }
      initial.value = read.seen;
      initial.valued = read.transaction;
    }
    if (!read.before) return;
    if (initial.versioned != kNone && initial.version != *read.before) {
      return contradict({initial.versioned, read.transaction}, read.transaction,
                        fmt::format("{} began with version {} or with {}: nobody made them, and both were seen",
                                    key_text(read), initial.version, *read.before));
    }
    initial.version = *read.before;
    initial.versioned = read.transaction;
    const auto first = std::lower_bound(versions_.made.begin(), versions_.made.end(), read.key,
                                        [](const Made& made, std::uint32_t key) { return made.key < key; });
    if (first != versions_.made.end() && first->key == read.key && first->version <= *read.before) {
      // Only a pending transaction can have made it: what others made was looked at before.
      block(fmt::format("{} is pending, took effect, and promises a version that is too low",
                        describe(first->transaction)));
    }
  }

  struct Initial {
    std::uint32_t valued = kNone, versioned = kNone;  // who saw it
    Value value;
    std::int64_t version = 0;
  };

  const history::Subhistory& part_;
  const VersionedRegisters& registers_;
  Versions versions_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> numbers_;  // of keys, by their bits
  std::vector<Access> accesses_;                               // by transaction
  std::vector<std::uint32_t> last_;                            // by key: the last access
  std::vector<std::uint32_t> by_transaction_;                  // where its accesses begin
  std::vector<std::vector<std::uint32_t>> pending_writes_;     // by key: accesses
  std::vector<std::uint32_t> least_;  // by key: the access that made the least version for certain
  absl::flat_hash_map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> maker_;  // by key and version: the access
  // By key and value, of all that may have written it: how many, and the last one.
  absl::flat_hash_map<std::pair<std::uint32_t, std::uint64_t>, std::pair<std::uint32_t, std::uint32_t>> writers_;
  std::vector<std::uint32_t> saw_;  // by access that reads: the access whose version it saw; kNone: the initial one
  std::vector<Initial> initial_;    // by key
};

}  // namespace

Versions read_versions(const history::Subhistory& part, const VersionedRegisters& registers) {
  return VersionReader(part, registers).run();
}

}  // namespace linchpin::types::multi_register
