// Efficient decrease-and-conquer linearizability monitoring: the containers whose histories are no queues and no
// stacks.
//
// The paper records them from a k-FIFO queue and a k-stack (Scal), to have histories that are not linearizable. How far
// out of order they are depends on k: with a small one, operations that overlap may explain what came out. Here both
// (segmented.hpp) are recorded for several k as the paper's linearizable containers are, and how many histories are
// violations is counted. src/evidence verifies the witness or the core of each.
#include <array>
#include <vector>

#include <fmt/format.h>

#include "app/quantities.hpp"
#include "papers/measuring.hpp"
#include "papers/page.hpp"
#include "papers/recorded.hpp"

namespace linchpin::papers {

namespace {

constexpr std::size_t kRelaxedHistories = 10, kQuickRelaxedHistories = 1;  // a cell
constexpr unsigned kSmallProducers = 10, kLargeProducers = 20;
constexpr std::size_t kLarge = 10'000;  // from here on as the paper's large ones

struct RelaxedCell {
  std::size_t decided = 0, violations = 0, refuted = 0;
  double seconds = 0;
};

std::size_t histories_of(const Options& options) { return options.quick ? kQuickRelaxedHistories : kRelaxedHistories; }

/// The histories of a cell, in this process.
RelaxedCell decide(const SegmentedContainer& container, std::size_t operations, const Options& options) {
  RelaxedCell cell;
  for (std::uint64_t seed = 1; seed <= histories_of(options); ++seed) {
    const bool large = operations >= kLarge;
    const unsigned producers = large ? kLargeProducers : kSmallProducers;
    const auto history = container.record({.operations = operations,
                                           .producers = producers,
                                           .consumers = producers,
                                           .pauses = large ? 0.01 : 0.1,
                                           .seed = operations + seed});
    if (!history) continue;
    CheckOptions check = check_options(options);
    const Checked checked = timed_check(*history, check);
    check.verify = Verify::thoroughly;
    const Checked verified = timed_check(*history, check);
    if (verified.evidence_refuted || verified.verdict != checked.verdict) ++cell.refuted;
    if (checked.verdict == Verdict::unknown) continue;
    ++cell.decided;
    cell.violations += checked.verdict == Verdict::violation ? 1 : 0;
    cell.seconds += checked.seconds;
  }
  return cell;
}

}  // namespace

bool decrease_and_conquer_relaxed(const Options& options) {
  Page page(options, "decrease-and-conquer-relaxed", "Decrease and conquer: k-FIFO queues and k-stacks",
            {"container", "k", "operations", "histories", "violations", "mean_deciding_cpu_seconds"});
  const std::vector<std::size_t> sizes = options.quick
                                             ? std::vector<std::size_t>{100, 500}
                                             : std::vector<std::size_t>{100, 200, 500, 1'000, 10'000, 100'000};
  const std::size_t histories = histories_of(options);
  page.text(fmt::format(
      "{} histories a cell: how many of them are violations, and the mean CPU time of deciding one with its evidence, "
      "a witness or a core. Up to 1,000 operations of {} producers and as many consumers, from {} on of {} and {}.",
      histories, kSmallProducers, app::grouped(kLarge), kLargeProducers, kLargeProducers));
  Table table{.columns = {{"container", false}, {"k"}}, .rows = {}};
  for (const std::size_t size : sizes) {
    table.columns.push_back({fmt::format("{} operations", app::grouped(size))});
    table.columns.push_back({"mean"});
  }
  constexpr std::array<std::array<const char*, 2>, 2> kRelaxedTypes{{{"queue", "k-FIFO queue"}, {"stack", "k-stack"}}};
  for (const auto& [type, title] : kRelaxedTypes) {
    for (const SegmentedContainer& container : segmented_containers(type)) {
      std::vector<std::string> row{title, fmt::to_string(container.slots)};
      for (const std::size_t size : sizes) {
        const std::string what = fmt::format("{}, k = {}, {} operations", title, container.slots, size);
        progress(what);
        bench::Usage usage;
        const auto cell =
            bench::in_child<RelaxedCell>(usage, [&](RelaxedCell& sum) { sum = decide(container, size, options); });
        if (!cell || cell->decided != histories || cell->refuted > 0) {
          page.wrong(fmt::format("{}: not all decided, or evidence was refuted", what));
          row.insert(row.end(), {"", ""});
          continue;
        }
        const double mean = cell->seconds / static_cast<double>(histories);
        row.push_back(fmt::format("{}/{}", cell->violations, histories));
        row.push_back(duration(mean));
        page.measured({title, fmt::to_string(container.slots), fmt::to_string(size), fmt::to_string(histories),
                       fmt::to_string(cell->violations), fmt::format("{:.3g}", mean)});
      }
      table.rows.push_back(std::move(row));
    }
  }
  page.table(table);
  return page.finish();
}

}  // namespace linchpin::papers
