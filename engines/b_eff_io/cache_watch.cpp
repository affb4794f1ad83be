#include "engines/b_eff_io/mpi_machine.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff::b_eff_io {
namespace {

OpenFile open_file(const std::filesystem::path& file, int mode) {
  return OpenFile(open(file.c_str(), mode | O_CLOEXEC));
}

/// Resident bytes of one stretch of a file.
std::optional<Bytes> resident_in(const OpenFile& file, Bytes offset, Bytes length, Bytes page) {
  const auto size = static_cast<std::size_t>(length);
  void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), offset);
  if (memory == MAP_FAILED) {
    return std::nullopt;
  }
  std::vector<unsigned char> pages(static_cast<std::size_t>((length + page - 1) / page));
  const bool known = mincore(memory, size, pages.data()) == 0;
  munmap(memory, size);
  if (!known) {
    return std::nullopt;
  }
  const auto present =
      std::ranges::count_if(pages, [](unsigned char state) { return (state & 1U) != 0; });
  return std::min(length, present * page);
}

/// Resident bytes by cachestat(2), of Linux 6.5 and later, which asks the kernel's tree of pages
/// and does not go through them one by one; empty where there is none.
std::optional<Bytes> resident_by_cachestat(const OpenFile& file, Bytes size, Bytes page) {
  constexpr long kCachestat = 451;  // on all architectures; the C library has no name for it yet
  struct {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;  // 0: to the end
  } range;
  struct {
    std::uint64_t cached = 0;
    std::uint64_t dirty = 0;
    std::uint64_t writeback = 0;
    std::uint64_t evicted = 0;
    std::uint64_t recently_evicted = 0;
  } pages;
  if (syscall(kCachestat, file.get(), &range, &pages, 0U) != 0) {
    return std::nullopt;
  }
  return std::min(size, static_cast<Bytes>(pages.cached) * page);
}

/// Asks this node's kernel to drop the file's pages: fsync, then posix_fadvise(DONTNEED). False
/// where the file cannot be opened or the kernel refuses. No privilege needed.
bool drop_from_page_cache(const std::filesystem::path& file) {
  const auto descriptor = open_file(file, O_RDWR);
  return descriptor.get() >= 0 && fsync(descriptor.get()) == 0 &&
         posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_DONTNEED) == 0;
}

/// Size of the file; 0 where there is none.
Bytes size_of_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<Bytes>(size);
}

/// Whether the file is one of an overlay: cachestat(2) then knows of none of its pages, which are
/// those of the file below; mincore(2) does.
bool is_in_overlay(const OpenFile& file) {
  constexpr decltype(statfs::f_type) kOverlay = 0x794c7630;
  struct statfs state{};
  return fstatfs(file.get(), &state) == 0 && state.f_type == kOverlay;
}

/// Byte of the file in this node's page cache, by cachestat(2) or mincore(2); empty where that
/// is not known.
std::optional<Bytes> resident_bytes(const std::filesystem::path& file) {
  const auto descriptor = open_file(file, O_RDONLY);
  if (descriptor.get() < 0) {
    return std::nullopt;
  }
  const Bytes page = sysconf(_SC_PAGESIZE);
  const Bytes size = size_of_file(file);
  if (!is_in_overlay(descriptor)) {
    if (const auto bytes = resident_by_cachestat(descriptor, size, page)) {
      return bytes;
    }
  }
  Bytes sum = 0;
  for (Bytes offset = 0; offset < size; offset += kGiB) {
    const auto part = resident_in(descriptor, offset, std::min(kGiB, size - offset), page);
    if (!part) {
      return std::nullopt;
    }
    sum += *part;
  }
  return sum;
}

/// What this process has made the kernel read from storage (read_bytes of proc_pid_io(5)).
std::optional<Bytes> bytes_read_from_storage() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (Bytes value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") {
      return value;
    }
  }
  return std::nullopt;
}

constexpr std::size_t kMostDevices = 64;
constexpr Device kNoDevice{-1, -1};
constexpr Device kTooMany{-2, -2};

