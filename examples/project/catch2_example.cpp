// The same in Catch2. The last case fails, to show how: its test expects that.
#include <linchpin/catch2.hpp>
#include <linchpin/recorded.hpp>

namespace {

linchpin::Result<linchpin::History> last_in_first_out() {
  linchpin::Recorder recorder;
  linchpin::ThreadLog& log = recorder.thread();
  log.record(
      recorder.method("push"), [] {}, 1);
  log.record(
      recorder.method("push"), [] {}, 2);
  log.record(recorder.method("pop"), [] { return 2; });
  return linchpin::history_of(recorder);
}

TEST_CASE("a stack is a stack") {
  CHECK_LINEARIZABLE(last_in_first_out(), "stack");
  CHECK_THAT(*last_in_first_out(), linchpin::IsLinearizable("stack"));
  CHECK_THAT(*last_in_first_out(), !linchpin::IsLinearizable("queue"));
}

TEST_CASE("a stack is a queue", "[.fails]") {
  CHECK_LINEARIZABLE(last_in_first_out(), "queue");
  REQUIRE_THAT(*last_in_first_out(), linchpin::IsLinearizable("queue"));
}

}  // namespace
