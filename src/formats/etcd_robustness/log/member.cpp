// An entry replaces the one of its index and all behind: another leader wrote it. A snapshot that another member sent
// stands for the entries up to its own, and for what this member had of them and was not committed.
#include "formats/etcd_robustness/log/member.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "formats/etcd_robustness/log/wire.hpp"

namespace linchpin::formats::etcd_robustness::log {

namespace {

bool before(const Entry& entry, std::uint64_t index) { return entry.index < index; }

class MemberReader {
 public:
  MemberReader(std::string name, std::span<const LogFile> files) : records_(files) { log_.name = std::move(name); }

  Result<MemberLog> run() {
    while (true) {
      auto record = records_.next();
      if (!record) return record.error();
      if (!*record) break;
      Result<void> read;
      if ((*record)->type == RecordType::entry) read = read_entry((*record)->data);
      if ((*record)->type == RecordType::state) read = read_state((*record)->data);
      if ((*record)->type == RecordType::snapshot) read = read_snapshot((*record)->data);
      if (!read) return read.error();
    }
    log_.torn = records_.torn();
    return std::move(log_);
  }

 private:
  [[nodiscard]] Error wrong(std::string message) const {
    return fault_at(records_.file(), records_.place(), ErrorCode::syntax, std::move(message));
  }

  Result<void> read_entry(std::string_view data) {
    Entry entry;
    std::uint64_t type = 0;
    Message message(data);
    while (message.next()) {
      switch (message.field()) {
        case 1: type = message.number(); break;
        case 2: entry.term = message.number(); break;
        case 3: entry.index = message.number(); break;
        case 4: entry.data = message.bytes(); break;
        default: break;
      }
    }
    if (message.fault() || entry.index == 0) return wrong("an entry is no message");
    entry.is_request = type == 0;
    asked_ = asked_ || (entry.is_request && !entry.data.empty());
    auto& entries = log_.entries;
    const auto at = std::lower_bound(entries.begin(), entries.end(), entry.index, before);
    if (entry.index <= log_.commit) {
      if (at != entries.end() && *at == entry) return {};
      return wrong(fmt::format("the entry {} was committed, and is replaced", entry.index));
    }
    const bool follows =
        at == entries.begin() || std::prev(at)->index + 1 == entry.index || entry.index == snapshot_ + 1;
    if (!follows) return wrong(fmt::format("the entry {} follows the entry {}", entry.index, std::prev(at)->index));
    entries.erase(at, entries.end());
    entries.push_back(entry);
    return {};
  }

  Result<void> read_state(std::string_view data) {
    Message message(data);
    std::uint64_t commit = 0;
    while (message.next()) {
      if (message.field() == 3) commit = message.number();
    }
    if (message.fault()) return wrong("the state of a member is no message");
    // A member may say so before the record of a snapshot that another one sent. That replaces what is here, which may
    // be of a leader that lost.
    const bool has_it = log_.entries.empty() || commit <= std::max(log_.entries.back().index, snapshot_);
    if (has_it) log_.commit = std::max(log_.commit, commit);
    return {};
  }

  Result<void> read_snapshot(std::string_view data) {
    Message message(data);
    std::uint64_t index = 0, term = 0;
    while (message.next()) {
      if (message.field() == 1) index = message.number();
      if (message.field() == 2) term = message.number();
    }
    if (message.fault()) return wrong("a snapshot's record is no message");
    auto& entries = log_.entries;
    const auto at = std::lower_bound(entries.begin(), entries.end(), index, before);
    const bool own = at != entries.end() && at->index == index && at->term == term;
    if (own && !asked_) log_.restored = true;
    if (own || index <= log_.commit) return {};  // what is there stays
    entries.resize(log_.committed());
    snapshot_ = index;
    return {};
  }

  Records records_;
  MemberLog log_;
  std::uint64_t snapshot_ = 0;  // the last one that another member sent
  bool asked_ = false;          // there was a request
};

}  // namespace

std::size_t MemberLog::committed() const {
  const auto end = std::lower_bound(entries.begin(), entries.end(), commit,
                                    [](const Entry& entry, std::uint64_t last) { return entry.index <= last; });
  return static_cast<std::size_t>(end - entries.begin());
}

Result<MemberLog> read_member(std::string name, std::span<const LogFile> files) {
  return MemberReader(std::move(name), files).run();
}

}  // namespace linchpin::formats::etcd_robustness::log
