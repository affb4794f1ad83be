#include "core/b_eff_io/result.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

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

Criterion judge_time(const Run& run) {
  const auto& plan = run.plan;
  const Seconds shortest = shortest_valid_time(plan.release, plan.partitions.size());
  return {.required = shortest,
          .found = plan.time,
          .unit = Unit::kSeconds,
          .met = plan.time >= shortest};
}

/// True when the file itself failed: it could not be opened or closed.
bool file_failed(const Plan& plan, const Measurement& measurement, const TypeSample& type) {
  return type.status == Status::kFailed &&
         std::ranges::none_of(measurement.samples, [&](const Sample& s) {
           return s.status == Status::kFailed && s.partition == type.partition &&
                  s.access == type.access && plan.pattern(s.pattern).type == type.type;
         });
}

Criterion judge_errors(const Run& run) {
  const auto& [plan, environment, measurement, figures] = run;
  const auto failed = count(measurement, Status::kFailed) +
                      std::ranges::count_if(measurement.types, [&](const TypeSample& type) {
                        return file_failed(plan, measurement, type);
                      });
  return exactly(0, failed);
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

/// The measured share, where it is known and too small, or no cache is given that the clients
/// cannot see; else by IPDPS paper, section 5.4: 20 times the cache in each access method.
Criterion judge_origin(const Run& run) {
  const auto& [plan, environment, measurement, figures] = run;
  const auto& cache = measurement.file_system.cache;
  const auto share = read_origin(measurement).disk_share;
  if (share && (!cache || *share < kDiskShare)) {
    return {.required = kPercent * kDiskShare,
            .found = kPercent * *share,
            .unit = Unit::kPercent,
            .met = *share >= kDiskShare};
  }
  // so much that no cache can hold it
  constexpr Bytes kCacheFactor = 20;
  const Bytes needed = cache ? kCacheFactor * *cache : environment.memory.total;
  const Bytes moved = least_moved(plan, figures);
  return {.required = static_cast<double>(needed),
          .found = static_cast<double>(moved),
          .unit = Unit::kBytes,
          .met = moved >= needed};
}

Criterion judge_completeness(const Run& run) {
  const auto& [plan, environment, measurement, figures] = run;
  auto full = exactly(planned_samples(plan), measured_in_full(plan, measurement));
  full.met = full.met && measurement.complete && figures[plan.release];
  return full;
}

Criterion judge_data(const Run& run) {
  const auto& check = run.measurement.data_check;
  auto data = exactly(0, check.mode == "none" ? std::nullopt : std::optional(check.wrong_chunks));
  data.met = check.chunks_checked > 0 && check.wrong_chunks == 0;
  data.of = check.chunks_checked;
  return data;
}

Criterion judge_schedule(const Run& run) {
  const auto& plan = run.plan;
  auto types =
      exactly(kOfficialTypes,
              std::ranges::count_if(plan.types, [](Type type) { return row(type).official; }));
  types.met = is_official(plan);
  return types;
}

constexpr std::array kRules{
    Rule<Run>{"scheduled time", judge_time},
    Rule<Run>{"shared file pointers",
              [](const Run& run) {
                return Criterion{.met = run.plan.has(Type::kShared) &&
                                        run.measurement.shared_pointers};
              }},
    Rule<Run>{"no error", judge_errors},
    Rule<Run>{"read from the file system", judge_origin},
    Rule<Run>{"measured in full", judge_completeness},
    Rule<Run>{"data", judge_data},
    Rule<Run>{"schedule", judge_schedule},
    Rule<Run>{"build", [](const Run& run) { return judge_build(run.environment); }},
    Rule<Run>{"machine", [](const Run& run) { return judge_machine(run.environment); }},
};

std::vector<std::int64_t> patterns_stopped_by(const Measurement& measurement, StopReason reason) {
  std::set<int> numbers;
  for (const auto& sample : measurement.samples) {
    if (sample.stop == reason) {
      numbers.insert(sample.pattern);
    }
  }
  return {numbers.begin(), numbers.end()};
}

void add_stops(std::vector<Statement>& cautions, const Measurement& measurement) {
  for (const auto& [reason, code] :
       {std::pair(StopReason::kSpace, "stopped by space"),
        std::pair(StopReason::kMaxData, "stopped by the bound of data")}) {
    if (auto patterns = patterns_stopped_by(measurement, reason); !patterns.empty()) {
      cautions.push_back({code, {{"patterns", std::move(patterns)}}});
    }
  }
}

void add_failures(std::vector<Statement>& cautions, const Plan& plan,
                  const Measurement& measurement) {
  constexpr std::size_t kMost = 5;
  std::vector<Statement> failures;
  const auto add = [&](Statement what, const auto& failed) {
    what.facts.emplace_back("access", std::string(to_string(failed.access)));
    what.facts.emplace_back("processes",
                            plan.partitions.at(static_cast<std::size_t>(failed.partition)));
    what.facts.emplace_back("error", failed.error.value_or(""));
    failures.push_back(std::move(what));
  };
  for (const auto& sample : measurement.samples) {
    if (sample.status == Status::kFailed) {
      add({"failed pattern", {{"pattern", sample.pattern}}}, sample);
    }
  }
  for (const auto& type : measurement.types) {
    if (file_failed(plan, measurement, type)) {
      add({"failed file", {{"type", std::string(row(type.type).name)}}}, type);
    }
  }
  const auto shown = std::min(failures.size(), kMost);
  cautions.insert(cautions.end(), failures.begin(),
                  failures.begin() + static_cast<std::ptrdiff_t>(shown));
  if (failures.size() > shown) {
    cautions.push_back(
        {"more failures", {{"count", static_cast<std::int64_t>(failures.size() - shown)}}});
  }
}

void add_segments(std::vector<Statement>& cautions, const Plan& plan,
                  const Measurement& measurement) {
  for (std::size_t p = 0; p < measurement.partitions.size(); ++p) {
    const auto& counted = measurement.partitions[p].counted;
    if (counted.cut != SegmentCut::kNone) {
      cautions.push_back({"cut segments",
                          {{"processes", plan.partitions[p]},
                           {"repeated_percent", kPercent * counted.scale},
                           {"by", std::string(to_string(counted.cut))}}});
    }
  }
}

/// A caution and no criterion: the papers asked it on one machine only, and published 26.8 %.
void add_amount(std::vector<Statement>& cautions, const Environment& environment,
                const Figures& figures) {
  const Bytes written = figures.bytes.at(index_of(Access::kWrite));
  if (written > 0 && written < environment.memory.total) {
    cautions.push_back({"less than memory",
                        {{"written_percent", kPercent * static_cast<double>(written) /
                                                 static_cast<double>(environment.memory.total)}}});
  }
}

void add_decisions(std::vector<Statement>& cautions, const Plan& plan,
                   const Measurement& measurement) {
  constexpr double kLargestShare = 0.02;
  for (std::size_t p = 0; p < measurement.partitions.size(); ++p) {
    const double share = decision_cost(measurement, p).share.value_or(0);
    if (share > kLargestShare) {
      cautions.push_back(
          {"costly decisions",
           {{"loops_percent", kPercent * share}, {"processes", plan.partitions[p]}}});
    }
  }
}

}  // namespace

