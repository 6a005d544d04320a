// Faster linearizability checking via P-compositionality: many histories a set, and beside each set the same one with
// a mistake.
//
// The paper has 50 to 100 histories of each set, and two sets that are faulty. Here each set has 50 histories, and so
// has its faulty twin, whose calls look first and act then: add asks whether the key is there, adds it where it is not,
// and answers what was asked. Whatever another thread did in between is overlooked.
#include "papers/set_variants.hpp"

#include <fmt/format.h>

#include "app/quantities.hpp"

namespace linchpin::papers {

bool p_compositionality_histories(const Options& options) {
  Page page(options, "p-compositionality-histories",
            "Faster linearizability checking via P-compositionality: many histories a set",
            {kSetColumns.begin(), kSetColumns.end()});
#ifndef LINCHPIN_PAPERS_CDS
  page.left_out("the sets of libcds, which is not installed.");
#endif
  const std::size_t histories = options.quick ? 1 : options.histories.value_or(50);
  const SetWorkload paper{};
  const std::size_t operations = options.quick ? 500 : paper.operations / 14;
  const double seconds = std::min(options.seconds, options.quick ? 1.0 : 10.0);
  const double gigabytes = std::min(options.memory_gigabytes, 4.0);
  Limits limits;
  limits.time = std::chrono::duration<double>(seconds);
  limits.memory = static_cast<std::size_t>(gigabytes * (std::size_t{1} << 30));
  page.text(fmt::format(
      "{} a row, {} threads of {} operations each on {} keys, a fourteenth of the paper's; mean and maximum of the "
      "time, "
      "and the mean memory, of those that were decided within {} s and {} GB each. *Faulty* sets ask first whether the "
      "key is there and act then; only their histories that are violations are counted, linearizable ones by chance "
      "are "
      "left aside.",
      app::counted(histories, "history"), paper.threads, app::grouped(operations), paper.keys, seconds, gigabytes));
  Table table{.columns = {{"set", false}, {"histories"}}, .rows = {}};
  for (const SetVariant& variant : kSetVariants) table.columns.push_back({variant.name});
  for (const RecordedSet& set : recorded_sets()) {
    if (set.record_faulty == nullptr) continue;
    for (const bool faulty : {false, true}) {
      const SetHistories kind{.name = fmt::format("{}{}", set.name, faulty ? ", faulty" : ""),
                              .linearizable = set.linearizable && !faulty,
                              .record = faulty ? set.record_faulty : set.record};
      std::array<SetCell, kSetVariants.size()> cells;
      std::size_t counted = 0;
      for (std::uint64_t seed = 1; seed <= histories; ++seed) {
        const auto decided =
            decide_set(kind, {.operations = operations, .keys = paper.keys, .seed = seed}, limits, options, page);
        if (!decided || (faulty && decided->verdict != Verdict::violation)) continue;
        ++counted;
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i].add(decided->by[i]);
      }
      std::vector<std::string> row{kind.name, faulty ? fmt::format("{} violations", counted) : fmt::to_string(counted)};
      for (const SetCell& cell : cells) row.push_back(cell.means_and_most());
      table.rows.push_back(std::move(row));
    }
  }
  page.table(table);
  return page.finish();
}

}  // namespace linchpin::papers
