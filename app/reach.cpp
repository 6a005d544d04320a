// linchpin reach MODEL: explores a Promela model of an implementation together with the automata of its type, with
// SPIN.
//
// Linearizability of the model is thereby reduced to reachability (src/research/automata/promela.hpp): no accepting
// state can be reached, or the trail to one is replayed with a value of its own for each insertion, and the history
// that this prints is decided like any other.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "app/child_process.hpp"
#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/json_text.hpp"
#include "app/limit_options.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "base/files_of_run.hpp"
#include "base/foreign_text.hpp"
#include "base/output_file.hpp"
#include "linchpin/check.hpp"
#include "research/automata/promela.hpp"
#include "research/automata/trail.hpp"

namespace linchpin::app {

namespace {

using Clock = std::chrono::steady_clock;

// What SPIN and the compiler are told of the model, in a folder of this run.
constexpr const char* kModel = "model/model.pml";  // the model itself
constexpr const char* kSources = "sources";        // where it lies

struct ReachArguments {
  std::string model;
  std::string type;
  std::vector<std::string> automata;  // empty: all of the type
  std::vector<std::string> definitions;
  std::string save;
  automata::Bounds bounds;
  Limits limits;
  bool json = false;
};

/// What the search came to.
struct Exploration {
  bool violation = false;
  bool complete = false;
  Reason reason = Reason::none;  // why not complete, where there is no violation
  std::uint64_t states = 0;
  double seconds = 0;  // of the search alone
};

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

/// The number in front of `words`, as in "  20716 states, stored".
std::optional<double> number_before(const std::string& text, std::string_view words) {
  const std::size_t end = text.find(words);
  if (end == std::string::npos) return std::nullopt;
  const std::size_t last = text.find_last_not_of(' ', end == 0 ? 0 : end - 1);
  const std::size_t first = text.find_last_of(" \n\t", last) + 1;
  return std::strtod(text.c_str() + first, nullptr);
}

/// SPIN hands definitions to a shell: only a name, or a name and one word or number, gets there.
std::optional<Error> unfit_definition(const std::string& definition) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_word = [is_letter](std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [is_letter](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  };
  const std::string_view text = definition;
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  std::string_view value = equals == std::string_view::npos ? "1" : text.substr(equals + 1);
  if (value.starts_with('-')) value.remove_prefix(1);
  if (is_word(name) && is_letter(name[0]) && is_word(value)) return std::nullopt;
  return Error{
      .code = ErrorCode::bad_option,
      .message = fmt::format("-D defines '{}'", definition),
      .hint =
          "write NAME or NAME=VALUE: a name of letters, digits and '_', and as its value one such word or a number"};
}

class ReachRun {
 public:
  explicit ReachRun(const ReachArguments& arguments) : arguments_(arguments), begin_(Clock::now()) {}

  int execute() {
    auto type = TypeName::parse(arguments_.type);
    if (!type) return fail(type.error());
    auto chosen = automata::watched(*type, arguments_.automata);
    if (!chosen) return fail(chosen.error());
    if (auto beyond = chosen->priorities_beyond_order(arguments_.bounds.priorities)) return fail(*beyond);
    std::error_code ignored;
    const std::filesystem::path model = std::filesystem::absolute(arguments_.model, ignored);
    if (!std::filesystem::is_regular_file(model, ignored)) {
      const bool exists = std::filesystem::exists(model, ignored);
      return fail({.code = ErrorCode::io,
                   .source = arguments_.model,
                   .message = exists ? "this is no regular file" : "there is no such file"});
    }
    for (const std::string& definition : arguments_.definitions) {
      if (const auto refused = unfit_definition(definition)) return fail(*refused);
    }
    if (const auto differ = base::FilesOfRun::of({arguments_.model}, {arguments_.save}); !differ)
      return fail(differ.error());
    for (const char* const program : {"spin", "cc"}) {
      if (is_installed(program)) continue;
      return fail({.code = ErrorCode::unsupported,
                   .message = fmt::format("{} is not installed", program),
                   .hint = "on Debian: apt-get install spin gcc"});
    }
    if (auto linked = link_model(model); !linked) return fail(linked.error());
    if (auto written =
            base::write_file(in_folder("product.pml"), automata::promela_product(*chosen, arguments_.bounds, kModel));
        !written) {
      return fail(written.error());
    }
    auto explored = explore();
    if (!explored) return fail(explored.error(), details_);
    if (interrupt_.interrupted()) return kInterrupted;
    if (!explored->violation) return report(*chosen, *explored, nullptr);
    auto replayed = replay(*chosen);
    if (!replayed) return fail(replayed.error());
    if (interrupt_.interrupted()) return kInterrupted;
    return report(*chosen, *explored, &*replayed);
  }

