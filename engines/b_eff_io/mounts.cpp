#include "engines/b_eff_io/mounts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>

namespace beff::b_eff_io {
namespace {

namespace fs = std::filesystem;

bool covers(const fs::path& above, const fs::path& folder) {
  const auto relative = folder.lexically_relative(above);
  return !relative.empty() && *relative.begin() != "..";
}

/// A field in which blanks, tabs, line ends and backslashes stand as \040 and the like.
std::string unescaped(const std::string& field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const auto digits = field.substr(i + 1, 3);
    if (field[i] == '\\' && digits.size() == 3 &&
        std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '7'; })) {
      text += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + digits[2] - '0');
      i += 3;
    } else {
      text += field[i];
    }
  }
  return text;
}

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

std::optional<Mount> mount_of(const fs::path& folder, const fs::path& table) {
  std::ifstream lines(table);
  std::optional<Mount> best;
  for (std::string line; std::getline(lines, line);) {  // fields as in proc_pid_mountinfo(5)
    std::istringstream before(line.substr(0, line.find(" - ")));
    std::istringstream after(line.substr(std::min(line.size(), line.find(" - ") + 3)));
    std::string skipped;
    Mount mount;
    before >> skipped >> skipped >> mount.device >> skipped >> mount.point >> mount.options;
    after >> mount.kind >> mount.source >> mount.of_file_system;
    mount.point = unescaped(mount.point);
    mount.source = unescaped(mount.source);
    mount.of_file_system = unescaped(mount.of_file_system);
    if (covers(mount.point, folder) && (!best || mount.point.size() >= best->point.size())) {
      best = mount;
    }
  }
  return best;
}

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
