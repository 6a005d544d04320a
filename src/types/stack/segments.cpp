#include "types/stack/segments.hpp"

namespace linchpin::types {

StackSegments::StackSegments(const algo::ContainerHistory& history, const algo::ContainerValues& container)
    : number(history.values, kNone), of_gap(history.ranks + 1, 0) {
  // Marks the ranks that are endpoints with 1 + 2 * value + (is it an end); the sweep replaces marks by segments.
  for (std::uint32_t v = 0; v < history.values; ++v) {
    const algo::ValueSpan& span = container.span[v];
    if (!span.present() || span.coreless()) continue;
    ++values;
    of_gap[span.first_response] = 1 + 2 * v;
    if (span.last_call < history.ranks) of_gap[span.last_call] = 2 + 2 * v;
  }
  value_of.reserve(values);
  start.reserve(values);
  end.assign(values, kNone);
  starts_before.resize(count());
  endpoint.reserve(2 * std::size_t{values});
  for (std::uint32_t rank = 0; rank < history.ranks; ++rank) {
    const std::uint32_t mark = of_gap[rank];
    if (mark != 0) {
      const std::uint32_t v = (mark - 1) / 2, position = static_cast<std::uint32_t>(endpoint.size());
      starts_before[position] = static_cast<std::uint32_t>(value_of.size());
      if (mark % 2 == 1) {
        number[v] = static_cast<std::uint32_t>(value_of.size());
        endpoint.push_back(static_cast<std::int32_t>(number[v]));
        value_of.push_back(v);
        start.push_back(position);
      } else {
        endpoint.push_back(~static_cast<std::int32_t>(number[v]));
        end[number[v]] = position;
      }
    }
    of_gap[rank] = static_cast<std::uint32_t>(endpoint.size());
  }
  completion = static_cast<std::uint32_t>(endpoint.size());
  if (completion == 2 * values) ++completion;
  // Removes after every event are concurrent with each other; any order of the ends of their covers will do.
  for (std::uint32_t k = 0; k < values; ++k) {
    if (end[k] != kNone) continue;
    end[k] = static_cast<std::uint32_t>(endpoint.size());
    starts_before[end[k]] = values;
    endpoint.push_back(~static_cast<std::int32_t>(k));
  }
  starts_before[2 * values] = values;
  of_gap[history.ranks] = 2 * values;
  push_first.resize(values);
  pop_last.resize(values);
  for (std::uint32_t k = 0; k < values; ++k) {
    const algo::ValueSpan& span = container.span[value_of[k]];
    push_first[k] = of_gap[span.add_call];
    pop_last[k] = of_gap[span.remove_response - 1];
  }
}

}  // namespace linchpin::types
