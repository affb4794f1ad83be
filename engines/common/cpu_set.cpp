#include "engines/common/cpu_set.hpp"

#include <cstdlib>
#include <map>

namespace beff {
namespace {

/// Gives each process a CPU of its set that no other has, as long as that is possible (augmenting
/// paths).
class Seats {
 public:
  explicit Seats(const std::vector<CpuSet>& processes) : processes_(&processes) {}

  /// False when the CPUs that `process` and all who could make room for it may use are taken;
  /// tried() is then these CPUs.
  bool seat(std::size_t process) {
    hwloc_bitmap_zero(tried_.get());
    return find_seat(process);
  }
  [[nodiscard]] const CpuSet& tried() const { return tried_; }

 private:
  bool find_seat(std::size_t process) {  // NOLINT(misc-no-recursion): as deep as there are CPUs
    const auto* cpus = processes_->at(process).get();
    for (int cpu = hwloc_bitmap_first(cpus); cpu >= 0; cpu = hwloc_bitmap_next(cpus, cpu)) {
      const auto number = static_cast<unsigned>(cpu);
      if (hwloc_bitmap_isset(tried_.get(), number) != 0) {
        continue;
      }
      hwloc_bitmap_set(tried_.get(), number);
      const auto taken = process_on_.find(cpu);
      if (taken == process_on_.end() || find_seat(taken->second)) {
        process_on_[cpu] = process;
        return true;
      }
    }
    return false;
  }

  const std::vector<CpuSet>* processes_;
  std::map<int, std::size_t> process_on_;
  CpuSet tried_{hwloc_bitmap_alloc()};
};

}  // namespace

CpuSet cpu_set(const unsigned long* words, std::size_t count) {
  CpuSet cpus(hwloc_bitmap_alloc());
  for (std::size_t word = 0; word < count; ++word) {
    hwloc_bitmap_set_ith_ulong(cpus.get(), static_cast<unsigned>(word), words[word]);
  }
  return cpus;
}

std::string cpu_list(const CpuSet& cpus) {
  char* text = nullptr;
  hwloc_bitmap_list_asprintf(&text, cpus.get());
  std::string list(text == nullptr ? "" : text);
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): hwloc's own
  return list;
}

int crowded_sets(const std::vector<CpuSet>& processes) {
  Seats seats(processes);
  const CpuSet crowded(hwloc_bitmap_alloc());
  int count = 0;
  for (std::size_t process = 0; process < processes.size(); ++process) {
    if (!seats.seat(process)) {
      const auto* tried = seats.tried().get();
      count += hwloc_bitmap_intersects(crowded.get(), tried) == 0 ? 1 : 0;
      hwloc_bitmap_or(crowded.get(), crowded.get(), tried);
    }
  }
  return count;
}

}  // namespace beff
