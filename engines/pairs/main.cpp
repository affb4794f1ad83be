// b_pairs: which host or link is slow. Only wires options and tasks.

#include "engines/common/run/program.hpp"
#include "engines/pairs/options.hpp"

int main(int argc, char** argv) {
  return beff::run_program("b_pairs", beff::pairs::parse_options, argc, argv);
}
