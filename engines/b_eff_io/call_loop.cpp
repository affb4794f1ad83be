#include "engines/b_eff_io/call_loop.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

namespace beff::b_eff_io {

namespace {

/// Some libraries do not say why they failed.
std::string bound_of_files() {
  rlimit bound{};
  return getrlimit(RLIMIT_FSIZE, &bound) == 0 && bound.rlim_cur != RLIM_INFINITY
             ? fmt::format(" (files are bounded to {} by ulimit -f)",
                           format_size(product(bound.rlim_cur, 1)))
             : std::string();
}

}  // namespace

void CallErrors::note_failed(const char* operation, int code) {
  if (!first_) {
    first_ = fmt::format("{}{}: {}", operation, bound_of_files(), error_text(code));
  }
}

void CallErrors::note_short(const char* operation, int moved, int asked, const char* what) {
  if (!first_) {
    first_ = moved == MPI_UNDEFINED
                 ? fmt::format("{}{} reported success, but moved only part of the data", operation,
                               bound_of_files())
                 : fmt::format("{}{} reported success, but moved {} of {} {}", operation,
                               bound_of_files(), moved, asked, what);
  }
}

}  // namespace beff::b_eff_io
