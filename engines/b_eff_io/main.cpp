// b_eff_io: effective bandwidth of parallel file I/O. Only wires options, MPI and the tasks.

#include "engines/b_eff_io/options.hpp"
#include "engines/common/program_main.hpp"

int main(int argc, char** argv) {
  using namespace beff::b_eff_io;
  return beff::ProgramMain<Options>({.name = "b_eff_io",
                                     .parse = parse_options,
                                     .print_plan = print_plan,
                                     .carry_out = carry_out})
      .run(argc, argv);
}
