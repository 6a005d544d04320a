// See stream.hpp. A batch is a History of its own with the same objects and methods, so that the formats' writers need
// to know nothing of streaming but how to leave out the header.
#include "generate/stream.hpp"

#include <fmt/format.h>

namespace linchpin::generate {

namespace {

constexpr std::size_t kBatch = 1 << 14;

void add_rows(HistoryBuilder& builder, const Plan& plan, const Specification& specification, const ValuePool& pool,
              std::span<const Row> rows) {
  builder.set_type(plan.type);
  if (plan.objects > 1) {
    for (std::uint32_t i = 1; i <= plan.objects; ++i) builder.object(fmt::format("o{}", i));
  }
  std::vector<MethodIndex> methods;
  for (const Method& method : specification.methods()) methods.push_back(builder.method(method.name));
  builder.reserve(rows.size());
  const auto own = [&](Value value) {
    return value.is_string() || value.is_list() ? builder.pool().import(value, pool) : value;
  };
  for (const Row& row : rows) {
    for (std::uint8_t i = 0; i < row.count; ++i) builder.argument(own(row.arguments[i]));
    builder.add(row.process, row.object, methods[row.method], own(row.result), row.call, row.response);
  }
}

}  // namespace

Result<History> to_history(const Plan& plan, const Specification& specification, const ValuePool& pool,
                           std::span<const Row> rows) {
  HistoryBuilder builder;
  add_rows(builder, plan, specification, pool, rows);
  return std::move(builder).build();
}

Result<std::vector<Row>> all_rows(Simulation& simulation) {
  std::vector<Row> rows;
  while (true) {
    auto row = simulation.next();
    if (!row) return row.error();
    if (!*row) return rows;
    rows.push_back(**row);
  }
}

Result<void> write(Simulation& simulation, const core::Format& format, const Sink& sink,
                   const std::function<void(Row&)>& adjust) {
  std::vector<Row> rows;
  std::string text;
  bool first = true, more = true;
  const std::unique_ptr<core::PartsWriter> parts =
      format.append == nullptr && format.parts != nullptr ? format.parts() : nullptr;
  while (more) {
    rows.clear();
    while ((format.append == nullptr && parts == nullptr) || rows.size() < kBatch) {
      auto row = simulation.next();
      if (!row) return row.error();
      more = row->has_value();
      if (!more) break;
      if (adjust) adjust(**row);
      rows.push_back(**row);
    }
    auto history = to_history(simulation.plan(), simulation.specification(), simulation.pool(), rows);
    if (!history) return history.error();
    if (parts != nullptr) {
      if (auto added = parts->add(*history); !added) return added.error();
      continue;
    }
    text.clear();
    if (auto written = first ? format.write(*history, text) : format.append(*history, text); !written) {
      return written.error();
    }
    first = false;
    if (!sink(text)) return {};
  }
  if (parts != nullptr) return parts->finish(sink);
  return {};
}

}  // namespace linchpin::generate
