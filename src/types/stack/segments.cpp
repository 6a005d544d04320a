#include "types/stack/segments.hpp"

namespace linchpin::types {

StackSegments::StackSegments(const algo::ContainerHistory& history, const algo::ContainerValues& container)
    : number(history.values, kNone), ranks_(history.ranks), endpoint_ranks_(history.ranks.number() + 1) {
  const auto for_each_cover = [&](auto&& body) {
    for (algo::ValueNumber v = 0; v < history.values; ++v) {
      const algo::ValueSpan& span = container.span[v];
      if (span.present() && !span.coreless()) body(v, span);
    }
  };
  for_each_cover([&](algo::ValueNumber, const algo::ValueSpan& span) {
    ++values;
    endpoint_ranks_.insert(span.first_response.number());
    if (span.last_call < ranks_) endpoint_ranks_.insert(span.last_call.number());
  });
  // First 2 * value + (is it an end) at the position of each endpoint, then what becomes of it in their order.
  std::vector<std::uint32_t> mark(endpoint_ranks_.number());
  for_each_cover([&](algo::ValueNumber v, const algo::ValueSpan& span) {
    mark[endpoint_ranks_.below(span.first_response.number())] = 2 * v.number();
    if (span.last_call < ranks_) mark[endpoint_ranks_.below(span.last_call.number())] = 2 * v.number() + 1;
  });
  value_of.reserve(values);
  start.reserve(values);
  end.assign(values, kNone);
  starts_before.resize(count());
  endpoint.reserve(2 * std::size_t{values});
  for (std::uint32_t position = 0; position < mark.size(); ++position) {
    const algo::ValueNumber v(mark[position] / 2);
    starts_before[position] = static_cast<std::uint32_t>(value_of.size());
    if (mark[position] % 2 == 0) {
      number[v] = static_cast<std::uint32_t>(value_of.size());
      endpoint.push_back(static_cast<std::int32_t>(number[v]));
      value_of.push_back(v);
      start.push_back(position);
    } else {
      endpoint.push_back(~static_cast<std::int32_t>(number[v]));
      end[number[v]] = position;
    }
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
  push_first.resize(values);
  pop_last.resize(values);
  for (std::uint32_t k = 0; k < values; ++k) {
    const algo::ValueSpan& span = container.span[value_of[k]];
    push_first[k] = of_gap(span.add_call.number());
    pop_last[k] = of_gap(span.remove_response.number() - 1);
  }
}

}  // namespace linchpin::types
