// b_eff_io: effective bandwidth of parallel file I/O. Only wires options, MPI and the tasks of
// run.hpp.

#include "engines/b_eff_io/options.hpp"
#include "engines/b_eff_io/plan_task.hpp"
#include "engines/b_eff_io/run.hpp"
#include "engines/common/program_main.hpp"

namespace {

using beff::b_eff_io::Options;

int carry_out(const beff::MpiSession& session, const Options& options,
              const beff::RunContext& context) {
  return options.task == beff::Task::kPlan ? beff::b_eff_io::plan_for_job(session, options)
                                           : beff::b_eff_io::measure(session, options, context);
}

}  // namespace

int main(int argc, char** argv) {
  return beff::ProgramMain<Options>({.name = "b_eff_io",
                                     .parse = beff::b_eff_io::parse_options,
                                     .plan_without_mpi = beff::b_eff_io::plan_for_processes,
                                     .carry_out = carry_out})
      .run(argc, argv);
}
