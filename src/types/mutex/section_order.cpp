#include "types/mutex/section_order.hpp"

#include <algorithm>
#include <utility>

#include "algo/skew_heaps.hpp"
#include "base/none.hpp"

namespace linchpin::types::mutex {

namespace {

class SectionGreedy {
 public:
  SectionGreedy(const history::Subhistory& part, const Sections& sections, Keep keep)
      : part_(part), sections_(sections), keep_(keep), heaps_(sections.place), done_(part.size(), false) {
    if (keep == Keep::witness) result_.order.reserve(part.size());
    left_ = static_cast<std::uint32_t>(std::count(sections.role.begin(), sections.role.end(), SectionRole::acquires));
  }

  SectionOrder run() {
    for (const history::Event event : part_.events()) {
      const std::uint32_t i = event.operation();
      if (!event.is_response()) {
        call(i);
      } else if (!done_[i] && !finish(i)) {
        result_.blocked = i;
        result_.holder = held_ ? result_.last : kNone;
        break;
      }
    }
    return std::move(result_);
  }

 private:
  void call(std::uint32_t i) {
    switch (sections_.role[i]) {
      case SectionRole::acquires: heaps_.push(open_, i); return;
      case SectionRole::may_acquire: spare_ = i; return;
      case SectionRole::fails_or_acquires:
      case SectionRole::sees_held: held_ ? emit(i) : wait_for_held_.push_back(i); return;
      case SectionRole::sees_free: held_ ? wait_for_free_.push_back(i) : emit(i); return;
      case SectionRole::free: emit(i); return;
      default: return;
    }
  }

  bool finish(std::uint32_t i) {
    responder_ = i;
    switch (sections_.role[i]) {
      case SectionRole::acquires: return turn_until_done(i);
      case SectionRole::releases: {
        // Until its process has the lock; then it goes itself.
        const std::uint32_t acquire = sections_.partner[i];
        return acquire != kNone && part_.call[acquire] < part_.response[i] && turn_until_done(i);
      }
      case SectionRole::sees_free: return let_go();
      case SectionRole::may_acquire: return true;  // in doubt
      default: return left_ > 0 ? take() || waits_for_later() : take_for_ever();
    }
  }

  bool turn_until_done(std::uint32_t i) {
    while (!done_[i]) {
      if (!(held_ ? let_go() : take())) return false;
    }
    return true;
  }

  bool let_go() {
    const std::uint32_t release = sections_.partner[result_.last];
    if (release == kNone || part_.call[release] > part_.response[responder_]) return false;
    force(release);
    held_ = false;
    result_.ended = responder_;
    serve(wait_for_free_);
    return true;
  }

  bool take() {
    if (open_ == algo::SkewHeaps::kEmpty) return false;
    start(heaps_.pop(open_));
    --left_;
    return true;
  }

  /// Nobody surely acquires any more.
  bool take_for_ever() {
    const std::uint32_t taker = may_take();
    if (taker == kNone) return false;
    std::erase(wait_for_held_, taker);
    start(taker);
    return true;
  }

  /// False; remembers who acquires later, where somebody could have taken the lock for ever. Asked once.
  bool waits_for_later() {
    if (may_take() == kNone) return false;
    for (std::uint32_t i = 0; result_.to_come == kNone; ++i) {
      if (sections_.role[i] == SectionRole::acquires && !done_[i]) result_.to_come = i;
    }
    return false;
  }

  [[nodiscard]] std::uint32_t may_take() const {
    if (spare_ != kNone) return spare_;
    const auto found = std::find_if(wait_for_held_.begin(), wait_for_held_.end(), [this](std::uint32_t i) {
      return sections_.role[i] == SectionRole::fails_or_acquires;
    });
    return found == wait_for_held_.end() ? kNone : *found;
  }

  void start(std::uint32_t acquire) {
    force(acquire);
    held_ = true;
    result_.last = acquire;
    result_.started = responder_;
    result_.ended = kNone;
    serve(wait_for_held_);
  }

  /// An acquire or a release takes effect because of the responder.
  void force(std::uint32_t i) {
    done_[i] = true;
    if (keep_ == Keep::forced && turns(i) && !turns(responder_) && responder_ != remembered_) {
      remembered_ = responder_;
      result_.order.push_back(responder_);
    }
    if (keep_ != Keep::verdict) result_.order.push_back(i);
  }

  [[nodiscard]] bool turns(std::uint32_t i) const {
    return sections_.role[i] == SectionRole::acquires || sections_.role[i] == SectionRole::releases;
  }

  void emit(std::uint32_t i) {
    done_[i] = true;
    if (keep_ == Keep::witness) result_.order.push_back(i);
  }

  void serve(std::vector<std::uint32_t>& waiting) {
    for (const std::uint32_t i : waiting) emit(i);
    waiting.clear();
  }

  const history::Subhistory& part_;
  const Sections& sections_;
  const Keep keep_;
  algo::SkewHeaps heaps_;
  std::uint32_t open_ = algo::SkewHeaps::kEmpty;  // those that surely acquire, by place
  std::vector<bool> done_;                        // by operation
  std::vector<std::uint32_t> wait_for_held_, wait_for_free_;
  std::uint32_t left_ = 0;       // that surely acquire, and have not
  std::uint32_t spare_ = kNone;  // a pending acquire
  std::uint32_t responder_ = kNone, remembered_ = kNone;
  bool held_ = false;
  SectionOrder result_;
};

}  // namespace

Sections with_doubt(Sections sections) {
  std::replace(sections.role.begin(), sections.role.end(), SectionRole::fails_or_acquires, SectionRole::may_acquire);
  sections.unsure = false;
  return sections;
}

SectionOrder linearize_sections(const history::Subhistory& part, const Sections& sections, Keep keep) {
  return SectionGreedy(part, sections, keep).run();
}

}  // namespace linchpin::types::mutex
