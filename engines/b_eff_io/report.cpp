#include "engines/b_eff_io/report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "core/b_eff_io/protocol.hpp"
#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"
#include "engines/common/clock.hpp"
#include "engines/common/fail.hpp"
#include "engines/common/output_files.hpp"

namespace beff::b_eff_io {

Report::Report(const Plan& plan, const Options& options, const RunContext& context,
               Environment environment, FileSystem file_system)
    : plan_(&plan),
      options_(&options),
      context_(&context),
      environment_(std::move(environment)),
      file_system_(std::move(file_system)),
      started_(watch_time()) {}

Json Report::without_samples() const {
  Measurement nothing;
  nothing.file_system = file_system_;
  nothing.partitions.resize(plan_->partitions.size());
  return to_json(*plan_, make_result(*plan_, context_->program, environment_, options_->effective,
                                     std::move(nothing)));
}

int Report::write(Measurement measurement, FileGuard& files) {
  environment_.finished_at = utc_now();
  environment_.wall = watch_time() - started_;
  measurement.file_system = file_system_;
  measurement.leftovers = files.remove();
  const auto result = make_result(*plan_, context_->program, environment_, options_->effective,
                                  std::move(measurement));
  const auto text = protocol(*plan_, result);
  fmt::print("{}", options_->quiet ? value_line(*plan_, result) + "\n" : text);
  std::fflush(stdout);
  const OutputFiles outputs(options_->output);
  write_atomically(outputs.result(), to_json(*plan_, result).dump(1) + "\n");
  write_atomically(outputs.protocol(), text);
  return result.valid() ? kExitValid : kExitNotValid;
}

}  // namespace beff::b_eff_io
