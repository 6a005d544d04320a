// The specification of each object of a history.
#pragma once

#include <memory>
#include <vector>

#include "linchpin/check.hpp"

namespace linchpin {

using Specifications = std::vector<std::shared_ptr<const Specification>>;

/// By object: as the options say, else as the history does. Errors: unknown_type, bad_option.
[[nodiscard]] Result<Specifications> specifications_of(const History& history, const CheckOptions& options);

/// The specification that a core starts with; null where there is none of that name.
[[nodiscard]] std::shared_ptr<const Specification> specification_from(const CoreStart& start);

}  // namespace linchpin
