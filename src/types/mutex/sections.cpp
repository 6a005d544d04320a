#include "types/mutex/sections.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/none.hpp"
#include "types/mutex/roles.hpp"

namespace linchpin::types::mutex {

namespace {

using history::Event;
using history::Rank;
using history::Subhistory;

/// A process, up to the event that is read.
struct Client {
  std::vector<std::uint32_t> unpaired;  // all acquires or all releases, the first `paired` of them being paired
  std::uint32_t paired = 0;
  std::vector<std::uint32_t> lost;            // try_acquires that may have taken the lock since it surely had not
  Rank last_acquired = 0, last_released = 0;  // the greatest responses
  std::uint32_t zone = 0;                     // of its last event
  std::uint32_t open = 0;
  bool told = false;  // an operation that may still be open told, or was told, whether the lock was taken
  bool crashed = false;
};

class SectionReader {
 public:
  SectionReader(const Subhistory& part, Sections& sections) : part_(part), sections_(sections) {}

  std::string run() {
    const std::uint32_t n = part_.size();
    sections_.role.assign(n, SectionRole::ignored);
    sections_.partner.assign(n, kNone);
    client_.assign(n, kNone);
    bool after_response = false;
    for (const Event event : part_.events()) {
      const std::uint32_t i = event.operation();
      if (!event.is_response()) {
        zone_ += after_response ? 1 : 0;
        if (std::string why = call(i); !why.empty()) return why;
      } else if (client_[i] != kNone) {
        if (!stays_in_line(clients_[client_[i]])) return overlap(i);
        --clients_[client_[i]].open;
      }
      after_response = event.is_response();
    }
    if (nameless_ != kNone && !clients_.empty()) {
      return fmt::format("{} does not name its process, and others do", describe(nameless_));
    }
    sections_.owners = nameless_ == kNone;
    if (!sections_.owners && lost_ != kNone) return unclear(lost_);
    for (const Client& client : clients_) sections_.unsure = sections_.unsure || !client.lost.empty();
    if (sections_.owners) number_places();
    return {};
  }

 private:
  /// Between a response and a call that follows it a process has one operation open at most; more are open only among
  /// calls at one tick and the responses after them. False: it has more.
  bool stays_in_line(Client& client) const {
    if (client.zone != zone_ && client.open > 1) return false;
    client.zone = zone_;
    return true;
  }

  std::string call(std::uint32_t i) {
    const std::optional<algo::BitRole> bit = bit_role(part_, i);
    const bool lost = !bit && part_.method[i] == MutexMethods::kTryAcquire && part_.result(i).is_unknown();
    if (!bit && !lost) return unclear(i);
    if (lost) lost_ = i;
    if (!lost) sections_.role[i] = role_of(*bit, part_.pending(i));
    switch (lost ? SectionRole::fails_or_acquires : sections_.role[i]) {
      case SectionRole::sees_held:
      case SectionRole::free:
      case SectionRole::ignored: return {};
      case SectionRole::sees_free: return see_free(i);
      default: break;
    }
    if (part_.history->process(part_.operation[i]) == kNoProcess) {
      nameless_ = i;
      return {};
    }
    Client& client = client_of(i);
    if (client.crashed || !stays_in_line(client)) return overlap(i);
    if (client.open == 0) client.told = false;
    if (client.open > 0 && (lost || client.told || !client.lost.empty())) return overlap(i);
    // A pending one could be what a release at the same tick needs.
    if (client.open > 0 && sections_.role[i] == SectionRole::may_acquire && owes(client)) return overlap(i);
    ++client.open;
    client.crashed = part_.pending(i);
    if (lost) {
      client.told = holds(client);
      sections_.role[i] = client.told ? SectionRole::sees_held : SectionRole::fails_or_acquires;
      if (!client.told) client.lost.push_back(i);
      return {};
    }
    if (sections_.role[i] == SectionRole::acquires) return acquire(client, i);
    if (sections_.role[i] == SectionRole::releases) return release(client, i);
    return {};
  }

  static SectionRole role_of(algo::BitRole bit, bool pending) {
    switch (bit) {
      case algo::BitRole::turns_on: return pending ? SectionRole::may_acquire : SectionRole::acquires;
      case algo::BitRole::turns_off: return SectionRole::releases;
      case algo::BitRole::sees_on: return SectionRole::sees_held;
      case algo::BitRole::sees_off: return SectionRole::sees_free;
      case algo::BitRole::free: return SectionRole::free;
      default: return SectionRole::ignored;
    }
  }

