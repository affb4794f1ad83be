#include "engines/common/agree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "engines/common/communicator.hpp"
#include "engines/common/fail.hpp"

namespace beff {
namespace {

/// The most byte of UTF-8 text, up to `most`, that end between characters.
std::size_t whole_characters(const std::string& text, std::size_t most) {
  constexpr unsigned char kMark = 0xc0;
  constexpr unsigned char kContinues = 0x80;
  auto length = std::min(text.size(), most);
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & kMark) == kContinues) {
    --length;
  }
  return length;
}

enum Verdict : int { kFine, kWrongUsage, kFailedRun };

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
  problem = from_rank_0(std::move(problem));
  if (verdict == kWrongUsage) {
    throw UsageError(problem);
  }
  throw RunError(problem);
}

int from_rank_0(int value) {
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value;
}

std::string from_rank_0(std::string text) {
  auto length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
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
    mine->copy(text.data(), whole_characters(*mine, kLongest - 1));
  }
  MPI_Bcast(text.data(), static_cast<int>(kLongest), MPI_CHAR, witness, comm);
  return text.data();
}

}  // namespace beff
