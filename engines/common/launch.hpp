#pragma once

#include <optional>
#include <string>

namespace beff {

/// What the environment of a launcher says before MPI is initialised.
struct LaunchHints {
  int rank = 0;                ///< rank in the job; 0 without a launcher
  std::optional<int> size;     ///< processes of the job
  std::optional<int> nodes;    ///< nodes of the job
  std::string size_variable;   ///< the variable that told the size
  std::string nodes_variable;  ///< the variable that told the nodes
};

/// Reads the variables of hydra, Open MPI, Slurm and PMI.
LaunchHints launch_hints();

/// One sentence when another MPI library's launcher has started this program, which then would
/// abort or run as separate single processes; empty when nothing speaks against the launch.
std::optional<std::string> foreign_launcher();

}  // namespace beff
