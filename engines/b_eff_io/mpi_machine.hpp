#pragma once

#include <mpi.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/b_eff_io/machine.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"
#include "engines/b_eff_io/call_loop.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/b_eff_io/storage.hpp"
#include "engines/common/mpi/clock.hpp"
#include "engines/common/mpi/nodes.hpp"
#include "engines/common/watch/watchdog.hpp"

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

/// The machine of MPI, which takes the times. Collective over MPI_COMM_WORLD in construction, in
/// meet() and in end(); else over the members of the block.
class MpiMachine : public Machine {
 public:
  /// The references must outlive the machine. Throws std::bad_alloc.
  MpiMachine(const Setup& setup, const Options& options, const Nodes& nodes, BufferMemory& memory,
             const RunFiles& files, Watchdog& watchdog);

  Outcome meet(const Block& block) override;
  Outcome calibrate(const Block& block) override;
  Outcome open(const TypeWork& type) override;
  Outcome start(const PatternWork& pattern) override;
  Outcome calls(const PatternWork& pattern, const Batch& batch) override;
  FinishOutcome finish(const PatternWork& pattern, const PatternEnd& end) override;
  Outcome close(const TypeWork& type) override;
  Outcome end() override;

  /// Adds what the machine has seen: of caches, hints and wrong data; everything on rank 0 only.
  void describe(Measurement& measured) const;
  /// What this process asks for.
  [[nodiscard]] Stop wish_to_stop() const { return clock_.wish_to_stop(); }

 private:
  void prepare(const PatternWork& pattern);
  /// Makes calls of the pattern, and agrees on how they went.
  [[nodiscard]] Outcome make_calls(const PatternWork& pattern, const Batch& batch);
  /// Returns what was wrong first.
  [[nodiscard]] std::optional<std::string> check(const PatternWork& pattern, std::int64_t calls,
                                                 FinishOutcome& agreed);
  /// Before a block, or the last; `name` is a literal.
  [[nodiscard]] Outcome meet_all(std::string_view name, const Block* block);
  /// Why a shared pointer cannot be used any more, if there is one; empty if it can.
  [[nodiscard]] std::string check_pointer_file(const TypeWork& type);
  /// What the library made of hints for the file (empty `pattern`) or a pattern.
  void note_hints(const TypeWork& type, std::optional<int> pattern, const HintMap& requested);
  [[nodiscard]] const Members& members(const Block& block) const;
  [[nodiscard]] Author author(const PatternWork& pattern) const;
  /// Free space on rank 0: read each 0.1 s, and less by what was written since.
  [[nodiscard]] Bytes free_now();
  /// What this process says at the end of a step that has taken `elapsed` here.
  [[nodiscard]] Outcome seen(Seconds elapsed, bool with_space);
  [[nodiscard]] Outcome agree_with(const Block& block, Outcome mine,
                                   const std::optional<std::string>& error);

  const Setup* setup_;
  const Options* options_;
  const RunFiles* files_;
  Watchdog* watchdog_;
  int rank_ = 0;
  std::vector<Members> members_;  ///< of the partitions
  HostMemory host_memory_;
  TransferBuffer buffer_;
  CacheWatch cache_;
  std::vector<CacheState> cache_states_;
  std::vector<HintNote> hints_;
  std::optional<std::string> first_wrong_;
  Seconds free_read_at_ = 0;
  Bytes free_ = kUnlimited;

  MPI_File file_ = MPI_FILE_NULL;
  OpenFile checked_file_;  ///< the same file, once its data was checked
  Work work_;
  HintMap pattern_hints_;
  const TypeMethod* method_ = nullptr;
  CallErrors errors_;
  bool has_pointer_file_ = false;  ///< the open file; see may_be_romio()
  std::string pointer_problem_;    ///< why no call may be made on it; the same on all members
  std::int64_t pointer_checks_ = 0;
  Seconds pattern_started_ = 0;
  RunClock clock_;  ///< the last: it starts when all else is there
};

}  // namespace beff::b_eff_io
