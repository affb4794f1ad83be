#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beff {

/// Seconds of wall-clock time.
using Seconds = double;
/// A number of bytes; always 64 bit.
using Bytes = std::int64_t;

inline constexpr Bytes kKiB = 1024;
inline constexpr Bytes kMiB = 1024 * kKiB;
inline constexpr Bytes kGiB = 1024 * kMiB;
/// MB/s is 10^6 byte per second everywhere in this project.
inline constexpr double kBytesPerMB = 1.0e6;
inline constexpr double kMBPerGB = 1e3;
inline constexpr double kSecondsPerMinute = 60;
inline constexpr double kUsPerS = 1e6;
inline constexpr double kNsPerS = 1e9;
inline constexpr double kNsPerUs = 1e3;
inline constexpr double kFlopsPerGflops = 1e9;

/// Reads a size such as `4096`, `512MiB`, `1GB` or `1.5GiB`. Units: B; kB, MB, GB, TB are powers
/// of 1000; KiB, MiB, GiB, TiB are powers of 1024. The result is rounded to the nearest byte.
/// Throws std::invalid_argument whose message completes the sentence "SIZE ...".
Bytes parse_size(std::string_view text);

/// Reads a duration such as `90s`, `15min`, `2.5ms`, `250us` or `1h`; a unit is required.
/// Throws std::invalid_argument whose message completes the sentence "DURATION ...".
Seconds parse_duration(std::string_view text);

/// `count` times `each` byte; the largest number of bytes where it would be more. For numbers from
/// outside: some file systems report more than 2^63 byte.
[[nodiscard]] Bytes product(std::uint64_t count, std::uint64_t each);

/// Writes a size with the largest binary unit that keeps at most four digits: `94.2 MiB`, `512 B`.
std::string format_size(Bytes bytes);

/// Bytes in units of 2^20 byte, which the papers' protocols call MByte.
[[nodiscard]] constexpr double mbytes(Bytes bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kMiB);
}

/// The memory of a process as both programs print it: MByte of 2^20 byte, rounded to whole ones.
[[nodiscard]] std::string memory_text(Bytes per_process);

/// A number and its noun: `1 node`, `2 nodes`.
std::string counted(std::int64_t number, std::string_view noun);

/// Calls `use` with each value of a list and how often it stands there in a row.
template <class Value, class Use>
void for_each_run(const std::vector<Value>& values, const Use& use) {
  for (auto begin = values.begin(); begin != values.end();) {
    const auto end = std::find_if(begin, values.end(), [&](const auto& v) { return v != *begin; });
    use(*begin, end - begin);
    begin = end;
  }
}

/// Numbers with equal neighbours counted: `0x16 1x16 -`, sixteen times 0, sixteen times 1, once
/// none.
[[nodiscard]] std::string runs_text(const std::vector<std::optional<std::int64_t>>& numbers);
[[nodiscard]] inline std::string runs_text(const std::vector<int>& numbers) {
  return runs_text(std::vector<std::optional<std::int64_t>>(numbers.begin(), numbers.end()));
}

/// Writes a duration for people: `42 s`, `3 min 20 s`, `1 h 05 min`, `2.50 ms`.
std::string format_duration(Seconds seconds);

}  // namespace beff
