#pragma once

#include <nanobind/nanobind.h>

/// Each binds one part of the core into the test module.
void bind_common(nanobind::module_& module);
void bind_system(nanobind::module_& module);
void bind_b_eff(nanobind::module_& module);

/// The submodule `pairs`.
void bind_pairs(nanobind::module_& module);

/// Parts of the submodule `b_eff_io`.
void bind_b_eff_io_plan(nanobind::module_& module);
void bind_b_eff_io_measure(nanobind::module_& module);
void bind_b_eff_io_result(nanobind::module_& module);
