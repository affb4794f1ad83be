#include "core/record/data_check.hpp"

#include "core/record/json.hpp"

namespace beff {

Finding look_at_data(const DataCheck& check) {
  const auto wrong = check.enabled ? std::optional(check.wrong_messages) : std::nullopt;
  return {.numbers = {exactly(0, wrong, "wrong messages"),
                      stated(check.messages_checked, "messages checked")},
          .rule = "first and last byte of the received messages checked",
          .met = check.enabled && check.wrong_messages == 0};
}

Json to_json(const DataCheck& check) {
  return {{"enabled", check.enabled},
          {"messages_checked", check.messages_checked},
          {"wrong_messages", check.wrong_messages},
          {"first_error", or_null(check.first_error)}};
}

}  // namespace beff
