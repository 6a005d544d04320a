// The error for a specification that reads an operation as what it is not (docs/adr/0010).
#pragma once

#include "api/specifications.hpp"
#include "linchpin/error.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin {

/// The error of a check that such a misreading ended; at the first operation like the one that was misread. O(n).
[[nodiscard]] Error error_of(const Misread& misread, const History& history, const CheckOptions& options);

}  // namespace linchpin
