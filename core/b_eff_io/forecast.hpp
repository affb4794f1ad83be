#pragma once

#include <array>
#include <map>
#include <utility>

#include "core/b_eff_io/plan.hpp"
#include "core/b_eff_io/sample.hpp"

namespace beff::b_eff_io {

/// How long a run will still take, for the reader alone: no decision depends on it. What is to be
/// written takes its ideal time; rewrite and read repeat the calls of the initial write, so they
/// take its times, times what the rewrites (or reads) so far have taken relative to theirs.
class Forecast {
 public:
  /// `plan` must outlive the forecast.
  explicit Forecast(const Plan& plan);

  /// A pattern has been measured, or left out. Each at most once.
  void note(const Sample& sample);

  /// Of all patterns that were not noted yet.
  [[nodiscard]] Seconds to_come() const;

 private:
  /// One access method, in the times of the initial write: measured ones, else ideal ones.
  struct Progress {
    Seconds left = 0;
    Seconds done = 0;
    Seconds took = 0;  ///< what this access method needed for `done`
  };

  const Plan* plan_;
  std::map<std::pair<int, int>, Seconds> write_times_;  ///< by partition and pattern
  std::array<Progress, 3> progress_{};                  ///< by index_of(Access)
};

}  // namespace beff::b_eff_io
