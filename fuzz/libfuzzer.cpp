// The entries that libFuzzer calls, of all targets in one binary:
//
//   linchpin_fuzz --list                        the names of the targets
//   linchpin_fuzz --target=NAME CORPUS... -...  one of them, with libFuzzer's own arguments, which pass over `--...`
#include <cstddef>
#include <string_view>

#include "fuzz/targets.hpp"

namespace {

const linchpin::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view kTarget = "--target=";
  for (int i = 1; i < *count; ++i) {
    const std::string_view argument = (*arguments)[i];
    if (argument == "--list") {
      for (const auto& target : linchpin::fuzz::targets()) std::printf("%s\n", target.name.c_str());
      std::exit(0);
    }
    if (argument.starts_with(kTarget)) chosen = linchpin::fuzz::find_target(argument.substr(kTarget.size()));
  }
  if (chosen == nullptr) {
    std::fprintf(stderr, "error: give --target=NAME; --list tells the names\n");
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}
