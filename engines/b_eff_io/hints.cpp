#include "engines/b_eff_io/hints.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "engines/b_eff_io/call_loop.hpp"
#include "engines/common/mpi/agree.hpp"
#include "engines/common/run/files.hpp"
#include "engines/common/watch/fail.hpp"

namespace beff::b_eff_io {

namespace {

/// While it lives, errors that belong to no communicator or file are returned, too.
class ErrorsReturn {
 public:
  ErrorsReturn() {
    for (auto& [comm, handler] : before_) {
      MPI_Comm_get_errhandler(comm, &handler);
      MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
  }
  ErrorsReturn(const ErrorsReturn&) = delete;
  ErrorsReturn(ErrorsReturn&&) = delete;
  ErrorsReturn& operator=(const ErrorsReturn&) = delete;
  ErrorsReturn& operator=(ErrorsReturn&&) = delete;
  ~ErrorsReturn() {
    for (auto& [comm, handler] : before_) {
      MPI_Comm_set_errhandler(comm, handler);
      MPI_Errhandler_free(&handler);
    }
  }

 private:
  struct Handled {
    MPI_Comm comm;
    MPI_Errhandler handler;
  };
  // of MPI-3 and MPI-4
  std::array<Handled, 2> before_{Handled{MPI_COMM_WORLD, MPI_ERRHANDLER_NULL},
                                 Handled{MPI_COMM_SELF, MPI_ERRHANDLER_NULL}};
};

/// Throws std::invalid_argument where the library that was found does not take a hint: a program of
/// the standard ABI knows other bounds than its library has.
void try_out(const Hints& hints) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  const Info owned(info);
  const ErrorsReturn errors;
  for (const auto& [key, value] : hints.all()) {
    if (const int code = MPI_Info_set(info, key.c_str(), value.c_str()); code != MPI_SUCCESS) {
      throw std::invalid_argument(
          fmt::format("this MPI library does not take {} {}: {}", key, value, error_text(code)));
    }
  }
}

std::string text_of(const std::string& file) {
  constexpr std::size_t kLongest = 1'000'000;
  try {
    return read_text(file, kLongest);
  } catch (const FileError& problem) {
    throw UsageError(
        fmt::format("--info {}: cannot be read ({}); name a file with lines such as 'all write "
                    "scatter on_open KEY VALUE'",
                    file, problem.what()));
  }
}

/// Throws std::invalid_argument.
Hints parsed(const std::string& text) {
  // the standard's bounds count the end of a text, too
  return Hints::parse(text, {.key = MPI_MAX_INFO_KEY - 1, .value = MPI_MAX_INFO_VAL - 1});
}

}  // namespace

Hints hints_of(const std::string& file) {
  try {
    return parsed(text_of(file));
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("--info {}: {}", file, problem.what()));
  }
}

Hints read_hints(const std::string& file) {
  std::string content;
  check_on_rank_0([&] { content = text_of(file); });
  try {
    auto hints = parsed(from_rank_0(std::move(content)));
    try_out(hints);
    return hints;
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("--info {}: {}", file, problem.what()));
  }
}

Info info_of(const HintMap& hints) {
  if (hints.empty()) {
    return {};
  }
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  for (const auto& [key, value] : hints) {
    MPI_Info_set(info, key.c_str(), value.c_str());
  }
  return Info(info);
}

HintMap hints_in_force(MPI_File file) {
  HintMap found;
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) {
    return found;
  }
  int count = 0;
  MPI_Info_get_nkeys(info, &count);
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    std::array<char, MPI_MAX_INFO_VAL + 1> value{};
    int known = 0;
    MPI_Info_get_nthkey(info, i, key.data());
    MPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &known);
    if (known != 0) {
      found.emplace(key.data(), value.data());
    }
  }
  MPI_Info_free(&info);
  return found;
}

}  // namespace beff::b_eff_io
