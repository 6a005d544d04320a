// Eight bytes a step, by eight tables: the k-th has what a byte comes to when k zero bytes follow it.
#include "formats/etcd_robustness/log/checksum.hpp"

#include <array>
#include <cstddef>

namespace linchpin::formats::etcd_robustness::log {

namespace {

constexpr std::size_t kStep = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kStep>;

constexpr Tables make_tables() {
  constexpr std::uint32_t kPolynomial = 0x82F63B78U;
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kPolynomial : 0U);
    tables[0][byte] = rest;
  }
  for (std::size_t k = 1; k < kStep; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
  std::uint32_t rest = ~before;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  for (; bytes.size() >= kStep; bytes.remove_prefix(kStep)) {
    rest ^= byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
    rest = kTables[7][rest & 0xFFU] ^ kTables[6][(rest >> 8U) & 0xFFU] ^ kTables[5][(rest >> 16U) & 0xFFU] ^
           kTables[4][rest >> 24U] ^ kTables[3][byte(4)] ^ kTables[2][byte(5)] ^ kTables[1][byte(6)] ^
           kTables[0][byte(7)];
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) rest = (rest >> 8U) ^ kTables[0][(rest ^ byte(i)) & 0xFFU];
  return ~rest;
}

}  // namespace linchpin::formats::etcd_robustness::log
