#pragma once

#include <optional>

#include "engines/b_eff_io/run_files.hpp"

namespace beff::b_eff_io {

/// What the MPI library can do with files in these folders.
struct LibraryTrial {
  bool shared_pointers = false;        ///< type 1's calls put the data where they belong
  std::optional<Bytes> striping_unit;  ///< from the hints of an open file, on rank 0
};

/// Opens a small file in the folder of `type` with all processes and, if asked, writes to it
/// through the shared pointer. Collective over MPI_COMM_WORLD; throws RunError on all processes
/// when the file cannot be opened.
LibraryTrial try_library(const RunFiles& files, Type type, bool shared_pointers);

}  // namespace beff::b_eff_io
