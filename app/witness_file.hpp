// `check --witness FILE`: the order of operations that shows each linearizable object to be so.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "app/report.hpp"

namespace linchpin::app {

/// Text for people, or JSON Lines where the name ends in .json or .jsonl; docs/json.md describes both.
class WitnessFile {
 public:
  /// "-" is standard output. io: the file cannot be opened.
  static Result<WitnessFile> open(const std::string& path);
  /// Appends the witnesses of one history. io: it cannot be written.
  Result<void> add(const Origin& origin, const History& history, const HistoryVerdict& verdict);
  /// io: it cannot be written to its end.
  Result<void> close();

 private:
  struct Closer {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  [[nodiscard]] Error cannot_write() const;

  std::string path_;
  bool json_ = false;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace linchpin::app
