#include "engines/common/watch/end.hpp"

#ifdef __linux__
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
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

namespace {

/// Keeps stdout and stderr open a little longer than this process lives.
///
/// MPICH's launcher ends the others when it sees the socket to a process close, but not if it
/// learnt before, by what else closed, that this process had ended: both at once is a race between
/// them.
void hold_output() {
#ifdef __linux__
  constexpr useconds_t kToBeSeen = 100'000;
  const char* const socket = std::getenv("PMI_FD");
  if (socket == nullptr) {
    return;
  }
  // not fork(), which waits for locks that what hangs may hold
  if (syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr) == 0) {
    close(static_cast<int>(std::strtol(socket, nullptr, 10)));
    usleep(3 * kToBeSeen);
    _exit(0);
  }
  usleep(kToBeSeen);
#endif
}

}  // namespace

void end_process(int code) {
  constexpr Seconds kLongestFlush = 2;
  (void)in_time(kLongestFlush, [] { return std::fflush(nullptr); });
  hold_output();
  _exit(code);
}

namespace {

// A handler can reach nothing but a global; threads read it, too.
std::atomic<StopRequest> reason_to_stop = StopRequest::kNone;
static_assert(std::atomic<StopRequest>::is_always_lock_free);

void note_stop(int /*signal*/) { request_stop(StopRequest::kSignal); }

}  // namespace

void take_errors_for_signals() {
  for (const int signal : {SIGXFSZ, SIGPIPE}) {
    std::signal(signal, SIG_IGN);
  }
}

void catch_stop_signals() {
  struct sigaction action{};
  action.sa_handler = note_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  // USR1 and USR2 by LSF, Grid Engine and Slurm before their limits, HUP by a terminal that closes
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2}) {
    sigaction(signal, &action, nullptr);
  }
}

void request_stop(StopRequest reason) {
  auto none = StopRequest::kNone;
  reason_to_stop.compare_exchange_strong(none, reason);
}

bool stop_was_requested() { return reason_to_stop != StopRequest::kNone; }

std::string why_stopped(bool requested, std::optional<Seconds> time_limit) {
  if (reason_to_stop == StopRequest::kLauncherDied) {
    return "the launcher of the processes has died";
  }
  return requested ? "a signal asked the program to end"
                   : fmt::format("the time limit of {} was reached; --time-limit gives it more",
                                 format_duration(time_limit.value_or(0)));
}

#ifdef __linux__

namespace {

// A handler can reach nothing but a global.
pid_t launcher = 0;

/// What is printed from now on goes nowhere: writing into the launcher's pipe would end the process
/// before its result is written.
void leave_broken_pipes() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int printed : std::array{STDOUT_FILENO, STDERR_FILENO}) {
    pollfd state{.fd = printed, .events = 0, .revents = 0};
    if (poll(&state, 1, 0) == 1 && (state.revents & (POLLERR | POLLHUP)) != 0) {
      dup2(nowhere, printed);
    }
  }
}

/// Calls only what signal-safety(7) allows.
void note_death(int /*signal*/) {
  constexpr unsigned kTimeToEnd_s = 10;
  if (getppid() == launcher) {
    return;  // it was only the thread that had started this process
  }
  const int error = errno;
  std::signal(SIGPIPE, SIG_IGN);
  leave_broken_pipes();
  request_stop(StopRequest::kLauncherDied);
  std::signal(SIGALRM, SIG_DFL);
  alarm(kTimeToEnd_s);
  errno = error;
}

}  // namespace

void watch_launcher(const LaunchHints& hints) {
  if (hints.size.value_or(1) < 2) {
    return;
  }
  const int signal_of_death = SIGRTMIN + 3;  // MPI libraries and launchers use none of these
  launcher = getppid();
  struct sigaction action{};
  action.sa_handler = note_death;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal_of_death, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, signal_of_death);
}

#else

void watch_launcher(const LaunchHints& /*hints*/) {}

#endif

}  // namespace beff
