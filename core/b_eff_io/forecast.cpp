#include "core/b_eff_io/forecast.hpp"

#include <algorithm>

namespace beff::b_eff_io {

Forecast::Forecast(const Plan& plan) : plan_(&plan) {
  for (const Access access : kAccesses) {
    progress_.at(index_of(access)).left = access_time(plan, access);
  }
}

void Forecast::note(const Sample& sample) {
  const auto& pattern = plan_->pattern(sample.pattern);
  const std::pair key{sample.partition, sample.pattern};
  if (sample.access == Access::kWrite) {
    const Seconds ideal = ideal_time(*plan_, pattern);
    write_times_[key] = sample.time;
    progress_.at(index_of(Access::kWrite)).left -= ideal;
    for (const Access later : {Access::kRewrite, Access::kRead}) {
      if (plan_->has(later, pattern.type)) {
        progress_.at(index_of(later)).left += sample.time - ideal;
      }
    }
    return;
  }
  auto& progress = progress_.at(index_of(sample.access));
  progress.left -= write_times_[key];
  progress.done += write_times_[key];
  progress.took += sample.time;
}

Seconds Forecast::to_come() const {
  Seconds sum = 0;
  for (const auto& progress : progress_) {
    sum += progress.left * (progress.done > 0 ? progress.took / progress.done : 1);
  }
  return std::max(0.0, sum);
}

}  // namespace beff::b_eff_io