 private:
  struct Refutation {
    automata::Trail trail;
    HistoryVerdict verdict;
  };

  [[nodiscard]] std::string in_folder(const std::string& name) const { return folder_.path() + "/" + name; }

  /// SPIN starts the preprocessor by way of a shell, and copies names into programs: all that it gets to see are names
  /// that are given here. What the model includes is found as seen from where it lies.
  Result<void> link_model(const std::filesystem::path& model) const {
    std::error_code error;
    std::filesystem::create_directory(std::filesystem::path(in_folder(kModel)).parent_path(), error);
    if (!error) std::filesystem::create_symlink(model, in_folder(kModel), error);
    if (!error) std::filesystem::create_directory_symlink(model.parent_path(), in_folder(kSources), error);
    if (!error) return {};
    return Error{.code = ErrorCode::io,
                 .source = arguments_.model,
                 .message = fmt::format("cannot prepare the search: {}", error.message())};
  }

  /// @param details  lines of another program, for people
  int fail(const Error& error, std::string_view details = {}) {
    print_error(error);
    if (!details.empty()) print_error(fmt::format("{}{}", details, details.ends_with('\n') ? "" : "\n"));
    return kBadInput;
  }

  [[nodiscard]] bool out_of_time() const {
    return interrupt_.interrupted() || (arguments_.limits.time && Clock::now() - begin_ > *arguments_.limits.time);
  }

  struct Ended {
    bool in_time = true;
    int exit_code = 0;
    std::string output;
  };

  /// Runs a program in the folder until it ends or the time is up.
  [[nodiscard]] Ended run(const std::vector<std::string>& arguments) const {
    const std::string log = in_folder("log");
    std::error_code ignored;
    std::filesystem::remove(log, ignored);
    ChildProcess process(arguments, log, folder_.path(), {include_path()});
    while (process.running()) {
      if (out_of_time()) return {.in_time = false};
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return {.exit_code = process.exit_code(), .output = content_of(log)};
  }

  [[nodiscard]] std::vector<std::string> spin(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "spin");
    for (const std::string& definition : arguments_.definitions) arguments.push_back("-D" + definition);
    arguments.emplace_back("product.pml");
    return arguments;
  }

  /// For the preprocessor and the compiler, which start in the folder.
  static std::string include_path() {
    const char* const usual = std::getenv("CPATH");
    return usual == nullptr || *usual == '\0' ? fmt::format("CPATH={}", kSources)
                                              : fmt::format("CPATH={}:{}", kSources, usual);
  }

  [[nodiscard]] std::string bounds(const automata::Watched& chosen) const {
    const automata::Bounds& bounds = arguments_.bounds;
    return fmt::format("{}, {}at most {} at a time", counted(bounds.threads, "thread"),
                       chosen.priorities ? fmt::format("{} priorities, ", bounds.priorities) : "",
                       counted(bounds.capacity, "value"));
  }

  /// What SPIN or the compiler says about the model.
  [[nodiscard]] Error refused(const std::string& program, const Ended& ended) {
    details_ = ended.output;
    return {.code = ErrorCode::syntax,
            .source = arguments_.model,
            .message = fmt::format("{} refuses the model", program),
            .hint = fmt::format("what it says follows; it knows the model as {}", kModel)};
  }

