// Every format: one folder beside this file, one row here. `linchpin formats` lists them in this order. Those in JSON
// can be left out (LINCHPIN_WITH_JSON).
#include <array>

#include "base/names.hpp"
#include "core/format.hpp"
#include "formats/binary/format.hpp"
#include "formats/fastlin/format.hpp"
#include "formats/fptlin/format.hpp"
#include "formats/jepsen/format.hpp"
#include "formats/jepsen_text/format.hpp"
#include "formats/porcupine_kv/format.hpp"
#include "formats/text/format.hpp"
#include "formats/violin/format.hpp"
#ifdef LINCHPIN_WITH_JSON
#include "formats/etcd_robustness/format.hpp"
#include "formats/jsonl/format.hpp"
#include "formats/juc/format.hpp"
#include "formats/s2/format.hpp"
#include "formats/thesis/format.hpp"
#endif

namespace linchpin::core {

namespace {

constexpr std::array kFormats{
    Format{"text", "native: one operation a line, for people", &formats::text::detect, &formats::text::read,
           &formats::text::write, &formats::text::append},
#ifdef LINCHPIN_WITH_JSON
    Format{"jsonl", "native: JSON Lines, one operation or one history a line", &formats::jsonl::detect,
           &formats::jsonl::read, &formats::jsonl::write, &formats::jsonl::append},
#endif
    Format{"binary", "native: columns, mapped and checked instead of parsed", &formats::binary::detect,
           &formats::binary::read, &formats::binary::write, nullptr, &formats::binary::write_parts},
    Format{"jepsen", "Jepsen's histories in EDN (knossos)", &formats::jepsen::detect, &formats::jepsen::read,
           &formats::jepsen::write},
#ifdef LINCHPIN_WITH_JSON
    Format{"juc", "event JSON of java.util.concurrent (Violat, check-lin)", &formats::juc::detect, &formats::juc::read},
#endif
    Format{"fastlin", "fastlin, LinP, PolyLin: rows of method, value, start, end under '# queue'",
           &formats::fastlin::detect, &formats::fastlin::read, &formats::fastlin::write, &formats::fastlin::append},
    Format{"fptlin", "fptlin: rows of process, start, end, METHOD, values under '# queue'", &formats::fptlin::detect,
           &formats::fptlin::read},
    Format{"violin", "Violin, LiMo: '[id] call push(1)' and '[id] return', in the order of time",
           &formats::violin::detect, &formats::violin::read},
    Format{"jepsen-text", "Jepsen text logs of a register, as of etcd: 'INFO  jepsen.util - 0 :invoke :read nil'",
           &formats::jepsen_text::detect, &formats::jepsen_text::read},
    Format{"porcupine-kv", "Porcupine's key-value files: '{:process 0, :type :invoke, :f :put, :key ...}'",
           &formats::porcupine_kv::detect, &formats::porcupine_kv::read},
#ifdef LINCHPIN_WITH_JSON
    Format{"etcd-robustness", "reports of etcd's robustness tests: operations.json and watch.json, or their directory",
           &formats::etcd_robustness::detect, &formats::etcd_robustness::read},
    Format{"thesis", "register histories as JSON lines with \"ops\" and times that are not integers",
           &formats::thesis::detect, &formats::thesis::read},
    Format{"s2", "S2's recordings of streams: '{\"event\":{\"Start\":\"Read\"},\"client_id\":0,\"op_id\":3}'",
           &formats::s2::detect, &formats::s2::read},
#endif
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
