#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {

/// The pattern types; the numeric value is the published type number. 5 and 6 are an extension
/// beside the papers and never enter a value.
enum class Type : std::uint8_t {
  kScatter,
  kShared,
  kSeparate,
  kSegmented,
  kSegColl,
  kRandomShared,
  kRandomSeparate,
};

/// The access methods, in the order in which a run goes through them.
enum class Access : std::uint8_t { kWrite, kRewrite, kRead };

/// Where the chunks of the processes lie; see Placement.
enum class Layout : std::uint8_t {
  kInTurn,    ///< one file, in which the chunks of all processes take turns
  kOwnFiles,  ///< a file for each process, opened by that process alone
  kSegments,  ///< one file, with a segment for each process
};

struct TypeRow {
  Type type;
  std::string_view name;
  std::string_view method;  ///< one line for people: layout and MPI call
  Layout layout;
  bool random;      ///< the chunks of a pattern are moved in a random order
  bool official;    ///< one of the five types of the value
  bool collective;  ///< its transfer calls are collective
  bool counted;     ///< repetitions come from types 0–2 instead of from the clock

  [[nodiscard]] constexpr bool file_per_process() const { return layout == Layout::kOwnFiles; }
  [[nodiscard]] constexpr bool in_segments() const { return layout == Layout::kSegments; }
};

inline constexpr std::array kTypes{
    TypeRow{Type::kScatter, "scatter", "strided file view, collective, L bytes per call",
            Layout::kInTurn, false, true, true, false},
    TypeRow{Type::kShared, "shared",
            "same layout, collective, shared file pointer, l bytes per call", Layout::kInTurn,
            false, true, true, false},
    TypeRow{Type::kSeparate, "separate", "one file per process, not collective", Layout::kOwnFiles,
            false, true, false, false},
    TypeRow{Type::kSegmented, "segmented", "one file, a segment per process, not collective",
            Layout::kSegments, false, true, false, true},
    TypeRow{Type::kSegColl, "seg-coll", "one file, a segment per process, collective",
            Layout::kSegments, false, true, true, true},
    TypeRow{Type::kRandomShared, "random-shared",
            "one file, chunks in random order over all processes, not collective", Layout::kInTurn,
            true, false, false, true},
    TypeRow{Type::kRandomSeparate, "random-separate",
            "one file per process, chunks in random order, not collective", Layout::kOwnFiles, true,
            false, false, true},
};
inline constexpr int kOfficialTypes = 5;

inline constexpr std::array kAccesses{Access::kWrite, Access::kRewrite, Access::kRead};

[[nodiscard]] constexpr std::size_t index_of(Type type) { return static_cast<std::size_t>(type); }
[[nodiscard]] constexpr std::size_t index_of(Access access) {
  return static_cast<std::size_t>(access);
}

[[nodiscard]] constexpr const TypeRow& row(Type type) { return kTypes.at(index_of(type)); }

[[nodiscard]] constexpr std::string_view to_string(Access access) {
  constexpr std::array<std::string_view, 3> kNames{"write", "rewrite", "read"};
  return kNames.at(index_of(access));
}

[[nodiscard]] constexpr std::optional<Type> type_named(std::string_view name) {
  for (const auto& entry : kTypes) {
    if (entry.name == name) {
      return entry.type;
    }
  }
  return std::nullopt;
}

/// How the calls of a pattern are counted.
enum class Kind : std::uint8_t {
  kOnce,    ///< U = 0: exactly one call, which absorbs the costs of a first access
  kTimed,   ///< repeated: by the clock, or by the counts of types 0–2 where the type says so
  kFillUp,  ///< U = 0: what is left of a segment, in one call before the close
};

/// The chunk sizes of the table without their 8 additional byte.
enum class Chunk : std::uint8_t { k1kB, k32kB, k1MB, kMPart, kRest };

/// One line of the published table (IPDPS paper, table 2).
struct PatternRow {
  int number;
  Type type;
  Kind kind;
  Chunk chunk;     ///< l without `extra`
  int extra;       ///< 8 for the non-wellformed counterpart of a size
  Bytes memory;    ///< L; 0 where the table says := l
  int time_units;  ///< U
  int position;    ///< row of the printed table, 1…7 by chunk size; 0 for none
};

inline constexpr int kPatterns = 43;
inline constexpr int kPositions = 7;
/// The one reported pattern that the printed table has no row for: scatter, l = 1 MB, L = 2 MB.
inline constexpr int kPatternBesideTable = 2;

