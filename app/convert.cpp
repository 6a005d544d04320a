// linchpin convert IN OUT: the same history in another format.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/command.hpp"
#include "app/format_of_name.hpp"
#include "app/interrupt.hpp"
#include "app/limit_options.hpp"
#include "app/output.hpp"
#include "app/quantities.hpp"
#include "app/reading_options.hpp"
#include "base/files_of_run.hpp"
#include "base/output_file.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

namespace {

struct ConvertArguments {
  std::string input;
  std::string output;
  std::string format;  // empty: by the output's extension
  std::optional<std::size_t> index;
  ReadOptions read;
};

Error no_format(const std::string& output) {
  return {.code = ErrorCode::bad_option,
          .source = output,
          .message = "the name does not say which format to write",
          .hint = fmt::format("add --to FORMAT (linchpin formats lists those that can be written), or let the name end "
                              "in one of {}",
                              endings_of_formats())};
}

Result<std::string> convert(const ConvertArguments& arguments, const InterruptWatch& interrupt) {
  std::string format = arguments.format;
  if (format.empty()) {
    auto by_name = format_of_name(arguments.output);
    if (!by_name) return no_format(arguments.output);
    format = *by_name;
  }
  auto histories = read_histories(arguments.input, interrupt.reading(arguments.read));
  if (!histories) return histories.error();
  if (histories->size() > 1 && !arguments.index) {
    return Error{.code = ErrorCode::unsupported,
                 .source = arguments.input,
                 .message = fmt::format("the input holds {}", counted(histories->size(), "history")),
                 .hint = "choose one with --index N, counting from 0"};
  }
  const std::size_t index = arguments.index.value_or(0);
  if (index >= histories->size()) {
    return Error{.code = ErrorCode::bad_option,
                 .source = arguments.input,
                 .message = fmt::format("there is no history {}: the input holds {}", index,
                                        counted(histories->size(), "history"))};
  }
  const Result<History>& history = (*histories)[index];
  if (!history) return history.error();
  return write_history(*history, format);
}

int run(const ConvertArguments& arguments) {
  const InterruptWatch interrupt;
  const auto differ = base::FilesOfRun::of({arguments.input}, {arguments.output});
  auto text = differ ? convert(arguments, interrupt) : differ.error();
  if (interrupt.interrupted()) {
    print_error("interrupted: nothing was written\n");
    return kInterrupted;
  }
  if (text && arguments.output == "-") {
    print_for_programs(*text);
    return kLinearizable;
  }
  const Result<void> written = text ? base::write_file(arguments.output, *text) : text.error();
  if (written) return kLinearizable;
  Error error = written.error();
  if (error.source.empty()) error.source = arguments.input;
  print_error(error);
  return kBadInput;
}

}  // namespace

void add_convert(Command app, int& exit_code) {
  Command command = app.add_subcommand("convert", "Write a history in another format");
  const auto arguments = std::make_shared<ConvertArguments>();
  command.add_option("IN", arguments->input, "The history; '-' for standard input").required().option_text(" ");
  command.add_option("OUT", arguments->output, "Where to write it; '-' for standard output")
      .required()
      .option_text(" ");
  command.add_option("--to", arguments->format, "Format to write (default: by OUT's extension; see: linchpin formats)")
      .type_name("FORMAT");
  command.add_option("--index", arguments->index, "Which history of an input that holds several, from 0")
      .type_name("N");
  command.add_option("--field", arguments->read.field, "Jepsen EDN: keep this key of the events, an integer")
      .type_name("NAME");
  add_reading_options(command, arguments->read);
  add_memory_limit_option(command, {&arguments->read.limits});
  command.option("--memory-limit")
      .description("Resident memory of the process: bytes, 512M, 4G (default: nine tenths of what is free)");
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace linchpin::app
