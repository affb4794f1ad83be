#include "engines/common/stop_signal.hpp"

#include <fmt/format.h>

#include <csignal>
#include <initializer_list>

namespace beff {
namespace {

// A handler can reach nothing but a global.
volatile std::sig_atomic_t reason_to_stop = 0;  // a StopRequest

void note_stop(int /*signal*/) { request_stop(StopRequest::kSignal); }

}  // namespace

void catch_stop_signals() {
  struct sigaction action{};
  action.sa_handler = note_stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGXCPU}) {
    sigaction(signal, &action, nullptr);
  }
}

void request_stop(StopRequest reason) {
  if (!stop_was_requested()) {
    reason_to_stop = static_cast<int>(reason);
  }
}

bool stop_was_requested() { return reason_to_stop != static_cast<int>(StopRequest::kNone); }

std::string why_stopped(bool asked, std::optional<Seconds> time_limit) {
  if (reason_to_stop == static_cast<int>(StopRequest::kLauncherDied)) {
    return "the launcher of the processes has died";
  }
  return asked ? "a signal asked the program to end"
               : fmt::format("the time limit of {} was reached; --time-limit gives it more",
                             format_duration(time_limit.value_or(0)));
}

}  // namespace beff
