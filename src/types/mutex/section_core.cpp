#include "types/mutex/section_core.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/none.hpp"
#include "core/core_proof.hpp"
#include "types/mutex/specification.hpp"

namespace linchpin::types::mutex {

namespace {

/// Ascending, each once, and with every acquire its release.
std::vector<std::uint32_t> whole_sections(const Sections& sections, std::vector<std::uint32_t> some) {
  for (std::size_t k = 0, given = some.size(); k < given; ++k) {
    if (some[k] != kNone) some.push_back(sections.partner[some[k]]);
  }
  std::erase(some, kNone);
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

bool violates(const history::Subhistory& part) {
  Sections sections;
  if (!read_sections(part, sections).empty() || !sections.owners) return false;
  return linearize_sections(part, with_doubt(std::move(sections)), Keep::verdict).blocked.has_value();
}

/// Of a try_acquire whose result was lost: what its process did before, and next, which tells whether it took the lock.
void add_who_tells(const history::Subhistory& part, const Sections& sections, std::uint32_t lost,
                   std::vector<std::uint32_t>& core) {
  const ProcessId process = part.history->process(part.operation[lost]);
  const auto tells = [&](std::uint32_t i) {
    const SectionRole role = sections.role[i];
    const bool turns = role == SectionRole::acquires || role == SectionRole::releases;
    return part.history->process(part.operation[i]) == process && (turns || role == SectionRole::sees_free);
  };
  core.push_back(lost);
  std::uint32_t before = lost, next = lost + 1;
  while (before-- > 0 && !tells(before)) {
  }
  while (next < part.size() && !tells(next)) ++next;
  if (before != kNone) core.push_back(before);
  if (next < part.size()) core.push_back(next);
}

/// The core, or with what tells of the try_acquires that may have been in its way; empty where it does not prove that
/// the history is a violation.
std::vector<std::uint32_t> proving(const history::Subhistory& part, const Sections& sections, std::uint32_t blocked,
                                   const std::vector<std::uint32_t>& core) {
  if (core::core_proves(part, core, violates)) return core;
  std::vector<std::uint32_t> lost, meet;  // all of them, and those that overlap the blocked operation
  for (std::uint32_t i = 0; i < part.size() && part.call[i] < part.response[blocked]; ++i) {
    if (part.method[i] != MutexMethods::kTryAcquire || !part.result(i).is_unknown() || part.pending(i)) continue;
    lost.push_back(i);
    if (part.response[i] > part.call[blocked]) meet.push_back(i);
  }
  if (lost.empty()) return {};
  for (const std::vector<std::uint32_t>& some : {meet, lost}) {
    std::vector<std::uint32_t> more = core;
    for (const std::uint32_t i : some) add_who_tells(part, sections, i, more);
    more = whole_sections(sections, std::move(more));
    if (core::core_proves(part, more, violates)) return more;
  }
  return {};
}

}  // namespace

std::uint32_t release_before(const history::Subhistory& part, const Sections& sections, std::uint32_t release) {
  const auto process = [&part](std::uint32_t i) { return part.history->process(part.operation[i]); };
  for (std::uint32_t i = release; i-- > 0;) {
    if (sections.role[i] == SectionRole::releases && process(i) == process(release)) return i;
  }
  return kNone;
}

std::vector<std::uint32_t> section_core(const history::Subhistory& part, const Sections& sections,
                                        const SectionOrder& stopped) {
  const std::uint32_t blocked = *stopped.blocked;
  const bool needs_held =
      sections.role[blocked] == SectionRole::sees_held || sections.role[blocked] == SectionRole::releases;
  if (!needs_held) {
    std::vector<std::uint32_t> two = whole_sections(sections, {blocked, stopped.last});
    two = proving(part, sections, blocked, two);
    if (!two.empty()) return two;
  }
  std::vector<std::uint32_t> around = {blocked};
  if (sections.role[blocked] == SectionRole::releases && stopped.holder == kNone) {
    around.push_back(release_before(part, sections, blocked));
  } else {
    around.insert(around.end(), {stopped.last, stopped.started, stopped.ended, stopped.to_come});
  }
  if (stopped.to_come != kNone) {
    // One that could have taken the lock, were it not for the acquire to come.
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const bool could = sections.role[i] == SectionRole::may_acquire || i == blocked;
      if (could && part.call[i] < part.response[blocked]) around.push_back(i);
    }
  }
  std::vector<std::uint32_t> core = proving(part, sections, blocked, whole_sections(sections, around));
  if (!core.empty()) return core;

  const std::vector<std::uint32_t> forced = linearize_sections(part, sections, Keep::forced).order;
  constexpr std::size_t kFewest = 8, kFactor = 4;
  for (std::size_t count = kFewest; count < forced.size(); count *= kFactor) {
    std::vector<std::uint32_t> some = around;
    some.insert(some.end(), forced.end() - static_cast<std::ptrdiff_t>(count), forced.end());
    core = proving(part, sections, blocked, whole_sections(sections, std::move(some)));
    if (!core.empty()) return core;
  }
  core = forced;
  core.insert(core.end(), around.begin(), around.end());
  core = proving(part, sections, blocked, whole_sections(sections, std::move(core)));
  if (!core.empty()) return core;
  core.resize(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) core[i] = i;
  return core;
}

}  // namespace linchpin::types::mutex