/// The devices under the files of all nodes of this kernel, on its first process: of containers,
/// which may have some in common. Nothing where they are too many. Collective.
std::set<Device> devices_of_kernel(const Nodes& nodes, const RunFiles& files) {
  std::set<Device> devices;
  if (nodes.is_leader()) {
    for (const auto& folder : files.folders()) {
      devices.merge(storage_of(folder).devices);
    }
  }
  std::array<Device, kMostDevices> local_devices{};
  local_devices.fill(kNoDevice);
  if (devices.size() <= kMostDevices) {
    std::ranges::copy(devices, local_devices.begin());
  } else {
    local_devices.front() = kTooMany;
  }
  std::set<Device> of_all;
  for (const auto& of_process : gather(local_devices, nodes.of_kernel())) {
    of_all.insert(of_process.begin(), of_process.end());
  }
  of_all.erase(kNoDevice);
  return of_all.contains(kTooMany) ? std::set<Device>() : of_all;
}

}  // namespace

CacheWatch::CacheWatch(const Plan& plan, const Nodes& nodes, const RunFiles& files)
    : plan_(&plan), nodes_(&nodes), files_(&files), devices_(devices_of_kernel(nodes, files)) {}

Fetched CacheWatch::counters() const {
  const bool is_first = rank_in(nodes_->of_kernel()) == 0;
  return {.from_disk = bytes_read_from_storage(),
          .by_devices = is_first && !devices_.empty() ? bytes_read_by(devices_) : std::nullopt};
}

std::vector<CacheWatch::File> CacheWatch::own_files(int partition) const {
  const int rank = world_rank();
  std::vector<File> list;
  if (rank >= plan_->partitions.at(static_cast<std::size_t>(partition))) {
    return list;
  }
  for (const Type type : plan_->types) {
    if (row(type).file_per_process() || nodes_->is_leader()) {
      list.push_back(
          {files_->path(partition, type, rank), row(type).file_per_process() || rank == 0});
    }
  }
  return list;
}

std::optional<CacheState> CacheWatch::access_begins(int partition, Access access) {
  if (access == Access::kWrite) {
    return std::nullopt;
  }
  const bool drop = access == Access::kRead && plan_->procedure == Procedure::kCold;
  bool dropped = drop;
  bool known = true;
  Bytes resident = 0;
  Bytes size = 0;
  for (const auto& [path, counts] : own_files(partition)) {
    const Bytes bytes = size_of_file(path);
    if (bytes == 0) {
      continue;
    }
    if (drop) {
      dropped = drop_from_page_cache(path) && dropped;
    }
    const auto in_cache = resident_bytes(path);
    known = known && in_cache.has_value();
    resident += in_cache.value_or(0);
    size += counts ? bytes : 0;
  }
  const auto sums =
      allreduce(std::array<Bytes, 4>{resident, size, known ? 0 : 1, dropped ? 0 : 1}, MPI_SUM);
  reading_ = access == Access::kRead;
  before_ = counters();
  return CacheState{.partition = partition,
                    .access = access,
                    .file_bytes = sums[1],
                    .resident_before = sums[2] == 0 ? std::optional<Bytes>(sums[0]) : std::nullopt,
                    .read_from_disk = std::nullopt,
                    .dropped = sums[3] == 0};
}

std::optional<Fetched> CacheWatch::access_ended() {
  if (!std::exchange(reading_, false)) {
    return std::nullopt;
  }
  const auto now = counters();
  const auto since = [](const std::optional<Bytes>& end, const std::optional<Bytes>& begin) {
    return end && begin ? *end - *begin : Bytes{0};
  };
  const bool is_first = rank_in(nodes_->of_kernel()) == 0;
  const bool knows_own = now.from_disk && before_.from_disk;
  const bool knows_devices = !is_first || (now.by_devices && before_.by_devices);
  const auto sums = allreduce(
      std::array<Bytes, 4>{since(now.from_disk, before_.from_disk), knows_own ? 0 : 1,
                           since(now.by_devices, before_.by_devices), knows_devices ? 0 : 1},
      MPI_SUM);
  return Fetched{.from_disk = sums[1] == 0 ? std::optional(sums[0]) : std::nullopt,
                 .by_devices = sums[3] == 0 ? std::optional(sums[2]) : std::nullopt};
}

}  // namespace beff::b_eff_io
