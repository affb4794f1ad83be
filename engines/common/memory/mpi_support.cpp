#include "engines/common/memory/device_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engines/common/mpi/handles.hpp"

namespace beff {
namespace {

/// The function of a library's extension, where this library has it.
template <class Function>
Function* extension(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// The kinds that the communicator of all says it takes.
std::string listed_kinds() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_get_info(MPI_COMM_WORLD, &info);
  const Info owned(info);
  constexpr int kLongest = 1000;
  std::array<char, kLongest + 1> value{};
  int found = 0;
  MPI_Info_get(info, "mpi_memory_alloc_kinds", kLongest, value.data(), &found);
  return found != 0 ? value.data() : "";
}

/// What stands in front of the next separator, which is taken from the text.
std::string_view next_part(std::string_view& text, char separator) {
  const auto part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

/// Whether a list such as `system,mpi,rocm:device:fine` has memory of devices of a kind: without
/// restrictors, or with that to devices among them.
bool lists(std::string_view kinds, std::string_view wanted) {
  while (!kinds.empty()) {
    auto restrictors = next_part(kinds, ',');
    if (next_part(restrictors, ':') != wanted) {
      continue;
    }
    bool is_of_device = restrictors.empty();
    while (!restrictors.empty()) {
      is_of_device = next_part(restrictors, ':') == "device" || is_of_device;
    }
    if (is_of_device) {
      return true;
    }
  }
  return false;
}

/// Of MPICH's function: its numbers are those of MPICH's mpi.h.
int mpich_number(MemoryKind kind) {
  constexpr int kCuda = 0;
  constexpr int kHip = 2;
  return kind == MemoryKind::kCuda ? kCuda : kHip;
}

}  // namespace

MpiSupport ask_mpi(MemoryKind kind) {
  MpiSupport support;
  const auto note = [&](bool takes, std::string_view by) {
    if (takes && !support.takes) {
      support = {.takes = true, .by = std::string(by)};
    } else if (!takes && !support.takes) {
      support.by += (support.by.empty() ? "" : ", ") + std::string(by);
    }
  };
  if (lists(listed_kinds(), row(kind).mpi_name)) {
    note(true, "mpi_memory_alloc_kinds");
  }
  const auto* name =
      kind == MemoryKind::kCuda ? "MPIX_Query_cuda_support" : "MPIX_Query_rocm_support";
  if (auto* query = extension<int()>(name)) {
    note(query() != 0, name);
  }
  if (auto* query = extension<int(int, int*)>("MPIX_GPU_query_support")) {
    int takes = 0;
    const bool answers = query(mpich_number(kind), &takes) == MPI_SUCCESS;
    note(answers && takes != 0, "MPIX_GPU_query_support");
  }
  return support;
}

std::string way_to_support(MemoryKind kind) {
  return fmt::format(
      "load one that is built for it (of Open MPI with UCX a UCX_TLS that has {}), or switch it "
      "on: "
      "MPICH_GPU_SUPPORT_ENABLED=1 of Cray MPICH, MPIR_CVAR_ENABLE_GPU=1 of MPICH; "
      "--memory-unsafe goes on",
      row(kind).mpi_name);
}

}  // namespace beff
