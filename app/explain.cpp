// linchpin explain FILE: why a history is a violation, or where its operations took effect, drawn in the terminal.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/deciding_options.hpp"
#include "app/explanation_text.hpp"
#include "app/interrupt.hpp"
#include "app/output.hpp"
#include "app/progress.hpp"
#include "app/quantities.hpp"
#include "app/reading_options.hpp"
#include "app/refused_evidence.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kUsualWidth = 100, kLeastWidth = 40;

struct ExplainArguments {
  std::string path;
  CheckOptions check;
  ReadOptions read;
  std::optional<std::size_t> index;
  std::string colour = "auto";
  std::size_t width = 0;  // 0: the terminal's
  std::size_t around = 6;
  bool ascii = false;
};

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsualWidth;
}

int exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::linearizable: return kLinearizable;
    case Verdict::violation: return kViolation;
    case Verdict::unknown: break;
  }
  return kUnknown;
}

class ExplainRun {
 public:
  explicit ExplainRun(const ExplainArguments& arguments)
      : arguments_(arguments), options_(arguments.check), progress_(true) {
    choose_colours(arguments.colour);
    options_.type = arguments.read.type;
    options_.all = true;
    options_.limits.stop = interrupt_.token();
    options_.progress = [this](std::size_t done, std::size_t all) { progress_.update(done, all); };
    options_.shrinking = [this](std::size_t left, std::size_t) { progress_.shrinking(left); };
    const Colours& colour = colours(STDOUT_FILENO);
    look_.timeline = {.width = std::max(arguments.width == 0 ? terminal_width() : arguments.width, kLeastWidth),
                      .ascii = arguments.ascii,
                      .colours = {.core = colour.strong,
                                  .blocked = colour.bad,
                                  .point = colour.good,
                                  .context = colour.faint,
                                  .plain = colour.plain}};
    look_.around = arguments.around;
    look_.ties = arguments.check.ties;
  }

  int execute() {
    progress_.begin("reading " + arguments_.path);
    auto histories = read_histories(arguments_.path, interrupt_.reading(arguments_.read));
    progress_.end();
    if (!histories && histories.error().code == ErrorCode::interrupted) {
      print_error("interrupted: 1 input not explained\n");
      return kInterrupted;
    }
    if (!histories) return fail(histories.error());
    if (arguments_.index && *arguments_.index >= histories->size()) {
      return fail({.code = ErrorCode::bad_option,
                   .message = fmt::format("there is no history {}: the input holds {}", *arguments_.index,
                                          counted(histories->size(), "history"))});
    }
    for (std::size_t index = 0; index < histories->size() && !interrupt_.interrupted(); ++index) {
      if (arguments_.index && index != *arguments_.index) continue;
      const Result<History>& history = (*histories)[index];
      if (!history) {
        fail(history.error());
        continue;
      }
      explain_one({.file = arguments_.path, .index = index, .one_of_several = histories->size() > 1}, *history);
    }
    if (interrupt_.interrupted()) return kInterrupted;
    if (failed_) return kBadInput;
    return exit_code_of(worst_);
  }

 private:
  void explain_one(const Origin& origin, const History& history) {
    progress_.begin("checking " + origin.file);
    const auto verdict = check(history, options_);
    const auto explanation =
        verdict ? explain_verdict(history, *verdict, options_) : Result<Explanation>(verdict.error());
    progress_.end();
    if (!verdict || !explanation) {
      fail(verdict ? explanation.error() : verdict.error());
      return;
    }
    report_refused_evidence(origin, history, *verdict, options_.type);
    if (verdict->verdict == Verdict::violation || worst_ == Verdict::linearizable) worst_ = verdict->verdict;
    const bool one = verdict->objects.size() == 1;
    std::string text;
    if (!one) {
      text = fmt::format("{}: {} ({} in {})\n", label(origin), coloured(verdict->verdict, verdict->reason),
                         sizes(verdict->operations, verdict->pending), counted(verdict->objects.size(), "object"));
    }
    const bool any = verdict->verdict == Verdict::violation;
    std::size_t passed_over = 0;
    for (std::size_t k = 0; k < verdict->objects.size(); ++k) {
      const ObjectVerdict& object = verdict->objects[k];
      if (any && object.verdict != Verdict::violation) {
        ++passed_over;
        continue;
      }
      text += fmt::format("{}: {} ({})\n", one ? label(origin) : base::foreign_text(object.name),
                          coloured(object.verdict, object.reason), how(object));
      text += explanation_text(history, object, explanation->objects[k], look_);
    }
    if (passed_over > 0) text += fmt::format("\n{} without a violation not shown\n", counted(passed_over, "object"));
    print(text);
  }

  int fail(Error error) {
    failed_ = true;
    if (error.source.empty()) error.source = arguments_.path;
    print_error(error);
    return kBadInput;
  }

  const ExplainArguments& arguments_;
  CheckOptions options_;
  InterruptWatch interrupt_;  // before any other thread
  Progress progress_;
  ExplanationLook look_;
  Verdict worst_ = Verdict::linearizable;
  bool failed_ = false;
};

constexpr const char* kExplainFooter =
    "Of a violation it draws the fewest operations that show it with thick lines, and some others with thin lines. "
    "The\n"
    "operation that cannot be placed is crossed. Of a linearizable history it draws where operations took effect.\n"
    "Exit codes: as those of check.";

}  // namespace

void add_explain(Command app, int& exit_code) {
  Command command = app.add_subcommand("explain", "Show why a history is a violation, or in which order it works");
  command.footer(kExplainFooter);
  const auto arguments = std::make_shared<ExplainArguments>();
  command.add_option("FILE", arguments->path, "The history; '-' for standard input").required().option_text(" ");
  add_reading_options(command, arguments->read);
  add_deciding_options(command, arguments->check, arguments->read);
  command.add_option("--index", arguments->index, "Which history of an input that holds several, from 0")
      .type_name("N");
  command.add_option("--around", arguments->around, "How many other operations to draw beside a violation (default 6)")
      .type_name("N");
  command.add_option("--width", arguments->width, "Characters of a line (default: as the terminal has)").type_name("N");
  command.add_flag("--ascii", arguments->ascii, "Draw with plain ASCII");
  command.add_option("--color", arguments->colour, "Colours: auto (the default), always or never")
      .one_of({"auto", "always", "never"})
      .type_name("WHEN");
  command.callback([arguments, &exit_code] { exit_code = ExplainRun(*arguments).execute(); });
}

}  // namespace linchpin::app
