#include "engines/b_eff_io/hints.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "engines/common/agree.hpp"
#include "engines/common/fail.hpp"

namespace beff::b_eff_io {

Hints read_hints(const std::string& file) {
  std::ostringstream content;
  check_on_rank_0([&] {
    const std::ifstream text(file);
    if (!(content << text.rdbuf())) {
      throw UsageError(fmt::format(
          "--info {}: cannot be read; name a file with lines such as 'all write scatter on_open "
          "KEY VALUE'",
          file));
    }
  });
  try {
    return Hints::parse(from_rank_0(content.str()),
                        {.key = MPI_MAX_INFO_KEY, .value = MPI_MAX_INFO_VAL});
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("--info {}: {}", file, problem.what()));
  }
}

Info info_of(const HintMap& hints) {
  if (hints.empty()) {
    return {};
  }
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : hints) {
    MPI_Info_set(info, key.c_str(), value.c_str());
  }
  return Info(info);
}

HintMap hints_in_force(MPI_File file) {
  HintMap found;
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) {
    return found;
  }
  int count = 0;
  MPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int known = 0;
    MPI_Info_get_nthkey(info, i, key.data());
    MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &known);
    if (known != 0) {
      found.emplace(key.data(), value.data());
    }
  }
  MPI_Info_free(&info);
  return found;
}

}  // namespace beff::b_eff_io
