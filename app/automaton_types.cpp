#include "app/automaton_types.hpp"

#include <fmt/format.h>

#include "app/output.hpp"
#include "research/automata/execution.hpp"

namespace linchpin::app {

void add_type_with_automata(Command command, std::string& type) {
  command.add_option("TYPE", type, "queue, stack or priority-queue, with options: \"priority-queue ties=fifo\"")
      .required()
      .option_text("TYPE");
}

std::shared_ptr<const Specification> type_with_automata(const std::string& text) {
  const auto type = TypeName::parse(text);
  if (!type) {
    print_error(type.error());
    return nullptr;
  }
  auto specification = make_specification(*type);
  if (!specification) {
    print_error(specification.error());
    return nullptr;
  }
  if (automata::family_of(**specification) != nullptr) return *specification;
  print_error(Error{.code = ErrorCode::unknown_type,
                    .source = "",
                    .message = fmt::format("there are no automata for {}", (*specification)->name()),
                    .hint = "there are for queue, stack and priority-queue"});
  return nullptr;
}

}  // namespace linchpin::app
