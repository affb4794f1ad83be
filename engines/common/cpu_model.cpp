#include "engines/common/cpu_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string_view>

namespace beff {
namespace {

struct ArmPart {
  unsigned long maker;
  unsigned long part;
  std::string_view name;
};

/// Fields Implementer and PartNum of MIDR_EL1, as the makers' manuals and Linux's cputype.h have
/// them.
constexpr std::array kArmParts{
    ArmPart{0x41, 0xd03, "Arm Cortex-A53"},         ArmPart{0x41, 0xd07, "Arm Cortex-A57"},
    ArmPart{0x41, 0xd08, "Arm Cortex-A72"},         ArmPart{0x41, 0xd0c, "Arm Neoverse N1"},
    ArmPart{0x41, 0xd40, "Arm Neoverse V1"},        ArmPart{0x41, 0xd49, "Arm Neoverse N2"},
    ArmPart{0x41, 0xd4f, "Arm Neoverse V2"},        ArmPart{0x41, 0xd84, "Arm Neoverse V3"},
    ArmPart{0x41, 0xd8e, "Arm Neoverse N3"},        ArmPart{0x43, 0x0a1, "Cavium ThunderX"},
    ArmPart{0x43, 0x0af, "Marvell ThunderX2"},      ArmPart{0x46, 0x001, "Fujitsu A64FX"},
    ArmPart{0x48, 0xd01, "HiSilicon TaiShan v110"}, ArmPart{0xc0, 0xac3, "Ampere AmpereOne"},
};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  const auto last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

/// The first value of each key.
std::map<std::string, std::string> fields_of(const std::filesystem::path& cpuinfo) {
  std::map<std::string, std::string> fields;
  std::ifstream file(cpuinfo);
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon != std::string::npos) {
      fields.emplace(trimmed(std::string_view(line).substr(0, colon)),
                     trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return fields;
}

}  // namespace

std::string cpu_model(const std::filesystem::path& cpuinfo) {
  auto fields = fields_of(cpuinfo);
  for (const char* key : {"model name", "cpu", "uarch"}) {  // x86, POWER, RISC-V
    if (!fields[key].empty()) {
      return fields[key];
    }
  }
  const auto& maker = fields["CPU implementer"];
  const auto& part = fields["CPU part"];
  if (maker.empty() || part.empty()) {
    return "unknown";
  }
  const auto* known = std::ranges::find_if(kArmParts, [&](const ArmPart& one) {
    return one.maker == std::strtoul(maker.c_str(), nullptr, 16) &&
           one.part == std::strtoul(part.c_str(), nullptr, 16);
  });
  return known != kArmParts.end() ? std::string(known->name)
                                  : fmt::format("Arm, implementer {}, part {}", maker, part);
}

}  // namespace beff
