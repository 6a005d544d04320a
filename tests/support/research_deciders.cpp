// In every test binary: deciders of linchpin::research are known by their names before the first test.
#include "linchpin/research.hpp"

namespace {
[[maybe_unused]] const bool added = (linchpin::add_research_deciders(), true);
}  // namespace
