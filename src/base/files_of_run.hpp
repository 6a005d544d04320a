// The files that a run reads and writes. Checks that they are different files, whatever they are called.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "linchpin/error.hpp"

namespace linchpin::base {

class FilesOfRun {
 public:
  /// "-" is standard input or output, empty outputs are none. Files are told apart by device and inode, so that links
  /// and other spellings are seen through; terminals and the like may be read and written. bad_option: an output is an
  /// input as well, or another output, or the file that standard output goes to.
  [[nodiscard]] static Result<FilesOfRun> of(const std::vector<std::string>& inputs,
                                             const std::vector<std::string>& outputs);
  /// Whether the run reads or writes it.
  [[nodiscard]] bool holds(const std::string& path) const;

 private:
  /// Device and inode; of a file that is not there yet those of its folder, and its name.
  using Identity = std::tuple<std::uint64_t, std::uint64_t, std::string>;
  [[nodiscard]] static std::vector<Identity> identity_of(const std::string& path, int standard);

  std::set<Identity> identities_;
};

}  // namespace linchpin::base
