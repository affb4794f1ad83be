#include "engines/b_eff_io/striping.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

namespace beff::b_eff_io {
namespace {

constexpr std::uint32_t kPlain = 0x0BD10BD0;
constexpr std::uint32_t kWithPool = 0x0BD30BD0;
constexpr std::uint32_t kComposite = 0x0BD60BD0;
constexpr std::size_t kPoolName = 16;  // bytes, with the closing zero

/// Offsets in bytes: of the plain layouts, and of a composite one's number of components.
constexpr std::size_t kStripeSize = 24;
constexpr std::size_t kStripeCount = 28;
constexpr std::size_t kPool = 32;
constexpr std::size_t kEntries = 14;

/// The number at an offset, in the byte order of this machine as the client writes it.
template <class Number>
std::optional<Number> number_at(std::span<const std::byte> bytes, std::size_t offset) {
  if (bytes.size() < offset + sizeof(Number)) {
    return std::nullopt;
  }
  Number number{};
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

std::string pool_of(std::span<const std::byte> bytes) {
  std::string name;
  for (const auto byte : bytes.subspan(std::min(kPool, bytes.size()))) {
    if (byte == std::byte{0} || name.size() + 1 == kPoolName) {
      break;
    }
    name += static_cast<char>(byte);
  }
  return name;
}

}  // namespace

std::optional<Striping> lustre_striping(std::span<const std::byte> attribute) {
  const auto magic = number_at<std::uint32_t>(attribute, 0);
  Striping striping;
  if (magic == kComposite) {
    const auto entries = number_at<std::uint16_t>(attribute, kEntries);
    if (!entries) {
      return std::nullopt;
    }
    striping.components = *entries;
    return striping;
  }
  const auto size = number_at<std::uint32_t>(attribute, kStripeSize);
  const auto count = number_at<std::int16_t>(attribute, kStripeCount);
  if ((magic != kPlain && magic != kWithPool) || !size || !count) {
    return std::nullopt;
  }
  striping.stripe_size = *size;
  striping.stripe_count = *count;
  if (magic == kWithPool) {
    striping.pool = pool_of(attribute);
  }
  return striping;
}

}  // namespace beff::b_eff_io
