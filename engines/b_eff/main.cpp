// b_eff: effective communication bandwidth. Only wires options, MPI and the tasks.

#include "engines/b_eff/options.hpp"
#include "engines/common/program_main.hpp"

int main(int argc, char** argv) {
  using namespace beff::b_eff;
  return beff::ProgramMain<Options>({.name = "b_eff",
                                     .parse = parse_options,
                                     .print_plan = print_plan,
                                     .carry_out = carry_out})
      .run(argc, argv);
}
