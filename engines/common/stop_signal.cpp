#include "engines/common/stop_signal.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <initializer_list>

namespace beff {
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

std::string why_stopped(bool asked, std::optional<Seconds> time_limit) {
  if (reason_to_stop == StopRequest::kLauncherDied) {
    return "the launcher of the processes has died";
  }
  return asked ? "a signal asked the program to end"
               : fmt::format("the time limit of {} was reached; --time-limit gives it more",
                             format_duration(time_limit.value_or(0)));
}

}  // namespace beff
