// Replays fuzz/corpus/<target>/ through the fuzz targets: what a fuzzer found once stays found, without clang.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/format.hpp"
#include "fuzz/targets.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(LINCHPIN_SOURCE_DIR) / "fuzz" / "corpus";

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

class FuzzCorpus : public testing::TestWithParam<std::string> {};

TEST_P(FuzzCorpus, OfAFormatIsReadWithoutAFault) {
  const auto inputs = corpus_of(GetParam());
  EXPECT_FALSE(inputs.empty()) << "fuzz/corpus has no seeds for this format";
  for (const auto& input : inputs) fuzz::format(GetParam(), input);
}

/// Every input cut off at every byte, and with each byte changed: cheap neighbours of the seeds.
TEST_P(FuzzCorpus, OfAFormatIsReadWithoutAFaultWhenDamaged) {
  constexpr std::size_t kMostBytes = 600;
  for (const auto& input : corpus_of(GetParam())) {
    const std::size_t size = std::min(input.size(), kMostBytes);
    for (std::size_t at = 0; at < size; ++at) {
      fuzz::format(GetParam(), fuzz::Bytes(input).first(at));
      auto damaged = input;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ (1U << (at % 8)));
      fuzz::format(GetParam(), damaged);
    }
  }
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const core::Format& format : core::formats()) names.emplace_back(format.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzCorpus, testing::ValuesIn(format_names()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(FuzzDeciders, AgreeOnTheCorpus) {
  const auto inputs = corpus_of("deciders");
  EXPECT_FALSE(inputs.empty());
  for (const auto& input : inputs) fuzz::deciders(input);
}

}  // namespace
}  // namespace linchpin