inline constexpr std::array kPatternRows{
    PatternRow{0, Type::kScatter, Kind::kOnce, Chunk::k1MB, 0, kMiB, 0, 0},
    PatternRow{1, Type::kScatter, Kind::kTimed, Chunk::kMPart, 0, 0, 4, 7},
    PatternRow{2, Type::kScatter, Kind::kTimed, Chunk::k1MB, 0, 2 * kMiB, 4, 0},
    PatternRow{3, Type::kScatter, Kind::kTimed, Chunk::k1MB, 0, kMiB, 4, 5},
    PatternRow{4, Type::kScatter, Kind::kTimed, Chunk::k32kB, 0, kMiB, 2, 3},
    PatternRow{5, Type::kScatter, Kind::kTimed, Chunk::k1kB, 0, kMiB, 2, 1},
    PatternRow{6, Type::kScatter, Kind::kTimed, Chunk::k32kB, 8, kMiB + 256, 2, 4},
    PatternRow{7, Type::kScatter, Kind::kTimed, Chunk::k1kB, 8, kMiB + 8 * kKiB, 2, 2},
    PatternRow{8, Type::kScatter, Kind::kTimed, Chunk::k1MB, 8, kMiB + 8, 2, 6},

    PatternRow{9, Type::kShared, Kind::kOnce, Chunk::k1MB, 0, 0, 0, 0},
    PatternRow{10, Type::kShared, Kind::kTimed, Chunk::kMPart, 0, 0, 4, 7},
    PatternRow{11, Type::kShared, Kind::kTimed, Chunk::k1MB, 0, 0, 2, 5},
    PatternRow{12, Type::kShared, Kind::kTimed, Chunk::k32kB, 0, 0, 1, 3},
    PatternRow{13, Type::kShared, Kind::kTimed, Chunk::k1kB, 0, 0, 1, 1},
    PatternRow{14, Type::kShared, Kind::kTimed, Chunk::k32kB, 8, 0, 1, 4},
    PatternRow{15, Type::kShared, Kind::kTimed, Chunk::k1kB, 8, 0, 1, 2},
    PatternRow{16, Type::kShared, Kind::kTimed, Chunk::k1MB, 8, 0, 2, 6},

    PatternRow{17, Type::kSeparate, Kind::kOnce, Chunk::k1MB, 0, 0, 0, 0},
    PatternRow{18, Type::kSeparate, Kind::kTimed, Chunk::kMPart, 0, 0, 2, 7},
    PatternRow{19, Type::kSeparate, Kind::kTimed, Chunk::k1MB, 0, 0, 2, 5},
    PatternRow{20, Type::kSeparate, Kind::kTimed, Chunk::k32kB, 0, 0, 1, 3},
    PatternRow{21, Type::kSeparate, Kind::kTimed, Chunk::k1kB, 0, 0, 1, 1},
    PatternRow{22, Type::kSeparate, Kind::kTimed, Chunk::k32kB, 8, 0, 1, 4},
    PatternRow{23, Type::kSeparate, Kind::kTimed, Chunk::k1kB, 8, 0, 1, 2},
    PatternRow{24, Type::kSeparate, Kind::kTimed, Chunk::k1MB, 8, 0, 2, 6},

    PatternRow{25, Type::kSegmented, Kind::kOnce, Chunk::k1MB, 0, 0, 0, 0},
    PatternRow{26, Type::kSegmented, Kind::kTimed, Chunk::kMPart, 0, 0, 2, 7},
    PatternRow{27, Type::kSegmented, Kind::kTimed, Chunk::k1MB, 0, 0, 2, 5},
    PatternRow{28, Type::kSegmented, Kind::kTimed, Chunk::k32kB, 0, 0, 1, 3},
    PatternRow{29, Type::kSegmented, Kind::kTimed, Chunk::k1kB, 0, 0, 1, 1},
    PatternRow{30, Type::kSegmented, Kind::kTimed, Chunk::k32kB, 8, 0, 1, 4},
    PatternRow{31, Type::kSegmented, Kind::kTimed, Chunk::k1kB, 8, 0, 1, 2},
    PatternRow{32, Type::kSegmented, Kind::kTimed, Chunk::k1MB, 8, 0, 2, 6},
    PatternRow{33, Type::kSegmented, Kind::kFillUp, Chunk::kRest, 0, 0, 0, 0},

    PatternRow{34, Type::kSegColl, Kind::kOnce, Chunk::k1MB, 0, 0, 0, 0},
    PatternRow{35, Type::kSegColl, Kind::kTimed, Chunk::kMPart, 0, 0, 2, 7},
    PatternRow{36, Type::kSegColl, Kind::kTimed, Chunk::k1MB, 0, 0, 2, 5},
    PatternRow{37, Type::kSegColl, Kind::kTimed, Chunk::k32kB, 0, 0, 1, 3},
    PatternRow{38, Type::kSegColl, Kind::kTimed, Chunk::k1kB, 0, 0, 1, 1},
    PatternRow{39, Type::kSegColl, Kind::kTimed, Chunk::k32kB, 8, 0, 1, 4},
    PatternRow{40, Type::kSegColl, Kind::kTimed, Chunk::k1kB, 8, 0, 1, 2},
    PatternRow{41, Type::kSegColl, Kind::kTimed, Chunk::k1MB, 8, 0, 2, 6},
    PatternRow{42, Type::kSegColl, Kind::kFillUp, Chunk::kRest, 0, 0, 0, 0},

    // The papers' outlook, never averaged.
    PatternRow{43, Type::kRandomShared, Kind::kTimed, Chunk::k1MB, 0, 0, 2, 5},
    PatternRow{44, Type::kRandomShared, Kind::kTimed, Chunk::k32kB, 0, 0, 1, 3},
    PatternRow{45, Type::kRandomShared, Kind::kTimed, Chunk::k1kB, 0, 0, 1, 1},
    PatternRow{46, Type::kRandomShared, Kind::kTimed, Chunk::k32kB, 8, 0, 1, 4},
    PatternRow{47, Type::kRandomShared, Kind::kTimed, Chunk::k1kB, 8, 0, 1, 2},
    PatternRow{48, Type::kRandomShared, Kind::kTimed, Chunk::k1MB, 8, 0, 2, 6},

    PatternRow{49, Type::kRandomSeparate, Kind::kTimed, Chunk::k1MB, 0, 0, 2, 5},
    PatternRow{50, Type::kRandomSeparate, Kind::kTimed, Chunk::k32kB, 0, 0, 1, 3},
    PatternRow{51, Type::kRandomSeparate, Kind::kTimed, Chunk::k1kB, 0, 0, 1, 1},
    PatternRow{52, Type::kRandomSeparate, Kind::kTimed, Chunk::k32kB, 8, 0, 1, 4},
    PatternRow{53, Type::kRandomSeparate, Kind::kTimed, Chunk::k1kB, 8, 0, 1, 2},
    PatternRow{54, Type::kRandomSeparate, Kind::kTimed, Chunk::k1MB, 8, 0, 2, 6},
};

