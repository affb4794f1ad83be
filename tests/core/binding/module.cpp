#include "bindings.hpp"

NB_MODULE(beff_core_testing, module) {
  bind_common(module);
  bind_b_eff(module);
  bind_b_eff_io(module);
}
