#pragma once

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/units/quantity_text.hpp"

namespace beff {

/// What `work` returns; empty where it does not end within `limit`. It then goes on in a thread of
/// its own, as a call on a file system that hangs cannot be ended: so it may refer to nothing that
/// ends before the process.
template <class Work>
std::optional<std::invoke_result_t<Work>> in_time(Seconds limit, Work work) {
  std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
  auto result = task.get_future();
  std::thread(std::move(task)).detach();
  if (result.wait_for(std::chrono::duration<Seconds>(limit)) != std::future_status::ready) {
    return std::nullopt;
  }
  return result.get();
}

/// Prints a line on standard error, which may hang.
void say_in_time(std::string line);

}  // namespace beff
