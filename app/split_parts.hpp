// The parts of a history on their way to their files. What is added waits in memory, some operations in all; then it is
// spilled, each part to a file of its own; at the end each part is read back and written as one history.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "app/split_manifest.hpp"
#include "linchpin/history.hpp"

namespace linchpin::app {

class SplitParts {
 public:
  /// @param folder  there, and empty
  SplitParts(std::string folder, std::uint32_t parts);
  /// Removes what was spilled.
  ~SplitParts();
  SplitParts(const SplitParts&) = delete;
  SplitParts& operator=(const SplitParts&) = delete;

  /// Operation `i` of a batch, with what it has but for its line, which is that of the whole. Errors: io; too_large:
  /// the line is not below 2^32.
  [[nodiscard]] Result<void> add(std::uint32_t part, const History& batch, OperationIndex i, std::uint64_t line);
  /// All parts have it, once.
  void annotate(const Annotation& annotation);
  /// Writes part-1.bin and so on; those without operations are left out. Holds one part at a time, about 200 bytes an
  /// operation of it. Errors: io; those of histories, at their lines of the whole.
  [[nodiscard]] Result<std::vector<SplitPart>> finish();
  /// What was written, finished or not.
  void remove() const;

 private:
  class Gathering;
  struct Part;
  [[nodiscard]] Result<void> spill();
  [[nodiscard]] Result<SplitPart> finish(std::uint32_t number);
  [[nodiscard]] std::string spill_path(std::uint32_t number) const;
  [[nodiscard]] std::string part_path(std::uint32_t number) const;

  std::string folder_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Annotation> annotations_;
  std::set<std::tuple<Tick, Tick, std::string, std::string>> annotated_;
  std::size_t waiting_ = 0;  // operations in memory
};

}  // namespace linchpin::app
