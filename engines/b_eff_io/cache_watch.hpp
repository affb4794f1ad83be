#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/b_eff_io/storage.hpp"
#include "engines/common/mpi/nodes.hpp"

namespace beff::b_eff_io {

/// What a read has fetched; empty what is not known.
struct Fetched {
  std::optional<Bytes> from_disk;   ///< by the kernel's counters of the processes
  std::optional<Bytes> by_devices;  ///< by those of the devices under the files
};

/// Between accesses, outside every clock: notes how much of a partition's files is in the nodes'
/// page caches, by the procedure after dropping it before a read, and what an access read from
/// storage. Before the rewrite nothing is dropped: it would become a read-modify-write of cold
/// pages. All functions are collective over MPI_COMM_WORLD.
class CacheWatch {
 public:
  CacheWatch(const Plan& plan, const Nodes& nodes, const RunFiles& files);

  /// What is in the caches; nothing before a write. Complete on rank 0.
  [[nodiscard]] std::optional<CacheState> access_begins(int partition, Access access);
  /// What a read that has ended has fetched, on rank 0; nothing after another access.
  [[nodiscard]] std::optional<Fetched> access_ended();

 private:
  struct File {
    std::filesystem::path path;
    bool counts;  ///< its size counts here: a shared file is looked at by each node
  };
  /// The files that this process looks after: its own, and for its node the shared ones.
  [[nodiscard]] std::vector<File> own_files(int partition) const;
  /// What has been fetched since the system, or this process, was started.
  [[nodiscard]] Fetched counters() const;

  const Plan* plan_;
  const Nodes* nodes_;
  const RunFiles* files_;
  std::set<Device> devices_;  ///< under the files of this kernel, on its first process
  bool reading_ = false;
  Fetched before_;
};

}  // namespace beff::b_eff_io
