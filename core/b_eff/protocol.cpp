#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/b_eff/result.hpp"
#include "core/benchmark.hpp"
#include "core/record/result.hpp"

namespace beff::b_eff {
namespace {

std::string environment_text(const Result& result) {
  const auto& e = result.environment;
  return fmt::format(
      "{}Memory per process {} ({}), in total {}\n"
      "CPU {}: {}\n"
      "MPI {}, standard {}, {}\n"
      "Binding: {} processes bound, {} not bound\n"
      "Threads: {}\n"
      "{}Clock: resolution {:.3f} us, reading it {:.3f} us, barrier {:.3f} us\n",
      head_text(result), format_size(e.memory.per_process), e.memory.source,
      format_size(e.memory.total), e.cpu.model, e.topology, e.mpi.library, e.mpi.standard,
      e.mpi.thread_level, e.binding.bound_processes, e.binding.unbound_processes, threads_text(e),
      load_line(result, result.measurement), e.clock.resolution * kUsPerS,
      e.clock.call_cost * kUsPerS, e.clock.barrier_cost * kUsPerS);
}

std::string patterns_text(const Plan& plan, const Result& result) {
  const auto begin = [](const auto& id, const auto& name, const auto& MBps, const auto& each) {
    return fmt::format("{:>3}  {:<24}{:>10}{:>10}", id, name, MBps, each);
  };
  std::string text = begin("id", "pattern", "MB/s", "per proc");
  for (const Method method : plan.methods) {
    text += fmt::format("{:>19}", row(method).name);
  }
  text += fmt::format("{:>12}{:>12}\n", "at L_max", "latency/us");
  for (std::size_t i = 0; i < plan.patterns.size(); ++i) {
    const auto& pattern = plan.patterns[i];
    const auto& f = result.figures.patterns[i];
    text += begin(pattern.id, pattern.name, cell(f.average),
                  cell(per_process(f.average, pattern.graph->processes())));
    for (const auto& value : f.by_method) {
      text += cell(value, 19);
    }
    text += cell(f.by_size.back(), 12) + cell(f.latency_us, 12) + "\n";
    if (pattern.has_release_3_6) {
      const auto average = average_over_sizes(result.measurement.release_3_6);
      text += begin("", "  as release 3.6 has it", cell(average),
                    cell(per_process(average, plan.processes))) +
              "\n";
    }
  }
  return text;
}

/// b(pat, L, mthd, rep) of all loops, a line for each pattern, method and repetition: of 3.1
/// and 3.6 the output is mainly these.
std::string measurements_text(const Plan& plan, const std::vector<Sample>& samples) {
  std::map<std::tuple<int, int, int>, FigureBySize> loops;
  for (const auto& sample : samples) {
    const auto pattern = std::ranges::find(plan.patterns, sample.pattern, &Pattern::id);
    loops[{sample.pattern, sample.method, sample.repetition}].at(
        static_cast<std::size_t>(sample.size)) = bandwidth_MBps(plan, *pattern, sample);
  }
  std::string text = fmt::format("{:>3}  {:<18}{:>3}", "id", "method", "rep");
  for (const int index : plan.size_indices) {
    text += fmt::format("{:>11}", plan.sizes.at(static_cast<std::size_t>(index)));
  }
  for (const auto& [loop, figures] : loops) {
    const auto& [pattern, method, repetition] = loop;
    const auto& name = row(plan.methods.at(static_cast<std::size_t>(method))).name;
    text += fmt::format("\n{:>3}  {:<18}{:>3}", pattern, name, repetition + 1);
    for (const int index : plan.size_indices) {
      text += cell(figures.at(static_cast<std::size_t>(index)), 11);
    }
  }
  return text + "\n";
}

std::string sizes_text(const Plan& plan, const Figures& figures) {
  const auto line = [](const auto&... cells) {
    return fmt::format("{:>12} |{:>10}{:>10}{:>10} |{:>10}{:>10}{:>10} |{:>12}{:>12}\n", cells...);
  };
  std::string text =
      line("", "rings", "", "", "random", "", "", "both", "both/proc") +
      line("size/byte", "worst", "average", "best", "worst", "average", "best", "MB/s", "MB/s");
  for (const int index : plan.size_indices) {
    const auto size = static_cast<std::size_t>(index);
    const auto rings = spread_at(plan, figures, Group::kRing, size);
    const auto random = spread_at(plan, figures, Group::kRandom, size);
    const auto& both = figures.by_size.at(size).both;
    text += line(plan.sizes.at(size), cell(rings.worst), cell(rings.average), cell(rings.best),
                 cell(random.worst), cell(random.average), cell(random.best), cell(both),
                 cell(per_process(both, plan.processes)));
  }
  return text;
}

std::string slices_text(const std::vector<Slice>& slices) {
  const auto line = [](const auto& name, const auto&... cells) {
    return fmt::format("{:<20}{:>12}{:>12}{:>12}{:>12}{:>12}\n", name, cells...);
  };
  std::string text = line("", "b_eff", "rings", "random", "at L_max", "best in");
  for (const auto& slice : slices) {
    text += line(slice.name, cell(slice.value.both), cell(slice.value.first),
                 cell(slice.value.random), cell(slice.at_lmax), slice.best_count);
  }
  return text;
}

std::string accounting_text(const Accounting& a) {
  const auto share = [&](Seconds part) { return a.elapsed > 0 ? 100 * part / a.elapsed : 0; };
  return fmt::format(
      "elapsed {:.3f} s = loops {:.1f} % + latency {:.1f} % + warm-up {:.1f} % + preparation and "
      "checks {:.1f} % + waiting and barriers {:.1f} %\n",
      a.elapsed, share(a.loops), share(a.latency), share(a.warm_up),
      share(a.preparation_and_checks), share(a.unaccounted()));
}

std::string values_text(const Plan& plan, const Result& result) {
  const auto& f = result.figures;
  const auto each = [&](const Figure& figure) { return cell(per_process(figure, plan.processes)); };
  std::vector<std::array<std::string, 3>> lines{
      {"b_eff", cell(f.b_eff.both), "MB/s"},
      {"b_eff per process", each(f.b_eff.both), "MB/s"},
      {row(plan.definition).rings_first ? "rings" : "Cartesian patterns", cell(f.b_eff.first),
       "MB/s"},
      {"random rings", cell(f.b_eff.random), "MB/s"},
      {"L_max", fmt::format("{:>10}", plan.lmax()), "byte"},
      {"b_eff at L_max", cell(f.at_lmax().both), "MB/s"},
      {"b_eff at L_max per process", each(f.at_lmax().both), "MB/s"},
      {"at L_max, rings only", cell(f.at_lmax().first), "MB/s"},
      {"at L_max per process, rings only", each(f.at_lmax().first), "MB/s"},
      {"latency, rings and random", cell(f.latency_us), "us"},
      {"latency, rings only", cell(f.rings_latency_us), "us"},
      {"ping-pong latency", cell(f.pingpong_latency_us), "us"},
      {"ping-pong bandwidth at L_max", cell(f.pingpong_MBps), "MB/s"}};
  if (const auto exchange = result.total_memory_exchange_s(plan)) {
    lines.push_back({"time to communicate the total memory", cell(exchange), "s"});
  }
  if (const auto balance = result.balance_bytes_per_flop()) {
    lines.push_back({"balance b_eff / R_max", fmt::format("{:>10.3g}", *balance), "byte/flop"});
  }
  std::string text;
  for (const auto& [name, figure, unit] : lines) {
    text += fmt::format("{:<46}{} {}\n", name, figure, unit);
  }
  return text;
}

}  // namespace

std::string summary_text(const Plan& plan, const Result& result) {
  const auto& samples = result.measurement.samples;
  return environment_text(result) + heading("Bandwidth by pattern (average over message sizes)") +
         patterns_text(plan, result) + heading("Accumulated bandwidth in MB/s by message size") +
         sizes_text(plan, result.figures) + heading("By method, in MB/s") +
         slices_text(by_method(plan, samples)) + heading("By repetition, in MB/s") +
         slices_text(by_repetition(plan, samples)) + heading("Time") +
         accounting_text(result.measurement.accounting) + heading("Summary") +
         values_text(plan, result) + "\n" + doubts_text(result, "NOT VALID for comparison") +
         (result.valid() ? fmt::format("VALID {}: all criteria are met\n",
                                       row(plan.definition).is_published ? "for comparison"
                                                                         : "among its own kind")
                         : "");
}

std::string protocol_text(const Plan& plan, const Result& result) {
  return plan_text(plan, result.environment.memory.source, result.time_limit) +
         heading("Measured bandwidth in MB/s by message size in byte") +
         measurements_text(plan, result.measurement.samples) + "\n" + summary_text(plan, result) +
         "\n" + last_line(plan, result) + "\n";
}

std::string last_line(const Plan& plan, const Result& result) {
  const auto& value = result.figures.b_eff.both;
  const auto each = per_process(value, plan.processes);
  return fmt::format("{} = {} MB/s = {:>7} * {} PEs with {} MB/PE on {}{}",
                     row(plan.definition).value, cell(value),
                     each ? fmt::format("{:.3f}", *each) : "-", plan.processes,
                     memory_text(plan.memory_per_process), machine_text(result.environment.uname),
                     result.valid() ? "" : " -- NOT VALID for comparison");
}

}  // namespace beff::b_eff
