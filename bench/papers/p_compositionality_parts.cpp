// What each part of Horn and Kroening's search is worth: its cache, the bound of the cache, the hash in constant time,
// and a key at a time. The paper says each in a sentence; here each is a measured line.
//
// Sets of 16 keys as in the paper's Table 1, but shorter, so that the weakest variant has a chance: recorded ones,
// simulated ones whose answer is known, and violations, near the beginning and near the end. CPU time of the verdict
// alone; each check in a process of its own.
#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "app/quantities.hpp"
#include "papers/measuring.hpp"
#include "papers/page.hpp"
#include "papers/recorded_sets.hpp"

namespace linchpin::papers {

namespace {

using app::grouped;

struct PartVariant {
  const char* name;
  const char* decider;
};
constexpr std::array kPartVariants{PartVariant{"WG", "wg"},
                                   PartVariant{"WGL, O(n) hash", "wgl-linear-hash"},
                                   PartVariant{"WGL", "wgl"},
                                   PartVariant{"LRU of 65,536", "wgl-lru"},
                                   PartVariant{"LRU of 1,024", "wgl-lru-few"},
                                   PartVariant{"WGL+P", "wgl-partitioned"}};

struct PartKind {
  std::string name;
  std::optional<bool> linearizable;  ///< where it is known
  std::function<Result<History>(std::size_t operations, std::uint64_t seed)> make;
};

PartKind simulated_sets(std::string name, std::uint32_t processes, bool broken) {
  return {std::move(name), !broken, [processes, broken](std::size_t operations, std::uint64_t seed) {
            generate::Plan plan;
            plan.type = *TypeName::parse("set");
            plan.operations = operations;
            plan.processes = processes;
            plan.values = 16;
            plan.seed = seed;
            return simulated(plan, broken);
          }};
}

std::vector<PartKind> kinds() {
  std::vector<PartKind> all;
  for (const RecordedSet& set : recorded_sets()) {
    if (set.name != "std::set under a mutex" && set.name != "one of four sets at random") continue;
    all.push_back({fmt::format("recorded, 4 threads: {}", set.name),
                   set.linearizable ? std::optional(true) : std::nullopt,
                   [set](std::size_t operations, std::uint64_t seed) {
                     return set.record({.operations = operations / 4, .seed = seed});
                   }});
  }
  all.push_back(simulated_sets("simulated, 4 processes", 4, false));
  all.push_back(simulated_sets("simulated, 4 processes, a violation near the end", 4, true));
  all.push_back(simulated_sets("simulated, 12 processes", 12, false));
  all.push_back(simulated_sets("simulated, 12 processes, a violation near the end", 12, true));
  return all;
}

/// Of the histories of a row and one variant.
struct PartCell {
  std::vector<double> seconds, megabytes;  // of those decided
  std::size_t gave_up = 0;

  [[nodiscard]] std::string to_string() const {
    std::string text;
    if (!seconds.empty()) {
      const auto middle = [](std::vector<double> values) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
        return values[values.size() / 2];
      };
      text = fmt::format("{}, {:.0f} MB", duration(middle(seconds)), middle(megabytes));
    }
    if (gave_up > 0) text += fmt::format("{}{} gave up", text.empty() ? "" : "; ", gave_up);
    return text;
  }
};

}  // namespace

bool p_compositionality_parts(const Options& options) {
  Page page(
      options, "p-compositionality-parts", "Faster linearizability checking: what the parts of the search are worth",
      {"history", "operations", "seed", "variant", "verdict", "reason", "deciding_cpu_seconds", "process_megabytes"});
  const std::vector<std::size_t> sizes =
      options.quick ? std::vector<std::size_t>{100, 400} : std::vector<std::size_t>{100, 1'000, 4'000, 16'000, 40'000};
  const std::size_t histories = options.quick ? 1 : options.histories.value_or(3);
  const double seconds = std::min(options.seconds, options.quick ? 1.0 : 10.0);
  const double gigabytes = std::min(options.memory_gigabytes, 4.0);
  page.text(fmt::format(
      "{} a row, of 16 keys; the median CPU time of those that were decided, for the verdict alone, and the memory of "
      "the whole process; within {} s and {} GB each. *WG* is the search without a cache, *O(n) hash* the cache with a "
      "hash worked out anew at each step, *LRU* a cache of so many configurations, *WGL+P* a key at a time.",
      app::counted(histories, "history"), seconds, gigabytes));
  Table table{.columns = {{"histories", false}, {"operations"}, {"violations"}}, .rows = {}};
  for (const PartVariant& variant : kPartVariants) table.columns.push_back({variant.name});
  const auto file = options.scratch / "set.lch";
  for (const PartKind& kind : kinds()) {
    for (const std::size_t operations : sizes) {
      progress(fmt::format("{}, {} operations", kind.name, operations));
      std::array<PartCell, kPartVariants.size()> cells;
      std::size_t violations = 0;
      for (std::uint64_t seed = 1; seed <= histories; ++seed) {
        if (!make_history(file, [&] { return kind.make(operations, seed); })) {
          page.wrong(kind.name + ": it could not be made");
          continue;
        }
        std::optional<Verdict> known;
        if (kind.linearizable) known = *kind.linearizable ? Verdict::linearizable : Verdict::violation;
        // The last one first: it decides what is not known.
        for (std::size_t which = kPartVariants.size(); which-- > 0;) {
          CheckOptions check = check_options(options, kPartVariants[which].decider);
          check.shrink = false;
          check.witness = false;
          check.verify = Verify::never;
          check.limits.time = std::chrono::duration<double>(seconds);
          check.limits.memory = static_cast<std::size_t>(gigabytes * (std::size_t{1} << 30));
          const auto measured = measured_check(file, check);
          if (!measured) {
            page.wrong(fmt::format("{}: the process of {} failed", kind.name, kPartVariants[which].name));
            continue;
          }
          const Checked& checked = measured->checked;
          page.measured({kind.name, fmt::to_string(operations), fmt::to_string(seed), kPartVariants[which].name,
                         std::string(name(checked.verdict)), std::string(name(checked.reason)),
                         fmt::format("{:.4g}", checked.seconds), fmt::format("{:.0f}", measured->usage.megabytes)});
          if (checked.verdict == Verdict::unknown) {
            if (checked.reason == Reason::not_applicable) {
              page.wrong(fmt::format("{}: {} does not apply", kind.name, kPartVariants[which].name));
            }
            ++cells[which].gave_up;
            continue;
          }
          if (!known) known = checked.verdict;
          if (checked.verdict != *known) {
            page.wrong(fmt::format("{}: {} has the wrong verdict", kind.name, kPartVariants[which].name));
          }
          cells[which].seconds.push_back(checked.seconds);
          cells[which].megabytes.push_back(measured->usage.megabytes);
        }
        violations += known == Verdict::violation ? 1 : 0;
        std::filesystem::remove(file);
      }
      std::vector<std::string> row{kind.name, grouped(operations), fmt::to_string(violations)};
      for (const PartCell& cell : cells) row.push_back(cell.to_string());
      table.rows.push_back(std::move(row));
    }
  }
  page.table(table);
  return page.finish();
}

}  // namespace linchpin::papers
