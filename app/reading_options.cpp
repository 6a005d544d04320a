#include "app/reading_options.hpp"

#include <string>
#include <utility>

namespace linchpin::app {

void add_reading_options(Command command, ReadOptions& read) {
  command
      .add_parsed_option(
          "--type",
          [&read](const std::string& text) -> std::string {
            auto type = TypeName::parse(text);
            if (!type) return type.error().message;
            read.type = std::move(*type);
            return {};
          },
          "Data type, instead of what the input says: \"queue capacity=3\" (see: linchpin types)")
      .type_name("TYPE");
  command.add_option("--format", read.format, "Format of the input, instead of by content (see: linchpin formats)")
      .type_name("FORMAT");
  command.add_flag("--independent", read.independent, "Jepsen EDN: every value is [key value], one object a key");
  command.add_flag("--leases-expire", read.leases_expire,
                   "Reports of etcd's tests: leases may have expired by themselves, where no member's log says so");
  command.add_choice<FailPolicy>(
      "--fail", read.fail,
      "What a failed operation means: drop: it did not happen; constraint: the state was not the expected "
      "value (compare-and-set); default: what the format has as its default",
      {{"drop", FailPolicy::drop}, {"constraint", FailPolicy::constraint}, {"default", FailPolicy::format_default}});
}

}  // namespace linchpin::app
