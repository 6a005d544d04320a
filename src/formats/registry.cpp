// Every format: one folder beside this file, one row here. `linchpin formats` lists them in this order.
#include <array>

#include "base/names.hpp"
#include "core/format.hpp"
#include "formats/jepsen/format.hpp"
#include "formats/jsonl/format.hpp"
#include "formats/juc/format.hpp"
#include "formats/text/format.hpp"

namespace linchpin::core {

namespace {

constexpr std::array kFormats{
    Format{"text", "native: one operation a line, for people", &formats::text::detect, &formats::text::read,
           &formats::text::write},
    Format{"jsonl", "native: JSON Lines, one operation or one history a line", &formats::jsonl::detect,
           &formats::jsonl::read, &formats::jsonl::write},
    Format{"jepsen", "Jepsen's histories in EDN (knossos)", &formats::jepsen::detect, &formats::jepsen::read},
    Format{"juc", "event JSON of java.util.concurrent (Violat, check-lin)", &formats::juc::detect, &formats::juc::read},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (base::same_name(format.name, name)) return &format;
  }
  return nullptr;
}

const Format* detect_format(std::string_view head) {
  const Format* best = nullptr;
  int best_score = 0;
  for (const Format& format : kFormats) {
    const int score = format.detect(head);
    if (score <= best_score) continue;
    best = &format;
    best_score = score;
  }
  return best;
}

}  // namespace linchpin::core