  Result<Exploration> explore() {
    const Exploration too_late{.reason = Reason::time};
    const Ended generated = run(spin({"-a"}));
    if (!generated.in_time) return too_late;
    if (generated.exit_code != 0 || !std::filesystem::exists(in_folder("pan.c"))) return refused("spin", generated);
    // Breadth first, so that a trail is as short as can be. Deadlocks are not the question (-E): a client whose guess
    // of a result was wrong stops.
    std::vector<std::string> compile = {"cc", "-O1", "-w", "-DSAFETY", "-DNOCLAIM", "-DBFS", "-o", "pan", "pan.c"};
    // In megabytes; without it the verifier stops at two gigabytes.
    const std::size_t memory = arguments_.limits.memory ? *arguments_.limits.memory >> 20U : std::size_t{1} << 30U;
    compile.push_back(fmt::format("-DMEMLIM={}", std::max<std::size_t>(memory, 64)));
    const Ended compiled = run(compile);
    if (!compiled.in_time) return too_late;
    if (compiled.exit_code != 0) return refused("cc", compiled);
    const auto begin = Clock::now();
    const Ended searched = run({in_folder("pan"), "-E"});
    if (!searched.in_time) return too_late;
    const auto states = number_before(searched.output, "states, stored");
    const auto errors = searched.output.find("errors: ");
    if (!states || errors == std::string::npos) {
      details_ = searched.output;
      return Error{.code = ErrorCode::unsupported, .source = arguments_.model, .message = "the search failed"};
    }
    Exploration exploration{.states = static_cast<std::uint64_t>(*states),
                            .seconds = std::chrono::duration<double>(Clock::now() - begin).count()};
    exploration.violation = std::strtoul(searched.output.c_str() + errors + 8, nullptr, 10) > 0;
    exploration.complete = searched.output.find("Search not completed") == std::string::npos;
    if (!exploration.complete && !exploration.violation) exploration.reason = Reason::memory;
    const std::size_t failure = searched.output.find("pan:1: ");
    if (failure != std::string::npos) {
      failure_ = searched.output.substr(failure, searched.output.find('\n', failure) - failure);
    }
    return exploration;
  }

  /// The trail with values of their own, and what the check says about it.
  Result<Refutation> replay(const automata::Watched& chosen) {
    const Ended ended = run(spin({"-t", "-T", "-B", "-DDISTINCT"}));
    auto replayed = automata::read_trail(ended.output, chosen);
    if (!replayed) {
      Error error = replayed.error();
      error.source = arguments_.model;
      return error;
    }
    CheckOptions options;
    options.limits = arguments_.limits;
    options.limits.stop = interrupt_.token();
    options.verify = Verify::thoroughly;
    auto verdict = check(replayed->history, options);
    if (!verdict) return verdict.error();
    return Refutation{.trail = std::move(*replayed), .verdict = std::move(*verdict)};
  }

  int report(const automata::Watched& chosen, const Exploration& explored, const Refutation* refutation) {
    Result<std::string> history =
        refutation == nullptr ? std::string() : write_history(refutation->trail.history, "text");
    if (!history) return fail(history.error());
    if (refutation != nullptr && refutation->verdict.verdict != Verdict::violation)
      return disagreement(*refutation, *history);
    if (refutation != nullptr && !arguments_.save.empty()) {
      if (auto saved = base::write_file(arguments_.save, *history); !saved) return fail(saved.error());
    }
    const Verdict verdict = refutation != nullptr ? Verdict::violation
                            : explored.complete   ? Verdict::linearizable
                                                  : Verdict::unknown;
    if (arguments_.json) {
      print_for_programs(as_json(chosen, explored, refutation, verdict));
    } else {
      print(as_text(chosen, explored, refutation, verdict, *history));
    }
    return verdict == Verdict::violation ? kViolation : verdict == Verdict::unknown ? kUnknown : kLinearizable;
  }

  /// A trail whose history is not refuted: nothing is decided by it.
  int disagreement(const Refutation& refutation, const std::string& history) {
    const bool undecided = refutation.verdict.verdict == Verdict::unknown;
    const automata::Automaton* const automaton = refutation.trail.automaton;
    Error error{.code = ErrorCode::unsupported, .source = arguments_.model};
    if (automaton == nullptr) {
      error.message = "the model fails, which is no question of linearizability";
    } else {
      error.message = fmt::format("{} accepts, but the trail's history is {}", automaton->name,
                                  undecided ? "undecided" : "linearizable");
      if (!undecided) error.hint = "does the model compare values, or return what was not put?";
    }
    fail(error, automaton == nullptr ? failure_ : history);
    return undecided && automaton != nullptr ? kUnknown : kBadInput;
  }

  std::string as_text(const automata::Watched& chosen, const Exploration& explored, const Refutation* refutation,
                      Verdict verdict, const std::string& history) const {
    std::string text = base::foreign_text(arguments_.model) + ": ";
    if (verdict == Verdict::linearizable) {
      text += "no accepting state can be reached\n";
    } else if (verdict == Verdict::unknown) {
      text += fmt::format("unknown, the {} limit was reached\n", name(explored.reason));
    } else if (refutation->trail.automaton == nullptr) {
      text += "not linearizable: something is removed that nobody has put\n";
    } else {
      text += fmt::format("not linearizable, {}: {}\n", refutation->trail.automaton->name,
                          refutation->trail.automaton->summary);
    }
    text +=
        fmt::format("  {}; {}; {} states in {:.2f} s\n", bounds(chosen),
                    chosen.automata.size() == 1 ? "1 automaton" : fmt::format("{} automata", chosen.automata.size()),
                    grouped(explored.states), explored.seconds);
    if (refutation == nullptr) return text;
    const ObjectVerdict& object = refutation->verdict.objects.front();
    return text + fmt::format("  the trail's history, refuted by {}: {}\n\n{}", object.decider,
                              object.violation ? base::foreign_text(object.violation->sentence) : "", history);
  }

