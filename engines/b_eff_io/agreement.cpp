#include "engines/b_eff_io/agreement.hpp"

#include <array>
#include <chrono>
#include <limits>
#include <thread>

namespace beff::b_eff_io {

Outcome agree(MPI_Comm comm, const Outcome& mine) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double used = mine.free == kUnlimited ? -infinity : -static_cast<double>(mine.free);
  std::array<double, 5> values{mine.elapsed, mine.now, used, mine.error ? 1.0 : 0.0,
                               mine.stop ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                comm);
  Outcome all;
  all.elapsed = values[0];
  all.now = values[1];
  all.free = values[2] == -infinity ? kUnlimited : static_cast<Bytes>(-values[2]);
  all.error = values[3] > 0;
  all.stop = values[4] > 0;
  return all;
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

void meet_idly(MPI_Comm comm) {
  constexpr std::chrono::milliseconds kPause{1};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  int met = 0;
  for (MPI_Test(&request, &met, MPI_STATUS_IGNORE); met == 0;
       MPI_Test(&request, &met, MPI_STATUS_IGNORE)) {
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace beff::b_eff_io
