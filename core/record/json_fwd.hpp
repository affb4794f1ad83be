#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

namespace beff {

/// JSON that keeps the order in which fields are added, as a reader of a result expects it. Where
/// it is made or read, include core/record/json.hpp; that header takes seconds to compile.
using Json = nlohmann::ordered_json;

/// A part of a result that is recorded as it came; without a value it is null.
using RecordedJson = std::shared_ptr<const Json>;

}  // namespace beff
