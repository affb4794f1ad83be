#pragma once

#include <fmt/format.h>

#include <string>

namespace beff {

/// How the program was built: CMake's build type, or "sanitized" with sanitizers.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr const char* kBuildType = "sanitized";
#else
inline constexpr const char* kBuildType = BEFF_BUILD_TYPE;
#endif

/// The compiler with its version, and the C++ library where it is not GCC's.
inline std::string compiler_text() {
#if defined(__INTEL_LLVM_COMPILER)
  std::string name = fmt::format("Intel oneAPI {}", __INTEL_LLVM_COMPILER);
#elif defined(__NVCOMPILER)
  std::string name = fmt::format("NVIDIA HPC {}.{}.{}", __NVCOMPILER_MAJOR__, __NVCOMPILER_MINOR__,
                                 __NVCOMPILER_PATCHLEVEL__);
#elif defined(__clang__)
  std::string name =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  std::string name = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(_LIBCPP_VERSION)
  name += " with libc++";
#endif
  return name;
}

}  // namespace beff
