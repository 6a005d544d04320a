#include "types/mutex/section_core.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace linchpin::types::mutex {

namespace {

/// Ascending, each once, and with every acquire its release.
std::vector<std::uint32_t> whole_sections(const Sections& sections, std::vector<std::uint32_t> some) {
  for (std::size_t k = 0, given = some.size(); k < given; ++k) {
    if (some[k] != kNobody) some.push_back(sections.partner[some[k]]);
  }
  std::erase(some, kNobody);
  std::sort(some.begin(), some.end());
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

bool blocked_alone(const history::Subhistory& whole, const std::vector<std::uint32_t>& locals) {
  const history::Subhistory part = history::restrict(whole, locals);
  Sections sections;
  if (!read_sections(part, sections).empty() || !sections.owners) return false;
  return linearize_sections(part, with_doubt(std::move(sections)), Keep::verdict).blocked.has_value();
}

}  // namespace

std::uint32_t release_before(const history::Subhistory& part, const Sections& sections, std::uint32_t release) {
  const auto process = [&part](std::uint32_t i) { return part.history->process(part.operation[i]); };
  for (std::uint32_t i = release; i-- > 0;) {
    if (sections.role[i] == SectionRole::releases && process(i) == process(release)) return i;
  }
  return kNobody;
}

std::vector<std::uint32_t> section_core(const history::Subhistory& part, const Sections& sections,
                                        const SectionOrder& stopped) {
  const std::uint32_t blocked = *stopped.blocked;
  const bool needs_held =
      sections.role[blocked] == SectionRole::sees_held || sections.role[blocked] == SectionRole::releases;
  if (!needs_held) {
    std::vector<std::uint32_t> two = whole_sections(sections, {blocked, stopped.last});
    if (blocked_alone(part, two)) return two;
  }
  std::vector<std::uint32_t> around = {blocked};
  if (sections.role[blocked] == SectionRole::releases && stopped.holder == kNobody) {
    around.push_back(release_before(part, sections, blocked));
  } else {
    around.insert(around.end(), {stopped.last, stopped.started, stopped.ended, stopped.to_come});
  }
  if (stopped.to_come != kNobody) {
    // One that could have taken the lock, were it not for the acquire to come.
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const bool could = sections.role[i] == SectionRole::may_acquire || i == blocked;
      if (could && part.call[i] < part.response[blocked]) around.push_back(i);
    }
  }
  std::vector<std::uint32_t> core = whole_sections(sections, around);
  if (blocked_alone(part, core)) return core;

  const std::vector<std::uint32_t> forced = linearize_sections(part, sections, Keep::forced).order;
  constexpr std::size_t kFewest = 8, kFactor = 4;
  for (std::size_t count = kFewest; count < forced.size(); count *= kFactor) {
    std::vector<std::uint32_t> some = around;
    some.insert(some.end(), forced.end() - static_cast<std::ptrdiff_t>(count), forced.end());
    core = whole_sections(sections, std::move(some));
    if (blocked_alone(part, core)) return core;
  }
  core = forced;
  core.insert(core.end(), around.begin(), around.end());
  core = whole_sections(sections, std::move(core));
  if (blocked_alone(part, core)) return core;
  core.resize(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) core[i] = i;
  return core;
}

}  // namespace linchpin::types::mutex
