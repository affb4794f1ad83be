#include "core/b_eff/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/benchmark.hpp"

namespace beff::b_eff {
namespace {

/// Time of one message in µs where `senders` processes send at a time: senders / messages per s.
Figure latency_us(double senders, const Figure& one_byte_MBps) {
  return one_byte_MBps ? Figure(senders / *one_byte_MBps) : std::nullopt;
}

/// The patterns' bandwidths, one table per pattern and method: best repetition by size.
class BestTable {
 public:
  BestTable(const Plan& plan, std::span<const Sample> samples, const SampleFilter& filter)
      : methods_(plan.methods.size()),
        all_(plan.patterns.size() * methods_),
        counted_(plan.patterns.size()) {
    std::array<std::size_t, kLargestPatternId + 1> index_of_id{};
    for (std::size_t i = 0; i < plan.patterns.size(); ++i) {
      index_of_id.at(static_cast<std::size_t>(plan.patterns[i].id)) = i;
    }
    for (const auto& sample : samples) {
      if (sample.time_max <= 0) {
        continue;  // the clock did not resolve this loop: no bandwidth rather than an infinite one
      }
      const auto pattern = index_of_id.at(static_cast<std::size_t>(sample.pattern));
      const auto size = static_cast<std::size_t>(sample.size);
      const double value = bandwidth_MBps(plan, plan.patterns.at(pattern), sample);
      raise_to(all_.at(pattern * methods_ + static_cast<std::size_t>(sample.method)).at(size),
               value);
      if (filter(sample)) {
        raise_to(counted_.at(pattern).at(size), value);
      }
    }
  }

  [[nodiscard]] PatternFigures figures(std::size_t pattern, double senders) const {
    PatternFigures figures;
    figures.by_size = counted_.at(pattern);
    figures.average = average_over_sizes(figures.by_size);
    for (std::size_t method = 0; method < methods_; ++method) {
      figures.by_method.push_back(average_over_sizes(all_.at(pattern * methods_ + method)));
    }
    figures.latency_us = latency_us(senders, figures.by_size.front());
    return figures;
  }

 private:
  std::size_t methods_;
  std::vector<FigureBySize> all_;
  std::vector<FigureBySize> counted_;
};

/// Logarithmic averages of `value` over the two groups of patterns; empty unless every pattern that
/// the definition averages was measured.
template <class Value>
GroupAverages group_averages(const Plan& plan, const Value& value) {
  std::vector<double> first;
  std::vector<double> random;
  for (std::size_t i = 0; i < plan.patterns.size(); ++i) {
    const auto& pattern = plan.patterns[i];
    const Figure figure = value(i);
    if (figure && pattern.enters(plan.definition)) {
      (pattern.group == Group::kRandom ? random : first).push_back(*figure);
    }
  }
  GroupAverages averages;
  const auto firsts = static_cast<std::size_t>(plan.averaged_patterns - kRandomPatterns);
  averages.first = first.size() == firsts ? logavg(first) : std::nullopt;
  averages.random = random.size() == kRandomPatterns ? logavg(random) : std::nullopt;
  if (averages.first && averages.random) {
    averages.both = std::sqrt(*averages.first * *averages.random);
  }
  return averages;
}

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

double bandwidth_MBps(const Plan& plan, const Pattern& pattern, const Sample& sample) {
  const auto size = plan.sizes.at(static_cast<std::size_t>(sample.size));
  return static_cast<double>(size) * static_cast<double>(pattern.graph->messages()) *
         static_cast<double>(sample.loop_length) / sample.time_max / kBytesPerMB;
}

std::vector<int> whole_repetitions(const Plan& plan, std::span<const Sample> samples) {
  std::vector<int> counts;
  for (const auto& pattern : plan.patterns) {
    const auto loops = std::ranges::count(samples, pattern.id, &Sample::pattern);
    counts.push_back(
        static_cast<int>(loops / std::max<std::int64_t>(1, loops_of_repetition(plan, pattern))));
  }
  return counts;
}

int fewest_repetitions(const Plan& plan, std::span<const Sample> samples) {
  const auto counts = whole_repetitions(plan, samples);
  int fewest = plan.repetitions;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (loops_of_repetition(plan, plan.patterns[i]) > 0) {
      fewest = std::min(fewest, counts[i]);
    }
  }
  return fewest;
}

void raise_release_3_6(FigureBySize& best, const Plan& plan, const Sample& sample,
                       double least_rate) {
  if (sample.time_max > 0 && counts_officially(plan)(sample)) {
    const auto size = static_cast<std::size_t>(sample.size);
    const auto moved =
        static_cast<double>(plan.processes) * static_cast<double>(plan.sizes.at(size));
    raise_to(best.at(size), moved * least_rate / kBytesPerMB);
  }
}

Figure average_over_sizes(const FigureBySize& by_size) {
  std::vector<double> values;
  for (const auto& value : by_size) {
    if (!value) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return mean(values);
}

SampleFilter counts_officially(const Plan& plan) {
  return [&plan](const Sample& sample) {
    return row(plan.methods.at(static_cast<std::size_t>(sample.method))).official;
  };
}

Figures condense(const Plan& plan, std::span<const Sample> samples, const SampleFilter& filter) {
  const BestTable table(plan, samples, filter);
  Figures figures;
  for (std::size_t i = 0; i < plan.patterns.size(); ++i) {
    const auto& pattern = plan.patterns[i];
    figures.patterns.push_back(table.figures(i, pattern.graph->concurrent_senders()));
    if (pattern.id == kPingPongPattern) {
      figures.pingpong_latency_us = figures.patterns.back().latency_us;
      figures.pingpong_MBps = figures.patterns.back().by_size.back();
    }
  }
  figures.b_eff = group_averages(plan, [&](std::size_t i) { return figures.patterns[i].average; });
  for (std::size_t size = 0; size < kMessageSizes; ++size) {
    figures.by_size.at(size) =
        group_averages(plan, [&](std::size_t i) { return figures.patterns[i].by_size.at(size); });
  }
  figures.latency_us = latency_us(plan.processes, figures.by_size.front().both);
  figures.rings_latency_us = latency_us(plan.processes, figures.by_size.front().first);
  return figures;
}

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
