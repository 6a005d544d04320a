// A history read as one of another type, with the same operations in the same order: whatever decides the one has
// decided the other, with the same witness and the same core.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/decider.hpp"
#include "core/search_task.hpp"
#include "history/subhistory.hpp"
#include "linchpin/history.hpp"

namespace linchpin::types {

/// The history that was made, and who decides it.
struct Translation {
  History history;
  std::shared_ptr<const Specification> specification;
  history::Subhistory part;
  std::uint32_t before = 0;  ///< so many operations come before those of the part, which follow in the same order
  const core::Decider* decider = nullptr;
  core::Reading reading;

  /// A monitor's core may rest on nobody having put a value in, without naming who did before the part: then it gets
  /// all operations about that value. A core stays one when others are added.
  void complete(std::vector<std::uint32_t>& core) const {
    if (before == 0) return;
    std::sort(core.begin(), core.end());
    std::vector<std::uint64_t> inserted;  // by inserts that the core does not name
    for (std::uint32_t local = 0; local < before; ++local) {
      if (!std::binary_search(core.begin(), core.end(), local)) inserted.push_back(part.arguments(local)[0].bits());
    }
    std::sort(inserted.begin(), inserted.end());
    std::vector<std::uint64_t> missing;  // of them, those that it is about
    const auto note = [&](Value value) {
      if (std::binary_search(inserted.begin(), inserted.end(), value.bits())) missing.push_back(value.bits());
    };
    for (const std::uint32_t local : core) {
      note(part.result(local));
      for (const Value value : part.arguments(local)) note(value);
    }
    if (missing.empty()) return;
    std::sort(missing.begin(), missing.end());
    const auto is_missing = [&](Value value) {
      return std::binary_search(missing.begin(), missing.end(), value.bits());
    };
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      const std::span<const Value> arguments = part.arguments(local);
      if (is_missing(part.result(local)) || std::any_of(arguments.begin(), arguments.end(), is_missing)) {
        core.push_back(local);
      }
    }
    std::sort(core.begin(), core.end());
    core.erase(std::unique(core.begin(), core.end()), core.end());
  }

  /// Takes the history that was built. Why it cannot be read; empty: it is.
  std::string take(Result<History> built) {
    if (!built) return built.error().message;
    history = std::move(*built);
    const std::array specifications{specification};
    auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    if (!parts) return parts.error().message;
    part = std::move((*parts)[0]);
    return {};
  }
};

/// A part read as one of another type, or why it is not.
struct Translated {
  std::shared_ptr<Translation> translation;
  core::Applicability not_read = {};  ///< where there is none
};

/// Another decider at work on the translation: a search, or, for one that decides in one go, a single run.
class TranslatedSearch final : public core::SearchTask {
 public:
  TranslatedSearch(std::shared_ptr<Translation> translation, core::DeciderOptions options)
      : translation_(std::move(translation)), options_(std::move(options)) {
    options_.reading = std::move(translation_->reading);
    if (translation_->decider->start != nullptr) search_ = translation_->decider->start(translation_->part, options_);
  }
  bool run(std::uint64_t steps, core::Budget& budget) override {
    if (search_ != nullptr) return search_->run(steps, budget);
    outcome_ = translation_->decider->decide(translation_->part, options_, budget);
    return true;
  }
  [[nodiscard]] core::Outcome outcome() const override {
    core::Outcome outcome = search_ != nullptr ? search_->outcome() : outcome_;
    // States are described as the other type has them.
    outcome.certain = {};
    outcome.states.clear();
    drop_before(outcome.witness);
    translation_->complete(outcome.core);
    drop_before(outcome.core);
    drop_before(outcome.longest);
    if (outcome.blocked) {
      const std::uint32_t blocked = *outcome.blocked;
      outcome.blocked.reset();
      if (blocked >= translation_->before) outcome.blocked = blocked - translation_->before;
    }
    return outcome;
  }
  [[nodiscard]] std::uint32_t passed() const override {
    const std::uint32_t passed = search_ != nullptr ? search_->passed() : 0;
    return passed - std::min(passed, translation_->before);
  }

 private:
  void drop_before(std::vector<std::uint32_t>& locals) const {
    const std::uint32_t before = translation_->before;
    if (before == 0) return;
    std::erase_if(locals, [&](std::uint32_t local) { return local < before; });
    for (std::uint32_t& local : locals) local -= before;
  }

