#include "engines/common/watch/fail.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>

#include "engines/common/host/host.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff {
namespace {

/// Without control characters, which a terminal would obey, and no word longer than a path.
std::string for_a_terminal(const std::string& text) {
  constexpr std::size_t kLongest = 4096;
  constexpr std::size_t kKept = 80;
  std::string clean;
  std::size_t word = 0;
  const auto shorten = [&] {
    if (clean.size() - word > kLongest) {
      clean.replace(word + kKept, std::string::npos, "...");
    }
  };
  for (const char sign : text) {
    const bool is_between = sign == ' ' || sign == '\n' || sign == '\t';
    if (is_between) {
      shorten();
    }
    const bool is_control = (sign >= 0 && sign < ' ') || sign == '\x7f';
    clean += is_control && !is_between ? '?' : sign;
    if (is_between) {
      word = clean.size();
    }
  }
  shorten();
  return clean;
}

}  // namespace

void say(const std::string& line) noexcept {
  try {
    const auto whole =
        for_a_terminal(line) + '\n';  // in one call, as several processes may speak at once
    (void)std::fputs(whole.c_str(), stderr);
    (void)std::fflush(stderr);
  } catch (const std::bad_alloc&) {
    (void)std::fputs(line.c_str(), stderr);
  }
}

std::string who(int rank) { return fmt::format("rank {} on {}", rank, own_host()); }

void abort_job(const std::string& what) {
  say(fmt::format("beff: {} {}", who(world_rank()), what));
  // MPICH's launcher ends at once and drops what it has not read yet.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  MPI_Abort(MPI_COMM_WORLD, kExitFailed);
  std::abort();
}

void say_in_time(std::string line) {
  constexpr Seconds kTimeToSpeak = 2;
  (void)in_time(kTimeToSpeak, [line = std::move(line)] {
    say(line);
    return true;
  });
}

}  // namespace beff
