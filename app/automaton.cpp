// linchpin automaton TYPE: the automata of a type, listed, drawn, and run over histories.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/automaton_types.hpp"
#include "app/command.hpp"
#include "app/inputs.hpp"
#include "app/limit_options.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/report.hpp"
#include "app/table.hpp"
#include "base/foreign_text.hpp"
#include "explain/shortened.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "research/automata/c_monitor.hpp"
#include "research/automata/draw.hpp"
#include "research/automata/promela.hpp"
#include "research/automata/simulate.hpp"

namespace linchpin::app {

namespace {

using automata::Automaton;

constexpr std::size_t kMostBytes = std::size_t{1} << 29;  // of the runs of one automaton over one history

struct AutomatonArguments {
  std::string type;
  std::vector<std::string> paths;
  std::string name;
  bool dot = false, print = false, all = false;
  bool promela = false, c = false;
  ReadOptions read;
};

std::string kinds(const Automaton& automaton) {
  std::string text;
  for (const automata::ColourName& colour : automaton.colours) {
    text += (text.empty() ? "" : " ") + colour.name + (colour.crowd ? "*" : "");
  }
  return text + (automaton.registers > 0 ? " r" : "");
}

class AutomatonRun {
 public:
  AutomatonRun(const AutomatonArguments& arguments, std::shared_ptr<const Specification> specification)
      : arguments_(arguments),
        specification_(std::move(specification)),
        family_(*automata::family_of(*specification_)) {}

  int execute() {
    for (const Automaton& automaton : family_.automata) {
      const bool called = arguments_.name.empty() || automaton.name == arguments_.name ||
                          automaton.name.starts_with(arguments_.name + "-");
      if (called) chosen_.push_back(&automaton);
    }
    if (chosen_.empty()) {
      print_error(Error{.code = ErrorCode::bad_option,
                        .source = "",
                        .message = fmt::format("no automaton of {} is called '{}'", family_.type, arguments_.name),
                        .hint = fmt::format("linchpin automaton {} lists them", family_.type)});
      return kBadInput;
    }
    if (arguments_.dot || arguments_.print) {
      for (const Automaton* const automaton : chosen_) {
        print_for_programs(arguments_.dot ? to_dot(*automaton, family_.vocabulary)
                                          : to_text(*automaton, family_.vocabulary));
      }
    } else if (arguments_.paths.empty()) {
      list();
    } else {
      run_over_files();
    }
    if (any_error_) return kBadInput;
    if (any_violation_) return kViolation;
    return any_unknown_ ? kUnknown : kLinearizable;
  }

 private:
  void list() const {
    std::vector<std::vector<std::string>> rows;
    std::size_t states = 0;
    for (const Automaton* const automaton : chosen_) {
      states += automaton->states.size();
      rows.push_back({automaton->name, fmt::to_string(automaton->states.size()), kinds(*automaton), automaton->source,
                      automaton->summary + (automaton->implied ? " (implied)" : "")});
    }
    print(aligned({{"automaton"}, {"states"}, {"values"}, {"in the papers"}, {"accepts when"}}, rows) +
          fmt::format("\n{} {}, {}. *: any number of values; r: compares priorities.\n", chosen_.size(),
                      chosen_.size() == 1 ? "automaton" : "automata", counted(states, "state")));
  }

  void run_over_files() {
    for (const Result<std::string>& file : expand_paths(arguments_.paths)) {
      if (!file) {
        fail(file.error());
        continue;
      }
      auto histories = read_histories(*file, arguments_.read);
      if (!histories) {
        fail(histories.error());
        continue;
      }
      for (std::size_t i = 0; i < histories->size(); ++i) {
        const Result<History>& history = (*histories)[i];
        if (history) {
          run_over({.file = *file, .index = i, .one_of_several = histories->size() > 1}, *history);
        } else {
          fail(history.error());
        }
      }
    }
  }

