#pragma once

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/record/json_fwd.hpp"
#include "core/record/packed.hpp"
#include "core/record/result.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff {

/// MPI's datatype of a number.
template <class T>
[[nodiscard]] MPI_Datatype mpi_type() {
  if constexpr (std::same_as<T, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::same_as<T, int>) {
    return MPI_INT;
  } else {
    static_assert(std::same_as<T, std::int64_t>);
    return MPI_INT64_T;
  }
}

/// All processes' numbers combined by `op`, on all of them. Collective over `comm`.
template <class T, std::size_t n>
[[nodiscard]] std::array<T, n> allreduce(std::array<T, n> values, MPI_Op op,
                                         MPI_Comm comm = MPI_COMM_WORLD) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(n), mpi_type<T>(), op, comm);
  return values;
}
template <class T>
[[nodiscard]] T allreduce(T value, MPI_Op op, MPI_Comm comm = MPI_COMM_WORLD) {
  return allreduce(std::array{value}, op, comm)[0];
}

/// Rank 0's value on all ranks. Collective over `comm`.
template <class T>
  requires std::is_trivially_copyable_v<T>
[[nodiscard]] T from_rank_0(T value, MPI_Comm comm = MPI_COMM_WORLD) {
  MPI_Bcast(&value, sizeof value, MPI_BYTE, 0, comm);
  return value;
}
[[nodiscard]] std::string from_rank_0(std::string text);

/// The values of all ranks in their order, on rank 0; elsewhere nothing. Collective over `comm`.
template <class T>
  requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::vector<T> gather(const T& value, MPI_Comm comm = MPI_COMM_WORLD) {
  std::vector<T> all(rank_in(comm) == 0 ? static_cast<std::size_t>(size_of(comm)) : 0);
  MPI_Gather(&value, sizeof value, MPI_BYTE, all.data(), sizeof value, MPI_BYTE, 0, comm);
  return all;
}
[[nodiscard]] std::vector<std::string> gather(const std::string& text);
/// The records of those ranks of MPI_COMM_WORLD that have one; see pack().
template <class Record>
[[nodiscard]] std::vector<Record> gather_records(const std::optional<Record>& mine) {
  std::string bytes;
  if (mine) {
    pack(bytes, *mine);
  }
  std::vector<Record> all;
  for (const auto& text : gather(bytes)) {
    if (!text.empty()) {
      std::string_view rest = text;
      unpack(rest, all.emplace_back());
    }
  }
  return all;
}

/// The text of the lowest rank of `comm` that has one, on all ranks; empty when none has.
/// Collective.
[[nodiscard]] std::string first_text(MPI_Comm comm, const std::optional<std::string>& mine);

/// Adds up the counts of all processes and takes over the first error of the lowest rank with one,
/// on all ranks. Collective over MPI_COMM_WORLD.
[[nodiscard]] DataCheck of_all_processes(DataCheck check);

/// Runs `check` on rank 0 of MPI_COMM_WORLD; when it throws UsageError there, every process throws
/// the same, and RunError for every other exception. Collective.
void check_on_rank_0(const std::function<void()>& check);

/// Throws UsageError on all ranks where `fields`, a JSON object, is not the same on all of them:
/// else one would go ahead while another waits. It says who differs, and in what. Collective over
/// MPI_COMM_WORLD.
void check_same(const Json& fields);

}  // namespace beff
