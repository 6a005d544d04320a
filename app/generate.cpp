// linchpin generate TYPE: simulated histories, linearizable or broken by one change.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "base/files_of_run.hpp"
#include "base/output_file.hpp"
#include "core/format.hpp"
#include "generate/anomalies.hpp"
#include "generate/random_history.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"

namespace linchpin::app {

namespace {

struct GenerateArguments {
  std::string type;
  std::string methods = "usual";
  std::vector<std::string> mix;
  std::string values;
  std::string violation = "none";
  std::string anomaly;
  std::string format = "text";
  std::string output = "-";
  bool random = false;
  std::string duration = "1:10";
  std::string offset = "0:10";
  generate::RandomPlan plan;
};

Error bad_option(std::string message, std::string hint) {
  return Error{.code = ErrorCode::bad_option, .message = std::move(message), .hint = std::move(hint)};
}

std::optional<double> parse_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(number >= 0)) return std::nullopt;
  return number;
}

Result<std::pair<double, double>> parse_range(std::string_view option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto least = parse_number(text.substr(0, colon));
  const auto most = colon == std::string::npos ? least : parse_number(text.substr(colon + 1));
  if (least && most && *least <= *most && *most <= 1e12) return std::pair(*least, *most);
  return bad_option(fmt::format("{} is '{}'", option, text), "write LEAST:MOST, such as 1:10");
}

Result<generate::RandomPlan> plan_of(const GenerateArguments& arguments) {
  generate::RandomPlan plan = arguments.plan;
  auto type = TypeName::parse(arguments.type);
  if (!type) return type.error();
  plan.plan.type = *type;
  plan.plan.all_methods = arguments.methods == "all";
  for (const std::string& entry : arguments.mix) {
    const std::size_t equals = entry.rfind('=');
    const auto weight = equals == std::string::npos ? std::nullopt : parse_number(entry.substr(equals + 1));
    if (!weight) {
      return bad_option(fmt::format("the mix has the entry '{}'", entry), "write METHOD=WEIGHT, such as enqueue=3");
    }
    plan.plan.mix.emplace_back(entry.substr(0, equals), *weight);
  }
  if (arguments.values == "unique") plan.plan.values = 0;
  if (!arguments.values.empty() && arguments.values != "unique") {
    const auto values = parse_number(arguments.values);
    if (!values || *values < 1 || *values > 1e12) {
      return bad_option(fmt::format("--values is '{}'", arguments.values), "write a number from 1, or unique");
    }
    plan.plan.values = static_cast<std::uint64_t>(*values);
  }
  auto duration = parse_range("--duration", arguments.duration);
  if (!duration) return duration.error();
  auto offset = parse_range("--offset", arguments.offset);
  if (!offset) return offset.error();
  plan.duration = *duration;
  plan.offset = *offset;
  return plan;
}

/// The whole history in a format.
Result<void> write_rows(const std::vector<generate::Row>& rows, const generate::Simulation& simulation,
                        const ValuePool& pool, const core::Format& format, const generate::Sink& sink) {
  auto history = generate::to_history(simulation.plan(), simulation.specification(), pool, rows);
  if (!history) return history.error();
  std::string text;
  if (auto written = format.write(*history, text); !written) return written;
  sink(text);
  return {};
}

/// Four fifths of the way: what is right before it has to be read, and what comes later as well.
Result<void> write_with_anomaly(const std::string& anomaly, generate::Simulation& simulation,
                                const core::Format& format, const generate::Sink& sink) {
  if (simulation.plan().type.name != "list-append") {
    return bad_option("only histories of list-append can have an anomaly", "for other types there is --violation");
  }
  auto rows = generate::all_rows(simulation);
  if (!rows) return rows.error();
  if (auto planted = generate::plant(*rows, anomaly, rows->size() / 5 * 4, simulation.pool()); !planted) return planted;
  return write_rows(*rows, simulation, simulation.pool(), format, sink);
}

