// What no run on x86 shows: see README.md.
#include <memory>
#include <utility>

#include <linchpin/explore.hpp>

#include "stack.hpp"

int main(int argc, char** argv) {
  return linchpin::explore_main(argc, argv, linchpin::as::stack, [] { return std::make_unique<Stack<int>>(); });
}
