#include "core/record/last_line.hpp"

#include <fmt/format.h>

namespace beff {

std::string memory_text(Bytes per_process) { return fmt::format("{:.0f}", mbytes(per_process)); }

std::string machine_text(const Uname& system) {
  return fmt::format("{} {} {} {} {}", system.sysname, system.nodename, system.release,
                     system.version, system.machine);
}

}  // namespace beff