  std::string as_json(const automata::Watched& chosen, const Exploration& explored, const Refutation* refutation,
                      Verdict verdict) const {
    nlohmann::ordered_json json;
    json["model"] = arguments_.model;
    json["verdict"] = name(verdict);
    if (verdict == Verdict::unknown) json["reason"] = name(explored.reason);
    json["type"] = chosen.type.to_string();
    json["threads"] = arguments_.bounds.threads;
    if (chosen.priorities) json["priorities"] = arguments_.bounds.priorities;
    json["capacity"] = arguments_.bounds.capacity;
    json["automata"] = nlohmann::ordered_json::array();
    for (const automata::Automaton* const automaton : chosen.automata) json["automata"].push_back(automaton->name);
    json["states"] = explored.states;
    json["seconds"] = explored.seconds;
    if (refutation != nullptr && refutation->trail.automaton != nullptr) {
      json["automaton"] = refutation->trail.automaton->name;
    }
    if (refutation != nullptr) json["decider"] = refutation->verdict.objects.front().decider;
    return json_line(json);
  }

  const ReachArguments& arguments_;
  Clock::time_point begin_;
  InterruptWatch interrupt_;
  TemporaryFolder folder_;
  std::string failure_;  // SPIN's line about it
  std::string details_;  // what another program said
};

constexpr const char* kReachFooter =
    "The clients put and remove without end, and the automata of the type watch them. A state in which an automaton\n"
    "accepts is a violation; its shortest trail becomes a history. This needs spin and cc. "
    "docs/design/reachability.md\n"
    "says what a model may use and what the answer means; examples/models has some models. A model is a program: "
    "files\n"
    "that it includes are read, and C code in it is compiled and run. Explore no model that you would not run.\n"
    "Exit codes: 0 no such state within the bounds, 1 a violation, 2 bad usage or model, 3 unknown.";

}  // namespace

void add_reach(Command app, int& exit_code) {
  Command command =
      app.add_subcommand("reach", "Explore a Promela model of an implementation, with SPIN, for a violation");
  const auto arguments = std::make_shared<ReachArguments>();
  command.add_option("MODEL", arguments->model, "Promela: inlines put(value, priority) and remove(result)")
      .required()
      .option_text(" ");
  command.add_option("--type", arguments->type, "What it implements: queue, stack, \"priority-queue ties=fifo\"")
      .required()
      .type_name("TYPE");
  command
      .add_option("--automaton", arguments->automata,
                  "Look only for this violation (may be given again; default: all; see: linchpin automaton TYPE)")
      .type_name("NAME")
      .one_value_each();
  command.add_option("--threads", arguments->bounds.threads, "Clients (at most 8)")
      .show_default()
      .between(1, 8, false)
      .type_name("N");
  command.add_option("--priorities", arguments->bounds.priorities, "Different priorities, 1 to N (at most 8)")
      .show_default()
      .between(1, 8, false)
      .type_name("N");
  command.add_option("--capacity", arguments->bounds.capacity, "Values in the object at a time (at most 20)")
      .show_default()
      .between(1, 20, false)
      .type_name("N");
  command.add_option("-D,--define", arguments->definitions, "Defines a name for the model: NAME or NAME=VALUE")
      .type_name("NAME")
      .one_value_each();
  command.add_option("--save", arguments->save, "Write the history of a violation to this file, in the format text")
      .type_name("FILE");
  command.add_flag("--json", arguments->json, "One JSON object");
  add_limit_options(command, arguments->limits);
  command.option("--time-limit").description("Wall-clock time for everything: 10, 500ms, 2m; then unknown");
  command.option("--memory-limit")
      .description("Memory of the search: bytes, 512M, 4G; then unknown (default: nine tenths of what is free)");
  command.footer(kReachFooter);
  command.callback([arguments, &exit_code] { exit_code = ReachRun(*arguments).execute(); });
}

}  // namespace linchpin::app
