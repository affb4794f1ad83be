#pragma once

#include <stdexcept>
#include <string>

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

}  // namespace beff
