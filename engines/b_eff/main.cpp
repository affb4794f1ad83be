// b_eff: effective communication bandwidth. Only wires options, MPI and the tasks of run.hpp.

#include "engines/b_eff/options.hpp"
#include "engines/b_eff/run.hpp"
#include "engines/common/program_main.hpp"

namespace {

using beff::Task;
using beff::b_eff::Options;

int carry_out(const beff::MpiSession& session, const Options& options,
              const beff::RunContext& context) {
  return options.task == Task::kProbe ? beff::b_eff::probe(session, options, context)
                                      : beff::b_eff::measure(session, options, context);
}

}  // namespace

int main(int argc, char** argv) {
  return beff::ProgramMain<Options>({.name = "b_eff",
                                     .parse = beff::b_eff::parse_options,
                                     .print_plan = beff::b_eff::print_plan,
                                     .carry_out = carry_out})
      .run(argc, argv);
}
