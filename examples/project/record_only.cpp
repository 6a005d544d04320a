// A program that records and links nothing but linchpin::record. Its file is for `linchpin check`.
#include <atomic>
#include <cstdio>
#include <thread>

#include <linchpin/record.hpp>

int main(int argument_count, char** arguments) {
  linchpin::Recorder recorder("counter");
  const auto add = recorder.method("fetch_and_add");
  std::atomic<int> counter = 0;
  const auto work = [&] {
    linchpin::ThreadLog& log = recorder.thread();
    for (int i = 0; i < 1000; ++i)
      log.record(
          add, [&] { return counter.fetch_add(1); }, 1);
  };
  std::thread other(work);
  work();
  other.join();
  if (auto written = recorder.write(argument_count > 1 ? arguments[1] : "counter.lch"); !written) {
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 2;
  }
  return 0;
}
