#include "engines/b_eff_io/storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "engines/common/host/host.hpp"

namespace beff::b_eff_io {
namespace fs = std::filesystem;
namespace {

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

constexpr std::array<std::string_view, 4> kInMemory{"tmpfs", "ramfs", "hugetlbfs", "devtmpfs"};
/// Keep a cache of their own, which the kernel does not count; so do daemons of FUSE.
constexpr std::array<std::string_view, 2> kOwnCache{"zfs", "gpfs"};

bool is_one_of(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// The value of `name=` in mount options; empty where there is none.
std::string option_value(const std::string& options, std::string_view name) {
  const auto all = "," + options;
  const auto start = all.find(fmt::format(",{}=", name));
  if (start == std::string::npos) {
    return "";
  }
  const auto value = start + name.size() + 2;
  return all.substr(value, all.find(',', value) - value);
}

/// The device numbers in a file like /sys/block/sda/dev: 8:0. Nothing where there are none.
std::optional<Device> device_in(const std::string& text) {
  Device device{};
  std::istringstream stream(text);
  char colon = '\0';
  stream >> device.major_number >> colon >> device.minor_number;
  return stream && colon == ':' ? std::optional(device) : std::nullopt;
}

/// What the system reports of a device.
fs::path folder_of(const fs::path& root, const Device& device) {
  return root / fmt::format("sys/dev/block/{}:{}", device.major_number, device.minor_number);
}

/// Follows what lies under what, and collects the lowest.
class Descent {
 public:
  explicit Descent(const fs::path& root) : root_(&root) {}

  void folder(const fs::path& folder) {
    constexpr int kDeepest = 16;  // files that lie on themselves do not end
    const auto mount = mount_of(folder, *root_ / "proc/self/mountinfo");
    if (!mount || ++depth_ > kDeepest) {
      unknown_ = true;
      return;
    }
    if (depth_ > 1) {
      storage_.below.push_back(fmt::format("{} at {}", mount->kind, mount->point));
    }
    const auto& kind = mount->kind;
    if (is_one_of(kInMemory, kind)) {
      memory_ = true;
    } else if (kind == "overlay") {
      overlay(option_value(mount->of_file_system, "upperdir"));
    } else if (kind.starts_with("fuse") || is_one_of(kOwnCache, kind) ||
               mount->of_file_system.find("dax") != std::string::npos) {
      unknown_ = true;
    } else if (const auto devices = devices_of(*mount); !devices.empty()) {
      // what is compressed is less on the device than in the file
      cached_ = cached_ || mount->of_file_system.find("compress") != std::string::npos;
      for (const auto& device : devices) {
        descend(device);
      }
    } else {
      cached_ = true;
      unknown_ = unknown_ || in_a_file_;
    }
  }

  [[nodiscard]] Storage storage() {
    storage_.in_memory = memory_ && !unknown_ && !cached_ && storage_.devices.empty();
    if (unknown_) {
      storage_.reads_seen_by = ReadsSeenBy::kNothing;
    } else if (!cached_ && !storage_.devices.empty()) {
      storage_.reads_seen_by = ReadsSeenBy::kDevices;
    }
    return storage_;
  }

 private:
  /// A container does not see its upper folder. The pages of an overlay are those of the files
  /// below.
  void overlay(const fs::path& upper) {
    if (!upper.empty() && is_there(*root_ / upper.relative_path())) {
      folder(upper);
    } else {
      cached_ = true;
      unknown_ = unknown_ || in_a_file_;
    }
  }

  /// Those of btrfs may be several; it and others report a number that no device has.
  [[nodiscard]] std::set<Device> devices_of(const Mount& mount) const {
    std::set<Device> devices;
    const auto name = fs::path(mount.source).filename();
    if (mount.kind == "btrfs") {
      for (const auto& pool : sorted_entries(*root_ / "sys/fs/btrfs")) {
        if (is_there(pool / "devices" / name)) {
          for (const auto& member : sorted_entries(pool / "devices")) {
            add(devices, line_in(member / "dev"));
          }
        }
      }
    }
    if (devices.empty() && is_there(*root_ / "sys/dev/block" / mount.device)) {
      add(devices, mount.device);
    }
    if (devices.empty() && mount.source.starts_with("/dev/")) {
      add(devices, line_in(*root_ / "sys/class/block" / name / "dev"));
    }
    return devices;
  }

  static void add(std::set<Device>& devices, const std::string& text) {
    if (const auto device = device_in(text)) {
      devices.insert(*device);
    }
  }

  void descend(const Device& device) {
    std::error_code problem;
    const auto path = fs::canonical(folder_of(*root_, device), problem);
    const auto name = path.filename().string();
    storage_.below.push_back(name);
    const auto whole = is_there(path / "partition") ? path.parent_path() : path;
    if (whole.filename().string().starts_with("zram") ||
        whole.filename().string().starts_with("ram")) {
      memory_ = true;
    } else if (is_there(whole / "loop/backing_file")) {
      in_a_file_ = true;
      folder(fs::path(line_in(whole / "loop/backing_file")).parent_path());
    } else if (const auto below = sorted_entries(whole / "slaves"); !below.empty()) {
      for (const auto& part : below) {
        if (const auto lower = device_in(line_in(part / "dev"))) {
          descend(*lower);
        }
      }
    } else {
      storage_.devices.insert(device);
    }
  }

  const fs::path* root_;
  Storage storage_;
  int depth_ = 0;
  bool memory_ = false;     ///< some of it
  bool unknown_ = false;    ///< some cache is not seen
  bool cached_ = false;     ///< the page caches are all that is seen
  bool in_a_file_ = false;  ///< below a loop device
};

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
    const auto inside = folder.lexically_relative(mount.point);
    const bool covers = !inside.empty() && *inside.begin() != "..";
    if (covers && (!best || mount.point.size() >= best->point.size())) {
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

Storage storage_of(const fs::path& folder, const fs::path& root) {
  std::error_code problem;
  const auto real = fs::weakly_canonical(folder, problem);
  Descent descent(root);
  descent.folder(problem ? folder : real);
  return descent.storage();
}

std::optional<Bytes> bytes_read_by(const std::set<Device>& devices, const fs::path& root) {
  constexpr Bytes kSector = 512;  // of the block layer, whatever the device has
  Bytes sum = 0;
  for (const auto& device : devices) {
    std::ifstream counters(folder_of(root, device) / "stat");
    Bytes reads = 0;
    Bytes merged = 0;
    Bytes sectors = 0;
    if (!(counters >> reads >> merged >> sectors)) {
      return std::nullopt;
    }
    sum += sectors * kSector;
  }
  return sum;
}

}  // namespace beff::b_eff_io
