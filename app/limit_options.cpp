#include "app/limit_options.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/available_memory.hpp"
#include "app/quantities.hpp"

namespace linchpin::app {

namespace {

/// `parse` as a CLI11 option function: what it does not understand is a usage error that says what to give.
template <class Parse, class Store>
std::function<void(const std::string&)> parsed(const char* option, const char* expected, Parse parse, Store store) {
  return [=](const std::string& text) {
    const auto value = parse(text);
    if (!value) throw CLI::ValidationError(option, fmt::format("'{}' is not {}", text, expected));
    store(*value);
  };
}

}  // namespace

void add_memory_limit_option(CLI::App& command, std::vector<Limits*> limits) {
  const auto set = [limits = std::move(limits)](std::optional<std::size_t> bytes) {
    for (Limits* const each : limits) each->memory = bytes;
  };
  // What fills the machine would be ended by the system, with nothing to show for it.
  command.preparse_callback([set](std::size_t) { set(available_memory()); });
  const auto limited =
      parsed("--memory-limit", "a size: give bytes, 512M, 4G or none", parse_bytes, [set](auto bytes) { set(bytes); });
  command
      .add_option_function<std::string>(
          "--memory-limit",
          [set, limited](const std::string& text) {
            if (text == "none") {
              set(std::nullopt);
            } else {
              limited(text);
            }
          },
          "Resident memory of the process: bytes, 512M, 4G, none (default: nine tenths of what is free). An input that "
          "needs more is an error, a check that needs more ends with unknown")
      ->type_name("SIZE");
}

void add_limit_options(CLI::App& command, Limits& limits, Limits* reading) {
  command
      .add_option_function<std::string>("--time-limit",
                                        parsed("--time-limit", "a time: give 10, 500ms, 2m or 1h", parse_duration,
                                               [&limits](auto time) { limits.time = time; }),
                                        "Wall-clock time for deciding each history: 10, 500ms, 2m; then unknown")
      ->type_name("TIME");
  std::vector<Limits*> all = {&limits};
  if (reading != nullptr) all.push_back(reading);
  add_memory_limit_option(command, std::move(all));
}

void add_ties_option(CLI::App& command, Ties& ties) {
  command
      .add_option("--ties", ties,
                  "If one operation returns at the tick at which another is called: they are concurrent (the default), "
                  "or the response is first (for clocks that promise it)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Ties>{{"concurrent", Ties::concurrent},
                                                                      {"response-first", Ties::response_first}})
                      .description(""))
      ->option_text("concurrent|response-first");
}

}  // namespace linchpin::app