  void run_over(const Origin& origin, const History& history) {
    const std::vector<std::shared_ptr<const Specification>> specifications(history.objects().size(), specification_);
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    const std::string where = label(origin);
    const auto fail_here = [&](Error error) {
      error.source = origin.file;
      fail(error);
    };
    if (!parts) return fail_here(parts.error());
    for (const Object& object : history.objects()) {
      if (auto right = check_named_type(object.type, arguments_.type); !right) return fail_here(right.error());
    }
    for (const history::Subhistory& part : *parts) {
      const auto execution = automata::execution_of(part);
      if (!execution) {
        fail_here(execution.error());
        continue;
      }
      const std::string& object = history.objects()[part.object.number()].name;
      run_over(object.empty() ? where : fmt::format("{}: {}", where, base::foreign_text(object)), part, *execution);
    }
  }

  /// Those that tell that the precondition does not hold come first.
  void run_over(const std::string& where, const history::Subhistory& part, const automata::Execution& execution) {
    bool violation = false, unknown = false, gave_up = false;
    std::string text;
    for (const bool precondition : {true, false}) {
      if (unknown) break;  // nothing follows from the others
      for (const Automaton* const automaton : chosen_) {
        if (automaton->precondition != precondition || (automaton->implied && !arguments_.all)) continue;
        const auto run = simulate(*automaton, execution, kMostBytes / (execution.values + 64), &gave_up);
        if (!run) continue;
        (is_certain(*automaton, execution) ? violation : unknown) = true;
        text += tell(where, *automaton, part, execution, *run);
      }
    }
    if (text.empty()) {
      unknown = gave_up;
      text = fmt::format("{}: no automaton of {} accepts {}{}\n", where, family_.type,
                         counted(execution.letters.size(), "event"),
                         gave_up ? ", as far as memory is allowed for; linchpin watch needs less" : "");
    }
    any_violation_ = any_violation_ || violation;
    any_unknown_ = any_unknown_ || unknown;
    print(text);
  }

  /// With pending removes left out, only what is wrong with one value is wrong for certain.
  static bool is_certain(const Automaton& automaton, const automata::Execution& execution) {
    const bool of_one_value = automaton.colours.size() == 1;
    return !automaton.precondition && (execution.left_out == 0 || of_one_value);
  }

  /// "FILE: violation: order accepts after 7 of 8 events", and what the values are.
  [[nodiscard]] std::string tell(const std::string& where, const Automaton& automaton, const history::Subhistory& part,
                                 const automata::Execution& execution, const automata::AcceptingRun& run) const {
    const bool certain = is_certain(automaton, execution);
    std::string text =
        fmt::format("{}: {}: {} accepts after {} of {} events: {}\n", where, certain ? "violation" : "unknown",
                    automaton.name, run.letters, execution.letters.size(), automaton.summary);
    for (std::size_t colour = 0; colour < automaton.colours.size(); ++colour) {
      std::string values;
      for (std::uint32_t value = 0; value < execution.values; ++value) {
        if (run.colour[value] != colour) continue;
        values += values.empty() ? "" : ", ";
        values += execution.name[value].is_none() ? "the remove " + empty_text(part, execution, value)
                                                  : part.history->pool().to_text(execution.name[value]);
      }
      text += fmt::format("  {} = {}\n", automaton.colours[colour].name, explain::with_short_texts(values));
    }
    std::string states;
    for (std::size_t i = 0; i < run.states.size(); ++i) {
      if (i > 0 && run.states[i] == run.states[i - 1]) continue;
      states += (states.empty() ? "" : " ") + automaton.states[run.states[i]].name;
    }
    text += fmt::format("  states {}\n", states);
    if (!certain && !automaton.precondition) {
      text += fmt::format("  but {} never returned; linchpin check decides\n", counted(execution.left_out, "remove"));
    }
    return text;
  }

