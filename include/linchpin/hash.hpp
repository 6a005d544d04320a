// Hashing of states and labels: one mixing function, and its extension to the containers that states are made of.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace linchpin {

/// Mixes `next` into `seed`. A bijection of `next` for a fixed seed, with full avalanche after the final
/// multiplication.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t next) {
  std::uint64_t x = seed ^ (next + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

template <class T>
concept SelfHashing = requires(const T& value) {
  { value.hash() } -> std::convertible_to<std::uint64_t>;
};

/// Hash of a state: integers, enumerations, types with a `hash()` member, pairs and tuples, optionals, strings, and
/// ranges of these (an unordered range must not be used: equal contents would hash by their accidental order).
template <class T>
[[nodiscard]] constexpr std::uint64_t hash_of(const T& value) {
  if constexpr (SelfHashing<T>) {
    return value.hash();
  } else if constexpr (std::is_enum_v<T>) {
    return mix(0, static_cast<std::uint64_t>(value));
  } else if constexpr (std::integral<T>) {
    return mix(0, static_cast<std::uint64_t>(value));
  } else if constexpr (std::ranges::input_range<T>) {
    std::uint64_t seed = 0x5eed;
    std::uint64_t count = 0;
    for (const auto& element : value) {
      seed = mix(seed, hash_of(element));
      ++count;
    }
    return mix(seed, count);
  } else if constexpr (requires {
                         value.has_value();
                         *value;
                       }) {
    return value.has_value() ? mix(1, hash_of(*value)) : mix(0, 0);
  } else {
    return std::apply(
        [](const auto&... parts) {
          std::uint64_t seed = sizeof...(parts);
          ((seed = mix(seed, hash_of(parts))), ...);
          return seed;
        },
        value);
  }
}

}  // namespace linchpin
