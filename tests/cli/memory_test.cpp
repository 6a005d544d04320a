// What the command does with inputs and histories that need more memory than there is, and with directories that cannot
// be listed: each is an error, or unknown, of its own, and the other inputs are checked. All small, under small limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "app/available_memory.hpp"
#include "cli/command.hpp"
#include "cli/hard_history.hpp"

namespace memory_test {

namespace {

namespace fs = std::filesystem;
using linchpin::app::available_memory;
using linchpin::cli_test::Confinement;
using linchpin::cli_test::hard_history;
using linchpin::cli_test::run;
using linchpin::cli_test::run_confined;
using linchpin::cli_test::temporary_file;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kHeader = "# linchpin 1\n# type: queue\n";
constexpr std::size_t kMega = std::size_t{1} << 20;

std::string good() { return std::string(kHeader) + "0 1 2 enqueue 1\n1 3 4 dequeue -> 1\n"; }

/// A history with a comment of `bytes` bytes, compressed to some thousandth of that.
std::string bomb(std::size_t bytes) {
  const std::string text = good() + "#" + std::string(bytes, 'x') + "\n";
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

TEST(CliMemory, AnInputThatTakesTooMuchIsAnErrorAndTheOthersAreChecked) {
  std::string list = std::string(kHeader) + "0 1 2 enqueue [1";
  for (int i = 0; i < 2'000'000; ++i) list += " 1";
  std::string json = "{\"linchpin\":1,\"type\":\"queue\",\"operations\":[[0,1,2,\"enqueue\",[1]]";
  for (int i = 0; i < 300'000; ++i) json += ",[null,3,9,\"dequeue\",[],null]";
  const std::string file = temporary_file("good.txt", good());
  struct Case {
    const char* name;
    std::string bytes;
    const char* place;
  };
  for (const Case& each : {Case{"bomb.zst", bomb(96 * kMega), "bomb.zst: error"},
                           {"long-list.txt", list + "]\n", "3:1"},
                           {"document.jsonl", json + "]}\n", "1:1"}}) {
    SCOPED_TRACE(each.name);
    const std::string big = temporary_file(each.name, each.bytes);
    const auto outcome = run({"check", "--memory-limit", "48M", big, file});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.error, HasSubstr("[too_large]"));
    EXPECT_THAT(outcome.error, HasSubstr("--memory-limit"));
    EXPECT_THAT(outcome.error, HasSubstr(each.place));
    EXPECT_THAT(outcome.out, HasSubstr("good.txt: linearizable"));
    EXPECT_EQ(run({"convert", "--memory-limit", "48M", big, "/dev/null", "--to", "text"}).exit_code, 2);
  }
  EXPECT_EQ(run({"check", "--memory-limit", "none", temporary_file("small.zst", bomb(kMega))}).exit_code, 0);
}

/// Sanitizers reserve more address space than any limit leaves.
constexpr bool kAddressSpaceCanBeLimited =
#ifdef LINCHPIN_SANITIZED
    false;
#else
    true;
#endif

TEST(CliMemory, WhereTheAllocatorRefusesTheVerdictIsUnknownAndTheOthersAreChecked) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "under a sanitizer";
  const std::string hard = temporary_file("hard.txt", hard_history({"a", "b"}));
  const std::string easy = temporary_file("good.txt", good());
  for (const char* threads : {"1", "2"}) {
    const auto outcome = run_confined({.address_space = 128 * kMega},
                                      {"check", "--memory-limit", "none", "--threads", threads, hard, easy});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("hard.txt: unknown"));
    EXPECT_THAT(outcome.out, HasSubstr("memory"));
    EXPECT_THAT(outcome.out, HasSubstr("good.txt: linearizable"));
  }
}

TEST(CliMemory, WhereTheAllocatorRefusesTheInputIsAnErrorAndTheOthersAreChecked) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "under a sanitizer";
  std::string list = std::string(kHeader) + "0 1 2 enqueue [1";
  for (int i = 0; i < 12'000'000; ++i) list += " 1";
  const std::string big = temporary_file("long-list.txt", list + "]\n");
  const std::string easy = temporary_file("good.txt", good());
  const auto outcome = run_confined({.address_space = 128 * kMega}, {"check", "--memory-limit", "none", big, easy});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr("[too_large]"));
  EXPECT_THAT(outcome.out, HasSubstr("good.txt: linearizable"));
}

