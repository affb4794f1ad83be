#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/b_eff_io/order.hpp"

namespace beff::b_eff_io {

/// Bounds the wait for an order that never ends, such as a collective call that hangs. Each process
/// has one, with a thread that makes no MPI call. A process that has been with the same order for
/// `limit` notes in a file of the run whether it has arrived at the order's end; rank 0 then reads
/// who has not, and calls `hung` with a sentence that names them. `hung` must not return to the
/// job.
class Watchdog {
 public:
  struct Settings {
    int rank = 0;
    Seconds limit = 0;
    std::filesystem::path roll;  ///< the file in which processes note themselves
    std::function<void(const std::string&)> hung;
  };

  explicit Watchdog(Settings settings);
  Watchdog(const Watchdog&) = delete;
  Watchdog(Watchdog&&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  Watchdog& operator=(Watchdog&&) = delete;
  ~Watchdog();

  /// An order begins here.
  void begin(const Order& order);
  /// This process has done its part of the order, and now waits for the others.
  void arrived() { arrived_.store(true, std::memory_order_relaxed); }

 private:
  void watch();
  void sign_the_roll(std::int64_t step) const;
  [[nodiscard]] std::string who_is_missing() const;

  Settings settings_;
  std::atomic<std::int64_t> step_{0};
  std::atomic<bool> arrived_{true};
  Order order_{};  ///< written before step_ rises
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace beff::b_eff_io
