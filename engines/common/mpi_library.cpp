#include "engines/common/mpi_library.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>

namespace beff {

std::string mpi_library_text() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string library(text.data());
  library = library.substr(0, library.find('\n'));
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  std::ranges::replace(library, '\t', ' ');
  const auto repeated = std::ranges::unique(library, both_blank);
  library.erase(repeated.begin(), repeated.end());
  return library;
}

MpiFamily mpi_family(const std::string& library_text) {
  const auto names = [&](const char* word) { return library_text.find(word) != std::string::npos; };
  if (names("Open MPI")) {
    return MpiFamily::kOpenMpi;
  }
  return names("MPICH") || names("Intel(R) MPI") || names("MVAPICH") ? MpiFamily::kMpich
                                                                     : MpiFamily::kOther;
}

}  // namespace beff
