#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace beff::b_eff {

/// The ways to program a pattern. The first three are the definition's; the others are reported
/// beside them and never enter the value.
enum class Method : std::uint8_t {
  kSendrecv,
  kAlltoallv,
  kNonblocking,
  kNeighborAlltoallv,
  kPersistent,
  kPutFence,
};

struct MethodRow {
  Method method;
  std::string_view name;
  std::string_view mpi_calls;
  bool official;
};

inline constexpr std::array kMethods{
    MethodRow{Method::kSendrecv, "sendrecv",
              "MPI_Sendrecv (one way: MPI_Send, MPI_Recv), one message after the other", true},
    MethodRow{Method::kAlltoallv, "alltoallv", "MPI_Alltoallv, all messages in one call", true},
    MethodRow{Method::kNonblocking, "nonblocking", "MPI_Irecv + MPI_Isend + MPI_Waitall", true},
    MethodRow{Method::kNeighborAlltoallv, "neighbor_alltoallv",
              "MPI_Neighbor_alltoallv on a distributed graph", false},
    MethodRow{Method::kPersistent, "persistent", "MPI_Startall + MPI_Waitall", false},
    MethodRow{Method::kPutFence, "put_fence", "MPI_Put between two MPI_Win_fence", false},
};
inline constexpr int kOfficialMethods = 3;

[[nodiscard]] constexpr const MethodRow& row(Method method) {
  return kMethods.at(static_cast<std::size_t>(method));
}

[[nodiscard]] constexpr std::optional<Method> method_named(std::string_view name) {
  for (const auto& entry : kMethods) {
    if (entry.name == name) {
      return entry.method;
    }
  }
  return std::nullopt;
}

}  // namespace beff::b_eff