  /// The operation that found nothing: "dequeue() -> nil in line 7".
  static std::string empty_text(const history::Subhistory& part, const automata::Execution& execution,
                                std::uint32_t value) {
    for (std::size_t at = 0; at < execution.letters.size(); ++at) {
      if (execution.letters[at].value != value) continue;
      const OperationIndex i = part.operation[execution.operation[at]];
      return fmt::format("{} in line {}", part.history->describe(i), part.history->place(i).line);
    }
    return "";
  }

  void fail(const Error& error) {
    any_error_ = true;
    print_error(error);
  }

  const AutomatonArguments& arguments_;
  std::shared_ptr<const Specification> specification_;
  const automata::Family& family_;
  std::vector<const Automaton*> chosen_;
  bool any_error_ = false, any_violation_ = false, any_unknown_ = false;
};

/// As an observer in Promela, or as a monitor in C.
int print_observer(const AutomatonArguments& arguments) {
  auto type = TypeName::parse(arguments.type);
  if (!type) {
    print_error(type.error());
    return kBadInput;
  }
  std::vector<std::string> names;
  if (!arguments.name.empty()) names.push_back(arguments.name);
  const auto watched = automata::watched(*type, names);
  if (!watched) {
    print_error(watched.error());
    return kBadInput;
  }
  print_for_programs(arguments.c ? automata::c_monitor(*watched)
                                 : automata::promela_product(*watched, {}, "implementation.pml"));
  return kLinearizable;
}

constexpr const char* kAutomatonFooter =
    "An automaton accepts the calls and responses of a history, its values renamed, that violate one property. A "
    "history\n"
    "in which every value is added once and every remove returns is linearizable iff none accepts it (Bouajjani, "
    "Enea,\n"
    "Wang, CONCUR 2017; Bouajjani, Emmi, Enea, Hamza, ICALP 2015). Without FILE the automata are listed.\n"
    "With FILE they are run over the history, all guesses at once, which is for histories of some hundred values;\n"
    "'linchpin watch' runs them over any number of events.\n"
    "Exit codes: 0 none accepts, 1 one does, 2 bad usage or input, 3 unknown.";

}  // namespace

void add_automaton(Command app, int& exit_code) {
  Command command = app.add_subcommand("automaton", "List, draw and run the automata of a type's violations");
  command.footer(kAutomatonFooter);
  const auto arguments = std::make_shared<AutomatonArguments>();
  add_type_with_automata(command, arguments->type);
  Option files = command.add_option("FILE", arguments->paths, "Histories to run them over");
  files.option_text("...");
  command.add_option("--name", arguments->name, "Only this one, or those whose names begin with NAME and a dash")
      .type_name("NAME");
  const Option dot =
      command.add_flag("--dot", arguments->dot, "Draw them, in the language of Graphviz").excludes(files);
  command.add_flag("--print", arguments->print, "Print their states and transitions").excludes(dot).excludes(files);
  const Option promela = command
                             .add_flag("--promela", arguments->promela,
                                       "Print them as a Promela program that watches implementation.pml (see: reach)")
                             .excludes(files);
  command.add_flag("--c", arguments->c, "Print them as a C file that watches an implementation, with an assertion")
      .excludes(promela)
      .excludes(files);
  command.add_flag("--all", arguments->all, "Run those too that the others imply");
  command.add_option("--format", arguments->read.format, "The format of FILE (default: by content)")
      .type_name("FORMAT");
  add_memory_limit_option(command, {&arguments->read.limits});
  command.option("--memory-limit")
      .description("Resident memory of the process: bytes, 512M, 4G (default: nine tenths of what is free)");
  command.callback([arguments, &exit_code] {
    if (arguments->promela || arguments->c) {
      exit_code = print_observer(*arguments);
      return;
    }
    const auto specification = type_with_automata(arguments->type);
    exit_code = specification == nullptr ? kBadInput : AutomatonRun(*arguments, specification).execute();
  });
}

}  // namespace linchpin::app
