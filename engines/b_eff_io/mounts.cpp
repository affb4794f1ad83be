#include "engines/b_eff_io/mounts.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace beff::b_eff_io {
namespace {

namespace fs = std::filesystem;

bool covers(const fs::path& above, const fs::path& folder) {
  const auto relative = folder.lexically_relative(above);
  return !relative.empty() && *relative.begin() != "..";
}

/// A field in which blanks, tabs, line ends and backslashes stand as \040 and the like.
std::string unescaped(const std::string& field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    const auto digits = field.substr(i + 1, 3);
    if (field[i] == '\\' && digits.size() == 3 &&
        std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '7'; })) {
      text += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + digits[2] - '0');
      i += 3;
    } else {
      text += field[i];
    }
  }
  return text;
}

}  // namespace

std::optional<Mount> mount_of(const fs::path& folder, const fs::path& table) {
  std::ifstream lines(table);
  std::optional<Mount> best;
  for (std::string line; std::getline(lines, line);) {  // fields as in proc_pid_mountinfo(5)
    std::istringstream before(line.substr(0, line.find(" - ")));
    std::istringstream after(line.substr(std::min(line.size(), line.find(" - ") + 3)));
    std::string skipped;
    Mount mount;
    before >> skipped >> skipped >> skipped >> skipped >> mount.point >> mount.options;
    after >> mount.kind >> mount.source >> mount.of_file_system;
    mount.point = unescaped(mount.point);
    mount.source = unescaped(mount.source);
    if (covers(mount.point, folder) && (!best || mount.point.size() >= best->point.size())) {
      best = mount;
    }
  }
  return best;
}

std::string burst_buffer_of(const fs::path& folder,
                            const std::map<std::string, std::string>& variables) {
  constexpr std::array<std::string_view, 4> kPrefixes{"DW_JOB_", "DW_PERSISTENT_STRIPED_", "BBPATH",
                                                      "BB_JOB_"};
  for (const auto& [name, value] : variables) {
    const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
    if (std::ranges::any_of(kPrefixes, begins) && value.starts_with('/') && covers(value, folder)) {
      return name;
    }
  }
  return "";
}

}  // namespace beff::b_eff_io
