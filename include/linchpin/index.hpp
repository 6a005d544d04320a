// Numbers that count things of one kind from 0.
//
// An index of an operation is no index of an object, and neither is a bare integer: mixing them up does not compile.
//
//   OperationIndex first = 0;                                              // constants convert
//   for (OperationIndex i = 0; i < history.size(); ++i) history.call(i);
//   weight[i.number()] += 1;                                               // columns of your own
//   OperationIndex at{place};                                              // of a number that is known at run time
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace linchpin {

namespace detail {
void an_index_is_not_negative();  // defined nowhere: who would call it does not compile
}  // namespace detail

/// @tparam Kind  what is counted; any type, never defined
template <class Kind>
class Index {
 public:
  constexpr Index() = default;
  /// A constant that is not negative: anything else does not compile.
  template <std::same_as<int> Constant>
  consteval Index(Constant constant) : number_(static_cast<std::uint32_t>(constant)) {
    if (constant < 0) detail::an_index_is_not_negative();
  }
  /// Below 2^32.
  explicit constexpr Index(std::unsigned_integral auto number) : number_(static_cast<std::uint32_t>(number)) {}
  /// Larger than every index there is.
  [[nodiscard]] static constexpr Index none() { return Index(std::uint32_t{0xffffffffU}); }

  [[nodiscard]] constexpr std::uint32_t number() const { return number_; }
  constexpr Index& operator++() {
    ++number_;
    return *this;
  }
  constexpr Index& operator--() {
    --number_;
    return *this;
  }
  constexpr Index operator++(int) {
    const Index before = *this;
    ++number_;
    return before;
  }
  constexpr Index operator--(int) {
    const Index before = *this;
    --number_;
    return before;
  }

  friend constexpr auto operator<=>(Index, Index) = default;
  /// Whether there is such an index among so many things.
  friend constexpr bool operator<(Index index, std::size_t count) { return index.number_ < count; }

  template <class Hash>
  friend Hash AbslHashValue(Hash hash, Index index) {
    return Hash::combine(std::move(hash), index.number_);
  }
  template <class Json>
  friend void to_json(Json& json, Index index) {  // for nlohmann::json
    json = index.number_;
  }
  template <class Stream>
  friend Stream& operator<<(Stream& stream, Index index) {
    stream << index.number_;
    return stream;
  }

 private:
  std::uint32_t number_ = 0;
};

}  // namespace linchpin
