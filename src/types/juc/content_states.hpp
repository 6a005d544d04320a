// The contents that a search over Java's collections has met, numbered, and what each operation makes of them.
//
// An element that no operation names but to put it in has no name, and one that no operation to come names can lose it
// (`renamed`): contents that differ in such elements are one. A step by itself takes no names, since a search may go
// back to where they mattered. Heaps keep all names, since what an element is decides where it stands.
//
// A content that is forgotten leaves its room to one that comes, so nothing is allocated for each.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include "history/subhistory.hpp"
#include "linchpin/hash.hpp"
#include "types/juc/deeds.hpp"
#include "types/juc/foresight.hpp"

namespace linchpin::types::juc {

class ContentStates {
 public:
  using Id = std::uint32_t;
  static constexpr Id kIllegal = 0xffffffffU;
  static constexpr Id kEmpty = 0;

  /// All outlive it.
  ContentStates(const history::Subhistory& part, const Deeds& deeds, const Foresight& foresight);
  ContentStates(const ContentStates&) = delete;
  ContentStates& operator=(const ContentStates&) = delete;

  /// What follows when x is done, or kIllegal.
  [[nodiscard]] Id after(Id state, std::uint32_t x);
  /// Front first; kNoElement: one without a name.
  [[nodiscard]] const std::vector<Element>& elements(Id state) const { return contents_[state]; }
  /// The content without the names of elements whose last mention is before the event of that rank.
  [[nodiscard]] Id renamed(Id state, history::Rank moment);
  /// Operations of one label do the same.
  [[nodiscard]] std::uint32_t label(std::uint32_t x) const { return label_[x]; }

  /// Forgets all contents but these.
  void retain(std::span<const Id> live);
  [[nodiscard]] bool has_many() const { return bytes_ > 2 * kept_ + kMany; }
  /// All numbers are less.
  [[nodiscard]] std::size_t size() const { return contents_.size(); }
  /// Bytes that the next steps may take at once.
  [[nodiscard]] std::size_t growth() const;

 private:
  using Content = std::vector<Element>;
  /// Of numbers of contents, and of contents that have none yet.
  struct ContentHash {
    using is_transparent = void;
    const std::vector<Content>* contents;
    std::size_t operator()(Id id) const { return (*this)((*contents)[id]); }
    std::size_t operator()(const Content& content) const {
      std::uint64_t hash = content.size();
      for (const Element element : content) hash = mix(hash, element);
      return hash;
    }
  };
  struct SameContent {
    using is_transparent = void;
    const std::vector<Content>* contents;
    bool operator()(Id a, Id b) const { return a == b; }
    bool operator()(Id a, const Content& b) const { return (*contents)[a] == b; }
    bool operator()(const Content& a, Id b) const { return a == (*contents)[b]; }
  };
  static constexpr std::size_t kMany = std::size_t{2} << 20;  // bytes: few come back, and these stay in the cache
  static constexpr Value kNameless = Value::none();           // is put in by nobody, and equals nothing that is

  /// What is in `next_`, without the names of what is last mentioned before the rank.
  [[nodiscard]] Id intern(history::Rank moment);
  [[nodiscard]] Id execute(Id state, std::uint32_t x);
  /// Numbers `values_` into `next_`, where most is as it was `before`.
  void number_values(const Content& before);
  [[nodiscard]] Value value(Element element) const { return element == kNoElement ? kNameless : deeds_.value[element]; }
  [[nodiscard]] bool keeps_name(Element element, history::Rank moment) const {
    return !renames_ || foresight_.of[element].last_mention >= moment;
  }

  const history::Subhistory& part_;
  const Deeds& deeds_;
  const Foresight& foresight_;
  std::function<bool(std::vector<Value>&, const Operation&)> step_;
  bool renames_ = false;
  std::vector<std::uint32_t> label_;  // by operation
  std::vector<Content> contents_;
  std::vector<Id> free_;
  absl::flat_hash_set<Id, ContentHash, SameContent> index_{0, ContentHash{&contents_}, SameContent{&contents_}};
  absl::flat_hash_map<std::uint64_t, Id> after_;  // by state and label
  std::size_t bytes_ = 0, kept_ = 0;
  std::vector<Value> values_;
  Content next_;
};

}  // namespace linchpin::types::juc
