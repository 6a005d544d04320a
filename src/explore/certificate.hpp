// The certificate of an exploration: a file that says within which bounds what was covered, and from which a later run
// goes on (docs/explore.md has its fields). It holds for one program, bit by bit, and for the same bounds: another
// program may be another container.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "explore/ledger.hpp"

namespace linchpin::explorer {

class Certificate {
 public:
  /// What it is a certificate of. Nothing is read yet.
  Certificate(const ExploreOptions& options, const explore_plan::Plan& plan);

  /// Enters the scenarios that the file has as complete; none where there is no file. Errors: it cannot be read (io),
  /// is damaged (syntax, checksum), or is that of another program or of other bounds (bad_option).
  [[nodiscard]] Result<void> read(Ledger& ledger) const;
  /// Writes what is known by now; `answer` is null as long as there is none. io.
  [[nodiscard]] Result<void> write(const Ledger& ledger, const ExploreResult* answer) const;

 private:
  struct Fact {
    std::string name, json;
  };
  [[nodiscard]] Error error(ErrorCode code, std::string message, std::string hint) const;
  [[nodiscard]] std::string text(const Ledger& ledger, const ExploreResult* answer) const;

  std::string path_;
  std::vector<Fact> facts_;   // the same in each run that goes on
  std::vector<Fact> bounds_;  // likewise
};

}  // namespace linchpin::explorer
