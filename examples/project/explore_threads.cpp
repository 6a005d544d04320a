// Threads written by hand, in all interleavings up to a bound: what each may see of the other. See --help.
#include <linchpin/explore.hpp>

#include <atomic>
#include <cassert>
#include <memory>
#include <string>

struct Mailbox {
  std::atomic<bool> full = false;
  int letter = 0;
  std::string seen = "nothing";
};

int main(int argc, char** argv) {
  linchpin::Threads<Mailbox> threads([] { return std::make_unique<Mailbox>(); });
  threads.add([](Mailbox& box) {
    box.letter = 42;
    box.full.store(true, std::memory_order_relaxed);
  });
  threads.add([](Mailbox& box) {
    if (box.full.load(std::memory_order_acquire)) box.seen = std::to_string(box.letter);
  });
  threads.after([](Mailbox& box) { assert(box.letter == 42); });
  threads.observe([](Mailbox& box) { return box.seen; });
  return linchpin::explore_main(argc, argv, threads);
}
