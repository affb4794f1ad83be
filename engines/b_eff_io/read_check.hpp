#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff_io/machine.hpp"
#include "engines/b_eff_io/content.hpp"
#include "engines/b_eff_io/transfer_buffer.hpp"

namespace beff::b_eff_io {

enum class Verify : std::uint8_t { kNone, kSample, kFull };

[[nodiscard]] constexpr std::string_view to_string(Verify mode) {
  constexpr std::array<std::string_view, 3> kNames{"none", "sample", "full"};
  return kNames.at(static_cast<std::size_t>(mode));
}

/// What this process found in one pattern.
struct CheckReport {
  std::int64_t checked = 0;  ///< chunks that were compared, whole or in part
  std::int64_t wrong = 0;
  std::optional<std::string> first_error;  ///< file, offset, expected, found
};

/// Compares what one process has read in a pattern with what it had written.
class ReadCheck {
 public:
  /// `calls` of the whole pattern; `author` the process's, of the initial write.
  ReadCheck(const PatternWork& pattern, std::int64_t calls, const Author& author,
            std::filesystem::path file);

  /// What MPI has put into the buffer: the whole of the last call, and of those before it what the
  /// later ones have not overwritten, the first Content::kStep byte.
  void look_at_buffer(const TransferBuffer& buffer);
  /// What stands in the file, read back by the operating system: some chunks spread over the
  /// pattern, their begin and end, or all of them as a whole.
  void look_at_file(bool all);

  [[nodiscard]] const CheckReport& report() const { return report_; }

 private:
  /// Compares bytes that belong at `from` in the chunk with number `index`.
  void compare(const std::byte* memory, Bytes length, std::int64_t index, Bytes from);
  bool compare_piece(int file, std::int64_t index, Bytes from, Bytes length);
  void note(std::int64_t index, Bytes from, const std::string& what);

  PatternWork pattern_;
  std::int64_t calls_;
  std::filesystem::path file_;
  int rank_;
  Content content_;
  ChunkMap chunks_;
  CheckReport report_;
  std::vector<std::byte> scratch_;
  bool piece_is_right_ = true;
};

}  // namespace beff::b_eff_io
