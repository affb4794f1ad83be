#pragma once

#include <optional>
#include <vector>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "engines/b_eff_io/run_files.hpp"
#include "engines/common/nodes.hpp"

namespace beff::b_eff_io {

/// Between accesses, outside every clock: notes how much of a partition's files is in the nodes'
/// page caches, by the procedure after dropping it before a read, and what an access read from
/// storage. Before the rewrite nothing is dropped: it would become a read-modify-write of cold
/// pages. All functions are collective over MPI_COMM_WORLD.
class CacheWatch {
 public:
  CacheWatch(const Plan& plan, const Nodes& nodes, const RunFiles& files)
      : plan_(&plan), nodes_(&nodes), files_(&files) {}

  /// What is in the caches; nothing before a write. Complete on rank 0.
  [[nodiscard]] std::optional<CacheState> access_begins(int partition, Access access);
  /// What a read that has ended has read from storage, on rank 0; empty where not known.
  [[nodiscard]] std::optional<Bytes> access_ended();

 private:
  struct File {
    std::filesystem::path path;
    bool counts;  ///< its size counts here: a shared file is looked at by each node
  };
  /// The files that this process looks after: its own, and for its node the shared ones.
  [[nodiscard]] std::vector<File> own_files(int partition) const;

  const Plan* plan_;
  const Nodes* nodes_;
  const RunFiles* files_;
  bool reading_ = false;
  std::optional<Bytes> read_before_;
};

}  // namespace beff::b_eff_io
