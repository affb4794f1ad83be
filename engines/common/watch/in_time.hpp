#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/units/quantity_text.hpp"

namespace beff {

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
