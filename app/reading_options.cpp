#include "app/reading_options.hpp"

#include <map>
#include <string>

#include <CLI/CLI.hpp>

namespace linchpin::app {

void add_reading_options(CLI::App& command, ReadOptions& read) {
  command
      .add_option_function<std::string>(
          "--type",
          [&read](const std::string& text) {
            auto type = TypeName::parse(text);
            if (!type) throw CLI::ValidationError("--type", type.error().message);
            read.type = std::move(*type);
          },
          "Data type, instead of what the input says: \"queue capacity=3\" (see: linchpin types)")
      ->type_name("TYPE");
  command.add_option("--format", read.format, "Format of the input, instead of by content (see: linchpin formats)")
      ->type_name("FORMAT");
  command.add_flag("--independent", read.independent, "Jepsen EDN: every value is [key value], one object a key");
  const std::map<std::string, FailPolicy> policies{
      {"default", FailPolicy::format_default}, {"drop", FailPolicy::drop}, {"constraint", FailPolicy::constraint}};
  command
      .add_option("--fail", read.fail,
                  "What a failed operation means: drop: it did not happen; constraint: the state was not the expected "
                  "value (compare-and-set); default: what the format has as its default")
      ->transform(CLI::CheckedTransformer(policies).description(""))
      ->option_text("drop|constraint|default");
}

}  // namespace linchpin::app
