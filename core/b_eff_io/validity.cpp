#include "core/b_eff_io/result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {
namespace {

constexpr double kPercent = 100;

/// What the rules look at.
struct Run {
  const Plan& plan;
  const Environment& environment;
  const Measurement& measurement;
  const Figures& figures;
};

std::int64_t count(const Measurement& measurement, Status status) {
  return std::ranges::count(measurement.samples, status, &Sample::status);
}

/// Samples that neither the space nor a bound of the user has made shorter.
std::int64_t measured_in_full(const Plan& plan, const Measurement& measurement) {
  return std::ranges::count_if(measurement.samples, [&](const Sample& s) {
    const auto& counted = measurement.partitions.at(static_cast<std::size_t>(s.partition)).counted;
    const bool cut =
        s.stop == StopReason::kSpace || s.stop == StopReason::kMaxData ||
        (counted.cut != SegmentCut::kNone && row(plan.pattern(s.pattern).type).counted);
    return s.status == Status::kMeasured && !cut;
  });
}

Finding look_at_time(const Run& run) {
  const auto& plan = run.plan;
  const Seconds shortest = shortest_valid_time(plan.release, plan.partitions.size());
  return {.numbers = {{NumberKind::kAtLeast, shortest, plan.time, Unit::kSeconds, ""}},
          .met = plan.time >= shortest};
}

Finding look_at_pointers(const Run& run) {
  const bool has_type = run.plan.has(Type::kShared);
  const bool used = has_type && run.measurement.shared_pointers;
  const std::string otherwise = has_type ? "individual pointers used" : "type 1 not run";
  return {.rule = "used for type 1", .remark = used ? "used" : otherwise, .met = used};
}

/// True when the file itself failed: it could not be opened or closed.
bool file_failed(const Plan& plan, const Measurement& measurement, const TypeSample& type) {
  return type.status == Status::kFailed &&
         std::ranges::none_of(measurement.samples, [&](const Sample& s) {
           return s.status == Status::kFailed && s.partition == type.partition &&
                  s.access == type.access && plan.pattern(s.pattern).type == type.type;
         });
}

Finding look_at_errors(const Run& run) {
  const auto& [plan, environment, measurement, figures] = run;
  const auto failed = count(measurement, Status::kFailed) +
                      std::ranges::count_if(measurement.types, [&](const TypeSample& type) {
                        return file_failed(plan, measurement, type);
                      });
  return {.numbers = {exactly(0, failed, "failed patterns or files")}, .met = failed == 0};
}

/// What an access method must move so that no cache can hold it.
Bytes more_than_caches(const Environment& environment, const Measurement& measurement) {
  constexpr Bytes kCacheFactor = 20;
  const auto& cache = measurement.file_system.cache;
  return cache ? kCacheFactor * *cache : environment.memory.total;
}

/// The least that an access method of the plan has moved.
Bytes least_moved(const Plan& plan, const Figures& figures) {
  Bytes least = figures.bytes.at(index_of(Access::kWrite));
  for (const Access access : {Access::kRewrite, Access::kRead}) {
    if (std::ranges::any_of(plan.types, [&](Type type) { return plan.has(access, type); })) {
      least = std::min(least, figures.bytes.at(index_of(access)));
    }
  }
  return least;
}

/// Measured where that is possible; else by IPDPS paper, section 5: 20 times the cache in each
/// access method.
Finding look_at_origin(const Run& run) {
  const auto& [plan, environment, measurement, figures] = run;
  const auto share = read_origin(measurement).disk_share;
  const auto percent = share ? std::optional(kPercent * *share) : std::nullopt;
  const CriterionNumber seen{NumberKind::kAtLeast, kPercent * kDiskShare, percent, Unit::kPercent,
                             "read from beyond the page caches"};
  if (share) {
    return {.numbers = {seen},
            .remark = measurement.file_system.in_memory ? "a file system in memory" : "",
            .met = *share >= kDiskShare};
  }
  const Bytes needed = more_than_caches(environment, measurement);
  const Bytes moved = least_moved(plan, figures);
  const auto& cache = measurement.file_system.cache;
  return {.numbers = {seen,
                      {NumberKind::kOrAtLeast, static_cast<double>(needed),
                       static_cast<double>(moved), Unit::kBytes, "moved in each access method"}},
          .rule = cache ? fmt::format("20 times the file system's cache of {}", format_size(*cache))
                        : "memory of the system",
          .met = moved >= needed};
}

Finding look_at_completeness(const Run& run) {
  const auto& [plan, environment, measurement, figures] = run;
  const auto full = measured_in_full(plan, measurement);
  return {.numbers = {exactly(planned_samples(plan), full, "patterns")},
          .rule = "every pattern of the plan, none cut short",
          .met = measurement.complete && figures[plan.release] && full == planned_samples(plan)};
}

Finding look_at_data(const Run& run) {
  const auto& check = run.measurement.data_check;
  const auto wrong = check.mode == "none" ? std::nullopt : std::optional(check.wrong_chunks);
  return {.numbers = {exactly(0, wrong, "wrong chunks"),
                      stated(check.chunks_checked, "chunks compared")},
          .rule = "read data compared with what was written",
          .met = check.chunks_checked > 0 && check.wrong_chunks == 0};
}

std::string types_and_rewrite(const Plan& plan) {
  std::string text = "types";
  for (const Type type : plan.types) {
    text += fmt::format(" {}", index_of(type));
  }
  return text + fmt::format(", rewrite {}", to_string(plan.rewritten()));
}

Finding look_at_schedule(const Run& run) {
  const auto& plan = run.plan;
  const auto official =
      std::ranges::count_if(plan.types, [](Type type) { return row(type).official; });
  std::vector numbers{exactly(kOfficialTypes, official, "official types")};
  if (plan.max_data) {
    numbers.push_back(stated(*plan.max_data, "of data at most", Unit::kBytes));
  }
  if (plan.max_segment) {
    numbers.push_back(stated(*plan.max_segment, "a segment at most", Unit::kBytes));
  }
  return {
      .numbers = std::move(numbers),
      .rule = fmt::format("types 0 to 4, rewrite as in release {}, no bound of data or segments",
                          to_string(plan.release)),
      .remark = types_and_rewrite(plan),
      .met = is_official(plan)};
}

constexpr std::array kRules{
    Rule<Run>{"scheduled time", look_at_time},
    Rule<Run>{"shared file pointers", look_at_pointers},
    Rule<Run>{"no error", look_at_errors},
    Rule<Run>{"read from the file system", look_at_origin},
    Rule<Run>{"measured in full", look_at_completeness},
    Rule<Run>{"data", look_at_data},
    Rule<Run>{"schedule", look_at_schedule},
    Rule<Run>{"build", [](const Run& run) { return look_at_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return look_at_machine(run.environment); }},
};

std::string pattern_list(const std::set<int>& numbers) {
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::set<int> patterns_stopped_by(const Measurement& measurement, StopReason reason) {
  std::set<int> numbers;
  for (const auto& sample : measurement.samples) {
    if (sample.stop == reason) {
      numbers.insert(sample.pattern);
    }
  }
  return numbers;
}

void add_stops(std::vector<std::string>& texts, const Measurement& measurement) {
  if (const auto full = patterns_stopped_by(measurement, StopReason::kSpace); !full.empty()) {
    texts.push_back("stopped by space, to leave the file system its reserve: patterns " +
                    pattern_list(full));
  }
  if (const auto bound = patterns_stopped_by(measurement, StopReason::kMaxData); !bound.empty()) {
    texts.push_back("stopped by the bound of written data: patterns " + pattern_list(bound));
  }
}

void add_failures(std::vector<std::string>& texts, const Plan& plan,
                  const Measurement& measurement) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> failures;
  const auto add = [&](const std::string& what, const auto& failed) {
    failures.push_back(fmt::format(
        "{} failed in the {} of {} processes: {}", what, to_string(failed.access),
        plan.partitions.at(static_cast<std::size_t>(failed.partition)), failed.error.value_or("")));
  };
  for (const auto& sample : measurement.samples) {
    if (sample.status == Status::kFailed) {
      add(fmt::format("pattern {}", sample.pattern), sample);
    }
  }
  for (const auto& type : measurement.types) {
    if (file_failed(plan, measurement, type)) {
      add(fmt::format("the file of type {}", row(type.type).name), type);
    }
  }
  const auto shown = std::min(failures.size(), kMost);
  texts.insert(texts.end(), failures.begin(),
               failures.begin() + static_cast<std::ptrdiff_t>(shown));
  if (failures.size() > shown) {
    texts.push_back(fmt::format("{} more patterns or files failed", failures.size() - shown));
  }
}

void add_segments(std::vector<std::string>& texts, const Plan& plan,
                  const Measurement& measurement) {
  for (std::size_t p = 0; p < measurement.partitions.size(); ++p) {
    const auto& counted = measurement.partitions[p].counted;
    if (counted.cut != SegmentCut::kNone) {
      texts.push_back(
          fmt::format("types 3 and 4 of {} processes repeat only {:.3g} % of what types 0-2 ask "
                      "for, bounded by {}",
                      plan.partitions[p], 100 * counted.scale, to_string(counted.cut)));
    }
  }
}

/// A caution and no criterion: the papers asked it on one machine only, and published 26.8 %.
void add_amount(std::vector<std::string>& texts, const Environment& environment,
                const Figures& figures) {
  const Bytes written = figures.bytes.at(index_of(Access::kWrite));
  if (written > 0 && written < environment.memory.total) {
    texts.push_back(fmt::format(
        "the initial write moved less than the memory of the system: {:.1f} % of it",
        kPercent * static_cast<double>(written) / static_cast<double>(environment.memory.total)));
  }
}

void add_decisions(std::vector<std::string>& texts, const Plan& plan,
                   const Measurement& measurement) {
  constexpr double kLargestShare = 0.02;
  for (std::size_t p = 0; p < measurement.partitions.size(); ++p) {
    const double share = decision_cost(measurement, p).share.value_or(0);
    if (share > kLargestShare) {
      texts.push_back(fmt::format(
          "agreeing on when to stop took up to {:.1f} % of the loops' time with {} processes",
          kPercent * share, plan.partitions[p]));
    }
  }
}

}  // namespace

