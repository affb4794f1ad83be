#pragma once

#include <nanobind/nanobind.h>

/// Each binds one part of the core into the test module.
void bind_common(nanobind::module_& module);
void bind_b_eff(nanobind::module_& module);
void bind_b_eff_io(nanobind::module_& module);
