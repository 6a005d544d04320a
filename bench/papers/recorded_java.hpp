// Histories of java.util.concurrent in the shape of the hitting-families paper, with their labels: recorded on the spot
// by the programs in bench/papers/java, or those of the corpus.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "papers/options.hpp"

namespace linchpin::papers {

/// A file in the format juc: histories of one class.
struct JavaHistories {
  std::string name;  ///< "LinkedBlockingQueue"
  std::string file;
  std::vector<bool> linearizable;  ///< by history, as the file says: replayed on the class itself
};

/// What could be had, and why no more.
struct JavaSources {
  std::vector<JavaHistories> classes;
  std::string missing;  ///< empty: all is there
};

/// As many of each class as the options say or the paper has, or a few of some for a quick run, recorded now. Compiles
/// the programs with the JDK that is found by PATH.
[[nodiscard]] JavaSources record_java(const Options& options);

/// Those of the folder that the environment variable LINCHPIN_CORPUS names.
[[nodiscard]] JavaSources corpus_java(const Options& options);

}  // namespace linchpin::papers
