// linchpin-explore-catalogue NAME [OPTION...]: explores one of the implementations. `linchpin explore` runs it; it is a
// program of its own because what explores has a malloc and threads of its own.
#include <cstdio>
#include <span>

#include <fmt/format.h>

#include "app/stress/implementation.hpp"
#include "explore/command.hpp"

int main(int argument_count, char** arguments) {
  using linchpin::app::Implementation;
  linchpin::explorer::fix_addresses(arguments);
  const std::string_view name = argument_count > 1 ? arguments[1] : "";
  for (const Implementation& each : linchpin::app::implementations()) {
    if (each.name != name || each.use == linchpin::app::Use::stress) continue;
    auto plan = each.plan();
    if (!plan) {
      fmt::print(stderr, "{}\n", plan.error().to_string());
      return 2;
    }
    linchpin::ExploreOptions options;
    options.races = each.races;
    options.scenario = each.scenario;
    return linchpin::explorer::run_command(fmt::format("linchpin explore {}", name),
                                           std::span(arguments + 2, static_cast<std::size_t>(argument_count) - 2),
                                           std::move(*plan), options);
  }
  fmt::print(stderr, "error: there is nothing to explore of the name '{}'\n", name);
  return 2;
}
