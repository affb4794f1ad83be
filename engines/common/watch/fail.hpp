#pragma once

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
  using std::runtime_error::runtime_error;
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

}  // namespace beff
