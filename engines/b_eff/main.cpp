// b_eff: effective communication bandwidth. Only wires options and tasks.

#include "engines/b_eff/options.hpp"
#include "engines/common/run/program.hpp"

int main(int argc, char** argv) {
  return beff::run_program("b_eff", beff::b_eff::parse_options, argc, argv);
}
