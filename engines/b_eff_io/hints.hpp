#pragma once

#include <mpi.h>

#include <string>

#include "core/b_eff_io/hints.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff::b_eff_io {

/// Reads the file of --info on rank 0, for all. Collective over MPI_COMM_WORLD; throws UsageError.
[[nodiscard]] Hints read_hints(const std::string& file);

/// What this process reads in the file of --info, without any call of MPI. Throws UsageError.
[[nodiscard]] Hints hints_of(const std::string& file);

/// An MPI_Info with these hints, or MPI_INFO_NULL for none.
[[nodiscard]] Info info_of(const HintMap& hints);

/// The hints that are in force on an open file.
[[nodiscard]] HintMap hints_in_force(MPI_File file);

}  // namespace beff::b_eff_io
