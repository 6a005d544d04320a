// Tests: tests/cli/memory_test.cpp.
#include "app/available_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace linchpin::app {

namespace {

namespace fs = std::filesystem;

/// The number that a file holds; nothing where there is none: no such file, or "max", which is no limit.
std::optional<std::uint64_t> number_in(const fs::path& path) {
  std::uint64_t number = 0;
  if (std::ifstream file(path); file >> number) return number;
  return std::nullopt;
}

/// The number behind `name` in a file of "name number" lines; 0 where there is none.
std::uint64_t entry_of(const fs::path& path, std::string_view name) {
  std::ifstream file(path);
  std::string word;
  std::uint64_t number = 0;
  while (file >> word >> number) {
    if (word == name) return number;
  }
  return 0;
}

/// The least of some amounts, any of which may be absent.
class Least {
 public:
  void add(std::optional<std::uint64_t> amount) {
    if (amount) least_ = least_ ? std::min(*least_, *amount) : *amount;
  }
  /// What is left of a limit.
  void add(std::optional<std::uint64_t> limit, std::uint64_t used) {
    if (limit) add(*limit > used ? *limit - used : 0);
  }
  [[nodiscard]] std::optional<std::uint64_t> get() const { return least_; }

 private:
  std::optional<std::uint64_t> least_;
};

/// How a version of control groups names its files.
struct Version {
  std::array<const char*, 2> limits;  // either may be absent
  const char* used;
  const char* cache;  // in memory.stat: used, but taken back when it is wanted
};
constexpr Version kFirstVersion{{"memory.limit_in_bytes", nullptr}, "memory.usage_in_bytes", "total_inactive_file"};
constexpr Version kSecondVersion{{"memory.max", "memory.high"}, "memory.current", "inactive_file"};

/// From the group up to the hierarchy's root. A group that is not to be seen from inside of a container is the root
/// there.
void add_groups(const fs::path& hierarchy, fs::path group, const Version& version, Least& left) {
  if (group.generic_string().find("..") != std::string::npos) group = "/";  // outside of this namespace
  group = group.relative_path();
  while (true) {
    const fs::path folder = hierarchy / group;
    const std::uint64_t used = number_in(folder / version.used).value_or(0);
    const std::uint64_t cache = entry_of(folder / "memory.stat", version.cache);
    for (const char* const limit : version.limits) {
      if (limit != nullptr) left.add(number_in(folder / limit), used > cache ? used - cache : 0);
    }
    if (group.empty()) return;
    group = group.parent_path();
  }
}

/// A line of /proc/self/cgroup is "number:controllers:path"; version 2 has number 0 and no controllers.
void add_control_groups(const fs::path& root, Least& left) {
  const fs::path mount = root / "sys/fs/cgroup";
  bool any = false;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = ",";
    controllers.append(line, first + 1, second - first - 1).append(",");
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      add_groups(mount, group, kSecondVersion, left);
      add_groups(mount / "unified", group, kSecondVersion, left);  // where both versions are mounted
      any = true;
    } else if (controllers.find(",memory,") != std::string::npos) {
      add_groups(mount / "memory", group, kFirstVersion, left);
      any = true;
    }
  }
  if (any) return;
  add_groups(mount, "/", kSecondVersion, left);
  add_groups(mount / "memory", "/", kFirstVersion, left);
}

/// /proc/self/statm: pages of address space, ..., of data and stack.
void add_resource_limits(const fs::path& root, Least& left) {
  std::array<std::uint64_t, 6> pages{};
  std::ifstream statm(root / "proc/self/statm");
  for (std::uint64_t& count : pages) statm >> count;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto add = [&](int resource, std::uint64_t used) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) left.add(limit.rlim_cur, used * page);
  };
  add(RLIMIT_AS, pages[0]);
  add(RLIMIT_DATA, pages[5]);
}

}  // namespace

std::optional<std::size_t> available_memory(const fs::path& root) {
  Least left;
  std::ifstream meminfo(root / "proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.starts_with("MemAvailable:")) left.add(std::stoull(line.substr(line.find(':') + 1)) * 1024);
  }
  add_control_groups(root, left);
  add_resource_limits(root, left);
  if (!left.get()) return std::nullopt;
  return static_cast<std::size_t>(*left.get() - *left.get() / 10);
}

}  // namespace linchpin::app
