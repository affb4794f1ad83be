#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace beff {

/// A request that cannot be planned. `option` is what was asked for, by its name on the command
/// line without dashes; what() follows it: the value, what is wrong and the way out.
class PlanError : public std::invalid_argument {
 public:
  PlanError(std::string_view option, const std::string& why)
      : std::invalid_argument(why), option_(option) {}
  [[nodiscard]] const std::string& option() const { return option_; }

 private:
  std::string option_;
};

}  // namespace beff
