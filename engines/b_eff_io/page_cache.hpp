#pragma once

#include <filesystem>
#include <optional>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// Asks this node's kernel to drop the file's pages: fsync, then posix_fadvise(DONTNEED). False
/// where the file cannot be opened or the kernel refuses. No privilege needed.
bool drop_from_page_cache(const std::filesystem::path& file);

/// Byte of the file in this node's page cache, by mincore(2); empty where that cannot be told.
std::optional<Bytes> resident_bytes(const std::filesystem::path& file);

/// Size of the file; 0 where there is none.
Bytes size_of_file(const std::filesystem::path& file);

/// What this process has made the kernel read from storage (read_bytes of proc_pid_io(5)).
std::optional<Bytes> bytes_read_from_storage();

}  // namespace beff::b_eff_io
