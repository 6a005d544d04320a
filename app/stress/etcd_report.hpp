// A recording of etcd as its robustness tests leave one: a directory with what clients asked and were told
// (client-1/operations.json), beside which members' logs lie (server-m0/member/wal). docs/formats/etcd-robustness.md
#pragma once

#include <string>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::app {

/// Writes what clients asked and were told. Of entries the creation and the lease are left out, which the format does
/// not have. Errors: io; unsupported: a request that the format cannot say. @pre a recording of `etcd-mvcc`
[[nodiscard]] Result<void> write_etcd_report(const History& history, const std::string& directory);

/// Copies a member's log, without the zeroes at the end of its files, to DIRECTORY/server-NAME/member/wal, in the place
/// of what was there. Throws std::runtime_error: a file could not be copied, or there is none.
void copy_etcd_log(const std::string& data, const std::string& directory, const std::string& name);

}  // namespace linchpin::app
