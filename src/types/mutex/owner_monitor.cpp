// Decides histories of a mutex with owners.
//
// An acquire and the next release of its process are a section (sections.hpp). From the acquire's return to the
// release's call the process surely holds the lock, so these times do not meet, and the sections are in their order;
// section_order.hpp places them, and what looks at the lock, as late as possible. Where no operation names its process
// all have the same owner: the lock is one bit, as without owners (monitor.cpp).
// Precondition: acknowledged operations; where the results of try_acquires were lost, what their process does next
// tells which of them took the lock. Of one that is the last of its process nothing tells: mostly it does not matter,
// else the search decides. Cost O(n log k). Source: ours, docs/design/monitors.md. Compare: decide/search. Tests:
// owner_monitor_test.cpp, tests/cross.
#include "types/mutex/owner_monitor.hpp"

#include <memory>

#include <fmt/format.h>

#include "base/none.hpp"
#include "types/bit_monitor.hpp"
#include "types/mutex/roles.hpp"
#include "types/mutex/section_core.hpp"
#include "types/mutex/section_order.hpp"
#include "types/mutex/specification.hpp"

namespace linchpin::types::mutex {

namespace {

using history::Subhistory;

/// What is said of the operation that was blocked.
class OwnerSentence {
 public:
  OwnerSentence(const Subhistory& part, const Sections& sections, const SectionOrder& stopped)
      : part_(part), sections_(sections), stopped_(stopped), blocked_(*stopped.blocked) {}

  [[nodiscard]] std::string text() const {
    const std::string subject = part_.history->describe(part_.operation[blocked_]) + of_process(blocked_);
    switch (sections_.role[blocked_]) {
      case SectionRole::acquires:
        if (same_process(stopped_.holder, blocked_)) {
          return fmt::format("{} needs the lock to be free, but that process held it itself, and had not released it",
                             subject);
        }
        return fmt::format("{} needs the lock to be free, but {} held it when it returned, and {}", subject, holder(),
                           how_long());
      case SectionRole::releases:
        if (stopped_.holder != kNone && !same_process(stopped_.holder, blocked_) && still_holds()) {
          return fmt::format("{} needs the lock to be held by that process, but {} held it when it returned, and {}",
                             subject, holder(), how_long());
        }
        return fmt::format("{} needs the lock to be held by that process, which had {}", subject,
                           release_before(part_, sections_, blocked_) == kNone
                               ? "never acquired it"
                               : "released it and not acquired it again");
      case SectionRole::sees_free:
        return fmt::format("{} needs the lock to be free, but {} held it during the whole call", subject,
                           same_process(stopped_.holder, blocked_) ? "that process itself" : holder());
      default:
        if (stopped_.to_come != kNone) {
          return fmt::format(
              "{} needs the lock to be held, but it was free during the whole call: who might have "
              "acquired it would never have released it, and process {} acquired it later",
              subject, process_name(stopped_.to_come));
        }
        return fmt::format(
            "{} needs the lock to be held, but it was free during the whole call: no acquire could take "
            "effect in time",
            subject);
    }
  }

 private:
  [[nodiscard]] ProcessId process(std::uint32_t i) const { return part_.history->process(part_.operation[i]); }
  [[nodiscard]] std::string process_name(std::uint32_t i) const { return part_.history->process_name(process(i)); }
  [[nodiscard]] std::string of_process(std::uint32_t i) const {
    return process(i) == kNoProcess ? "" : fmt::format(" of process {}", process_name(i));
  }
  [[nodiscard]] bool same_process(std::uint32_t a, std::uint32_t b) const {
    return a != kNone && b != kNone && process(a) == process(b);
  }
  [[nodiscard]] std::string holder() const { return fmt::format("process {}", process_name(stopped_.holder)); }
  /// The holder did not call its release before the blocked operation returned.
  [[nodiscard]] bool still_holds() const {
    const std::uint32_t release = sections_.partner[stopped_.holder];
    return release == kNone || part_.call[release] > part_.response[blocked_];
  }
  [[nodiscard]] std::string_view how_long() const {
    return sections_.partner[stopped_.holder] == kNone ? "never released it" : "called release only later";
  }

  const Subhistory& part_;
  const Sections& sections_;
  const SectionOrder& stopped_;
  std::uint32_t blocked_;
};

}  // namespace

core::Applicability owners_applicable(const Subhistory& part) {
  if (part.specification->get_if<Mutex>() != nullptr) return core::not_of_this_type("the mutex has no owner");
  if (part.specification->get_if<OwnedMutex>() == nullptr) return core::not_of_this_type("not a mutex");
  auto sections = std::make_shared<Sections>();
  if (std::string why = read_sections(part, *sections); !why.empty()) return {false, std::move(why)};
  return {.applies = true,
          .why = sections->owners ? "each release ends what its process acquired"
                                  : "no operation names its process: the lock is one bit",
          .reading = std::move(sections)};
}

core::Outcome decide_owners(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  const auto sections = core::reading_of<Sections>(part, options, owners_applicable);
  if (sections == nullptr) return core::not_applicable();
  if (!sections->owners) {
    return decide_bits(bit_operations(part, bit_role), options, budget,
                       [&](std::uint32_t i, bool must_be_held) { return bit_sentence(part, i, must_be_held); });
  }
  if (budget.spent_now()) return {.reason = budget.reason()};
  SectionOrder order = linearize_sections(part, *sections, options.witness ? Keep::witness : Keep::verdict);
  if (order.blocked && sections->unsure) {
    *sections = with_doubt(std::move(*sections));
    order = linearize_sections(part, *sections, Keep::verdict);
    if (!order.blocked) return core::not_applicable();
  }
  if (!order.blocked) return {.verdict = Verdict::linearizable, .witness = std::move(order.order)};
  return {.verdict = Verdict::violation,
          .core = section_core(part, *sections, order),
          .blocked = order.blocked,
          .sentence = OwnerSentence(part, *sections, order).text()};
}

}  // namespace linchpin::types::mutex