Result<void> write_simulated(const GenerateArguments& arguments, const generate::Plan& plan, const core::Format& format,
                             const generate::Sink& sink) {
  auto simulation = generate::Simulation::make(plan);
  if (!simulation) return simulation.error();
  if (!arguments.anomaly.empty()) return write_with_anomaly(arguments.anomaly, *simulation, format, sink);
  if (arguments.violation == "none") return generate::write(*simulation, format, sink);
  const generate::Where where = arguments.violation == "late" ? generate::Where::late : generate::Where::anywhere;
  if (plan.operations > generate::kVerifiedOperations) {
    bool done = false;
    auto written = generate::write(*simulation, format, sink, generate::breaker(plan, where, simulation->pool(), done));
    if (!written || done) return written;
    return Error{.code = ErrorCode::unsupported,
                 .message = "nothing in the history could be broken",
                 .hint = "a history this long needs an operation that returns a value; try --violation anywhere"};
  }
  auto rows = generate::all_rows(*simulation);
  if (!rows) return rows.error();
  if (auto broken = generate::break_history(*rows, *simulation, simulation->pool(), where); !broken) {
    return broken.error();
  }
  return write_rows(*rows, *simulation, simulation->pool(), format, sink);
}

constexpr std::chrono::seconds kLabelled{60};  // to look for a history with the wanted label

Result<void> write_random(const generate::RandomPlan& plan, const core::Format& format, const generate::Sink& sink,
                          const InterruptWatch& interrupt) {
  generate::RandomHistories histories(plan);
  Progress progress(true);
  for (std::uint32_t i = 0; i < plan.histories; ++i) {
    progress.begin(fmt::format("history {} of {}", i + 1, plan.histories));
    auto history = histories.next({.time = kLabelled, .memory = {}, .stop = interrupt.token()});
    progress.end();
    if (!history) return history.error();
    std::string text;
    if (auto written = format.write(*history, text); !written) return written;
    if (!sink(text)) return {};
  }
  return {};
}

/// Several histories of one plan, each with a seed of its own.
Result<void> write_all(const GenerateArguments& arguments, const generate::Sink& sink,
                       const InterruptWatch& interrupt) {
  auto plan = plan_of(arguments);
  if (!plan) return plan.error();
  const core::Format* const format = core::find_format(arguments.format);
  if (format == nullptr || format->write == nullptr) {
    return Error{.code = format == nullptr ? ErrorCode::unknown_format : ErrorCode::unsupported,
                 .message = fmt::format("the format '{}' cannot be written", arguments.format),
                 .hint = "linchpin formats lists those that can"};
  }
  if (plan->histories > 1 && format->name != "jsonl") {
    return bad_option("one file holds several histories only in the format jsonl", "add --format jsonl");
  }
  if (arguments.random) return write_random(*plan, *format, sink, interrupt);
  bool wanted = true;
  for (std::uint32_t i = 0; i < plan->histories && wanted; ++i) {
    generate::Plan one = plan->plan;
    one.seed += i;
    auto written =
        write_simulated(arguments, one, *format, [&](std::string_view text) { return wanted = wanted && sink(text); });
    if (!written) return written;
  }
  return {};
}

Result<void> write_into_file(const GenerateArguments& arguments, const InterruptWatch& interrupt) {
  auto file = base::OutputFile::create(arguments.output);
  if (!file) return file.error();
  Result<void> whole;
  const generate::Sink sink = [&](std::string_view text) {
    whole = file->write(text);
    return whole && !interrupt.interrupted();
  };
  auto written = write_all(arguments, sink, interrupt);
  if (!whole) return whole;
  return written && !interrupt.interrupted() ? file->finish() : written;
}

Result<void> write_to_standard_output(const GenerateArguments& arguments, const InterruptWatch& interrupt) {
  const generate::Sink sink = [&](std::string_view text) {
    print_for_programs(text);
    return !output_failed() && !interrupt.interrupted();
  };
  return write_all(arguments, sink, interrupt);
}

