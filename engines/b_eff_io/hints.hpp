#pragma once

#include <mpi.h>

#include <filesystem>
#include <utility>

#include "core/b_eff_io/hints.hpp"

namespace beff::b_eff_io {

/// Reads the file of --info. Throws std::invalid_argument that completes "--info FILE: ...".
[[nodiscard]] Hints read_hints(const std::filesystem::path& file);

/// An MPI_Info with these hints, or MPI_INFO_NULL for none.
class Info {
 public:
  Info() = default;
  explicit Info(const HintMap& hints);
  Info(const Info&) = delete;
  Info(Info&& other) noexcept : handle_(std::exchange(other.handle_, MPI_INFO_NULL)) {}
  Info& operator=(const Info&) = delete;
  Info& operator=(Info&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Info();
  [[nodiscard]] MPI_Info get() const { return handle_; }

 private:
  MPI_Info handle_ = MPI_INFO_NULL;
};

/// The hints that are in force on an open file.
[[nodiscard]] HintMap hints_in_force(MPI_File file);

}  // namespace beff::b_eff_io
