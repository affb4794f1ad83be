#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

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

}  // namespace beff::b_eff_io
