// Every file of the recorded corpus reads without an error, and in the format that its folder says.
// Needs LINCHPIN_CORPUS; skipped without it.
#include <algorithm>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "formats/reading_test.hpp"
#include "formats/source.hpp"

namespace linchpin {
namespace {

struct Folder {
  const char* name;
  const char* format;
  const char* extensions;
  std::size_t least_files;
};

class Corpus : public ::testing::TestWithParam<Folder> {};

TEST_P(Corpus, ReadsWithoutAnError) {
  if (formats::testing::corpus().empty()) GTEST_SKIP() << "LINCHPIN_CORPUS is not set";
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(formats::testing::corpus() / GetParam().name)) {
    const std::string extension = entry.path().extension().string();
    if (entry.is_regular_file() && std::string(GetParam().extensions).find(extension) != std::string::npos) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), GetParam().least_files);
  std::size_t operations = 0;
  for (const auto& file : files) {
    const auto input = formats::Input::load(file.string());
    ASSERT_TRUE(input) << file;
    EXPECT_EQ(formats::testing::detected(input->source().bytes.substr(0, 65'536)), GetParam().format) << file;
    const auto done = formats::read_source(input->source(), {}, [&operations](Result<History> history) {
      EXPECT_TRUE(history) << history.error().to_string();
      if (history) operations += history->size();
      return true;
    });
    EXPECT_TRUE(done) << done.error().to_string();
  }
  EXPECT_GE(operations, files.size());
}

INSTANTIATE_TEST_SUITE_P(Formats, Corpus,
                         ::testing::Values(Folder{"etcd", "jepsen-text", ".log", 50},
                                           Folder{"kv", "porcupine-kv", ".txt", 4},
                                           Folder{"violin", "violin", ".log .hist", 550},
                                           Folder{"fastlin", "fastlin", ".log", 5},
                                           Folder{"fptlin", "fptlin", ".log", 5}, Folder{"thesis", "thesis", ".gz", 2},
                                           Folder{"knossos", "jepsen", ".edn", 55}, Folder{"juc", "juc", ".gz", 10}),
                         [](const auto& folder) { return std::string(folder.param.name); });

}  // namespace
}  // namespace linchpin
