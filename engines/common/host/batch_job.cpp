#include "engines/common/host/batch_job.hpp"

#include <array>

namespace beff {
namespace {

/// Variables of a batch system; null where it sets none for this.
struct System {
  const char* name;
  const char* marker;  ///< only a job has it
  const char* partition;
  const char* qos;
};

constexpr std::array kSystems{
    System{"Slurm", "SLURM_JOB_ID", "SLURM_JOB_PARTITION", "SLURM_JOB_QOS"},
    System{"PBS", "PBS_JOBID", "PBS_QUEUE", nullptr},
    System{"LSF", "LSB_JOBID", "LSB_QUEUE", nullptr},
    System{"Flux", "FLUX_JOB_ID", nullptr, nullptr},
    System{"Grid Engine", "PE_HOSTFILE", "QUEUE", nullptr},
};

}  // namespace

std::optional<BatchJob> look_at_job(const Variable& variable) {
  const auto value = [&](const char* name) {
    const char* text = name == nullptr ? nullptr : variable(name);
    return std::string(text == nullptr ? "" : text);
  };
  for (const auto& system : kSystems) {
    if (variable(system.marker) != nullptr) {
      return BatchJob{
          .system = system.name, .partition = value(system.partition), .qos = value(system.qos)};
    }
  }
  return std::nullopt;
}

}  // namespace beff
