// One map of a Jepsen history: an event, or what is wrong with it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include <absl/container/inlined_vector.h>

#include "formats/jepsen/edn.hpp"
#include "linchpin/history.hpp"

namespace linchpin::formats::jepsen {

inline constexpr std::string_view kEventHint = "an event is {:process 0, :type :invoke, :f :write, :value 3}";

enum class EventType : std::uint8_t { invoke, ok, fail, info };

struct Event {
  std::size_t offset = 0;
  EventType type = EventType::invoke;
  bool client = false;            // the process is an integer
  std::int64_t process = 0;       // of a client
  std::string_view process_name;  // of any other
  std::string_view f;
  bool has_value = false;
  Value value = Value::nil();
  std::string_view value_text;  // as written
  /// What else it says, but for :time and :index: keys, and their values, of which collections are their text.
  absl::InlinedVector<std::pair<std::string_view, Value>, 2> fields;
};

/// The event whose map begins with `open`, read from `reader` over `bytes`; `field` is the name of a further key whose
/// value has to be an integer, or empty; values are made in `pool`. False: the reader's fault says why.
[[nodiscard]] bool read_event(edn::Reader& reader, ValuePool& pool, std::string_view bytes, std::string_view field,
                              const edn::Token& open, Event& event);

}  // namespace linchpin::formats::jepsen
