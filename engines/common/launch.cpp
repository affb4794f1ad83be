#include "engines/common/launch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <span>
#include <string_view>

namespace beff {
namespace {

struct Told {
  int value;
  const char* variable;
};

/// By the first of these variables that holds a number.
std::optional<Told> told_by(std::span<const char* const> variables) {
  for (const char* variable : variables) {
    if (const char* text = std::getenv(variable)) {
      const std::string_view view(text);
      int value = 0;
      const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
      if (error == std::errc{}) {
        return Told{.value = value, .variable = variable};
      }
    }
  }
  return std::nullopt;
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
  if (const auto rank = told_by(kRankVariables)) {
    hints.rank = rank->value;
  }
  if (const auto size = told_by(kSizeVariables)) {
    hints.size = size->value;
    hints.size_variable = size->variable;
  }
  if (const auto nodes = told_by(kNodesVariables)) {
    hints.nodes = nodes->value;
    hints.nodes_variable = nodes->variable;
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