  /// A process that finds the lock free has not taken it.
  std::string see_free(std::uint32_t i) {
    const auto found = numbers_.find(part_.history->process(part_.operation[i]));
    if (found == numbers_.end()) return {};
    Client& client = clients_[found->second];
    if (client.lost.empty() || client.open > 0) return {};
    if (!stays_in_line(client)) return overlap(i);
    client_[i] = found->second;
    ++client.open;
    did_not_take(client);
    return {};
  }

  std::string acquire(Client& client, std::uint32_t i) {
    if (part_.response[i] < client.last_acquired) return overlap(i);
    client.last_acquired = part_.response[i];
    did_not_take(client);
    pair(client, i);
    return {};
  }

  std::string release(Client& client, std::uint32_t i) {
    if (part_.response[i] < client.last_released) return overlap(i);
    client.last_released = part_.response[i];
    if (!client.lost.empty()) {
      if (client.lost.size() > 1 || part_.pending(i)) {
        return fmt::format("whether {} of process {} took the lock is not certain", describe(client.lost.front()),
                           part_.history->process_name(part_.history->process(part_.operation[i])));
      }
      const std::uint32_t taken = client.lost.front();
      client.lost.clear();
      client.told = true;
      sections_.role[taken] = SectionRole::acquires;
      client.last_acquired = part_.response[taken];
      pair(client, taken);
    }
    pair(client, i);
    return {};
  }

  void did_not_take(Client& client) {
    if (client.lost.empty()) return;
    client.told = true;
    for (const std::uint32_t i : client.lost) sections_.role[i] = SectionRole::sees_held;
    client.lost.clear();
  }

  /// Whether a release has no acquire so far.
  [[nodiscard]] bool owes(const Client& client) const {
    return client.paired < client.unpaired.size() && sections_.role[client.unpaired.back()] == SectionRole::releases;
  }

  [[nodiscard]] bool holds(const Client& client) const {
    return client.paired < client.unpaired.size() && sections_.role[client.unpaired.back()] == SectionRole::acquires;
  }

  /// The first acquire without a release goes with the next release, and the other way round.
  void pair(Client& client, std::uint32_t i) {
    if (client.paired == client.unpaired.size()) {
      client.unpaired.clear();
      client.paired = 0;
    } else if (sections_.role[client.unpaired.back()] != sections_.role[i]) {
      const std::uint32_t other = client.unpaired[client.paired++];
      sections_.partner[i] = other;
      sections_.partner[other] = i;
      return;
    }
    client.unpaired.push_back(i);
  }

  Client& client_of(std::uint32_t i) {
    const auto [entry, fresh] =
        numbers_.try_emplace(part_.history->process(part_.operation[i]), static_cast<std::uint32_t>(clients_.size()));
    if (fresh) clients_.emplace_back();
    client_[i] = entry->second;
    return clients_[entry->second];
  }

  void number_places() {
    sections_.place.assign(part_.size(), history::Rank::none());
    Rank next = 0;
    std::vector<std::uint32_t> brief;  // acquires whose release was called since the last response, and first
    for (const Event event : part_.events()) {
      const std::uint32_t i = event.operation();
      const std::uint32_t other = sections_.partner[i];
      if (!event.is_response()) {
        const bool ends = sections_.role[i] == SectionRole::releases && other != kNone;
        if (ends && part_.call[i] < part_.response[other]) brief.push_back(other);
        continue;
      }
      const auto lets_go = [this](std::uint32_t acquire) { return part_.response[sections_.partner[acquire]]; };
      std::stable_sort(brief.begin(), brief.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return lets_go(a) < lets_go(b); });
      for (const std::uint32_t acquire : brief) sections_.place[acquire] = next++;
      brief.clear();
      const bool starts = sections_.role[i] == SectionRole::acquires && sections_.place[i] == history::Rank::none();
      if (starts) sections_.place[i] = next++;
    }
  }

  [[nodiscard]] std::string describe(std::uint32_t i) const { return part_.history->describe(part_.operation[i]); }
  [[nodiscard]] std::string unclear(std::uint32_t i) const {
    return fmt::format("{} does not tell whether the lock was free", describe(i));
  }
  [[nodiscard]] std::string overlap(std::uint32_t i) const {
    return fmt::format("{} of process {} overlaps another of its operations", describe(i),
                       part_.history->process_name(part_.history->process(part_.operation[i])));
  }

  const Subhistory& part_;
  Sections& sections_;
  absl::flat_hash_map<ProcessId, std::uint32_t> numbers_;
  std::vector<Client> clients_;
  std::vector<std::uint32_t> client_;  // by operation that may acquire or release
  std::uint32_t zone_ = 0;             // calls, then responses; counts where a call follows a response
  std::uint32_t nameless_ = kNone, lost_ = kNone;
};

}  // namespace

std::string read_sections(const Subhistory& part, Sections& sections) { return SectionReader(part, sections).run(); }

}  // namespace linchpin::types::mutex
