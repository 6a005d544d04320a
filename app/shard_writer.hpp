// Where the answers of a shard go: standard output, or the file of --resume, after what is there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/origin.hpp"
#include "app/shard.hpp"
#include "app/shard_file.hpp"

namespace linchpin::app {

class ShardWriter {
 public:
  /// Writes the head, or reads what FILE of --resume has and puts away a last line that was cut off. Errors: io; those
  /// of a file that is no shard, or was changed; bad_option: FILE is of another shard, of other inputs, options or of
  /// another version.
  [[nodiscard]] static Result<ShardWriter> open(const ShardOptions& options, const Campaign& campaign);
  ShardWriter(ShardWriter&&) noexcept;
  ShardWriter& operator=(ShardWriter&&) = delete;
  ~ShardWriter();

  /// The file was whole: there is nothing to do, and this is how it ended.
  [[nodiscard]] std::optional<int> ended() const;
  /// Of what was answered before.
  [[nodiscard]] const Tally& before() const;

  /// Whether an input is to be read: it is of this shard (it counts then), and not all answered.
  [[nodiscard]] bool takes_input(const std::string& input);
  /// Whether a history of such an input is to be answered.
  [[nodiscard]] bool takes(const Origin& origin) const;

  /// One line, an object with its line feed; it gets its seal here. A failure shows at the end. Whatever ends the
  /// process, it is in the file.
  void write(std::string_view line);
  /// io.
  [[nodiscard]] Result<void> end(int exit_code);
  /// The same without an end: the run was interrupted. io.
  [[nodiscard]] Result<void> leave() const;

 private:
  struct State;
  explicit ShardWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// For commands that take files: where a shard is asked for, makes `shard` this run's of the campaign of these files,
/// and `tally` what it answered before. Errors: those of the campaign and of `open`.
[[nodiscard]] Result<void> begin_shard_of(const ShardOptions& options, const std::function<Campaign()>& campaign_of,
                                          const std::vector<Result<std::string>>& files,
                                          std::optional<ShardWriter>& shard, Tally& tally);

}  // namespace linchpin::app
