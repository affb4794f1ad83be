#include "core/pairs/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "core/b_eff/graphs.hpp"
#include "core/benchmark.hpp"
#include "core/pairs/plan.hpp"
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

namespace {

/// Behind those of maps and halves; see Pass.
constexpr int kSeedOfMatrix = 3000;

constexpr std::array<std::string_view, 5> kPresetNames{"halo", "alltoall", "moe", "transpose",
                                                       "nearest"};

std::string_view name_in(std::string_view given) { return given.substr(0, given.find(':')); }

/// A number without a leading zero.
std::optional<int> whole_number(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  int value = 0;
  const auto* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, value);
  const bool is_whole = problem == std::errc() && rest == end && text.size() <= kMostDigits &&
                        text.front() >= '1' && text.front() <= '9';
  return is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace

bool is_drawn(std::string_view given) { return name_in(given) == "moe"; }

bool is_preset(std::string_view given) {
  return std::ranges::find(kPresetNames, name_in(given)) != kPresetNames.end();
}

Preset::Preset(const std::string& given, int processes, Bytes message, std::uint64_t seed)
    : processes_(processes), message_(message), seed_(pattern_seed(seed, kSeedOfMatrix)) {
  const auto fail = [&](const std::string& why) {
    throw PlanError("matrix", fmt::format("{}: {}", given, why));
  };
  const auto name = name_in(given);
  const bool has_argument = name.size() < given.size();
  const auto argument = has_argument ? std::string_view(given).substr(name.size() + 1) : "";
  const auto place = std::ranges::find(kPresetNames, name) - kPresetNames.begin();
  kind_ = static_cast<Kind>(place);
  const bool takes_number = kind_ == Kind::kExperts || kind_ == Kind::kNearest;
  if (takes_number) {
    number_ = whole_number(argument).value_or(0);
  } else if (kind_ == Kind::kHalo && (argument == "2d" || argument == "3d")) {
    number_ = argument == "2d" ? 2 : 3;
  }
  if ((takes_number || kind_ == Kind::kHalo) ? number_ == 0 : has_argument) {
    fail("is no preset; there are halo:2d, halo:3d, alltoall, moe:K, transpose, nearest:K");
  }
  const int most = kind_ == Kind::kExperts ? processes - 1 : processes / 2;
  if (takes_number && number_ > most) {
    fail(fmt::format("with {} processes K is at most {}; give less", processes, most));
  }
}

std::vector<int> Preset::halo_of(int rank) const {
  const auto extents = b_eff::balanced_extents(processes_, number_);
  std::vector<int> neighbours;
  int stride = 1;
  for (int axis = number_; axis-- > 0;) {  // the last counts fastest
    const int extent = extents.at(static_cast<std::size_t>(axis));
    const int at = rank / stride % extent;
    for (const int other : {(at + 1) % extent, (at + extent - 1) % extent}) {
      if (extent > 1) {
        neighbours.push_back(rank + (other - at) * stride);
      }
    }
    stride *= extent;
  }
  return neighbours;
}

std::vector<int> Preset::nearest_to(int rank) const {
  const std::int64_t n = processes_;
  std::vector<int> ranks;
  for (std::int64_t distance = 1; distance <= number_; ++distance) {
    ranks.push_back(static_cast<int>((rank + distance) % n));
    if (2 * distance < n) {
      ranks.push_back(static_cast<int>((rank + n - distance) % n));
    }
  }
  return ranks;
}

int Preset::expert(int rank, int place) const {
  const RandomPermutation others(pattern_seed(seed_, rank), processes_ - 1, kShuffles);
  const auto drawn = static_cast<int>(others.at(place));
  return drawn < rank ? drawn : drawn + 1;
}

bool Preset::is_expert(int rank, int of) const {
  const RandomPermutation others(pattern_seed(seed_, of), processes_ - 1, kShuffles);
  return others.index_of(rank < of ? rank : rank - 1) < number_;
}

std::vector<int> Preset::receivers_of(int rank) const {
  std::vector<int> ranks;
  switch (kind_) {
    case Kind::kHalo:
      return halo_of(rank);
    case Kind::kNearest:
      return nearest_to(rank);
    case Kind::kAll:
      for (int other = 0; other < processes_; ++other) {
        if (other != rank) {
          ranks.push_back(other);
        }
      }
      break;
    case Kind::kExperts:
      for (int place = 0; place < number_; ++place) {
        ranks.push_back(expert(rank, place));
      }
      break;
    case Kind::kTranspose: {
      const auto [rows, columns, rest] = b_eff::balanced_extents(processes_, 2);
      if (const int other = rank % columns * rows + rank / columns; other != rank) {
        ranks.push_back(other);
      }
      break;
    }
  }
  return ranks;
}

/// All but two are symmetric.
std::vector<int> Preset::senders_to(int rank) const {
  std::vector<int> ranks;
  switch (kind_) {
    case Kind::kHalo:
    case Kind::kNearest:
    case Kind::kAll:
      return receivers_of(rank);
    case Kind::kExperts:
      for (int other = 0; other < processes_; ++other) {
        if (other != rank && is_expert(rank, other)) {
          ranks.push_back(other);
        }
      }
      break;
    case Kind::kTranspose: {
      const auto [rows, columns, rest] = b_eff::balanced_extents(processes_, 2);
      if (const int other = rank % rows * columns + rank / rows; other != rank) {
        ranks.push_back(other);
      }
      break;
    }
  }
  return ranks;
}

std::vector<MatrixRow> Preset::rows_from(int rank) const {
  std::vector<MatrixRow> rows;
  for (const int to : receivers_of(rank)) {
    rows.push_back({.from = rank, .to = to, .bytes = message_, .count = 1});
  }
  return ordered(std::move(rows));
}

std::vector<MatrixRow> Preset::rows_to(int rank) const {
  std::vector<MatrixRow> rows;
  for (const int from : senders_to(rank)) {
    rows.push_back({.from = from, .to = rank, .bytes = message_, .count = 1});
  }
  return ordered(std::move(rows));
}

}  // namespace beff::pairs
