// Reading an input of any format, history by history.
//
//   auto input = formats::Input::load(path);
//   auto read = formats::read_source(input->source(), options, [&](Result<History> history) { ...; return true; });
#pragma once

#include "core/format.hpp"
#include "linchpin/error.hpp"
#include "linchpin/reading.hpp"

namespace linchpin::formats {

/// The format that `options` names, or else the one that recognises the content. Errors: unknown_format; truncated for
/// an empty input.
Result<const core::Format*> choose_format(const core::Source& source, const ReadOptions& options);

/// Emits every history of the input, each whole or in error: a damaged one does not hide those after it. An error is
/// returned only when nothing could be read at all, as no format fits; then nothing has been emitted. What the limits
/// of `options` do not allow, or the allocator refuses, ends the input with an error (too_large, interrupted).
Result<void> read_source(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats
