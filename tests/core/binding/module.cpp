#include "bindings.hpp"

NB_MODULE(beff_core_testing, module) {
  bind_common(module);
  bind_system(module);
  bind_b_eff(module);
  auto io = module.def_submodule("b_eff_io", "The core of b_eff_io.");
  bind_b_eff_io_plan(io);
  bind_b_eff_io_measure(io);
  bind_b_eff_io_result(io);
  auto pairs = module.def_submodule("pairs", "The core of b_pairs.");
  bind_pairs(pairs);
}
