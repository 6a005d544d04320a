// All interleavings of small scenarios up to a bound, instead of those that happen to come: see --help.
#include <linchpin/explore.hpp>

#include "my_queue.hpp"

int main(int argc, char** argv) {
  return linchpin::explore_main(argc, argv, linchpin::as::queue, [] { return std::make_unique<MyQueue<int>>(); });
}
