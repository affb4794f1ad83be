#include "engines/common/launch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace beff {
namespace {

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) {
    return std::nullopt;
  }
  const std::string_view view(text);
  int value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

// Most specific first: inside a Slurm allocation hydra and Open MPI set their own as well.
constexpr std::array kRankVariables{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                    "SLURM_PROCID"};
constexpr std::array kSizeVariables{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
constexpr std::array kNodesVariables{"SLURM_STEP_NUM_NODES", "SLURM_JOB_NUM_NODES"};

#if defined(OPEN_MPI)
constexpr std::string_view kLibrary = "Open MPI";
#elif defined(MPICH_VERSION)
constexpr std::string_view kLibrary = "MPICH";
#else
constexpr std::string_view kLibrary = "another MPI library";
#endif

}  // namespace

LaunchHints launch_hints() {
  LaunchHints hints;
  for (const char* variable : kRankVariables) {
    if (const auto rank = number_in(variable)) {
      hints.rank = *rank;
      break;
    }
  }
  for (const char* variable : kSizeVariables) {
    if (const auto size = number_in(variable)) {
      hints.size = size;
      hints.size_variable = variable;
      break;
    }
  }
  for (const char* variable : kNodesVariables) {
    if (const auto nodes = number_in(variable)) {
      hints.nodes = nodes;
      hints.nodes_variable = variable;
      break;
    }
  }
  return hints;
}

std::optional<std::string> foreign_launcher() {
  const bool by_open_mpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  const bool by_hydra =
      std::getenv("PMI_FD") != nullptr && std::getenv("HYDI_CONTROL_FD") != nullptr;
  std::string_view launcher;
  if (kLibrary == "MPICH" && by_open_mpi) {
    launcher = "Open MPI's mpiexec";
  } else if (kLibrary == "Open MPI" && by_hydra && !by_open_mpi) {
    launcher = "MPICH's mpiexec (hydra)";
  } else {
    return std::nullopt;
  }
  return fmt::format("started by {}, but built with {}; start it with the mpiexec of {} instead",
                     launcher, kLibrary, kLibrary);
}

}  // namespace beff
