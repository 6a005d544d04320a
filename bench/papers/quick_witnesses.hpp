// Strong hitting families as a quick witness finder: what it gives to look into them before searching.
#pragma once

#include <vector>

#include "papers/options.hpp"
#include "papers/page.hpp"
#include "papers/recorded_java.hpp"

namespace linchpin::papers {

/// Two tables: of the recorded histories, and of longer generated ones.
void quick_witnesses(const std::vector<JavaHistories>& classes, const Options& options, Page& page);

}  // namespace linchpin::papers
