#include "app/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>

namespace linchpin::app {

std::optional<std::size_t> available_memory() {
  std::optional<std::size_t> bytes;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    if (line.starts_with("MemAvailable:")) bytes = std::stoull(line.substr(line.find(':') + 1)) * 1024;
  }
  std::size_t group = 0;
  if (std::ifstream limit("/sys/fs/cgroup/memory.max"); limit >> group) {  // "max" is no number: no limit
    std::size_t used = 0;
    std::ifstream("/sys/fs/cgroup/memory.current") >> used;
    const std::size_t left = group > used ? group - used : 0;
    bytes = bytes ? std::min(*bytes, left) : left;
  }
  if (bytes) *bytes -= *bytes / 10;
  return bytes;
}

}  // namespace linchpin::app
