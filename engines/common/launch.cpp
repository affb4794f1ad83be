#include "engines/common/launch.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <span>
#include <string_view>

#include "engines/common/simulation.hpp"

namespace beff {
namespace {

struct Stated {
  int value;
  const char* variable;
};

/// By the first of these variables that holds a number.
std::optional<Stated> stated_by(std::span<const char* const> variables) {
  for (const char* variable : variables) {
    if (const char* text = std::getenv(variable)) {
      const std::string_view view(text);
      int value = 0;
      const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
      if (error == std::errc{}) {
        return Stated{.value = value, .variable = variable};
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

}  // namespace

LaunchHints launch_hints() {
  LaunchHints hints;
  if (const auto rank = stated_by(kRankVariables)) {
    hints.rank = rank->value;
  }
  if (const auto size = stated_by(kSizeVariables)) {
    hints.size = size->value;
    hints.size_variable = size->variable;
  }
  if (const auto nodes = stated_by(kNodesVariables)) {
    hints.nodes = nodes->value;
    hints.nodes_variable = nodes->variable;
  }
  return hints;
}

std::optional<std::string> foreign_launcher() {
  if (kSimulated) {
    return std::nullopt;
  }
  const bool by_open_mpi = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr;
  const bool by_hydra =
      std::getenv("PMI_FD") != nullptr && std::getenv("HYDI_CONTROL_FD") != nullptr;
  const auto library = mpi_library_text();
  const auto family = mpi_family(library);
  std::string_view launcher;
  std::string_view own;
  if (family == MpiFamily::kMpich && by_open_mpi) {
    launcher = "Open MPI's mpiexec";
    own = "MPICH or of its kin";
  } else if (family == MpiFamily::kOpenMpi && by_hydra && !by_open_mpi) {
    launcher = "MPICH's mpiexec (hydra)";
    own = "Open MPI";
  } else {
    return std::nullopt;
  }
  return fmt::format("started by {}, but its MPI library is {}; start it with the mpiexec of {}",
                     launcher, library, own);
}

std::string mpi_library_text() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string library(text.data());
  library = library.substr(0, library.find('\n'));
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  std::ranges::replace(library, '\t', ' ');
  const auto repeated = std::ranges::unique(library, both_blank);
  library.erase(repeated.begin(), repeated.end());
  return library;
}

MpiFamily mpi_family(const std::string& library_text) {
  const auto names = [&](const char* word) { return library_text.find(word) != std::string::npos; };
  if (names("Open MPI")) {
    return MpiFamily::kOpenMpi;
  }
  return names("MPICH") || names("Intel(R) MPI") || names("MVAPICH") ? MpiFamily::kMpich
                                                                     : MpiFamily::kOther;
}

}  // namespace beff