std::vector<Criterion> validity_criteria(const Plan& plan, const Environment& environment,
                                         const Measurement& measurement, const Figures& figures) {
  auto criteria = judged_by(kRules, Run{plan, environment, measurement, figures});
  add_device_criteria(criteria, environment);
  return criteria;
}

std::vector<Statement> cautions(const Plan& plan, const Environment& environment,
                                const Measurement& measurement, const Figures& figures) {
  std::vector<Statement> statements;
  if (measurement.stopped_by) {
    statements.push_back({"stopped", {{"by", *measurement.stopped_by}}});
  }
  add_failures(statements, plan, measurement);
  if (const auto& error = measurement.data_check.first_error) {
    statements.push_back({"wrong data", {{"first", *error}}});
  }
  if (read_origin(measurement).medium != Medium::kDisk) {
    statements.push_back(medium_of(measurement));
  }
  add_stops(statements, measurement);
  add_amount(statements, environment, figures);
  add_segments(statements, plan, measurement);
  add_decisions(statements, plan, measurement);
  if (plan.has(Type::kShared) && !measurement.shared_pointers) {
    statements.push_back(
        {plan.pointer == Pointer::kShared ? "no shared pointers" : "individual pointers"});
  }
  if (measurement.reader_shifted) {
    statements.push_back({"shifted reader"});
  }
  add_host_cautions(statements, environment);
  if (plan.m_part_bounded) {
    statements.push_back({"bounded M_PART", {{"m_part_bytes", plan.m_part}}});
  }
  for (const auto& file : measurement.leftovers) {
    statements.push_back({"file left", {{"file", file}}});
  }
  return statements;
}

}  // namespace beff::b_eff_io
