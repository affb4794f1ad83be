#include "core/record/digest.hpp"

#include <fmt/format.h>

namespace beff {

std::string Digest::hex() const { return fmt::format("{:016x}", state_); }

}  // namespace beff