int run(const GenerateArguments& arguments) {
  const InterruptWatch interrupt;
  auto written = Result<void>();
  if (const auto differ = base::FilesOfRun::of({}, {arguments.output}); !differ) {
    written = differ.error();
  } else {
    written = arguments.output == "-" ? write_to_standard_output(arguments, interrupt)
                                      : write_into_file(arguments, interrupt);
  }
  if (interrupt.interrupted()) return kInterrupted;
  if (!written) print_error(written.error());
  return written ? kLinearizable : kBadInput;
}

}  // namespace

void add_generate(Command app, int& exit_code) {
  Command command = app.add_subcommand("generate", "Generate a history: simulated clients of a correct object");
  const auto arguments = std::make_shared<GenerateArguments>();
  generate::RandomPlan& random = arguments->plan;
  generate::Plan& plan = random.plan;
  command.add_option("TYPE", arguments->type, "Data type with its options, such as \"queue capacity=3\"")
      .required()
      .option_text(" ");
  command.add_option("--operations,-n", plan.operations, "How many operations (default 1000)").type_name("N");
  command.add_option("--processes,-p", plan.processes, "How many processes (default 8)").type_name("P");
  command.add_option("--in-flight", plan.in_flight, "Mean number of operations in flight (default two thirds of P)")
      .type_name("K");
  command
      .add_option("--methods", arguments->methods, "usual: those of the usual mix; all: every one, with the weight 1")
      .one_of({"usual", "all"})
      .type_name("WHICH");
  command
      .add_option("--mix", arguments->mix, "Methods and weights (default: as usual; with --methods all: other weights)")
      .delimiter(',')
      .type_name("METHOD=WEIGHT,...");
  command.add_option("--peeks", plan.peeks, "Share of operations that only look").type_name("SHARE");
  command.add_option("--values", arguments->values, "How many values, or 'unique': none is added or written twice")
      .type_name("V");
  command.add_option("--keys", plan.keys, "How many keys or indices (default 8)").type_name("K");
  command.add_option("--parts", plan.parts, "Of transactions: how many reads and writes each has (default a few)")
      .type_name("N");
  command
      .add_option("--priorities", plan.priorities,
                  "Of priority queues: how many priorities, or how many numbers in a component")
      .type_name("N");
  command.add_flag("--empties", plan.empties, "Removals may find nothing; else they wait for the mix to add something");
  command
      .add_option("--pending", plan.pending, "Clients that crash: below 1 their share of the operations, else how many")
      .type_name("X");
  command.add_option("--unknown", plan.unknown, "Share of results that are lost").type_name("SHARE");
  command.add_option("--ties", plan.ties, "Share of events with the tick of the one before").type_name("SHARE");
  command.add_option("--objects", plan.objects, "How many objects (default 1)").type_name("M");
  command.add_option("--seed", plan.seed, "One seed, one history (default 1)").type_name("N");
  Option violation =
      command.add_option("--violation", arguments->violation, "Break it with one change: none, late or anywhere")
          .one_of({"none", "late", "anywhere"})
          .type_name("WHERE");
  Option anomaly = command
                       .add_option("--anomaly", arguments->anomaly,
                                   "Of list-append: plant this one into it, such as G0, G1a, G2-process or torn")
                       .type_name("NAME")
                       .excludes(violation);
  command.add_option("--histories", random.histories, "How many histories (default 1; several need --format jsonl)")
      .type_name("H");
  const Option is_random =
      command.add_flag("--random", arguments->random, "Random times and results instead of a simulation")
          .excludes(violation)
          .excludes(anomaly);
  command.add_option("--duration", arguments->duration, "How long operations last (default 1:10)")
      .type_name("LEAST:MOST")
      .needs(is_random);
  command.add_option("--offset", arguments->offset, "Time between a process's operations (default 0:10)")
      .type_name("LEAST:MOST")
      .needs(is_random);
  command.add_option("--linearizable", random.linearizable, "The share of linearizable histories")
      .between(0.0, 1.0)
      .type_name("SHARE")
      .needs(is_random);
  command.add_option("--format", arguments->format, "Format to write (default text)").type_name("FORMAT");
  command.add_option("--output,-o", arguments->output, "Where to write (default '-', standard output)")
      .type_name("FILE");
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace linchpin::app
