#pragma once

#include <fmt/format.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace beff {

/// FNV-1a over 64 bits. It finds accidental or careless changes of stored samples, also of those
/// that no derived number depends on; it is no signature.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      add_byte(static_cast<unsigned char>(c));
    }
  }
  /// Integers count as 64-bit two's complement, least significant byte first.
  void add(std::integral auto value) { add_word(static_cast<std::uint64_t>(value)); }
  /// Numbers count by their IEEE 754 bits.
  void add(double value) { add_word(std::bit_cast<std::uint64_t>(value)); }

  /// Sixteen hexadecimal digits.
  [[nodiscard]] std::string hex() const { return fmt::format("{:016x}", state_); }

 private:
  void add_word(std::uint64_t word) {
    constexpr int kBytes = 8;
    for (int i = 0; i < kBytes; ++i) {
      add_byte(static_cast<unsigned char>(word >> (8U * static_cast<unsigned>(i))));
    }
  }
  void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3U; }

  std::uint64_t state_ = 0xcbf29ce484222325U;
};

}  // namespace beff
