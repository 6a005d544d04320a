// The papers' evaluations done again, with what they published beside what is measured here.
//
//   linchpin_papers [1 2 3 4 5] [--quick] [--output FOLDER] [--linchpin COMMAND] [--commit TEXT] [--command TEXT]
//                   [--memory GIGABYTES] [--seconds SECONDS] [--largest OPERATIONS] [--histories COUNT]
//
// ./dev papers builds it and calls it. Pages, figures and CSV files go to FOLDER (docs/papers); --quick takes small
// sizes. Exit codes: 0 every answer was right, 1 some was not, 2 usage. Papers by number, as everywhere in this
// project, and 2-parts for the second page of paper 2 alone: 1 decrease-and-conquer, 2 P-compositionality, 3 hitting
// families, 4 priority queues, 5 read, write and compare-and-set.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "linchpin/research.hpp"
#include "papers/options.hpp"
#include "papers/page.hpp"

namespace linchpin::papers {
namespace {

struct Paper {
  std::string_view number;
  std::string_view title;
  bool (*run)(const Options&);
};

constexpr std::array kPapers{
    Paper{"1", "Efficient decrease-and-conquer linearizability monitoring", &decrease_and_conquer},
    Paper{"1-relaxed", "Relaxed containers: k-FIFO queues and k-stacks", &decrease_and_conquer_relaxed},
    Paper{"2", "Faster linearizability checking via P-compositionality", &p_compositionality},
    Paper{"2-parts", "What the parts of the search are worth", &p_compositionality_parts},
    Paper{"2-histories", "Many histories a set, linearizable ones and violations", &p_compositionality_histories},
    Paper{"3", "Checking linearizability using hitting families", &hitting_families},
    Paper{"3-corpus", "Hitting families, on recorded histories that overlap more", &hitting_families_corpus},
    Paper{"4", "Checking linearizability of concurrent priority queues", &concurrent_priority_queues},
    Paper{"5", "Linearization of concurrent data structures: read, write and compare-and-set", &read_write_cas},
};

int usage(std::string_view why) {
  fmt::print(
      stderr,
      "error: {}\nusage: linchpin_papers [1 2 3 4 5] [--quick] [--output FOLDER] [--linchpin COMMAND] [--commit "
      "TEXT] [--command TEXT] [--memory GIGABYTES] [--seconds SECONDS] [--largest OPERATIONS] [--histories COUNT]\n",
      why);
  return 2;
}

int run(int count, char** values) {
  add_research_deciders();
  Options options;
  options.output = "docs/papers";
  options.commit = "unknown";
  for (int i = 0; i < count; ++i) options.command.append(i == 0 ? "" : " ").append(values[i]);
  if (const char* const corpus = std::getenv("LINCHPIN_CORPUS")) options.corpus = corpus;
  std::vector<const Paper*> wanted;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = values[i];
    if (word == "--quick") {
      options.quick = true;
      continue;
    }
    if (word.starts_with("--")) {
      if (i + 1 == count) return usage(fmt::format("{} wants a value", word));
      const char* const value = values[++i];
      if (word == "--output") {
        options.output = value;
      } else if (word == "--linchpin") {
        options.linchpin = value;
      } else if (word == "--commit") {
        options.commit = value;
      } else if (word == "--command") {
        options.command = value;
      } else if (word == "--memory") {
        options.memory_gigabytes = std::strtod(value, nullptr);
      } else if (word == "--seconds") {
        options.seconds = std::strtod(value, nullptr);
      } else if (word == "--largest") {
        options.largest = static_cast<std::size_t>(std::strtod(value, nullptr));
      } else if (word == "--histories") {
        options.histories = static_cast<std::size_t>(std::strtod(value, nullptr));
      } else {
        return usage(fmt::format("there is no option {}", word));
      }
      continue;
    }
    const std::size_t before = wanted.size();
    for (const Paper& paper : kPapers) {
      const bool part = paper.number.starts_with(word) && paper.number.substr(word.size()).starts_with('-');
      if (paper.number == word || part) wanted.push_back(&paper);
    }
    if (wanted.size() == before) return usage(fmt::format("there is no evaluation of a paper {} here", word));
  }
  if (wanted.empty()) {
    for (const Paper& paper : kPapers) wanted.push_back(&paper);
  }
  std::error_code failed;
  std::filesystem::create_directories(options.output, failed);
  std::string scratch = (std::filesystem::temp_directory_path() / "linchpin-papers-XXXXXX").string();
  if (mkdtemp(scratch.data()) == nullptr) return usage("no folder for temporary files");
  options.scratch = scratch;
  bool right = true;
  for (const Paper* const paper : wanted) {
    progress(fmt::format("paper {}: {}", paper->number, paper->title));
    right = paper->run(options) && right;
  }
  std::filesystem::remove_all(options.scratch, failed);
  print_left_out();
  return right ? 0 : 1;
}

}  // namespace
}  // namespace linchpin::papers

int main(int count, char** values) { return linchpin::papers::run(count, values); }