/// ΣU of one type.
[[nodiscard]] constexpr int time_units_of(Type type) {
  int time_units = 0;
  for (const auto& entry : kPatternRows) {
    time_units += entry.type == type ? entry.time_units : 0;
  }
  return time_units;
}

/// M_PART = max(2 MB, memory of one MPI process / 128), rounded down to a multiple of 1 MB so that
/// it and the patterns behind it are wellformed, and never above `bound` (itself at least 2 MB).
/// 1 MB = 2^20 byte. Euro-Par paper, section 4: the memory of "a node executing one MPI process".
[[nodiscard]] Bytes m_part(Bytes process_memory, Bytes bound);

/// Release 2.1's bound of M_PART.
inline constexpr Bytes kLargestMPart = kGiB;
inline constexpr Bytes kSmallestMPart = 2 * kMiB;

/// A pattern with its sizes in byte.
struct Pattern {
  int number;
  Type type;
  Kind kind;
  Bytes chunk;     ///< l: contiguous on disk; 0 for a fill-up, which is known only at run time
  Bytes memory;    ///< L: contiguous in memory, moved by one call; 0 for a fill-up
  int time_units;  ///< U
  bool wellformed;
  int position;

  [[nodiscard]] bool reported() const { return time_units > 0; }
  [[nodiscard]] std::int64_t chunks_per_call() const { return chunk > 0 ? memory / chunk : 1; }
};

/// The patterns of `types` in order of their numbers; index in the list is not the number.
[[nodiscard]] std::vector<Pattern> make_patterns(const std::vector<Type>& types, Bytes m_part);

}  // namespace beff::b_eff_io
