#include "app/operation_table.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/table.hpp"
#include "explain/shortened.hpp"

namespace linchpin::app {

namespace {

constexpr std::ptrdiff_t kFieldsAt = 4;    // the column of what operations carry besides: behind the operation
constexpr std::size_t kMostPictured = 24;  // wider pictures would wrap

/// The interval of each operation in columns of one character, one a distinct tick.
std::vector<std::string> draw_intervals(const History& history, std::span<const OperationIndex> operations,
                                        std::span<const OperationIndex> context) {
  std::vector<Tick> ticks;
  for (const OperationIndex i : operations) {
    ticks.push_back(history.call(i));
    if (!history.pending(i)) ticks.push_back(history.response(i));
  }
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  const auto column = [&](Tick tick) {
    return static_cast<std::size_t>(std::lower_bound(ticks.begin(), ticks.end(), tick) - ticks.begin());
  };

  std::vector<std::string> pictures;
  for (const OperationIndex i : operations) {
    const bool beside = std::binary_search(context.begin(), context.end(), i);
    const std::size_t begin = column(history.call(i));
    const std::size_t end = history.pending(i) ? ticks.size() : column(history.response(i));
    std::string picture(end + 1, ' ');
    std::fill(picture.begin() + static_cast<std::ptrdiff_t>(begin), picture.end(), beside ? '.' : '-');
    picture[begin] = begin == end ? '|' : beside ? '(' : '[';
    if (begin != end) picture[end] = history.pending(i) ? '>' : beside ? ')' : ']';
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

}  // namespace

std::string tick_text(Tick tick) { return tick == kPending ? "-" : std::to_string(tick); }

std::string operation_table(const History& history, std::span<const OperationIndex> operations,
                            std::optional<OperationIndex> marked, std::size_t indent,
                            std::span<const OperationIndex> context, std::string_view sentence) {
  const explain::Shortened shortened(history, operations, sentence);
  const bool pictured = operations.size() <= kMostPictured;
  const std::vector<std::string> pictures =
      pictured ? draw_intervals(history, operations, context) : std::vector<std::string>(operations.size());
  std::vector<std::vector<std::string>> rows;
  bool any_process = false;
  bool any_field = false;
  for (std::size_t at = 0; at < operations.size(); ++at) {
    const OperationIndex i = operations[at];
    any_process = any_process || history.process(i) != kNoProcess;
    rows.push_back({history.process_name(history.process(i)), tick_text(history.call(i)),
                    tick_text(history.response(i)), shortened.describe(i), pictures[at],
                    marked == i ? "<-- cannot be placed" : ""});
    if (history.fields().empty()) continue;
    rows.back().insert(rows.back().begin() + kFieldsAt, history.describe_fields(i));
    any_field = any_field || !rows.back()[kFieldsAt].empty();
  }
  std::vector<Column> columns{{"process", true}, {"call", true}, {"response", true}, {"operation"}, {""}, {""}};
  if (any_field) {
    columns.insert(columns.begin() + kFieldsAt, Column{"with"});
  } else if (!history.fields().empty()) {
    for (auto& row : rows) row.erase(row.begin() + kFieldsAt);
  }
  if (!any_process) {
    columns.erase(columns.begin());
    for (auto& row : rows) row.erase(row.begin());
  }
  return aligned(columns, rows, indent);
}

std::string core_table(const History& history, const Violation& violation, std::span<const OperationIndex> core,
                       std::size_t indent) {
  std::vector<OperationIndex> shown;
  std::merge(core.begin(), core.end(), violation.context.begin(), violation.context.end(), std::back_inserter(shown));
  return operation_table(history, shown, violation.blocked, indent, violation.context, violation.sentence);
}

}  // namespace linchpin::app
