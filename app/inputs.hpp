// From the paths on the command line to the files to read.
#pragma once

#include <string>
#include <vector>

#include "linchpin/error.hpp"

namespace linchpin::app {

/// The files, in the order given. A directory that is the report of one recording stands for itself, one that `linchpin
/// split` has made for its parts (one that is missing or another one is an error in its place), any other for the
/// files below it, sorted by path, without hidden ones and without documentation (README*, LICENSE*, *.md). "-" stands
/// for itself, once. A directory that cannot be listed (also one below another), or that holds no file, is an error in
/// its place, and hides no other; a path that does not exist is left to the reader.
[[nodiscard]] std::vector<Result<std::string>> expand_paths(const std::vector<std::string>& paths);
/// Without the errors.
[[nodiscard]] std::vector<std::string> readable(const std::vector<Result<std::string>>& files);

}  // namespace linchpin::app
