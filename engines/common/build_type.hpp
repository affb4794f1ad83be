#pragma once

namespace beff {

/// How the program was built: CMake's build type, or "sanitized" with sanitizers.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr const char* kBuildType = "sanitized";
#else
inline constexpr const char* kBuildType = BEFF_BUILD_TYPE;
#endif

}  // namespace beff
