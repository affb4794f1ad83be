#include "engines/common/launch.hpp"

#ifdef __linux__

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "engines/common/stop_signal.hpp"

namespace beff {
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

}  // namespace beff

#else

namespace beff {
void watch_launcher(const LaunchHints& /*hints*/) {}
}  // namespace beff

#endif
