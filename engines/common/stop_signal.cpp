#include "engines/common/stop_signal.hpp"

#include <fmt/format.h>

#include <csignal>
#include <initializer_list>

namespace beff {
namespace {

// A handler can reach nothing but a global.
volatile std::sig_atomic_t stop_requested = 0;

void note_stop(int /*signal*/) { stop_requested = 1; }

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

bool stop_was_requested() { return stop_requested != 0; }

std::string why_stopped(bool by_signal, std::optional<Seconds> time_limit) {
  return by_signal ? "a signal asked the program to end"
                   : fmt::format("the time limit of {} was reached; --time-limit gives it more",
                                 format_duration(time_limit.value_or(0)));
}

}  // namespace beff