TEST(CliMemory, ADirectoryThatCannotBeListedHidesNoOther) {
  const std::string first = temporary_file("tree/a.txt", good());
  const std::string hidden = temporary_file("tree/locked/b.txt", good());
  const std::string unreadable = temporary_file("tree/c.txt", good());
  const std::string last = temporary_file("tree/open/d.txt", good());
  const fs::path tree = fs::path(first).parent_path();
  for (fs::path folder = tree; folder != fs::temp_directory_path(); folder = folder.parent_path()) {
    ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  }
  ASSERT_EQ(chmod(unreadable.c_str(), 0), 0);
  ASSERT_EQ(chmod(fs::path(hidden).parent_path().c_str(), 0), 0);
  const auto outcome = run_confined({.nobody = true}, {"check", tree.string()});
  chmod(fs::path(hidden).parent_path().c_str(), 0755);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, HasSubstr(first + ": linearizable"));
  EXPECT_THAT(outcome.out, HasSubstr(last + ": linearizable"));
  EXPECT_THAT(outcome.error, HasSubstr("tree/locked: error: cannot list the directory"));
  EXPECT_THAT(outcome.error, HasSubstr("tree/c.txt: error: cannot open"));
}

// ---- how much there is, told by a made-up machine ----

class Machine {
 public:
  explicit Machine(const std::string& name) : root_(fs::path(temporary_file(name + "/made", "")).parent_path()) {
    file("proc/meminfo", "MemTotal: 64000000 kB\nMemAvailable: 8000000 kB\n");
    file("proc/self/statm", "1 1 1 1 0 1 0\n");
  }
  Machine& file(const std::string& path, const std::string& content) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << content;
    return *this;
  }
  /// Before the tenth that is left to others.
  [[nodiscard]] std::size_t available() const { return (available_memory(root_).value_or(0) + 5) / 9 * 10; }

 private:
  fs::path root_;
};

TEST(CliMemory, WithoutLimitsTheMachineIsThere) {
  EXPECT_NEAR(static_cast<double>(Machine("plain").available()), 8'192e6, 100);
}

TEST(CliMemory, TheLeastOfNestedGroupsOfVersion2Counts) {
  Machine machine("nested");
  machine.file("proc/self/cgroup", "0::/outer/inner\n");
  machine.file("sys/fs/cgroup/outer/inner/memory.max", "max\n").file("sys/fs/cgroup/outer/inner/memory.current", "7\n");
  machine.file("sys/fs/cgroup/outer/memory.max", "600000000\n")
      .file("sys/fs/cgroup/outer/memory.current", "100000000\n");
  EXPECT_NEAR(static_cast<double>(machine.available()), 500e6, 100);
  // Cached pages of files are given back.
  machine.file("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 50000000\n");
  EXPECT_NEAR(static_cast<double>(machine.available()), 550e6, 100);
  machine.file("sys/fs/cgroup/outer/inner/memory.high", "300000007\n");
  EXPECT_NEAR(static_cast<double>(machine.available()), 300e6, 100);
  machine.file("sys/fs/cgroup/memory.max", "200000000\n");  // a container's, where the root is its group
  EXPECT_NEAR(static_cast<double>(machine.available()), 200e6, 100);
}

TEST(CliMemory, GroupsOfVersion1Count) {
  Machine machine("first");
  machine.file("proc/self/cgroup", "12:cpu,cpuacct:/jobs\n5:memory:/jobs/one\n0::/\n");
  machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  machine.file("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "400000000\n");
  machine.file("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "100000000\n");
  machine.file("sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes", "900000000\n");
  EXPECT_NEAR(static_cast<double>(machine.available()), 300e6, 100);
}

TEST(CliMemory, AGroupThatIsNotToBeSeenIsTheRoot) {
  Machine machine("container");
  machine.file("proc/self/cgroup", "4:memory:/docker/0123\n")
      .file("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000000\n");
  EXPECT_NEAR(static_cast<double>(machine.available()), 5e6, 100);
  machine.file("proc/self/cgroup", "0::/../other\n").file("sys/fs/cgroup/memory.max", "4000000\n");
  EXPECT_NEAR(static_cast<double>(machine.available()), 4e6, 100);
}

TEST(CliMemory, TheLimitOfTheAddressSpaceIsTheDefault) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "under a sanitizer";
  const std::string hard = temporary_file("hard.txt", hard_history({"a", "b"}));
  const auto outcome = run_confined({.address_space = 128 * kMega}, {"check", hard, "--json"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr(R"("verdict":"unknown","reason":"memory")"));
}

}  // namespace

}  // namespace memory_test
