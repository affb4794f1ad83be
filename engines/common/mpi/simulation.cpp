#include "engines/common/mpi/simulation.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "core/record/json.hpp"

#ifdef BEFF_SMPI
// clang-format off: version.h needs the macros of base.h
#include <xbt/base.h>
#include <simgrid/version.h>
// clang-format on
#endif

namespace beff {
namespace {

std::string simulator_version() {
#ifdef BEFF_SMPI
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return patch > 0 ? fmt::format("{}.{}.{}", major, minor, patch)
                   : fmt::format("{}.{}", major, minor);
#else
  return "";
#endif
}

}  // namespace

RecordedJson simulation_record() {
  if (!kSimulated) {
    return nullptr;
  }
  Json record = {{"simulator", "SimGrid SMPI"}, {"version", simulator_version()},
                 {"platform", nullptr},         {"model", nullptr},
                 {"settings", Json::array()},   {"placement", nullptr},
                 {"folded_memory", nullptr}};
  if (const char* text = std::getenv("BEFF_SIMULATION")) {
    const Json fields = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (fields.is_object()) {
      record.update(fields);
    }
  }
  return std::make_shared<const Json>(std::move(record));
}

Uname simulated_system(const Json& simulation) {
  const Json& platform = simulation.at("platform");
  return {.sysname = "simulated",
          .nodename = platform.is_object() ? platform.value("name", "network") : "network",
          .release = simulation.at("version").get<std::string>(),
          .version = "SimGrid",
          .machine = "SMPI"};
}

}  // namespace beff
