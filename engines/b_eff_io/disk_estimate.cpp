#include "engines/b_eff_io/disk_estimate.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "engines/b_eff_io/content.hpp"
#include "engines/b_eff_io/run_files.hpp"

namespace beff::b_eff_io {
namespace {

constexpr std::size_t kPiece = 4 * kMiB;

/// Bytes per second, in MB/s, of `step` (one block, or false on failure) repeated for half a second
/// at most and `most` times at most. Counts the blocks in `done`.
template <class Step>
std::optional<double> bandwidth_of(Step&& step, int most, int& done) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::duration<double> kTime{0.5};
  const auto begin = Clock::now();
  for (done = 0; done < most && (done == 0 || Clock::now() - begin < kTime); ++done) {
    if (!step()) {
      return std::nullopt;
    }
  }
  const std::chrono::duration<double> took = Clock::now() - begin;
  return static_cast<double>(done) * static_cast<double>(kPiece) / took.count() / kBytesPerMB;
}

/// What one process reaches that writes and synchronises, and then reads from a file that the page
/// cache was asked to drop; empty where it cannot.
DiskEstimate speed_of(const std::filesystem::path& folder) {
  constexpr int kMost = 64;
  std::vector<std::byte> block(kPiece);
  Content({}).fill(block.data(), static_cast<Bytes>(kPiece));
  auto name = (folder / "b_eff_io-estimate-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) {
    return {};
  }
  unlink(name.c_str());
  DiskEstimate found;
  int written = 0;
  int read_back = 0;
  found.write_MBps = bandwidth_of(
      [&] {
        return write(file, block.data(), kPiece) == static_cast<ssize_t>(kPiece) &&
               fsync(file) == 0;
      },
      kMost, written);
  if (found.write_MBps && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 &&
      lseek(file, 0, SEEK_SET) == 0) {
    found.read_MBps = bandwidth_of(
        [&] { return read(file, block.data(), kPiece) == static_cast<ssize_t>(kPiece); }, written,
        read_back);
  }
  close(file);
  return found;
}

}  // namespace

DiskEstimate estimate_disk(const std::filesystem::path& folder) {
  const Bytes free = free_space(folder);
  auto found = speed_of(folder);
  found.free = free == kUnlimited ? std::nullopt : std::optional(free);
  return found;
}

}  // namespace beff::b_eff_io
