#include "core/b_eff/slow_candidate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace beff::b_eff {
namespace {

constexpr double kLevelQuantile = 0.2;

/// Probability of at least `successes` in independent trials.
double binomial_tail(int successes, int trials, double probability) {
  if (successes == 0 || probability >= 1) {
    return 1;
  }
  double sum = 0;
  for (int k = successes; k <= trials; ++k) {
    sum += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
                    k * std::log(probability) + (trials - k) * std::log1p(-probability));
  }
  return std::min(1.0, sum);
}

}  // namespace

double slow_excess() {
  static const double kExcess = std::log(kSlowFactor);
  return kExcess;
}

double SweepCount::chance() const {
  return number > 0 ? binomial_tail(slow, number, expected / number) : 0;
}

SlowCandidate::SlowCandidate(std::vector<int> of, Compared in)
    : units(std::move(of)), compared(std::move(in)) {
  for (const auto* c : compared) {
    double least = c->excess.at(units.front());
    for (const int unit : units) {
      least = std::min(least, c->excess.at(unit));
    }
    excesses.push_back(least);
  }
}

double SlowCandidate::level() const { return quantile(excesses, kLevelQuantile); }

int SlowCandidate::slow_in() const {
  return static_cast<int>(
      std::ranges::count_if(excesses, [](double e) { return e >= slow_excess(); }));
}

double SlowCandidate::by_noise(double noise) const {
  return binomial_tail(slow_in(), static_cast<int>(excesses.size()), noise);
}

double SlowCandidate::factor() const {
  std::vector<double> apart;
  for (std::size_t i = 0; i < compared.size(); ++i) {
    if (!compared[i]->in_one_ring()) {
      apart.push_back(excesses[i]);
    }
  }
  return std::exp(quantile(apart.empty() ? excesses : apart, 0.5));
}

}  // namespace beff::b_eff
