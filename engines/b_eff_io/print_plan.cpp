#include "engines/b_eff_io/print_plan.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "core/b_eff_io/plan_text.hpp"
#include "core/record/json.hpp"
#include "engines/b_eff_io/content.hpp"

namespace beff::b_eff_io {
namespace {

constexpr std::size_t kProbeBlock = 4 * kMiB;

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
  return static_cast<double>(done) * static_cast<double>(kProbeBlock) / took.count() / kBytesPerMB;
}

/// What one process reaches that writes and synchronises, and then reads from a file that the page
/// cache was asked to drop; empty where it cannot.
Probe probe_folder(const std::filesystem::path& folder) {
  constexpr int kMost = 64;
  std::vector<std::byte> block(kProbeBlock);
  Content({}).fill(block.data(), static_cast<Bytes>(kProbeBlock));
  auto name = (folder / "b_eff_io-probe-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) {
    return {};
  }
  unlink(name.c_str());
  Probe found;
  int written = 0;
  int read_back = 0;
  found.write_MBps = bandwidth_of(
      [&] {
        return write(file, block.data(), kProbeBlock) == static_cast<ssize_t>(kProbeBlock) &&
               fsync(file) == 0;
      },
      kMost, written);
  if (found.write_MBps && posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 &&
      lseek(file, 0, SEEK_SET) == 0) {
    found.read_MBps = bandwidth_of(
        [&] { return read(file, block.data(), kProbeBlock) == static_cast<ssize_t>(kProbeBlock); },
        written, read_back);
  }
  close(file);
  return found;
}

Probe probe(const Options& options) {
  if (!options.folders.all) {
    return {};
  }
  const Bytes free = free_space(*options.folders.all);
  auto found = probe_folder(*options.folders.all);
  found.free = free == kUnlimited ? std::nullopt : std::optional(free);
  return found;
}

}  // namespace

void print_plan(const Options& options, const RunContext& /*context*/, const PlanPlace& place) {
  const auto plan = planned(options, {.processes = place.processes,
                                      .memory_per_process = place.memory.per_process,
                                      .striping_unit = std::nullopt,
                                      .reserve = 0});
  const auto found = probe(options);
  if (options.plan_as_json) {
    fmt::print("{}\n", plan_json(plan, found).dump(1));
  } else {
    fmt::print("{}", plan_text(plan, found));
  }
}

}  // namespace beff::b_eff_io
