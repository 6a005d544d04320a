// Breaks a linearizable history with one change, so that it certainly is no longer linearizable.
//
// Natural changes are tried first, near a chosen place: two results of one method are exchanged, a result becomes that
// of another operation or "empty", a boolean is turned, an added value becomes another, an acquire becomes a release, a
// read within a transaction sees a value that another saw.
// Each is checked (linchpin::check) and taken back if the history is still linearizable or cannot be decided in time.
// Where none can be verified, or the history is too long to be held, one result becomes a number or a text that nothing
// in the history could have produced: a violation by construction, whatever the type.
// Tests: generate_test.cpp, methods_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generate/simulation.hpp"
#include "linchpin/error.hpp"

namespace linchpin::generate {

enum class Where : std::uint8_t { late, anywhere };

/// Longer histories are not verified but broken by construction while they are made.
inline constexpr std::uint64_t kVerifiedOperations = 20'000'000;

/// One natural change to the rows near `place`; nothing where it finds none. The history may be linearizable after it.
/// @return what was changed, in words
[[nodiscard]] std::optional<std::string> change_one(std::vector<Row>& rows, std::size_t place, Random& random,
                                                    ValuePool& pool);

/// Breaks the history; `rows` are all operations of `simulation`, which has ended.
/// @return what was changed, in words. Error: unsupported, where no change could be shown to break it.
[[nodiscard]] Result<std::string> break_history(std::vector<Row>& rows, const Simulation& simulation, ValuePool& pool,
                                                Where where);

/// For histories that are written as they are made: changes the first result at or after the chosen place that can be
/// made impossible. `done` becomes true when it has.
[[nodiscard]] std::function<void(Row&)> breaker(const Plan& plan, Where where, ValuePool& pool, bool& done);

}  // namespace linchpin::generate
