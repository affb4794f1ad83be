// The core as a Python module with one function: JSON goes in and comes out.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "entry.hpp"

namespace nb = nanobind;
using beff::Json;
using namespace beff::testing;  // NOLINT(google-build-using-namespace)

namespace {

const nb::object* script = nullptr;  ///< of the computation under way

std::string compute(const std::string& name, const std::string& arguments,
                    const nb::object& callback) {
  static const auto all = [] {
    auto computations = computations_of_system();
    computations.merge(computations_of_b_eff());
    computations.merge(computations_of_b_eff_io());
    computations.merge(computations_of_pairs());
    return computations;
  }();
  const auto entry = all.find(name);
  if (entry == all.end()) {
    throw std::invalid_argument("no computation " + name);
  }
  script = &callback;
  return entry->second(Json::parse(arguments)).dump();
}

}  // namespace

Json beff::testing::ask(const Json& question) {
  return Json::parse(nb::cast<std::string>((*script)(question.dump())));
}

NB_MODULE(beff_core_testing, module) { module.def("compute", &compute); }
