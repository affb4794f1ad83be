#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "core/b_eff/loops.hpp"
#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"
#include "core/machine.hpp"
#include "core/record/data_check.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// A pattern by a method in a repetition: its message sizes are timed one after the other.
struct Sweep {
  int repetition = 0;       ///< from 0
  std::size_t pattern = 0;  ///< index into Plan::patterns
  std::size_t method = 0;   ///< index into Plan::methods
};

/// Iterations of a sweep that are timed together.
struct Loop : Sweep {
  int size = 0;  ///< index into Plan::sizes
  std::int64_t length = 0;
  bool warm_up = false;  ///< one iteration that is not timed comes before the loop
  bool latency = false;  ///< quick latency measurement: decides the first length, is not recorded
};

/// Times of a loop as all processes agree on them.
struct LoopTimes {
  Seconds time_max = 0;
  Seconds time_min = 0;
  Seconds time_sum = 0;
  double least_rate = 0;  ///< messages per second that a process sends, the smallest of all
  std::int64_t participants = 0;
  std::int32_t slowest_rank = 0;
  Stop stop = Stop::kNo;
};

/// One loop, with what went on around it on this process.
struct LoopReport : LoopTimes {
  Seconds warm_up = 0;
  Seconds preparation_and_check = 0;
  MessageCheck check{};  ///< of the messages that this process received
};

/// What measure() needs of a machine: processes that exchange messages and agree on how long that
/// took. Every process calls the same and gets the same.
class Machine : public AnyMachine {
 public:
  /// Gets ready for a sweep, outside every clock.
  virtual void ready(const Sweep& sweep) = 0;
  /// Times a loop of the sweep that is ready.
  virtual LoopReport time_loop(const Loop& loop) = 0;
};

/// Called on the way, for a journal and a display of progress.
struct Hooks {
  /// After every recorded loop.
  std::function<void(const Sample&)> recorded = [](const Sample&) {};
  /// After every repetition but the last, with all loops so far.
  std::function<void(std::span<const Sample>)> repetition_ended = [](std::span<const Sample>) {};
  /// Before a loop: recorded loops so far and the pattern's name.
  std::function<void(std::int64_t done, std::string_view pattern)> progress =
      [](std::int64_t, std::string_view) {};
};

/// Goes through a plan: repetition, pattern, method, message size, in this nesting, so that the
/// repetitions of a measurement lie a third of the run apart, and after the first of them there is
/// a whole value. Knows no clock but by the machine. Every process runs it and decides the same,
/// from reports that are the same. Ends after the loop whose report asks for it, and returns why.
///
/// `measured` gets completeness, the times of loops and latency measurements, and on rank 0, whose
/// hooks are called, also samples.
Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks = {});

}  // namespace beff::b_eff