std::vector<Criterion> validity_criteria(const Plan& plan, const Environment& environment,
                                         const Measurement& measurement, const Figures& figures) {
  auto criteria = judged_by(kRules, Run{plan, environment, measurement, figures});
  add_device_criterion(criteria, environment);
  return criteria;
}

std::vector<std::string> cautions(const Plan& plan, const Environment& environment,
                                  const Measurement& measurement, const Figures& figures) {
  std::vector<std::string> texts;
  if (measurement.stopped_by) {
    texts.push_back("the run was stopped early: " + *measurement.stopped_by);
  }
  add_failures(texts, plan, measurement);
  if (measurement.data_check.first_error) {
    texts.push_back("wrong data read: " + *measurement.data_check.first_error);
  }
  const auto medium = read_origin(measurement).medium;
  if (medium != Medium::kDisk) {
    texts.push_back(medium_sentence(measurement));
  }
  add_stops(texts, measurement);
  add_amount(texts, environment, figures);
  add_segments(texts, plan, measurement);
  add_decisions(texts, plan, measurement);
  if (plan.has(Type::kShared) && !measurement.shared_pointers) {
    texts.emplace_back(plan.pointer == Pointer::kShared
                           ? "type 1 used individual file pointers: this MPI library's shared ones "
                             "cannot be used here"
                           : "type 1 used individual file pointers, as asked for");
  }
  if (measurement.reader_shifted) {
    texts.emplace_back("each process read what a process of another node had written");
  }
  add_core_cautions(texts, environment);
  if (plan.m_part_bounded) {
    texts.push_back(
        fmt::format("M_PART is bounded to {} (memory of a process / 128 would be larger)",
                    format_size(plan.m_part)));
  }
  for (const auto& file : measurement.leftovers) {
    texts.push_back("could not be removed: " + file);
  }
  return texts;
}

}  // namespace beff::b_eff_io
