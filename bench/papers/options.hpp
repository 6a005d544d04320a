// What a run of the papers' evaluations is told, and where each of them is.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace linchpin::papers {

struct Options {
  bool quick = false;                           ///< seconds in all, to see that it runs and that answers are right
  std::filesystem::path output;                 ///< where pages, figures and CSV files go
  std::filesystem::path scratch;                ///< for histories; empty at the beginning, and gone afterwards
  std::optional<std::filesystem::path> corpus;  ///< recorded histories with known verdicts (LINCHPIN_CORPUS)
  std::filesystem::path sources = LINCHPIN_SOURCE_DIR;  ///< of this project
  std::string linchpin;                                 ///< path of the command
  std::string command;                                  ///< what the user typed, for the page
  std::string commit;                                   ///< of the sources, for the page
  double memory_gigabytes = 12;                         ///< most that one process may use
  double seconds = 120;                                 ///< most that one check may take
  std::size_t largest = 10'000'000;                     ///< operations of the largest histories (paper 1)
  std::optional<std::size_t> histories;  ///< of each set or class (papers 2 and 3); unset: as the page has it
};

// Each writes its page and is true if all answers were right. What is missing, a package or the corpus, is left out and
// the page says so.
bool decrease_and_conquer(const Options& options);
bool decrease_and_conquer_relaxed(const Options& options);
bool p_compositionality(const Options& options);
bool p_compositionality_parts(const Options& options);
bool p_compositionality_histories(const Options& options);
bool hitting_families(const Options& options);
bool hitting_families_corpus(const Options& options);
bool concurrent_priority_queues(const Options& options);
bool read_write_cas(const Options& options);

}  // namespace linchpin::papers
