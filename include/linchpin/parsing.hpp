// Histories from memory: what read_histories (linchpin/check.hpp) does with a file, done with bytes. Writing to memory
// is linchpin::write_history.
//
//   auto parsed = linchpin::parse_histories("# linchpin 1\n# type: queue\n0 1 2 dequeue -> 7\n");
//   if (parsed && parsed->front()) std::cout << name(linchpin::check(*parsed->front())->verdict) << "\n";
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/reading.hpp"

namespace linchpin {

/// Reads every history in the bytes, in any format, compressed or not. They are copied: readers look beyond their end.
/// @param name what errors and History::source call the input
[[nodiscard]] Result<std::vector<Result<History>>> parse_histories(std::string_view bytes,
                                                                   const ReadOptions& options = {},
                                                                   const std::string& name = {});

}  // namespace linchpin
