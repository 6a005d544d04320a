// A register as a domain of algo::Frontier: for tests of what drives a frontier, whatever the domain is.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/frontier/frontier.hpp"
#include "algo/frontier/unseen.hpp"
#include "base/none.hpp"
#include "linchpin/hash.hpp"

namespace linchpin::test {

/// A read, or a write, of a register that holds 0 at first.
struct Access {
  bool writes = false;
  int value = 0;
};

struct Registers {
  using Mask = algo::NarrowMask;
  using Link = std::uint32_t;
  using OfWindow = algo::Window<Mask>;
  struct Configuration {
    Mask mask;
    Mask free;  // open, and may have taken effect before the search began
    int value = 0;
    std::uint32_t tail = kNone;
  };
  static constexpr bool kMerges = true;
  static constexpr algo::Expand kFirst = algo::Expand::first_met;
  static constexpr int kAnything = -1;

  Registers(OfWindow& of_window, const std::vector<Access>& all) : window(of_window), access(all) {}
  Registers(OfWindow& of_window, const Registers& other) : Registers(of_window, other.access) {}
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;

  OfWindow& window;
  const std::vector<Access>& access;

  [[nodiscard]] static Configuration start() { return {}; }
  /// Every state, and what is open done or not.
  [[nodiscard]] Configuration anywhere() const { return {.mask = {}, .free = window.used(), .value = kAnything}; }
  [[nodiscard]] static bool skipped(std::uint32_t) { return false; }
  [[nodiscard]] static bool impossible(std::uint32_t) { return false; }
  [[nodiscard]] bool alike(std::uint32_t a, std::uint32_t b) const {
    return access[a].writes == access[b].writes && access[a].value == access[b].value;
  }
  [[nodiscard]] static std::uint64_t hash(const Configuration& each) {
    return mix(mix(each.mask.hash(), each.free.hash()), static_cast<std::uint64_t>(each.value));
  }
  [[nodiscard]] static bool same(const Configuration& a, const Configuration& b) {
    return a.mask == b.mask && a.free == b.free && a.value == b.value;
  }
  void open(std::uint32_t) {}
  void close(std::uint32_t) {}
  void clear() {}
  void call(std::uint32_t, std::vector<Configuration>&) {}
  template <class Meet>
  void expand(const Configuration& from, std::uint32_t responder, Meet&& meet) {
    if ((from.free & window.bit(responder)).any()) pass_unseen(window, from, responder, meet);
    move(from, Mask::all(), meet);
  }
  template <class Meet>
  void move(const Configuration& from, const Mask& allowed, Meet&& meet) {
    const Mask undone = window.used() & ~from.mask;
    for (Mask rest = undone & allowed; rest.any(); rest.drop_first()) {
      const std::uint32_t x = window.holder(rest.first());
      if (!window.ready(rest.first(), undone)) continue;
      if (!access[x].writes && from.value != kAnything && access[x].value != from.value) continue;
      const auto met = meet(Configuration{
          .mask = from.mask | window.bit(x), .free = from.free & ~window.bit(x), .value = access[x].value});
      if (met.fresh) met.entry->tail = window.extended(from.tail, x);
    }
  }
  bool prune(std::uint32_t, std::vector<Configuration>&) { return true; }
};

}  // namespace linchpin::test
