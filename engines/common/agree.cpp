#include "engines/common/agree.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "engines/common/communicator.hpp"
#include "engines/common/fail.hpp"

namespace beff {
namespace {

enum Verdict : int { kFine, kWrongUsage, kFailedRun };

std::string broadcast(std::string text) {
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

}  // namespace

void check_on_rank_0(const std::function<void()>& check) {
  const int rank = world_rank();
  int verdict = kFine;
  std::string problem;
  if (rank == 0) {
    try {
      check();
    } catch (const UsageError& error) {
      verdict = kWrongUsage;
      problem = error.what();
    } catch (const RunError& error) {
      verdict = kFailedRun;
      problem = error.what();
    }
  }
  verdict = from_rank_0(verdict);
  if (verdict == kFine) {
    return;
  }
  problem = broadcast(problem);
  if (verdict == kWrongUsage) {
    throw UsageError(problem);
  }
  throw RunError(problem);
}

int from_rank_0(int value) {
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value;
}

unsigned long long from_rank_0(unsigned long long value) {
  MPI_Bcast(&value, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  return value;
}

std::string first_text(MPI_Comm comm, const std::optional<std::string>& mine) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  constexpr int kNobody = std::numeric_limits<int>::max();
  int witness = mine ? rank : kNobody;
  MPI_Allreduce(MPI_IN_PLACE, &witness, 1, MPI_INT, MPI_MIN, comm);
  if (witness == kNobody) {
    return {};
  }
  constexpr std::size_t kLongest = 512;
  std::array<char, kLongest> text{};
  if (mine && rank == witness) {
    mine->copy(text.data(), kLongest - 1);
  }
  MPI_Bcast(text.data(), static_cast<int>(kLongest), MPI_CHAR, witness, comm);
  return text.data();
}

}  // namespace beff
