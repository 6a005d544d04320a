// What is still to come of each key: whether requests of unknown fate can yet bring about what answers show of it.
// Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "types/mvcc_kv/labels.hpp"
#include "types/mvcc_kv/reading.hpp"
#include "types/mvcc_kv/sightings.hpp"

namespace linchpin::types::mvcc_kv {

class Prospects {
 public:
  /// O(n log n), and for each missing revision the keys of those that may make it.
  Prospects(const history::Subhistory& part, const Reading& reading, const Sightings& sightings, const Labels& labels);

  /// The keys that may be touched by whoever makes the missing revision of this index, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& touchable(std::size_t at) const { return touchable_[at]; }

  /// How many more of the missing revisions must touch a key, and which is the last one that still can.
  struct Need {
    bool possible = true;   ///< false: no way leads to what is next seen of the key
    std::int64_t more = 0;  ///< beside those that can touch no other key
    std::int64_t puts = 0;  ///< of these: how many have to put it
    std::size_t until = 0;  ///< index of missing revisions, past the last one
  };
  /// Of the key with this content behind the revision, by what is next seen of it: it must be there, or not, at some
  /// revision before any known request puts it; or it must have been put as often as its version tells. O(log n).
  [[nodiscard]] Need need(std::uint32_t key, std::int64_t revision, const Content& content) const;

  /// Whether there are enough missing revisions for all, behind the one of index `at`. Sorts them by `until`.
  [[nodiscard]] bool enough(std::vector<Need>& needs, std::size_t at) const;

 private:
  /// What comes next of a key for sure, or may; at one revision in this order.
  enum class Kind : std::uint8_t {
    erased,  ///< the revision deletes it, so it is there before
    put,     ///< the revision puts it
    vague,   ///< the revision may touch it
    absent,  ///< it is not there behind the revision
  };
  struct Mark {
    std::int64_t revision = 0;
    Kind kind = Kind::vague;
  };
  struct Key {
    std::vector<Mark> marks;           // ascending by revision
    std::vector<std::int64_t> puts;    // missing revisions that may put it, ascending
    std::vector<std::int64_t> erases;  // missing revisions that may delete it, ascending
    std::vector<std::int64_t> own;     // missing revisions that can touch no other, ascending
    std::vector<std::int64_t> breaks;  // revisions behind or before which it is not there, ascending
  };

  void mark(const Reading& reading, std::uint32_t key);
  [[nodiscard]] Need by_marks(std::uint32_t key, std::int64_t revision, const Content& content) const;
  [[nodiscard]] Need by_version(std::uint32_t key, std::int64_t revision, const Content& content,
                                const Sighting& next) const;
  /// How many known events put it in (after, last]. @pre none of these deletes it
  [[nodiscard]] std::int64_t known_puts(std::uint32_t key, std::int64_t after, std::int64_t last) const;
  [[nodiscard]] std::size_t until(std::int64_t revision) const;

  const Sightings& sightings_;
  const std::vector<std::int64_t>& missing_;
  /// By index of missing revisions: how many keys those before it may touch, or put, that have a choice; one more at
  /// the end.
  std::vector<std::int64_t> touches_, puts_;
  std::vector<Key> keys_;
  std::vector<std::vector<std::uint32_t>> touchable_;
};

}  // namespace linchpin::types::mvcc_kv
