#include "engines/b_eff_io/cache_watch.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>

#include "engines/b_eff_io/page_cache.hpp"
#include "engines/common/agree.hpp"

namespace beff::b_eff_io {
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
  read_before_ = bytes_read_from_storage();
  return CacheState{.partition = partition,
                    .access = access,
                    .file_bytes = sums[1],
                    .resident_before = sums[2] == 0 ? std::optional<Bytes>(sums[0]) : std::nullopt,
                    .read_from_disk = std::nullopt,
                    .dropped = sums[3] == 0};
}

std::optional<Bytes> CacheWatch::access_ended() {
  if (!reading_) {
    return std::nullopt;
  }
  reading_ = false;
  const auto now = bytes_read_from_storage();
  const bool known = now && read_before_;
  const auto sums =
      allreduce(std::array<Bytes, 2>{known ? *now - *read_before_ : 0, known ? 0 : 1}, MPI_SUM);
  return sums[1] == 0 ? std::optional<Bytes>(sums[0]) : std::nullopt;
}

}  // namespace beff::b_eff_io
