#include "papers/recorded_java.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "contract/java_labels.hpp"
#include "papers/hitting_families_published.hpp"
#include "papers/page.hpp"
#include "process.hpp"

namespace linchpin::papers {

namespace {

constexpr std::size_t kQuickJavaHistories = 30;
constexpr std::size_t kQuickCorpusHistories = 60;  // of a class, of which the corpus has ten times as many
constexpr std::uint64_t kSeed = 1;

/// Those of a quick run: among them the one whose type has options, and two that are often no linearizable.
bool of_quick_run(std::string_view name) { return name.starts_with("LinkedBlocking") || name.starts_with("Array"); }

/// The path of a command, or nothing.
std::string in_path(const std::string& command) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = fmt::format("{}/{}", folder, command);
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::size_t published_count(const PublishedClass& each) {
  return static_cast<std::size_t>(std::strtoul(std::string(each.histories[0]).c_str(), nullptr, 10));
}

/// The first histories of a file of the corpus, in a file of their own.
std::filesystem::path few_of(const std::filesystem::path& file, const Options& options) {
  std::vector<std::string> lines = contract::java_lines(file);
  if (lines.size() > kQuickCorpusHistories) lines.resize(kQuickCorpusHistories);
  auto few = options.scratch / fmt::format("corpus-{}", file.stem().string());
  std::ofstream(few, std::ios::binary) << fmt::format("{}\n", fmt::join(lines, "\n"));
  return few;
}

/// Compiles the recorder into `folder`. False, and told on standard error, where that fails.
bool compile(const std::string& compiler, const std::filesystem::path& sources, const std::string& folder) {
  std::vector<std::string> command{compiler, "-d", folder};
  for (const auto& entry : std::filesystem::directory_iterator(sources)) {
    if (entry.path().extension() == ".java") command.push_back(entry.path().string());
  }
  return bench::run_command(command).exit_code == 0;
}

}  // namespace

JavaSources record_java(const Options& options) {
  JavaSources sources;
  const std::string compiler = in_path("javac"), machine = in_path("java");
  if (compiler.empty() || machine.empty()) {
    sources.missing = "there is no JDK (javac and java) to record them with";
    return sources;
  }
  const std::string folder = (options.scratch / "recorder").string();
  if (!compile(compiler, options.sources / "bench" / "papers" / "java", folder)) {
    sources.missing = "the recorder (bench/papers/java) did not compile";
    return sources;
  }
  for (const PublishedClass& each : kPublishedClasses) {
    if (options.quick && !of_quick_run(each.name)) continue;
    JavaHistories histories{.name = std::string(each.name),
                            .file = (options.scratch / fmt::format("{}.jsonl", each.name)).string(),
                            .linearizable = {}};
    const std::size_t count = options.quick ? kQuickJavaHistories : options.histories.value_or(published_count(each));
    progress(fmt::format("recording {} histories of {}", count, each.name));
    std::string lines;
    const auto usage = bench::run_command(
        {machine, "-cp", folder, "Record", histories.name, fmt::to_string(count), fmt::to_string(kSeed)}, &lines);
    std::ofstream(histories.file, std::ios::binary) << lines;
    histories.linearizable = contract::labels(histories.file);
    if (usage.exit_code != 0 || histories.linearizable.size() != count) {
      sources.missing = fmt::format("the recorder ended with {} for {}", usage.exit_code, each.name);
      return sources;
    }
    sources.classes.push_back(std::move(histories));
  }
  return sources;
}

JavaSources corpus_java(const Options& options) {
  JavaSources sources;
  if (!options.corpus || !std::filesystem::exists(*options.corpus / "juc")) {
    sources.missing = "the environment variable `LINCHPIN_CORPUS` names no folder with their histories";
    return sources;
  }
  for (const PublishedClass& each : kPublishedClasses) {
    if (options.quick && !of_quick_run(each.name)) continue;
    auto path = *options.corpus / "juc" / fmt::format("{}.jsonl.gz", each.name);
    if (!std::filesystem::exists(path)) {
      sources.missing = fmt::format("the corpus has no {}", path.filename().string());
      continue;
    }
    if (options.quick) path = few_of(path, options);
    sources.classes.push_back(
        {.name = std::string(each.name), .file = path.string(), .linearizable = contract::labels(path)});
  }
  return sources;
}

}  // namespace linchpin::papers
