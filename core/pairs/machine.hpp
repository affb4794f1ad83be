#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "core/pairs/matrix_record.hpp"
#include "core/pairs/network_plan.hpp"
#include "core/pairs/pair_map.hpp"
#include "core/record/hosts.hpp"
#include "core/record/result.hpp"
#include "core/units/quantity_text.hpp"

namespace beff::pairs {

inline constexpr double kMBPerGB = 1e3;

/// How long copies from memory to memory are measured.
inline constexpr Seconds kCopiesTake = 0.2;

/// What the hardware allows, as far as a run finds out.
struct Roofs {
  /// Bytes copied memory to memory while all processes do so; empty where not measured.
  std::optional<double> copy_MBps_per_process;
  std::vector<HostHardware> of_hosts;  ///< in order of node index, on rank 0
  Seconds took = 0;

  [[nodiscard]] bool any() const { return copy_MBps_per_process || !of_hosts.empty(); }
};

/// Field `roofs` of the result file; null where nothing is known.
Json to_json(const Roofs& roofs, const std::vector<Host>& hosts);

/// The roofs in words, and hosts that differ from the others.
std::string roofs_text(const Roofs& roofs, const std::vector<Host>& hosts);

/// Which messages pairs exchange.
enum class Ways : std::uint8_t {
  kBoth,   ///< a short and a large one each way
  kThere,  ///< a large one from first to second, and a short answer
  kBack,   ///< from second to first
};

/// A meeting of pairs.
struct Meeting {
  RoundTimes times;     ///< of the pairs, on rank 0; empty elsewhere. One way: `large` only
  Seconds elapsed = 0;  ///< since the start of the run; the same on all processes
  Stop stop = Stop::kNo;
};

/// Where in the run a meeting is.
struct Place {
  int pass = 0;
  int round = 0;
};

/// A timed loop over the matrix.
struct MatrixLoop {
  std::int64_t length = 1;     ///< iterations, fewer than asked for where each takes the same
  std::vector<Seconds> times;  ///< of all of them, by rank, on rank 0; empty elsewhere
  Seconds slowest = 0;         ///< the same on all processes, as what follows
  Seconds elapsed = 0;
  Stop stop = Stop::kNo;
};

/// A single iteration.
struct MatrixLooks {
  std::vector<MatrixLook> of_ranks;  ///< on rank 0; empty elsewhere
  Seconds elapsed = 0;
  Stop stop = Stop::kNo;
};

/// Bytes that a process sends and receives in an iteration.
struct MovedBytes {
  Bytes sent = 0;
  Bytes received = 0;
};

/// What is known once the matrix is measured.
struct MatrixEnding {
  std::vector<MovedBytes> moved;  ///< by rank, on rank 0; empty elsewhere
  DataCheck check;                ///< of all processes
};

/// What measure() needs of a machine. Every process calls the same.
class Machine : public AnyMachine {
 public:
  /// What the hardware allows; hosts on rank 0 only.
  virtual Roofs roofs() = 0;
  /// Lets the pairs, in which each unit is once at most, exchange messages at the same time.
  virtual Meeting meet(const Place& place, const std::vector<UnitPair>& pairs, Ways ways) = 0;
  /// Lets the first `processes` of each unit of the pairs exchange `traffic`, all at the same time;
  /// `large` of the times is that of an exchange on the slowest of them.
  virtual Meeting cross(const Place& place, const std::vector<UnitPair>& pairs, int processes,
                        Traffic traffic) = 0;
  /// Sends the matrix once, then so many times by the clock.
  virtual MatrixLoop send_matrix(const Place& place, std::int64_t length) = 0;
  /// Sends it once behind a barrier, and notes when what has come.
  virtual MatrixLooks look_at_matrix(const Place& place) = 0;
  virtual MatrixEnding end_matrix() = 0;
  /// Idles until so many seconds after the start of the run.
  virtual void wait_until(Seconds moment) = 0;
  /// The list that rank 0 gives.
  virtual std::vector<UnitPair> from_rank_0(std::vector<UnitPair> pairs) = 0;
};

}  // namespace beff::pairs
