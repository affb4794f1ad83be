#pragma once

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/units/quantity_text.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff {

/// Exit codes of the measuring programs.
enum ExitCode : int {
  kExitValid = 0,     ///< measured, valid for comparison
  kExitFailed = 1,    ///< failed
  kExitUsage = 2,     ///< wrong usage
  kExitNotValid = 3,  ///< measured, but not valid for comparison, or partial
};

/// Wrong usage: the message names the option, the value and the way out. Every process throws the
/// same error at the same place, so that all of them end without a collective abort.
class UsageError : public std::runtime_error {
 public:
  /// An end of a line in what is quoted becomes a question mark: each is one line.
  explicit UsageError(std::string sentence)
      : std::runtime_error((std::ranges::replace(sentence, '\n', '?'), sentence)) {}
};

/// A failure that all processes notice at the same place, such as a file that rank 0 cannot write.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Prints a line on standard error; where that cannot be written, the line is lost, nothing else.
void say(const std::string& line) noexcept;

/// `rank 3 on n7`, of this process.
[[nodiscard]] std::string who(int rank);

/// Ends all processes of the job from any one of them, and says why: `what` goes on behind
/// `rank 3 on n7`.
[[noreturn]] void abort_job(const std::string& what);

/// What `work` returns; empty where it does not end within `limit`. It then goes on in a thread of
/// its own, as a call on a file system that hangs cannot be ended: so it may refer to nothing that
/// ends before the process. Where no thread can be made any more, it is waited for, however long.
template <class Work>
std::optional<std::invoke_result_t<Work>> in_time(Seconds limit, Work work) {
  const auto task =
      std::make_shared<std::packaged_task<std::invoke_result_t<Work>()>>(std::move(work));
  auto result = task->get_future();
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) {
    (*task)();
  }
  if (result.wait_for(std::chrono::duration<Seconds>(limit)) != std::future_status::ready) {
    return std::nullopt;
  }
  return result.get();
}

/// Prints a line on standard error, which may hang.
void say_in_time(std::string line);

/// Ends this process without a word to MPI.
[[noreturn]] void end_process(int code);

/// Why a run is asked to end.
enum class StopRequest : int { kNone, kSignal, kLauncherDied };

/// From now on a call that would send SIGXFSZ or SIGPIPE fails instead, with EFBIG or EPIPE.
void take_errors_for_signals();

/// From now on the signals by which users, terminals and batch systems end a job ask for an orderly
/// end instead of killing the process. After MPI_Init, where libraries set handlers of their own.
void catch_stop_signals();

/// Asks for an orderly end, as such a signal does; the first reason counts. For signal handlers,
/// too.
void request_stop(StopRequest reason);

/// True once somebody has asked; the measurement then ends after the loop it is in.
[[nodiscard]] bool stop_was_requested();

/// Why a run ends early, for the reader: because it was asked to, or else because it is over its
/// time.
[[nodiscard]] std::string why_stopped(bool requested, std::optional<Seconds> time_limit);

/// Ends this process at most ten seconds after its launcher has died, since nobody else would:
/// processes that wait for each other in MPI may do so for ever, with all their cores busy. First
/// the run is asked to stop, as by a signal, so that it still writes what it has measured. Does
/// nothing for a process that no launcher started, and on other systems than Linux. To be called
/// before MPI is initialised.
///
/// The kernel sends a signal when the parent process has ended, so there is nothing to look
/// after while the launcher lives: no thread, no call of the system.
void watch_launcher(const LaunchHints& hints);

}  // namespace beff
