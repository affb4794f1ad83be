#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff_io/batch_control.hpp"
#include "core/b_eff_io/hints.hpp"
#include "core/b_eff_io/partition.hpp"
#include "core/b_eff_io/pattern_table.hpp"
#include "core/b_eff_io/plan.hpp"
#include "core/record/result.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

enum class Status : std::uint8_t {
  kMeasured,  ///< a bandwidth exists (also where space or a bound cut it; its stop says so)
  kFailed,    ///< a call failed, moved too little, or gave wrong data
  kSkipped,   ///< no call was made; `error` says why
};

[[nodiscard]] constexpr std::string_view to_string(Status status) {
  constexpr std::array<std::string_view, 3> kNames{"measured", "failed", "skipped"};
  return kNames.at(static_cast<std::size_t>(status));
}

/// MB/s; empty without a usable measurement.
[[nodiscard]] inline std::optional<double> bandwidth_MBps(Status status, Bytes bytes,
                                                          Seconds time) {
  return status == Status::kMeasured && time > 0 && bytes > 0
             ? std::optional(static_cast<double>(bytes) / time / kBytesPerMB)
             : std::nullopt;
}

/// One pattern of one partition in one access method, as it is recorded.
struct Sample {
  int partition = 0;  ///< index into Plan::partitions
  int pattern = 0;    ///< number
  Access access = Access::kWrite;
  std::int64_t repetitions = 0;  ///< calls of each process without an error
  Bytes bytes = 0;               ///< of all processes
  Seconds time = 0;       ///< from setting the view to the barrier after the sync, slowest process
  Seconds loop_time = 0;  ///< without sync and last barrier
  std::int64_t decisions = 0;  ///< agreements of all processes inside `time`
  Status status = Status::kMeasured;
  std::optional<StopReason> stop{};    ///< empty for skipped ones
  std::optional<std::string> error{};  ///< the library's text, or the reason for skipping

  [[nodiscard]] std::optional<double> bandwidth_MBps() const {
    return b_eff_io::bandwidth_MBps(status, bytes, time);
  }
};

/// One type of one partition in one access method.
struct TypeSample {
  int partition = 0;
  Type type = Type::kScatter;
  Access access = Access::kWrite;
  Bytes bytes = 0;                    ///< of all its patterns, once and fill-up included
  Seconds open = 0;                   ///< MPI_File_open, slowest process
  Seconds close = 0;                  ///< MPI_File_close, slowest process
  Seconds patterns = 0;               ///< sum of the patterns' times
  Status status = Status::kMeasured;  ///< measured: all its patterns are
  std::optional<std::string> error{};

  /// What lies between the patterns (buffers, data checks, journal) does not count.
  [[nodiscard]] Seconds open_to_close() const { return open + patterns + close; }
  [[nodiscard]] std::optional<double> bandwidth_MBps() const {
    return b_eff_io::bandwidth_MBps(status, bytes, open_to_close());
  }
};

/// What a partition's schedule found out on the way.
struct PartitionNotes {
  Seconds decision_cost = 0;  ///< mean time of one agreement
  CountedTypes counted;       ///< types 3 and 4 and the random types
};

/// Outcome of comparing read data with what was written.
struct DataCheck {
  std::string mode = "sample";  ///< "sample", "full" or "none"
  std::int64_t chunks_checked = 0;
  std::int64_t wrong_chunks = 0;
  std::optional<std::string> first_error;  ///< file, offset, expected, found
};

/// How much of a partition's files was in memory when an access began, over all nodes.
struct CacheState {
  int partition;
  Access access;
  Bytes file_bytes;                        ///< that were looked at
  std::optional<Bytes> resident_before;    ///< of them in the page caches, e.g. by mincore
  std::optional<Bytes> read_from_disk;     ///< the kernel's read_bytes during the access; read only
  std::optional<Bytes> read_by_devices{};  ///< under the files, by whomever, meanwhile; read only
  bool dropped = false;                    ///< the page caches were asked to drop the files first
};

/// Hints given to MPI for a file and what the library made of them, as reported to rank 0.
struct HintNote {
  int partition;
  Access access;
  Type type;
  std::optional<int> pattern;  ///< empty: when the file was opened
  HintMap requested;
  HintMap accepted;  ///< from MPI_File_get_info; all at the open, of a pattern those requested
};

/// How a parallel file system distributes new files, as far as it reports that.
struct Striping {
  std::optional<Bytes> stripe_size;
  std::optional<int> stripe_count;  ///< -1 is over all servers
  std::optional<int> components;    ///< of a layout that differs along the file
  std::string pool;                 ///< empty where none is set
};

/// What shows whether a read came from memory.
enum class ReadsSeenBy : std::uint8_t {
  kDevices,     ///< what the block devices under the files count, and the nodes' page caches
  kPageCaches,  ///< these alone
  kNothing,     ///< caches that are not counted lie between: of FUSE, or of a file system's own
};

[[nodiscard]] constexpr std::string_view to_string(ReadsSeenBy seen_by) {
  constexpr std::array<std::string_view, 3> kNames{"devices", "page caches", "nothing"};
  return kNames.at(static_cast<std::size_t>(seen_by));
}

/// Where the files lie.
struct FileSystem {
  std::vector<std::string> paths;  ///< one, or one per type
  std::string kind;                ///< "ext4", "lustre" …
  std::string mount;               ///< mount point and options
  std::string source;              ///< device, server or file set that is mounted
  std::string options;             ///< of the file system itself, as of NFS
  std::optional<Striping> striping;
  Bytes total = 0;
  Bytes free_at_start = 0;
  Bytes block_size = 0;
  std::optional<Bytes> striping_unit;
  std::optional<Bytes> cache;        ///< length of its cache where the user knows it
  bool in_memory = false;            ///< tmpfs and the like, also below an overlay or a loop device
  std::vector<std::string> below{};  ///< what it lies on, the uppermost first, as far as seen
  ReadsSeenBy reads_seen_by = ReadsSeenBy::kPageCaches;
  std::optional<std::string> note;    ///< what the user says of it: servers, devices, settings
  std::optional<double> peak_MBps{};  ///< what its hardware promises, where the user knows it
};

/// What a run has measured so far. Plain data; everything else is derived from it.
struct Measurement : RunRecord {
  std::vector<Sample> samples;
  std::vector<TypeSample> types;
  std::vector<PartitionNotes> partitions;  ///< as many as the plan has
  DataCheck data_check;
  std::vector<CacheState> cache;
  std::vector<HintNote> hints;
  FileSystem file_system;
  bool shared_pointers =
      true;  ///< used for type 1; false also after falling back to individual ones
  bool reader_shifted = false;  ///< processes read what another node wrote, where there are several
  std::vector<std::string> leftovers;  ///< files that could not be removed
  Seconds elapsed = 0;                 ///< from the first to the last step
};

}  // namespace beff::b_eff_io
