#include "core/b_eff/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/means.hpp"

namespace beff::b_eff {
namespace {

/// The fastest sample of each pattern and size.
std::vector<const Sample*> best_samples(std::span<const Sample> samples,
                                        const SampleFilter& filter) {
  std::map<std::pair<int, int>, const Sample*> best;
  const auto speed = [](const Sample& s) {
    return static_cast<double>(s.loop_length) / s.time_max;
  };
  for (const auto& sample : samples) {
    if (!filter(sample) || sample.time_max <= 0) {
      continue;
    }
    auto& entry = best[{sample.pattern, sample.size}];
    if (entry == nullptr || speed(sample) > speed(*entry)) {
      entry = &sample;
    }
  }
  std::vector<const Sample*> list;
  for (const auto& [key, sample] : best) {
    list.push_back(sample);
  }
  return list;
}

Slice slice(const Plan& plan, std::span<const Sample> samples, std::string name,
            const SampleFilter& filter, std::span<const Sample* const> best) {
  const auto figures = condense(plan, samples, filter);
  return {.name = std::move(name),
          .value = figures.b_eff,
          .at_lmax = figures.at_lmax().both,
          .best_count =
              std::ranges::count_if(best, [&](const Sample* sample) { return filter(*sample); })};
}

}  // namespace

std::vector<Slice> by_method(const Plan& plan, std::span<const Sample> samples) {
  const auto best = best_samples(samples, [](const Sample&) { return true; });
  std::vector<Slice> slices;
  for (std::size_t m = 0; m < plan.methods.size(); ++m) {
    const auto filter = [m](const Sample& s) { return std::cmp_equal(s.method, m); };
    slices.push_back(slice(plan, samples, std::string(row(plan.methods[m]).name), filter, best));
  }
  return slices;
}

std::vector<Slice> by_repetition(const Plan& plan, std::span<const Sample> samples) {
  const auto official = counts_officially(plan);
  const auto best = best_samples(samples, official);
  std::vector<Slice> slices;
  const int begun = samples.empty() ? 0 : samples.back().repetition + 1;
  for (int repetition = 0; repetition < begun; ++repetition) {
    const auto filter = [&, repetition](const Sample& s) {
      return s.repetition == repetition && official(s);
    };
    slices.push_back(
        slice(plan, samples, fmt::format("repetition {}", repetition + 1), filter, best));
  }
  return slices;
}

Spread spread_at(const Plan& plan, const Figures& figures, Group group, std::size_t size) {
  std::vector<double> values;
  for (std::size_t i = 0; i < plan.patterns.size(); ++i) {
    const auto& figure = figures.patterns[i].by_size.at(size);
    if (plan.patterns[i].group == group && figure) {
      values.push_back(*figure);
    }
  }
  if (values.empty()) {
    return {};
  }
  const auto [worst, best] = std::ranges::minmax(values);
  return {.worst = worst, .average = logavg(values), .best = best};
}

}  // namespace beff::b_eff
