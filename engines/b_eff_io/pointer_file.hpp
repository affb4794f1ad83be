#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace beff::b_eff_io {

/// Whether the library is ROMIO or may be. It keeps a shared file pointer in a hidden file beside
/// the measured one, which it locks and writes in each call, and locks what it writes through
/// holes. Where it cannot, it ends all processes, whatever the error handlers are.
[[nodiscard]] bool may_be_romio();

/// What came of doing the same in a file of one's own.
struct PointerTrial {
  bool locks = true;
  std::optional<std::string> problem;  ///< why it cannot be done; empty where all is well
};

/// Locks and writes some bytes at `block` of a file beside the measured one, where nothing was.
[[nodiscard]] PointerTrial try_pointer_file(const std::filesystem::path& path, std::int64_t block);

/// Hints with which ROMIO locks nothing but shared pointers.
inline constexpr std::pair kWithoutLocks{"romio_ds_write", "disable"};

}  // namespace beff::b_eff_io
