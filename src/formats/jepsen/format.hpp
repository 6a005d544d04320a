// Jepsen's histories in EDN (knossos). Grammar: docs/formats/jepsen.md. Tested in jepsen_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::jepsen {

[[nodiscard]] int detect(std::string_view head);

/// One history, or one for each vector or list at the top. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

/// Appends the history as one vector of events, faults of the nemesis included. Errors: unsupported, for what Jepsen's
/// maps cannot say (docs/formats/jepsen.md lists it), such as a read of nil.
[[nodiscard]] Result<void> write(const History& history, std::string& out);

}  // namespace linchpin::formats::jepsen
