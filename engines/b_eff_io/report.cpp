#include "engines/b_eff_io/report.hpp"

#include <utility>

#include "core/b_eff_io/protocol.hpp"
#include "core/b_eff_io/result.hpp"
#include "core/record/json.hpp"
#include "engines/common/fail.hpp"

namespace beff::b_eff_io {

Json Report::without_samples() const {
  Measurement nothing;
  nothing.file_system = *file_system_;
  nothing.partitions.resize(plan_->partitions.size());
  return to_json(*plan_, make_result(*plan_, context_->program, start_->environment,
                                     options_->effective, std::move(nothing)));
}

int Report::write(Measurement measurement) const {
  measurement.file_system = *file_system_;
  const auto result = make_result(*plan_, context_->program, ended(*start_), options_->effective,
                                  std::move(measurement));
  const auto text = protocol(*plan_, result);
  publish(*options_, {.shown = options_->quiet ? value_line(*plan_, result) + "\n" : text,
                      .protocol = text,
                      .result = std::make_shared<const Json>(to_json(*plan_, result))});
  return result.valid() ? kExitValid : kExitNotValid;
}

}  // namespace beff::b_eff_io
