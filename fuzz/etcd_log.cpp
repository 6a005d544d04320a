// What members' logs are is up to the bytes; what clients were told is fixed. After an even first byte the bytes are
// the file of a log as they are, after an odd one they are records, each its type, its length and its data, which are
// written with the right frames and checksums: no mutation would find these.
#include <algorithm>
#include <array>
#include <string>

#include "core/format.hpp"
#include "formats/read.hpp"
#include "fuzz/targets.hpp"
#include "support/etcd_log.hpp"

namespace linchpin::fuzz {

namespace {

constexpr std::string_view kReport =
    R"({"ClientId":1,"Input":{"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"put-operation","Put":{"Key":"a","Value":{"Value":"1"}}}]}},"Call":1,"Output":{"Error":"timeout"},"Return":0}
{"ClientId":2,"Input":{"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"put-operation","Put":{"Key":"a","Value":{"Value":"2"}}}]}},"Call":2,"Output":{"Txn":{"Results":[{}]},"Revision":3},"Return":5}
{"ClientId":3,"Input":{"Type":"txn","Txn":{"OperationsOnSuccess":[{"Type":"delete-operation","Delete":{"Key":"a"}}]}},"Call":3,"Output":{"Error":"timeout"},"Return":0}
{"ClientId":4,"Input":{"Type":"leaseRevoke","LeaseRevoke":{"LeaseID":7}},"Call":4,"Output":{"Error":"timeout"},"Return":0}
)";

std::string written(std::string_view records) {
  test::EtcdLogWriter writer;
  while (records.size() >= 2) {
    const auto type = static_cast<unsigned char>(records[0]), size = static_cast<unsigned char>(records[1]);
    records.remove_prefix(2);
    writer.record(type, records.substr(0, size));
    records.remove_prefix(std::min<std::size_t>(size, records.size()));
  }
  return writer.files()[0];
}

}  // namespace

void etcd_log(Bytes bytes) {
  if (bytes.empty()) return;
  const std::string_view rest(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  const std::string log_text = bytes[0] % 2 == 0 ? std::string(rest) : written(rest);
  const std::string_view log = log_text;
  const std::array<core::FileBeside, 3> files{{{"server-m0/member/wal/0.wal", log.substr(0, log.size() / 2)},
                                               {"server-m0/member/wal/1.wal", log.substr(log.size() / 2)},
                                               {"server-m1/member/wal/0.wal", log}}};
  // One member in one file, then in two with another beside it.
  for (const std::size_t first : {2, 0}) {
    const auto beside = std::span<const core::FileBeside>(files).subspan(first);
    const core::Source source{.name = "fuzz", .bytes = kReport, .beside = beside};
    std::size_t histories = 0;
    const auto done = formats::read_source(source, {.format = "etcd-robustness"}, [&](const Result<History>& history) {
      ++histories;
      require(history ? history->size() >= 1
                      : !history.error().message.empty() && !history.error().hint.empty() &&
                            !history.error().source.empty(),
              "an error without words");
      return true;
    });
    require(done.has_value() && histories == 1, "a report is one history");
  }
}

}  // namespace linchpin::fuzz
