// Plants a named anomaly into a history of list-append: a few transactions on keys of their own.
//
// Nothing else touches these keys, so the history has this anomaly and no other one. Names are those of list-append's
// page (src/types/list_append/README.md). Tests: anomalies_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generate/plan.hpp"
#include "linchpin/error.hpp"
#include "linchpin/value.hpp"

namespace linchpin::generate {

/// "G0", "G0-process", ...
[[nodiscard]] std::vector<std::string_view> anomalies();

/// Adds transactions to the rows of a list-append history, near the `place`th, which stay ascending by their calls.
/// Errors: bad_option for a name that is none; unsupported where the history is too short for transactions one after
/// the other.
[[nodiscard]] Result<void> plant(std::vector<Row>& rows, std::string_view anomaly, std::size_t place, ValuePool& pool);

}  // namespace linchpin::generate
