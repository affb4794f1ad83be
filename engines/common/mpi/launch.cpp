#include "engines/common/mpi/launch.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/record/json.hpp"

#ifdef BEFF_SMPI
// clang-format off: version.h needs the macros of base.h
#include <xbt/base.h>
#include <simgrid/version.h>
// clang-format on
#endif

namespace beff {
namespace {

/// What a launcher or scheduler promises each process; empty where it promises nothing.
struct Promise {
  const char* rank;
  const char* size;
  const char* nodes;
  MpiFamily library = MpiFamily::kOther;  ///< whose launchers alone promise it
};

// The launchers of MPI libraries first: inside a scheduler's job they set their own as well.
constexpr std::array kPromises{
    Promise{"PMIX_RANK", "", "", MpiFamily::kOpenMpi},  // PRRTE, and others that speak PMIx
    Promise{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "", MpiFamily::kOpenMpi},
    Promise{"PMI_RANK", "PMI_SIZE", "", MpiFamily::kMpich},                        // hydra, Intel
    Promise{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "", MpiFamily::kMpich},  // MVAPICH
    Promise{"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", ""},                       // jsrun
    Promise{"PALS_RANKID", "", ""},  // PALS, else by PMI
    Promise{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NUM_NODES"},
    Promise{"FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_JOB_NNODES"},
    Promise{"ALPS_APP_PE", "", "COBALT_JOBSIZE"},  // aprun, mostly below Cobalt
    Promise{"", "", "SLURM_JOB_NUM_NODES"},
    Promise{"", "", "PBS_NUM_NODES"},
};

/// A number, and the variable that gave it.
using Stated = std::pair<int, std::string>;

std::optional<int> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  const std::string_view view(text == nullptr ? "" : text);
  int value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// By the first of the promised variables that holds a number. A rank counts beside the size that
/// goes with it: a batch script has one by Slurm, but is no step of it.
std::optional<Stated> stated_by(const char* Promise::* promised, MpiFamily family, bool foreign) {
  for (const auto& promise : kPromises) {
    const bool is_whole =
        promised != &Promise::rank || *promise.size == '\0' || number_in(promise.size);
    const auto number = number_in(promise.*promised);
    const bool is_foreign = promise.library != MpiFamily::kOther && family != MpiFamily::kOther &&
                            promise.library != family;
    if (number && is_whole && is_foreign == foreign) {
      return Stated(*number, promise.*promised);
    }
  }
  return std::nullopt;
}

MpiFamily own_family() { return kSimulated ? MpiFamily::kOther : mpi_family(mpi_library_text()); }

std::string simulator_version() {
#ifdef BEFF_SMPI
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return patch > 0 ? fmt::format("{}.{}.{}", major, minor, patch)
                   : fmt::format("{}.{}", major, minor);
#else
  return "";
#endif
}

}  // namespace

LaunchHints launch_hints() {
  LaunchHints hints;
  const auto family = own_family();
  auto rank = stated_by(&Promise::rank, family, /*foreign=*/false);
  auto size = stated_by(&Promise::size, family, /*foreign=*/false);
  const bool only_foreign = !rank && !size;
  rank = rank ? rank : stated_by(&Promise::rank, family, /*foreign=*/true);
  size = size ? size : stated_by(&Promise::size, family, /*foreign=*/true);
  hints.foreign = only_foreign && rank && size;
  if (rank) {
    hints.rank = rank->first;
  }
  if (size) {
    std::tie(hints.size, hints.size_variable) = *size;
  }
  if (const auto nodes = stated_by(&Promise::nodes, family, /*foreign=*/false)) {
    std::tie(hints.nodes, hints.nodes_variable) = *nodes;
  }
  hints.components = number_in("SLURM_HET_SIZE").value_or(1);
  return hints;
}

void forget_other_launchers() {
  struct stat state{};
  const auto file = number_in("PMI_FD");
  if (own_family() == MpiFamily::kMpich && file && fstat(*file, &state) == 0 &&
      S_ISSOCK(state.st_mode)) {
    unsetenv("PMIX_NAMESPACE");
  }
}

std::optional<std::string> foreign_launcher(const LaunchHints& hints) {
  if (!hints.foreign) {
    return std::nullopt;
  }
  const bool is_mpich = own_family() == MpiFamily::kMpich;
  return fmt::format(
      "started by {} ({} is {}), but its MPI library is {}; start it with the mpiexec of {}",
      is_mpich ? "Open MPI's mpiexec" : "MPICH's mpiexec (hydra)", hints.size_variable, *hints.size,
      mpi_library_text(), is_mpich ? "MPICH or of its kin" : "Open MPI");
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

std::string error_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::string line(text.data(), static_cast<std::size_t>(length));
  std::ranges::replace(line, '\n', ' ');
  return line;
}

MpiFamily mpi_family(const std::string& library_text) {
  const auto names = [&](const char* word) { return library_text.find(word) != std::string::npos; };
  if (names("Open MPI")) {
    return MpiFamily::kOpenMpi;
  }
  return names("MPICH") || names("Intel(R) MPI") || names("MVAPICH") ? MpiFamily::kMpich
                                                                     : MpiFamily::kOther;
}

RecordedJson simulation_record() {
  if (!kSimulated) {
    return nullptr;
  }
  Json record = {{"simulator", "SimGrid SMPI"}, {"version", simulator_version()},
                 {"platform", nullptr},         {"model", nullptr},
                 {"settings", Json::array()},   {"placement", nullptr},
                 {"folded_memory", nullptr}};
  if (const char* text = std::getenv("BEFF_SIMULATION")) {
    const Json fields = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (fields.is_object()) {
      record.update(fields);
    }
  }
  return std::make_shared<const Json>(std::move(record));
}

Uname simulated_system(const Json& simulation) {
  const Json& platform = simulation.at("platform");
  return {.sysname = "simulated",
          .nodename = platform.is_object() ? platform.value("name", "network") : "network",
          .release = simulation.at("version").get<std::string>(),
          .version = "SimGrid",
          .machine = "SMPI"};
}

namespace {

struct Noted {
  int communicators = 0;
  std::optional<std::string> first;
};

/// A handler can reach nothing but globals.
Noted& all_noted() {
  static Noted noted;
  return noted;
}

void note_error(int code) {
  if (auto& first = all_noted().first; !first) {
    first = error_text(code);
  }
}

// NOLINTBEGIN(modernize-avoid-variadic-functions, readability-non-const-parameter): as MPI
// prescribes
void note_of_communicator(MPI_Comm* /*comm*/, int* code, ...) { note_error(*code); }
void note_of_window(MPI_Win* /*window*/, int* code, ...) { note_error(*code); }
// NOLINTEND(modernize-avoid-variadic-functions, readability-non-const-parameter)

}  // namespace

NotedErrors::NotedErrors(MPI_Comm comm) : comm_(comm) {
  if constexpr (!kSimulated) {
    MPI_Comm_create_errhandler(note_of_communicator, &handler_);
    MPI_Comm_set_errhandler(comm_, handler_);
    ++all_noted().communicators;
  }
}

NotedErrors::~NotedErrors() {
  if constexpr (!kSimulated) {
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler_);
    --all_noted().communicators;
  }
}

std::optional<std::string> NotedErrors::take() {
  if constexpr (kSimulated) {
    return std::nullopt;
  } else {
    return std::exchange(all_noted().first, std::nullopt);
  }
}

void NotedErrors::include(MPI_Win window) {
  if constexpr (!kSimulated) {
    if (all_noted().communicators == 0) {
      return;
    }
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Win_create_errhandler(note_of_window, &handler);
    MPI_Win_set_errhandler(window, handler);
    MPI_Errhandler_free(&handler);
  }
}

}  // namespace beff
