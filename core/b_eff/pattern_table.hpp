#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff/definition.hpp"
#include "core/b_eff/graphs.hpp"

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

/// How the random rings are drawn.
enum class RandomOrder : std::uint8_t {
  kUniform,     ///< sorted by random ranks (IPDPS 2001 paper, section 4)
  kRelease3_6,  ///< as release 3.6 does, see order_of_release_3_6()
};

[[nodiscard]] constexpr std::string_view to_string(RandomOrder order) {
  return order == RandomOrder::kUniform ? "uniform" : "3.6";
}

/// Pattern ids are fixed: 0–5 rings, 6–35 random rings, from 36 on additional; no id of a result is
/// larger than this.
inline constexpr int kLargestPatternId = 99;
inline constexpr int kFirstRandomPattern = 6;
inline constexpr int kRandomPatterns = 30;
inline constexpr int kPingPongPattern = 39;

enum class Group : std::uint8_t { kRing, kRandom, kAdditional };

[[nodiscard]] constexpr std::string_view to_string(Group group) {
  constexpr std::array<std::string_view, 3> kNames{"ring", "random", "additional"};
  return kNames.at(static_cast<std::size_t>(group));
}

/// A pattern for a given number of processes.
struct Pattern {
  int id;
  std::string name;
  Group group;
  bool enters_with_rings = false;  ///< the value by definitions whose first group are rings
  bool enters_with_grids = false;
  std::optional<std::uint64_t> seed{};  ///< random rings only; of release 3.6 the state of its draw
  bool sendrecv_only = false;           ///< ping-pong
  /// The processes send different numbers of messages, and release 3.6 has another figure for it.
  bool has_release_3_6 = false;
  GraphPointer graph;

  [[nodiscard]] bool has_method(Method method) const {
    return !sendrecv_only || method == Method::kSendrecv;
  }
  [[nodiscard]] bool enters(Definition definition) const {
    return row(definition).rings_first ? enters_with_rings : enters_with_grids;
  }
};

/// All patterns that exist for `processes` ≥ 2, in order of their ids; a Cartesian pattern without
/// a direction of extent > 1 is left out. Without a seed, for a plan only, the random rings are
/// any.
std::vector<Pattern> make_patterns(int processes, std::optional<std::uint64_t> run_seed,
                                   RandomOrder order = RandomOrder::kUniform);

}  // namespace beff::b_eff
