#include "core/pairs/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/pairs/plan.hpp"
#include "core/plan_error.hpp"
#include "core/random_permutation.hpp"

namespace beff::pairs {
namespace {

std::tuple<int, int, Bytes> place_of(const MatrixRow& row) { return {row.from, row.to, row.bytes}; }

std::uint64_t digest_of(const MatrixRow& row) {
  std::uint64_t word = 0;
  for (const std::int64_t value :
       {std::int64_t{row.from}, std::int64_t{row.to}, row.bytes, row.count}) {
    word = splitmix(word ^ static_cast<std::uint64_t>(value));
  }
  return word;
}

/// Messages of one process in one direction.
struct OneWay {
  std::int64_t messages = 0;
  Bytes bytes = 0;

  void add(const MatrixRow& row) {
    messages += row.count;
    bytes += row.count * padded(row.bytes);
  }
};

void add_sends(MatrixTotals& totals, const MatrixRow& row) {
  ++totals.rows;
  totals.messages += row.count;
  totals.bytes += row.count * row.bytes;
  totals.digest += digest_of(row);
}

void raise(MatrixTotals& totals, const OneWay& way) {
  totals.most_messages = std::max(totals.most_messages, way.messages);
  totals.most_bytes = std::max(totals.most_bytes, way.bytes);
}

}  // namespace

std::vector<MatrixRow> ordered(std::vector<MatrixRow> rows) {
  std::erase_if(rows, [](const MatrixRow& row) { return row.bytes == 0 || row.count == 0; });
  std::ranges::sort(rows, {}, place_of);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (kept > 0 && place_of(rows[kept - 1]) == place_of(rows[i])) {
      rows[kept - 1].count += rows[i].count;
    } else {
      rows[kept++] = rows[i];
    }
  }
  rows.resize(kept);
  return rows;
}

MatrixTotals totals_of(const MatrixShare& share) {
  MatrixTotals totals;
  OneWay sent;
  OneWay received;
  for (const auto& row : share.sends) {
    add_sends(totals, row);
    sent.add(row);
  }
  for (const auto& row : share.receives) {
    received.add(row);
  }
  raise(totals, sent);
  raise(totals, received);
  return totals;
}

MatrixTotals totals_of_all(
    int processes, const std::function<void(const std::function<void(const MatrixRow&)>&)>& each) {
  MatrixTotals totals;
  std::vector<OneWay> sent(static_cast<std::size_t>(processes));
  auto received = sent;
  each([&](const MatrixRow& row) {
    add_sends(totals, row);
    sent.at(static_cast<std::size_t>(row.from)).add(row);
    received.at(static_cast<std::size_t>(row.to)).add(row);
  });
  for (const auto& way : sent) {
    raise(totals, way);
  }
  for (const auto& way : received) {
    raise(totals, way);
  }
  return totals;
}

void plan_matrix(Plan& plan, const MatrixTotals& totals) {
  constexpr Bytes kMemoryToMatrix = 4;
  const auto& asked = plan.matrix.value();
  const Bytes most = plan.memory_per_process / kMemoryToMatrix;
  const auto fail = [&](const std::string& why) {
    throw PlanError("matrix", fmt::format("{}: {}", asked.given, why));
  };
  if (totals.messages == 0) {
    fail(fmt::format("has no message between {} processes; give another one", plan.processes));
  }
  if (totals.most_messages > kMostMessages) {
    fail(fmt::format("a process sends or receives {} messages in an iteration; {} are possible",
                     totals.most_messages, kMostMessages));
  }
  if (totals.most_bytes > most) {
    fail(
        fmt::format("a process sends or receives {} in an iteration, more than memory per process "
                    "/ {} = {}; give less, or more memory by --memory-per-process",
                    format_size(totals.most_bytes), kMemoryToMatrix, format_size(most)));
  }
  if (asked.method == MatrixMethod::kAlltoallv &&
      totals.most_bytes > std::numeric_limits<int>::max()) {
    fail(
        fmt::format("a process sends or receives {} in an iteration, more than MPI_Alltoallv "
                    "counts; use --method nonblocking",
                    format_size(totals.most_bytes)));
  }
  plan.traffic = totals;
}

MatrixBlocks blocks_of(const Plan& plan) {
  constexpr Bytes kMemoryToLarge = 128;
  constexpr Bytes kPieces = 6;  // as the buffers of b_eff
  const Bytes span = kPieces * std::min(plan.memory_per_process / kMemoryToLarge, kMessage);
  const Bytes block = plan.traffic.value().most_bytes;
  return {.block = block, .count = std::max<std::int64_t>(1, span / block)};
}

}  // namespace beff::pairs
