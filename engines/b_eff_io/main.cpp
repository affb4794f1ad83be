// b_eff_io: effective bandwidth of parallel file I/O. Only wires options and tasks.

#include "engines/b_eff_io/setup.hpp"
#include "engines/common/run/program.hpp"

int main(int argc, char** argv) {
  return beff::run_program("b_eff_io", beff::b_eff_io::parse_options, argc, argv);
}
