// Directories that are one recording: the reports of etcd's robustness tests, with files for each client.
#pragma once

#include <string>
#include <vector>

#include "linchpin/error.hpp"

namespace linchpin::formats {

/// The files of a report of etcd's robustness tests (client-1/operations.json, client-1/watch.json, ...), relative to
/// its directory and by the number of the client; compressed ones end in .gz or .zst besides. None: it is no such
/// report. Error: a directory in a report has such files, and is no client's; what is left out could change the
/// verdict. Tests: etcd_robustness_test.cpp.
[[nodiscard]] Result<std::vector<std::string>> files_of_report(const std::string& directory);

/// The logs of members that the report has (server-m0/member/wal/0000000000000000-0000000000000000.wal, ...), relative
/// to its directory, those of a member together and in their order. Compressed ones end in .gz or .zst besides.
[[nodiscard]] std::vector<std::string> logs_of_report(const std::string& directory);

}  // namespace linchpin::formats
