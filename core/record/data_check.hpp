#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/record/json_fwd.hpp"
#include "core/record/validity.hpp"

namespace beff {

/// Outcome of comparing the first and last byte of received messages.
struct MessageCheck {
  std::int64_t messages_checked = 0;
  std::int64_t wrong_messages = 0;
  std::optional<std::string> first_error{};  ///< where the first wrong message was seen

  void add(const MessageCheck& later) {
    messages_checked += later.messages_checked;
    wrong_messages += later.wrong_messages;
    first_error = first_error ? first_error : later.first_error;
  }
};

/// The same for a whole run.
struct DataCheck : MessageCheck {
  bool enabled = true;
};

/// The rule that all messages that were checked are right, and that they were.
[[nodiscard]] Criterion look_at_data(const DataCheck& check);

[[nodiscard]] Json to_json(const DataCheck& check);

}  // namespace beff
