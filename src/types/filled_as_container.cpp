// Reads the history of a container that holds values at first as one in which they are put in, one by one, before
// everything else.
//
// What is linearizable for the one is so for the other. An order of the other is one of the container, without the
// inserts. So is a core, where it leaves out whole values: were its operations linearizable from all that is inside at
// first, erasing the other values would make them linearizable behind the inserts of the core. One that names a value
// without its insert gets all that is about it (Translation::complete). A core that tells sizes may need more, and is
// checked as any other. Compare: decide/search (any history). Tests: filled_test.cpp.
#include "types/filled_as_container.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/data_type.hpp"

namespace linchpin::types {

namespace {

using history::Subhistory;

/// Why the part cannot be read so; empty: `out` is it.
std::string translate(const Subhistory& part, TypeName type, const core::DataType& container,
                      const std::vector<Value>& values, Translation& out) {
  std::erase_if(type.options, [&](const auto& option) { return option.first == container.start_option; });
  auto specification = container.make(type);
  if (!specification) return specification.error().message;
  out.specification = std::move(*specification);
  const std::span<const Method> methods = part.specification->methods();
  HistoryBuilder builder;
  builder.set_type(std::move(type));
  builder.reserve(part.size() + values.size());
  Tick tick = 0;
  for (const Value value : values) {
    builder.add({.process = part.size() + out.before++,
                 .method = methods[*container.inserts].name,
                 .arguments = {value},
                 .result = Value::boolean(true),
                 .call = tick,
                 .response = tick + 1});
    tick += 2;
  }
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    const Operation operation = part.view(local);
    std::vector<Value> arguments;
    for (const Value given : operation.arguments) arguments.push_back(builder.pool().import(given, *operation.pool));
    builder.add({.process = local,
                 .method = methods[operation.method].name,
                 .arguments = std::move(arguments),
                 .result = builder.pool().import(operation.result, *operation.pool),
                 .call = tick + part.call[local].number(),
                 .response = part.pending(local) ? kPending : tick + part.response[local].number()});
  }
  return out.take(std::move(builder).build());
}

}  // namespace

Translated translate_filled(const Subhistory& part) {
  const auto other_type = [] {
    return Translated{nullptr, core::not_of_this_type("no container that holds values at first")};
  };
  const Specification& specification = *part.specification;
  if (specification.name().find(' ') == std::string_view::npos) return other_type();  // no options
  const auto container = core::made_by(specification);
  if (!container || !container->data_type->inserts) return other_type();
  const std::vector<Value> values = core::TypeOptions(container->type).values(container->data_type->start_option);
  if (values.empty()) return other_type();
  auto translation = std::make_shared<Translation>();
  if (std::string obstacle = translate(part, container->type, *container->data_type, values, *translation);
      !obstacle.empty()) {
    return {nullptr, {false, std::move(obstacle)}};
  }
  return {std::move(translation)};
}

}  // namespace linchpin::types
