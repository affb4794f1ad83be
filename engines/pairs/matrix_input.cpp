#include "engines/pairs/options.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "core/benchmark.hpp"
#include "core/pairs/matrix.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/run/options.hpp"
#include "engines/common/watch/end.hpp"

namespace beff::pairs {
namespace {

std::vector<MatrixRow> rows_in(const std::string& file, int processes) {
  try {
    std::istringstream stream(read_text(file));
    return read_matrix(stream, file, processes);
  } catch (const FileError& problem) {
    throw UsageError(
        fmt::format("--matrix {}: the file cannot be read: {}; give a file, or "
                    "halo:2d, halo:3d, alltoall, moe:K, transpose, nearest:K",
                    file, problem.what()));
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  }
}

Preset preset_of(const Plan& plan) {
  try {
    return {plan.matrix->given, plan.processes, plan.message_size.value_or(kPresetMessage),
            plan.seed.value_or(0)};
  } catch (const PlanError& problem) {
    throw usage_error(problem);
  }
}

/// Sends each process the rows of which it is the `end`; `rows` are those of rank 0, in the order
/// of these.
std::vector<MatrixRow> scattered(const std::vector<MatrixRow>& rows, int MatrixRow::* end) {
  const auto processes = static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  std::vector<int> counts;
  std::vector<int> offsets;
  if (world_rank() == 0) {
    counts.resize(processes);
    offsets.resize(processes);
    for (const auto& row : rows) {
      ++counts.at(static_cast<std::size_t>(row.*end));
    }
    for (std::size_t rank = 1; rank < processes; ++rank) {
      offsets[rank] = offsets[rank - 1] + counts[rank - 1];
    }
  }
  int count = 0;
  MPI_Scatter(counts.data(), 1, MPI_INT, &count, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<MatrixRow> mine(static_cast<std::size_t>(count));
  const auto type = Datatype::contiguous(sizeof(MatrixRow));
  MPI_Scatterv(rows.data(), counts.data(), offsets.data(), type.get(), mine.data(), count,
               type.get(), 0, MPI_COMM_WORLD);
  return mine;
}

}  // namespace

SharedMatrix shared_matrix(const Plan& plan) {
  if (is_preset(plan.matrix->given)) {
    const auto preset = preset_of(plan);
    const int rank = world_rank();
    return {.share = {.sends = preset.rows_from(rank), .receives = preset.rows_to(rank)},
            .kept = std::nullopt};
  }
  std::vector<MatrixRow> rows;
  check_on_rank_0([&] { rows = rows_in(plan.matrix->given, plan.processes); });
  SharedMatrix matrix;
  if (world_rank() == 0 && rows.size() <= kMostRowsKept) {
    matrix.kept = rows;
  }
  matrix.share.sends = scattered(rows, &MatrixRow::from);
  std::ranges::stable_sort(rows, {}, &MatrixRow::to);
  matrix.share.receives = scattered(rows, &MatrixRow::to);
  return matrix;
}

MatrixTotals of_all_shares(const MatrixShare& share) {
  auto totals = totals_of(share);
  const auto sums = allreduce(std::array{totals.rows, totals.messages, totals.bytes}, MPI_SUM);
  const auto most = allreduce(std::array{totals.most_messages, totals.most_bytes}, MPI_MAX);
  MPI_Allreduce(MPI_IN_PLACE, &totals.digest, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  totals.rows = sums[0];
  totals.messages = sums[1];
  totals.bytes = sums[2];
  totals.most_messages = most[0];
  totals.most_bytes = most[1];
  return totals;
}

MatrixTotals totals_of_all(const Plan& plan) {
  const auto& given = plan.matrix->given;
  if (!is_preset(given)) {
    const auto rows = rows_in(given, plan.processes);
    return totals_of_all(plan.processes,
                         [&](const auto& take) { std::ranges::for_each(rows, take); });
  }
  const auto preset = preset_of(plan);
  return totals_of_all(plan.processes, [&](const auto& take) {
    for (int rank = 0; rank < plan.processes; ++rank) {
      std::ranges::for_each(preset.rows_from(rank), take);
    }
  });
}

namespace {

std::string trimmed(const std::string& line) {
  constexpr const char* kBlanks = " \t\r";
  const auto text = line.substr(0, line.find('#'));
  const auto begin = text.find_first_not_of(kBlanks);
  return begin == std::string::npos
             ? ""
             : text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string halves_in(const std::string& file) {
  try {
    return read_text(file);
  } catch (const FileError& problem) {
    throw UsageError(
        fmt::format("--halves {}: the file cannot be read: {}; name a file with a host or rank in "
                    "each line",
                    file, problem.what()));
  }
}

}  // namespace

std::vector<std::string> names_in(const std::string& file) {
  std::istringstream stream(halves_in(file));
  std::vector<std::string> names;
  for (std::string line; std::getline(stream, line);) {
    if (auto name = trimmed(line); !name.empty()) {
      names.push_back(std::move(name));
    }
  }
  if (names.empty()) {
    throw UsageError(fmt::format("--halves {}: the file names nobody; write one a line", file));
  }
  return names;
}

std::vector<int> units_in(const std::string& file, const std::vector<std::string>& names) {
  std::set<int> units;
  for (const auto& name : names_in(file)) {
    bool known = false;
    for (std::size_t unit = 0; unit < names.size(); ++unit) {
      if (names[unit] == name) {
        units.insert(static_cast<int>(unit));
        known = true;
      }
    }
    if (!known) {
      throw UsageError(fmt::format(
          "--halves {}: {} takes no part in this run; name hosts as the result does, such as {}",
          file, name, names.front()));
    }
  }
  return {units.begin(), units.end()};
}

}  // namespace beff::pairs
