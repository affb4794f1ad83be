#pragma once

#include <filesystem>
#include <string>

namespace beff {

/// The processor's name as the kernel tells it. Of Arm processors it tells numbers of maker and
/// part, which name those of servers here; others keep their numbers. "unknown" where nothing is
/// told.
std::string cpu_model(const std::filesystem::path& cpuinfo);

}  // namespace beff
