#include "engines/b_eff_io/content.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/random_permutation.hpp"

namespace beff::b_eff_io {
namespace {

constexpr Bytes kWord = sizeof(std::uint64_t);
// Compared at a time: memory compares several times faster in blocks than word by word.
constexpr Bytes kBlockWords = 512;
constexpr Bytes kBlock = kBlockWords * kWord;

std::uint64_t joined(std::uint64_t key, int number) {
  return splitmix(key, static_cast<std::uint64_t>(number));
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

}  // namespace beff::b_eff_io