  const std::shared_ptr<Translation> translation_;
  core::DeciderOptions options_;
  std::unique_ptr<core::SearchTask> search_;
  core::Outcome outcome_;
};

/// Deciders of what Read, (part) -> Translated, translates: by a monitor of the other type that decides in one go, by a
/// search among its monitors, and by its lift, each time the first that applies; and by all its necessary conditions.
template <auto Read>
struct TranslatedDeciders {
  static core::Applicability monitor_applicable(const history::Subhistory& part) {
    return first(part, core::monitors(), [](const core::Decider& each) { return each.start == nullptr; });
  }
  static core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                              core::Budget& budget) {
    const auto search = start(part, options, monitor_applicable);
    search->run(1, budget);
    return search->outcome();
  }

  static core::Applicability search_applicable(const history::Subhistory& part) {
    return first(part, core::monitors(), [](const core::Decider& each) { return each.start != nullptr; });
  }
  static std::unique_ptr<core::SearchTask> start_search(const history::Subhistory& part,
                                                        const core::DeciderOptions& options) {
    return start(part, options, search_applicable);
  }

  static core::Applicability condition_applicable(const history::Subhistory& part) {
    core::Applicability found = first(part, core::necessary_conditions(), any);
    if (!found.applies) return found;
    const Translation& translation = *found.reading.as<Translation>();
    found.why = fmt::format("as a {}: a necessary condition does not hold", translation.specification->name());
    return found;
  }
  /// By the first of the other type's necessary conditions that is not kept.
  static core::Outcome refute(const history::Subhistory& part, const core::DeciderOptions& options,
                              core::Budget& budget) {
    const auto translation = core::reading_of<Translation>(part, options, condition_applicable);
    if (translation == nullptr) return core::not_applicable();
    const std::span<const core::Decider> conditions = core::necessary_conditions();
    std::size_t asked = 0;
    do {
      TranslatedSearch search(translation, options);
      search.run(1, budget);
      core::Outcome outcome = search.outcome();
      if (outcome.verdict == Verdict::violation) return outcome;
      asked = static_cast<std::size_t>(translation->decider - conditions.data()) + 1;
    } while (take_first(*translation, conditions.subspan(asked), any).applies);
    return core::not_applicable();
  }

  static core::Applicability lift_applicable(const history::Subhistory& part) {
    return first(part, core::lifts(), any);
  }
  static std::unique_ptr<core::SearchTask> start_lift(const history::Subhistory& part,
                                                      const core::DeciderOptions& options) {
    return start(part, options, lift_applicable);
  }

 private:
  static bool any(const core::Decider& /*decider*/) { return true; }

  /// The first of the wanted deciders that applies to the translation, with what it read; or why none does.
  template <class Wanted>
  static core::Applicability first(const history::Subhistory& part, std::span<const core::Decider> deciders,
                                   Wanted&& wanted) {
    Translated read = Read(part);
    if (read.translation == nullptr) return std::move(read.not_read);
    const Translation& translation = *read.translation;
    core::Applicability found = take_first(*read.translation, deciders, wanted);
    if (!found.applies) return found;
    std::string how =
        fmt::format("by {} as a {}: {}", translation.decider->name, translation.specification->name(), found.why);
    return {.applies = true, .why = std::move(how), .reading = std::move(read.translation)};
  }
  /// The same of a part that was read: `translation` has the decider then, with what it read.
  template <class Wanted>
  static core::Applicability take_first(Translation& translation, std::span<const core::Decider> deciders,
                                        Wanted&& wanted) {
    std::string why;
    for (const core::Decider& decider : deciders) {
      if (!wanted(decider)) continue;
      core::Applicability found = decider.applicable(translation.part);
      if (!found.applies) {
        if (!found.other_type) why = std::move(found.why);
        continue;
      }
      translation.decider = &decider;
      translation.reading = std::move(found.reading);
      return found;
    }
    return {false, std::move(why)};
  }

  /// A search on what `applicable` read.
  static std::unique_ptr<core::SearchTask> start(const history::Subhistory& part, const core::DeciderOptions& options,
                                                 core::Applicability (*applicable)(const history::Subhistory&)) {
    auto translation = core::reading_of<Translation>(part, options, applicable);
    if (translation == nullptr) return std::make_unique<core::Decided>(core::not_applicable());
    return std::make_unique<TranslatedSearch>(std::move(translation), options);
  }
};

}  // namespace linchpin::types
