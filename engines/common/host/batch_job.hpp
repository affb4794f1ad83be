#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/record/environment.hpp"

namespace beff {

/// The value of an environment variable; null where it is not set.
using Variable = std::function<const char*(const char*)>;

/// The job of a batch system that this process runs in, with its partition or queue and its quality
/// of service as far as jobs see them; nothing outside a job.
std::optional<BatchJob> look_at_job(const Variable& variable);

}  // namespace beff
