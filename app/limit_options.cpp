#include "app/limit_options.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/available_memory.hpp"
#include "app/quantities.hpp"

namespace linchpin::app {

namespace {

/// `parse` for Command::add_parsed_option: what it does not understand is a usage error that says what to give.
template <class Parse, class Store>
std::function<std::string(const std::string&)> parsed(const char* expected, Parse parse, Store store) {
  return [=](const std::string& text) -> std::string {
    const auto value = parse(text);
    if (!value) return fmt::format("'{}' is not {}", text, expected);
    store(*value);
    return {};
  };
}

}  // namespace

void add_memory_limit_option(Command command, std::vector<Limits*> limits) {
  const auto set = [limits = std::move(limits)](std::optional<std::size_t> bytes) {
    for (Limits* const each : limits) each->memory = bytes;
  };
  // What fills the machine would be ended by the system, with nothing to show for it.
  command.before_parsing([set] { set(available_memory()); });
  const auto limited = parsed("a size: give bytes, 512M, 4G or none", parse_bytes, [set](auto bytes) { set(bytes); });
  command
      .add_parsed_option(
          "--memory-limit",
          [set, limited](const std::string& text) -> std::string {
            if (text != "none") return limited(text);
            set(std::nullopt);
            return {};
          },
          "Resident memory of the process: bytes, 512M, 4G, none (default: nine tenths of what is free). An input that "
          "needs more is an error, a check that needs more ends with unknown")
      .type_name("SIZE");
}

void add_limit_options(Command command, Limits& limits, Limits* reading) {
  command
      .add_parsed_option(
          "--time-limit",
          parsed("a time: give 10, 500ms, 2m or 1h", parse_duration, [&limits](auto time) { limits.time = time; }),
          "Wall-clock time for deciding each history: 10, 500ms, 2m; then unknown")
      .type_name("TIME");
  std::vector<Limits*> all = {&limits};
  if (reading != nullptr) all.push_back(reading);
  add_memory_limit_option(command, std::move(all));
}

void add_ties_option(Command command, Ties& ties) {
  command.add_choice<Ties>(
      "--ties", ties,
      "If one operation returns at the tick at which another is called: they are concurrent (the default), "
      "or the response is first (for clocks that promise it)",
      {{"concurrent", Ties::concurrent}, {"response-first", Ties::response_first}});
}

}  // namespace linchpin::app
