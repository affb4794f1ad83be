#include "core/pairs/matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

#include "core/benchmark.hpp"
#include "core/pairs/plan.hpp"
#include "core/record/columns.hpp"
#include "core/record/json.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {
namespace {

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

namespace {

constexpr std::size_t kShownRanks = 10;
constexpr std::size_t kShownUnits = 3;
constexpr double kUsPerMs = 1e3;
constexpr double kPercent = 100;

std::string messages_text(const MatrixTotals& totals) {
  return fmt::format("{} in {} of an iteration", format_size(totals.bytes),
                     counted(totals.messages, "message"));
}

Json rows_json(const std::optional<std::vector<MatrixRow>>& rows) {
  if (!rows) {
    return nullptr;
  }
  const auto text = [&](const auto& get) {
    return fmt::format("{}", fmt::join(*rows | std::views::transform(get), " "));
  };
  return {{"from", text(&MatrixRow::from)},
          {"to", text(&MatrixRow::to)},
          {"bytes", text(&MatrixRow::bytes)},
          {"count", text(&MatrixRow::count)}};
}

constexpr std::tuple kRankColumns{
    Column{"rank", &MatrixRank::rank},
    Column{"sent_bytes", &MatrixRank::sent},
    Column{"received_bytes", &MatrixRank::received},
    Column{"ns", &MatrixRank::ns},
    Column{"single_ns", &MatrixRank::single_ns},
    Column{"last_ns", &MatrixRank::last_ns},
    Column{"others_ns", &MatrixRank::others_ns},
    Column{"last_from", &MatrixRank::last_from},
};

constexpr std::tuple kLoopColumns{
    Column{"length", &MatrixLoopResult::length},
    Column{"ns", &MatrixLoopResult::ns},
    Column{"slowest_rank", &MatrixLoopResult::slowest_rank},
};

std::string rank_line(const MatrixRank& rank, const MatrixNames& names) {
  const auto name = [&](int number) { return names.of_ranks.at(static_cast<std::size_t>(number)); };
  std::string text =
      fmt::format("  {:<26}{:>12}{:>12}{:>14.3f}", name(rank.rank), format_size(rank.sent),
                  format_size(rank.received), static_cast<double>(rank.single_ns) / kNsPerUs);
  if (const auto alone = rank.alone_ns()) {
    const auto share = static_cast<double>(*alone) / static_cast<double>(rank.single_ns);
    text += fmt::format("{:>7.0f} %  {}", kPercent * share, name(*rank.last_from));
  }
  return text + "\n";
}

std::string slowest_ranks_text(const MatrixRecord& record, const MatrixNames& names) {
  auto ranks = record.ranks;
  std::ranges::stable_sort(ranks, std::ranges::greater(), &MatrixRank::single_ns);
  ranks.resize(std::min(ranks.size(), kShownRanks));
  std::string text = fmt::format("{:<28}{:>12}{:>12}{:>14}   {}\n", "One iteration, the slowest",
                                 "sends", "receives", "us", "of it alone for the last, from");
  for (const auto& rank : ranks) {
    text += rank_line(rank, names);
  }
  return text;
}

}  // namespace

Json matrix_plan_json(const Plan& plan) {
  if (!plan.matrix || !plan.traffic) {
    return nullptr;
  }
  const auto& totals = *plan.traffic;
  const bool preset = is_preset(plan.matrix->given);
  return {{"source", plan.matrix->given},
          {"method", to_string(plan.matrix->method)},
          {"message_bytes", preset ? Json(plan.message_size.value_or(kPresetMessage)) : Json()},
          {"rows", totals.rows},
          {"messages", totals.messages},
          {"bytes", totals.bytes},
          {"most_messages", totals.most_messages},
          {"loops", kMatrixLoops},
          {"digest", plan.seed || !is_drawn(plan.matrix->given)
                         ? Json(fmt::format("{:016x}", totals.digest))
                         : Json()}};
}

Json matrix_json(const Plan& plan, const MatrixRecord& record) {
  if (!plan.matrix) {
    return nullptr;
  }
  return {{"loops", table_json(record.loops, kLoopColumns)},
          {"ranks", table_json(record.ranks, kRankColumns)},
          {"rows", rows_json(record.rows)},
          {"data_check", beff::to_json(record.check)}};
}

Json matrix_summary(const Plan& plan, const MatrixRecord& record) {
  const auto found = matrix_figures(plan, record);
  return {{"matrix_us", found ? Json(found->iteration_us) : Json(nullptr)},
          {"matrix_MBps", found ? Json(found->MBps) : Json(nullptr)}};
}

Json to_json(const MatrixLoopResult& loop) { return row_json(loop, kLoopColumns); }

Json matrix_end_json(const MatrixRecord& record) {
  return {{"ranks", table_json(record.ranks, kRankColumns)},
          {"data_check", beff::to_json(record.check)}};
}

std::string matrix_plan_text(const Plan& plan) {
  if (!plan.matrix || !plan.traffic) {
    return "";
  }
  const auto& totals = *plan.traffic;
  return fmt::format(
      "Matrix {} by {}: {},\n  at most {} of a process; {} loops, then {} iterations alone\n",
      plan.matrix->given, to_string(plan.matrix->method), messages_text(totals),
      counted(totals.most_messages, "message"), kMatrixLoops, kMatrixLooks);
}

std::string matrix_text(const Plan& plan, const MatrixRecord& record, const MatrixNames& names) {
  if (!plan.matrix) {
    return "";
  }
  std::string text = heading(fmt::format("Matrix {}", plan.matrix->given));
  const auto found = matrix_figures(plan, record);
  if (!found) {
    return text + "nothing was measured\n";
  }
  const auto& best = record.loops.at(found->best);
  text += fmt::format("{:.3f} GB/s: {} in {:.3f} ms\n", found->MBps / kMBPerGB,
                      messages_text(*plan.traffic), found->iteration_us / kUsPerMs);
  text += fmt::format("best of {} of {}; its slowest process {}\n",
                      counted(static_cast<std::int64_t>(record.loops.size()), "loop"),
                      counted(best.length, "iteration"),
                      names.of_ranks.at(static_cast<std::size_t>(best.slowest_rank)));
  if (record.ranks.empty()) {
    return text;
  }
  text += slowest_ranks_text(record, names);
  auto waited = waited_for(record, names.unit_of);
  waited.resize(std::min(waited.size(), kShownUnits));
  for (const auto& [unit, processes] : waited) {
    text += fmt::format("waits of more than a quarter of it for {} alone: {}\n",
                        names.of_unit(unit), processes);
  }
  return text;
}

std::string matrix_words(const Plan& plan, const MatrixRecord& record) {
  const auto found = plan.matrix ? matrix_figures(plan, record) : std::nullopt;
  return found ? fmt::format(", {} {:.3f} GB/s", plan.matrix->given, found->MBps / kMBPerGB) : "";
}

}  // namespace beff::pairs
