#include "core/pairs/matrix_record.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/pairs/plan.hpp"

namespace beff::pairs {
namespace {

constexpr double kNsPerS = 1e9;
constexpr double kNsPerUs = 1e3;
/// Who waits longer than this share of its iteration for one partner alone is counted.
constexpr double kLongWait = 0.25;

std::int64_t whole_ns(Seconds time) {
  return std::max<std::int64_t>(1, std::llround(time * kNsPerS));
}

}  // namespace

std::vector<MatrixRank> ranks_of(const std::vector<Seconds>& times,
                                 const std::vector<std::vector<MatrixLook>>& looks) {
  std::vector<MatrixRank> ranks;
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    MatrixRank one{.rank = static_cast<int>(rank),
                   .ns = whole_ns(times[rank]),
                   .last_ns = std::nullopt,
                   .others_ns = std::nullopt,
                   .last_from = std::nullopt};
    std::vector<MatrixLook> own;
    for (const auto& look : looks) {
      own.push_back(look.at(rank));
    }
    const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
    std::ranges::nth_element(own, middle, {}, &MatrixLook::done);
    one.single_ns = whole_ns(middle->done);
    if (middle->last_from != MatrixLook::kNobody) {
      one.last_from = middle->last_from;
      one.last_ns = std::min(one.single_ns, whole_ns(middle->last));
      if (middle->others > 0) {
        one.others_ns = std::min(*one.last_ns, whole_ns(middle->others));
      }
    }
    ranks.push_back(one);
  }
  return ranks;
}

std::vector<MatrixRank> kept(std::vector<MatrixRank> ranks) {
  if (ranks.size() > kMostRanksKept) {
    std::ranges::stable_sort(ranks, std::ranges::greater(), &MatrixRank::single_ns);
    ranks.resize(kMostRanksKept);
    std::ranges::sort(ranks, {}, &MatrixRank::rank);
  }
  return ranks;
}

std::optional<MatrixFigures> matrix_figures(const Plan& plan, const MatrixRecord& record) {
  if (!plan.traffic || record.loops.empty()) {
    return std::nullopt;
  }
  const auto iteration_ns = [](const MatrixLoopResult& loop) {
    return static_cast<double>(loop.ns) / static_cast<double>(loop.length);
  };
  const auto best = std::ranges::min_element(record.loops, {}, iteration_ns);
  const double ns = iteration_ns(*best);
  return MatrixFigures{
      .iteration_us = ns / kNsPerUs,
      .MBps = static_cast<double>(plan.traffic->bytes) * kNsPerS / ns / kBytesPerMB,
      .best = static_cast<std::size_t>(best - record.loops.begin())};
}

std::vector<WaitedFor> waited_for(const MatrixRecord& record, const std::vector<int>& unit_of) {
  std::map<int, int> processes;
  for (const auto& rank : record.ranks) {
    const auto alone = static_cast<double>(rank.alone_ns().value_or(0));
    if (alone > kLongWait * static_cast<double>(rank.single_ns)) {
      ++processes[unit_of.at(static_cast<std::size_t>(*rank.last_from))];
    }
  }
  std::vector<WaitedFor> found;
  for (const auto& [unit, count] : processes) {
    if (count > 1) {
      found.push_back({.unit = unit, .processes = count});
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &WaitedFor::processes);
  return found;
}

}  // namespace beff::pairs
