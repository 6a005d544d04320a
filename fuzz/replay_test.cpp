// Replays fuzz/corpus/<target>/ through the fuzz targets: what a fuzzer found once stays found, without clang.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/format.hpp"
#include "fuzz/targets.hpp"
#include "support/paths.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = test::source_folder() / "fuzz" / "corpus";

std::vector<std::vector<std::uint8_t>> corpus_of(std::string_view target) {
  std::vector<fs::path> paths;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(kCorpus / target, absent)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::vector<std::uint8_t>> inputs;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return inputs;
}

class FuzzCorpus : public testing::TestWithParam<std::string> {
 protected:
  static void run(fuzz::Bytes input) { fuzz::find_target(GetParam())->run(input); }
};

TEST_P(FuzzCorpus, IsReadWithoutAFault) {
  const auto inputs = corpus_of(GetParam());
  EXPECT_FALSE(inputs.empty()) << "fuzz/corpus has no seeds for this target";
  for (const auto& input : inputs) run(input);
}

using DamagedFuzzCorpus = FuzzCorpus;

/// Every input cut off at every byte, and with each byte changed: cheap neighbours of the seeds.
TEST_P(DamagedFuzzCorpus, IsReadWithoutAFault) {
  constexpr std::size_t kMostBytes = 600;
  for (const auto& input : corpus_of(GetParam())) {
    const std::size_t size = std::min(input.size(), kMostBytes);
    for (std::size_t at = 0; at < size; ++at) {
      run(fuzz::Bytes(input).first(at));
      auto damaged = input;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1U << (at % 8)));
      run(damaged);
    }
  }
}

/// @param without  a target that is left out
std::vector<std::string> target_names(std::string_view without = {}) {
  std::vector<std::string> names;
  for (const fuzz::Target& target : fuzz::targets()) {
    if (target.name != without) names.push_back(target.name);
  }
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzCorpus, testing::ValuesIn(target_names()), test_name);
// All deciders on each neighbour would take minutes.
INSTANTIATE_TEST_SUITE_P(Each, DamagedFuzzCorpus, testing::ValuesIn(target_names("deciders")), test_name);

/// Each format of the registry is a target, and each folder of the corpus belongs to one.
TEST(FuzzTargets, AreAllFormatsAndAllFoldersOfTheCorpus) {
  for (const core::Format& format : core::formats()) EXPECT_NE(fuzz::find_target(format.name), nullptr) << format.name;
  for (const auto& folder : fs::directory_iterator(kCorpus)) {
    EXPECT_NE(fuzz::find_target(folder.path().filename().string()), nullptr) << folder.path();
  }
}

}  // namespace
}  // namespace linchpin
