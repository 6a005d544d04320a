#include "app/automaton_types.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/output.hpp"
#include "base/foreign_text.hpp"
#include "core/data_type.hpp"
#include "research/automata/execution.hpp"

namespace linchpin::app {

void add_type_with_automata(Command command, std::string& type) {
  command.add_option("TYPE", type, "queue, stack or priority-queue, with options: \"priority-queue ties=fifo\"")
      .required()
      .option_text("TYPE");
}

Result<void> check_named_type(TypeName said, const std::string& text) {
  if (said.name.empty()) return {};
  auto asked = TypeName::parse(text);
  for (TypeName* const type : {&said, &*asked}) {
    if (const core::DataType* const known = core::find_data_type(type->name)) type->name = known->name;
    std::erase(type->options, std::pair<std::string, std::string>("order", "smallest"));  // the default
    std::ranges::sort(type->options);
  }
  if (said == *asked) return {};
  return Error{.code = ErrorCode::bad_option,
               .message = fmt::format("the history's type is '{}', and not '{}'", base::foreign_text(said.to_string()),
                                      base::foreign_text(asked->to_string())),
               .hint = "name the type that the history names"};
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
