#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/b_eff/plan.hpp"
#include "core/b_eff/result.hpp"
#include "core/benchmark.hpp"
#include "core/record/result.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::b_eff {

/// A pattern by a method in a repetition: its message sizes are timed in rising order. Between two
/// sizes of an official method come those of all other patterns and methods.
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
class Machine : public InOnePlace {
 public:
  /// Times a loop, and gets ready for its pattern and method first where the loop before had
  /// others.
  virtual LoopReport time_loop(const Loop& loop) = 0;
};

/// Called on the way, for a journal and a display of progress.
struct Hooks {
  /// After every recorded loop.
  std::function<void(const Sample&)> recorded = [](const Sample&) {};
  /// After every repetition of the official methods behind which more is measured, with all loops
  /// so far.
  std::function<void(std::span<const Sample>)> repetition_ended = [](std::span<const Sample>) {};
  /// Before a loop: recorded loops so far, message size and pattern.
  std::function<void(std::int64_t done, Bytes size, const Pattern&)> progress =
      [](std::int64_t, Bytes, const Pattern&) {};
};

/// Goes through a plan. Official methods: repetition, message size, pattern, method, in this
/// nesting, as release 3.6 does: the repetitions of a measurement lie a third of the run apart,
/// after the first of them there is a whole value, and all patterns of a size find the buffers in
/// the same state of the caches. Behind them the other methods: repetition, pattern, method, size,
/// so that what they make for a pattern serves all sizes. Knows no clock but by the machine. Every
/// process runs it and decides the same, from reports that are the same. Ends after the loop whose
/// report asks for it, and returns why.
///
/// `measured` gets completeness, the times of loops and latency measurements, and on rank 0, whose
/// hooks are called, also samples.
Stop measure(const Plan& plan, int rank, Machine& machine, Measurement& measured,
             const Hooks& hooks = {});

}  // namespace beff::b_eff
