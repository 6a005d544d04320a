// The final lists as far as reads show them, and the runs of one writer that they fall into.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "types/list_append/reading.hpp"

namespace linchpin::types::list_append {

/// Transactions that no order explains, whatever else happened.
struct Anomaly {
  std::string name;  ///< G1a, ...; empty: none was found
  std::vector<std::uint32_t> transactions;
  std::uint32_t blocked = 0;  ///< the one that tells
  std::string sentence;
};

struct Lists {
  std::vector<std::uint32_t> begin;    ///< by key: where its longest list begins in `element`; one more at the end
  std::vector<std::uint32_t> element;  ///< of the longest lists
  std::vector<std::uint32_t> run;      ///< by place in `element`
  std::vector<std::uint32_t> runs;     ///< by key: its first run; one more at the end
  std::vector<std::uint32_t> writer;   ///< by run: its transaction
  std::vector<std::uint32_t> reader;   ///< by key: a transaction that read the longest list; kNone: nobody read any
  std::vector<bool> seen;              ///< by element: whether it is in the longest list
  std::vector<bool> kept;              ///< by transaction: it took effect

  [[nodiscard]] std::uint32_t runs_of(std::uint32_t key) const { return runs[key + 1] - runs[key]; }
};

/// Finds the longest list of each key and its runs, and whether all reads agree with them.
[[nodiscard]] Anomaly find_lists(const history::Subhistory& part, const Reading& reading, Lists& lists);

}  // namespace linchpin::types::list_append
