// Generated histories as columns, or written in a format as they are made.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "core/format.hpp"
#include "generate/simulation.hpp"
#include "linchpin/history.hpp"

namespace linchpin::generate {

/// Receives the bytes of an output piece by piece; false stops the writing.
using Sink = std::function<bool(std::string_view)>;

/// The rows of a simulation, to the end.
[[nodiscard]] Result<std::vector<Row>> all_rows(Simulation& simulation);

/// Rows as a history, in their order.
[[nodiscard]] Result<History> to_history(const Plan& plan, const Specification& specification, const ValuePool& pool,
                                         std::span<const Row> rows);

/// Runs the simulation to its end and writes it. Where the format can be continued or written part by part
/// (core::Format), a batch of operations is held at a time; else the whole history. `adjust` may change each row before
/// it is written.
[[nodiscard]] Result<void> write(Simulation& simulation, const core::Format& format, const Sink& sink,
                                 const std::function<void(Row&)>& adjust = {});

}  // namespace linchpin::generate
