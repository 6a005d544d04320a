// `./dev new` in a copy of what it changes: the folder is complete, its rows are there, and its code compiles. To build
// and run the tests that it makes would take minutes.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include "documentation/markdown.hpp"

namespace linchpin {
namespace {

namespace fs = std::filesystem;

using documentation::content_of;
using testing::HasSubstr;

struct Outcome {
  int code = 0;
  std::string printed;
};

class New : public testing::Test {
 protected:
  New() {
    std::string name = testing::TempDir() + "linchpin-new-XXXXXX";
    copy_ = mkdtemp(name.data());
    for (const char* const file :
         {"tools/new", ".clang-format", "src/types/registry.cpp", "src/types/contract_samples.hpp",
          "src/generate/models/registry.cpp", "src/formats/registry.cpp", "docs/types.md", "docs/formats/README.md"}) {
      fs::create_directories((copy_ / file).parent_path());
      fs::copy_file(documentation::root() / file, copy_ / file);
    }
    fs::create_directories(copy_ / "fuzz/corpus");
  }
  ~New() override { fs::remove_all(copy_); }

  [[nodiscard]] Outcome run(const std::string& command) const {
    std::FILE* const shell = popen(("cd " + copy_.string() + " && " + command + " 2>&1").c_str(), "r");
    Outcome outcome;
    std::array<char, 4096> buffer{};
    for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), shell)) > 0;) {
      outcome.printed.append(buffer.data(), size);
    }
    outcome.code = WEXITSTATUS(pclose(shell));
    return outcome;
  }
  /// Compiles a file of the copy without making anything.
  void expect_compiles(const std::string& file) const {
    const std::string root = documentation::root().string();
    const Outcome outcome = run("${CXX:-c++} -std=c++20 -Wall -Wextra -fsyntax-only -x c++ -Isrc -I" + root +
                                "/src -I" + root + "/include -I" + root + "/tests " + file);
    EXPECT_EQ(outcome.code, 0) << outcome.printed;
  }
  [[nodiscard]] std::string content(const std::string& file) const { return content_of(copy_ / file); }

  fs::path copy_;
};

TEST_F(New, MakesATypeWithItsRows) {
  const Outcome made = run("tools/new type max-register");
  ASSERT_EQ(made.code, 0) << made.printed;
  EXPECT_THAT(made.printed, HasSubstr("made src/types/max_register"));
  EXPECT_THAT(content("src/types/registry.cpp"), HasSubstr("row<types::MaxRegister>(\"max-register\""));
  EXPECT_THAT(content("src/types/registry.cpp"), HasSubstr("#include \"types/max_register/specification.hpp\"\n"));
  EXPECT_THAT(content("src/types/contract_samples.hpp"), HasSubstr("{\"max-register\", "));
  EXPECT_THAT(content("docs/types.md"), HasSubstr("| [`max-register`](../src/types/max_register/README.md) |"));
  EXPECT_THAT(content("docs/types.md"), HasSubstr("| `max-register` | `store` |"));
  EXPECT_THAT(content("src/types/max_register/README.md"), HasSubstr("## Methods"));
  EXPECT_THAT(content("src/types/max_register/max_register_test.cpp"), HasSubstr("TEST(MaxRegister, "));
  EXPECT_THAT(content("src/generate/models/registry.cpp"), HasSubstr("row<MaxRegisterModel>(\"max-register\""));
  expect_compiles("src/types/max_register/make.cpp");
  expect_compiles("src/generate/models/registry.cpp");
}

TEST_F(New, MakesAFormatWithItsRows) {
  const Outcome made = run("tools/new format access-log");
  ASSERT_EQ(made.code, 0) << made.printed;
  EXPECT_THAT(made.printed, HasSubstr("made src/formats/access_log"));
  EXPECT_THAT(content("src/formats/registry.cpp"), HasSubstr("&formats::access_log::detect"));
  EXPECT_THAT(content("docs/formats/README.md"), HasSubstr("| [`access-log`](access-log.md) | read |"));
  EXPECT_THAT(content("docs/formats/access-log.md"), HasSubstr("```example\n"));
  EXPECT_THAT(content("src/formats/access_log/access_log_test.cpp"), HasSubstr("TEST(AccessLog, "));
  EXPECT_TRUE(fs::exists(copy_ / "fuzz/corpus/access-log/queue"));
  expect_compiles("src/formats/access_log/reader.cpp");
}

TEST_F(New, RefusesNamesThatAreTakenOrNone) {
  ASSERT_EQ(run("tools/new type max-register").code, 0);
  const std::string before = content("src/types/registry.cpp");
  for (const char* const words :
       {"type max-register", "type lock", "type Foo", "type", "monitor x", "format jsonl", "format int"}) {
    const Outcome outcome = run(std::string("tools/new ") + words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_THAT(outcome.printed, testing::StartsWith("error: ")) << words;
  }
  EXPECT_EQ(content("src/types/registry.cpp"), before);
}

}  // namespace
}  // namespace linchpin
