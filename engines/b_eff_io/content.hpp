#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/b_eff_io/machine.hpp"
#include "core/units/quantity_text.hpp"
#include "engines/common/memory/memory.hpp"
#include "engines/common/mpi/handles.hpp"

namespace beff::b_eff_io {

/// Whose bytes they are: what a process writes in one pattern, and whether anew by the rewrite.
struct Author {
  std::uint64_t run;  ///< different in each run, so that files of an earlier run are noticed
  int partition;
  int pattern;
  int rank;
  bool rewrite;
};

/// Incompressible bytes that show who wrote them, in which call and where in the call. Byte b of
/// call k is byte first_byte(k) + b of the author's endless random stream: each call begins a step
/// later, so that one filled buffer serves all calls and still no two of `kWindows` calls in
/// succession hold the same bytes at the same place.
class Content {
 public:
  static constexpr std::int64_t kWindows = 1021;
  static constexpr Bytes kStep = 64;
  /// Additional room in a buffer that holds the windows of all calls.
  static constexpr Bytes kSlack = kWindows * kStep;

  explicit Content(const Author& author);

  [[nodiscard]] static constexpr Bytes first_byte(std::int64_t call) {
    return call % kWindows * kStep;
  }
  /// Writes stream bytes 0 … length-1; length is a multiple of 8.
  void fill(std::byte* memory, Bytes length) const;

  struct Mismatch {
    Bytes at;  ///< first wrong byte, counted from the begin of the compared memory
    std::byte expected;
    std::byte actual;
  };
  /// Compares memory with the stream from `begin` on; begin is a multiple of 8.
  [[nodiscard]] std::optional<Mismatch> compare(const std::byte* memory, Bytes length,
                                                Bytes begin) const;

 private:
  [[nodiscard]] std::uint64_t word(Bytes index) const;

  std::uint64_t key_;
};

/// The memory that calls write from and read into: call k uses the bytes from window(k) on. They
/// are the host's. Where the data belongs on a device, it lies there at the same offsets, and each
/// call goes with a copy of its window.
class TransferBuffer {
 public:
  /// Room for calls of up to `largest` byte in memory of the host and in `memory`, where the data
  /// belongs, if that is another; both must outlive the object. Throws std::bad_alloc.
  TransferBuffer(HostMemory& host, BufferMemory& memory, Bytes largest)
      : host_(host, whole_pages(largest + Content::kSlack), kPage) {
    begin_ = reinterpret_cast<std::byte*>(host_.get<0>());
    if (!memory.is_of_host()) {
      device_.emplace(memory, whole_pages(largest + Content::kSlack));
      is_locked_ = memory.lock_host(begin_, whole_pages(largest + Content::kSlack));
    }
  }
  TransferBuffer(const TransferBuffer&) = delete;
  TransferBuffer& operator=(const TransferBuffer&) = delete;
  ~TransferBuffer() {
    if (is_locked_) {
      device_->memory().unlock_host(begin_);
    }
  }

  /// Before writing: the windows of all calls of `bytes_per_call` hold their content, and where it
  /// belongs on a device only there.
  void fill(const Content& content, Bytes bytes_per_call) {
    content.fill(window(0), bytes_per_call + Content::kSlack);
    if (is_on_device()) {
      all_to_device(bytes_per_call);
      clear_host(bytes_per_call);
    }
  }
  /// Before reading: no window holds what is to be read.
  void clear(Bytes bytes_per_call) {
    clear_host(bytes_per_call);
    if (is_on_device()) {
      all_to_device(bytes_per_call);
    }
  }
  [[nodiscard]] std::byte* window(std::int64_t call) const {
    return begin_ + Content::first_byte(call);
  }

  [[nodiscard]] bool is_on_device() const { return device_.has_value(); }
  /// Copies `bytes` from `at` on, which lies in a window, to the device or from it; inside the
  /// clock.
  void to_device(const void* at, Bytes bytes) const {
    device_->memory().write(on_device(at), at, bytes);
    device_->memory().synchronise();
  }
  void from_device(void* at, Bytes bytes) const {
    device_->memory().read(at, on_device(at), bytes);
  }
  /// Before checks of what was read: the windows hold what is on the device.
  void fetch(Bytes bytes_per_call) const {
    if (is_on_device()) {
      from_device(begin_, bytes_per_call + Content::kSlack);
    }
  }

 private:
  void clear_host(Bytes bytes_per_call) {
    std::memset(begin_, 0, static_cast<std::size_t>(bytes_per_call + Content::kSlack));
  }
  void all_to_device(Bytes bytes_per_call) const {
    to_device(begin_, bytes_per_call + Content::kSlack);
  }
  [[nodiscard]] char* on_device(const void* at) const {
    return device_->get<0>() + (static_cast<const std::byte*>(at) - begin_);
  }

  std::byte* begin_ = nullptr;  ///< of host_, for timed code
  OwnedBuffers<1> host_;
  std::optional<OwnedBuffers<1>> device_;
  bool is_locked_ = false;  ///< see BufferMemory::lock_host()
};

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
  void compare_buffer(const TransferBuffer& buffer);
  /// What stands in the file, read back by the operating system: some chunks spread over the
  /// pattern, their begin and end, or all of them as a whole. Opens the file unless `opened` has
  /// it.
  void compare_file(bool all, OpenFile& opened);

  [[nodiscard]] const CheckReport& report() const { return report_; }

 private:
  /// Compares bytes that belong at `from` in the chunk with number `index`.
  void compare(const std::byte* memory, Bytes length, std::int64_t index, Bytes from);
  bool compare_piece(const OpenFile& file, std::int64_t index, Bytes from, Bytes length);
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
