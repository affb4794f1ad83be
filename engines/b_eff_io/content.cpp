#include "engines/b_eff_io/content.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/random_permutation.hpp"
#include "engines/common/run/files.hpp"

namespace beff::b_eff_io {
namespace {

constexpr Bytes kWord = sizeof(std::uint64_t);
// Compared at a time: memory compares several times faster in blocks than word by word.
constexpr Bytes kBlockWords = 512;
constexpr Bytes kBlock = kBlockWords * kWord;

std::uint64_t joined(std::uint64_t key, int number) {
  return splitmix(key, static_cast<std::uint64_t>(number));
}

constexpr Bytes kPiece = kMiB;
constexpr Bytes kSamplePiece = 64 * kKiB;
constexpr std::int64_t kSampleChunks = 16;

Content content_of(Author author, bool rewrite) {
  author.rewrite = rewrite;
  return Content(author);
}

}  // namespace

Content::Content(const Author& author)
    : key_(joined(joined(joined(joined(splitmix(author.run), author.partition), author.pattern),
                         author.rank),
                  author.rewrite ? 1 : 0)) {}

std::uint64_t Content::word(Bytes index) const {
  return splitmix(key_, static_cast<std::uint64_t>(index));
}

void Content::fill(std::byte* memory, Bytes length) const {
  for (Bytes i = 0; i < length / kWord; ++i) {
    const std::uint64_t value = word(i);
    std::memcpy(memory + i * kWord, &value, sizeof value);
  }
}

std::optional<Content::Mismatch> Content::compare(const std::byte* memory, Bytes length,
                                                  Bytes begin) const {
  std::array<std::uint64_t, kBlockWords> expected{};
  for (Bytes at = 0; at < length; at += kBlock) {
    for (Bytes i = 0; i < kBlockWords; ++i) {
      expected[static_cast<std::size_t>(i)] = word((begin + at) / kWord + i);
    }
    const auto* right = reinterpret_cast<const std::byte*>(expected.data());
    const auto part = static_cast<std::size_t>(std::min(kBlock, length - at));
    if (std::memcmp(memory + at, right, part) != 0) {
      const auto wrong = std::mismatch(right, right + part, memory + at);
      return Mismatch{at + (wrong.first - right), *wrong.first, *wrong.second};
    }
  }
  return std::nullopt;
}

ReadCheck::ReadCheck(const PatternWork& pattern, std::int64_t calls, const Author& author,
                     std::filesystem::path file)
    : pattern_(pattern),
      calls_(calls),
      file_(std::move(file)),
      rank_(author.rank),
      content_(content_of(author, pattern.rewritten)),
      chunks_(pattern.placement, author.rank) {}

void ReadCheck::note(std::int64_t index, Bytes from, const std::string& what) {
  piece_is_right_ = false;
  if (!report_.first_error) {
    report_.first_error =
        fmt::format("{}, offset {} (pattern {}, rank {}, call {}): {}", file_.string(),
                    chunks_[index].offset + from, pattern_.pattern, rank_,
                    index / pattern_.placement.chunks_per_call, what);
  }
}

void ReadCheck::compare(const std::byte* memory, Bytes length, std::int64_t index, Bytes from) {
  const auto& placement = pattern_.placement;
  const std::int64_t call = index / placement.chunks_per_call;
  const Bytes in_call = index % placement.chunks_per_call * placement.chunk + from;
  if (const auto wrong = content_.compare(memory, length, Content::first_byte(call) + in_call)) {
    note(index, from + wrong->at,
         fmt::format("expected 0x{:02x}, found 0x{:02x}", std::to_integer<int>(wrong->expected),
                     std::to_integer<int>(wrong->actual)));
  }
}

void ReadCheck::compare_buffer(const TransferBuffer& buffer) {
  const auto& placement = pattern_.placement;
  const std::int64_t last = calls_ - 1;
  if (last < 0) {
    return;
  }
  const auto count = [&] {
    ++report_.checked;
    report_.wrong += piece_is_right_ ? 0 : 1;
  };
  for (std::int64_t chunk = 0; chunk < placement.chunks_per_call; ++chunk) {
    piece_is_right_ = true;
    compare(buffer.window(last) + chunk * placement.chunk, placement.chunk,
            last * placement.chunks_per_call + chunk, 0);
    count();
  }
  for (std::int64_t call = last - last % Content::kWindows; call < last; ++call) {
    piece_is_right_ = true;
    compare(buffer.window(call), std::min(Content::kStep, placement.chunk),
            call * placement.chunks_per_call, 0);
    count();
  }
}

bool ReadCheck::compare_piece(const OpenFile& file, std::int64_t index, Bytes from, Bytes length) {
  scratch_.resize(static_cast<std::size_t>(kPiece));
  const Bytes offset = chunks_[index].offset + from;
  const auto got =
      static_cast<Bytes>(read_at(file, scratch_.data(), static_cast<std::size_t>(length), offset));
  if (got < length) {
    note(index, from + got, "expected data, found the end of the file");
    return false;
  }
  compare(scratch_.data(), length, index, from);
  return piece_is_right_;
}

void ReadCheck::compare_file(bool all, OpenFile& opened) {
  const std::int64_t chunks = calls_ * pattern_.placement.chunks_per_call;
  const std::int64_t samples = all ? chunks : std::min(chunks, kSampleChunks);
  const Bytes size = pattern_.placement.chunk;
  if (opened.get() < 0) {
    opened = OpenFile(open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  }
  if (opened.get() < 0) {
    report_.checked += 1;
    report_.wrong += 1;
    note(0, 0, fmt::format("the file cannot be opened ({})", std::strerror(errno)));
    return;
  }
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    const std::int64_t index = all || samples == 1 ? sample : sample * (chunks - 1) / (samples - 1);
    piece_is_right_ = true;
    if (all || size <= 2 * kSamplePiece) {
      for (Bytes from = 0; from < size && piece_is_right_; from += kPiece) {
        compare_piece(opened, index, from, std::min(kPiece, size - from));
      }
    } else {
      compare_piece(opened, index, 0, kSamplePiece);
      compare_piece(opened, index, (size - kSamplePiece) / 8 * 8, kSamplePiece);
    }
    ++report_.checked;
    report_.wrong += piece_is_right_ ? 0 : 1;
  }
}

}  // namespace beff::b_eff_io
