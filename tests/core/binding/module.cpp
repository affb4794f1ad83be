// The core as a Python module with one function: JSON goes in and comes out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "entry.hpp"

namespace nb = nanobind;
using beff::Json;
using namespace beff::testing;  // NOLINT(google-build-using-namespace)

namespace {

Computations all_computations() {
  auto all = computations_of_system();
  all.merge(computations_of_b_eff());
  for (auto& [name, computation] : computations_of_b_eff_io()) {
    all.emplace("b_eff_io." + name, computation);
  }
  for (auto& [name, computation] : computations_of_pairs()) {
    all.emplace("pairs." + name, computation);
  }
  return all;
}

std::string compute(const std::string& name, const std::string& arguments,
                    const nb::object& script) {
  static const auto all = all_computations();
  const auto found = all.find(name);
  if (found == all.end()) {
    throw std::invalid_argument("no computation " + name);
  }
  const auto ask = [&](const Json& question) {
    return Json::parse(nb::cast<std::string>(script(question.dump())));
  };
  return found->second(Json::parse(arguments), ask).dump();
}

}  // namespace

NB_MODULE(beff_core_testing, module) { module.def("compute", &compute); }
