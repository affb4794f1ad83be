#include "core/record/data_check.hpp"

#include "core/record/json.hpp"

namespace beff {

Criterion look_at_data(const DataCheck& check) {
  return exactly(0, check.enabled ? std::optional(check.wrong_messages) : std::nullopt);
}

Json to_json(const DataCheck& check) {
  return {{"enabled", check.enabled},
          {"messages_checked", check.messages_checked},
          {"wrong_messages", check.wrong_messages},
          {"first_error", or_null(check.first_error)}};
}

}  // namespace beff
