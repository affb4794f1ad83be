// b_pairs: which host or link is slow. Only wires options, MPI and the tasks.

#include "engines/common/program_main.hpp"
#include "engines/pairs/options.hpp"

int main(int argc, char** argv) {
  using namespace beff::pairs;
  return beff::ProgramMain<Options>({.name = "b_pairs",
                                     .parse = parse_options,
                                     .print_plan = print_plan,
                                     .carry_out = carry_out})
      .run(argc, argv);
}
