// b_eff: effective communication bandwidth. Only wires options, MPI and the tasks of run.hpp.

#include "engines/b_eff/options.hpp"
#include "engines/b_eff/run.hpp"
#include "engines/common/program_main.hpp"

namespace {

using beff::Task;
using beff::b_eff::Options;

int carry_out(const beff::MpiSession& session, const Options& options,
              const beff::RunContext& context) {
  switch (options.task) {
    case Task::kProbe:
      return beff::b_eff::probe(session, options, context);
    case Task::kPlan:
      return beff::b_eff::plan_for_job(session, options, context);
    default:
      return beff::b_eff::measure(session, options, context);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return beff::ProgramMain<Options>({.name = "b_eff",
                                     .parse = beff::b_eff::parse_options,
                                     .plan_without_mpi = beff::b_eff::plan_for_processes,
                                     .carry_out = carry_out})
      .run(argc, argv);
}
