// What an exploration leaves for continuous integration.
#pragma once

#include <string>
#include <string_view>

#include "linchpin/explore.hpp"

namespace linchpin::explorer {

/// JUnit's XML: one test case of this name. A finding is its failure, what could not be explored its error; where not
/// all was covered it was skipped.
[[nodiscard]] std::string junit_text(const ExploreResult& result, std::string_view name);
/// SARIF 2.1.0: a finding is a result at its line, or that of its last step, with the interleaving as the flow of each
/// thread. Lines of files below `folder` are told relative to it.
[[nodiscard]] std::string sarif_text(const ExploreResult& result, const std::string& folder);

}  // namespace linchpin::explorer
