// The search of Wing and Gong with Lowe's cache, as Horn and Kroening publish it, for comparing with.
#pragma once

#include <span>

#include "core/decider.hpp"

namespace linchpin::research {

/// wgl and wgl-lru decide the whole object; wgl-partitioned and wgl-lru-partitioned a key at a time where the type has
/// keys (P-compositionality). For measuring what each part of it is worth: wg has no cache, wgl-linear-hash works each
/// hash out anew, wgl-lru-few remembers 1,024 configurations.
[[nodiscard]] std::span<const core::Decider> published_searches();

}  // namespace linchpin::research
