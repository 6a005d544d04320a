// Names as people write them: without regard to case, '-' and '_'.
#pragma once

#include <string_view>

namespace linchpin::base {

[[nodiscard]] bool same_name(std::string_view left, std::string_view right);
/// Whether `name` is one of `names`, which blanks separate.
[[nodiscard]] bool is_listed(std::string_view names, std::string_view name);

}  // namespace linchpin::base
