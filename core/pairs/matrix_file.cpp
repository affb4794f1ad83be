#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "core/benchmark.hpp"
#include "core/pairs/matrix.hpp"

namespace beff::pairs {
namespace {

constexpr std::string_view kMarket = "%%MatrixMarket";

std::vector<std::string_view> words_of(std::string_view line, bool commas) {
  std::vector<std::string_view> words;
  const std::string_view blanks = commas ? " \t\r\v\f," : " \t\r\v\f";
  for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

/// Of a whole matrix: so no sum of it leaves 64 bits.
constexpr Bytes kMostVolume = Bytes{1} << 60;

/// As much of a word as a sentence shows, in whole characters.
std::string_view shown(std::string_view word) {
  std::size_t most = 40;
  while (most < word.size() && (static_cast<unsigned char>(word[most]) & 0xC0U) == 0x80U) {
    --most;
  }
  return word.substr(0, most);
}

bool is_number(std::string_view word) {
  constexpr std::size_t kMostDigits = 18;
  return !word.empty() && word.size() <= kMostDigits &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

std::int64_t number_in(std::string_view word) {
  std::int64_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

/// The way of a file from its first line to its last.
class MatrixReader {
 public:
  MatrixReader(std::istream& stream, std::string file, int processes)
      : stream_(&stream), file_(std::move(file)), processes_(processes) {}

  std::vector<MatrixRow> read() {
    bool first = true;
    while (std::getline(*stream_, line_)) {
      ++number_;
      if (first && line_.starts_with(kMarket)) {
        begin_market();
      } else if (market_) {
        take_entry();
      } else {
        take_row();
      }
      first = false;
    }
    if (market_ && entries_ < 0) {
      number_ = 2;
      fail_at_size();
    }
    if (market_ && entries_ != found_) {
      fail_whole(
          fmt::format("has {} entries, and says {}; correct its first number", found_, entries_));
    }
    auto rows = ordered(std::move(rows_));
    if (rows.empty()) {
      fail_whole("has no message; write lines of from, to, bytes and count");
    }
    return rows;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw PlanError("matrix", fmt::format("{}: line {}: {}", file_, number_, why));
  }
  [[noreturn]] void fail_at_size() const {
    fail("must hold rows, columns and entries; write three whole numbers");
  }
  [[noreturn]] void fail_whole(const std::string& why) const {
    throw PlanError("matrix", fmt::format("{}: {}", file_, why));
  }

  void take_row() {
    const auto words = words_of(std::string_view(line_).substr(0, line_.find('#')), true);
    if (words.empty()) {
      return;
    }
    if (words.size() != 3 && words.size() != 4) {
      fail(fmt::format("has {} numbers; write from, to, bytes and, if not 1, count", words.size()));
    }
    add({words[0], words[1], words[2], words.size() == 4 ? words[3] : "1"}, 0);
  }

  void begin_market() {
    std::string lower = line_;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const auto words = words_of(lower, false);
    market_ = words.size() == 5 && words[1] == "matrix" && words[2] == "coordinate" &&
              (words[3] == "integer" || words[3] == "real") &&
              (words[4] == "general" || words[4] == "symmetric");
    if (!market_) {
      fail("must be matrix coordinate, integer or real, general or symmetric; write it so");
    }
    symmetric_ = words[4] == "symmetric";
  }

  void take_entry() {
    const auto words = words_of(line_, false);
    if (words.empty() || line_.starts_with('%')) {
      return;
    }
    if (entries_ < 0) {
      take_size(words);
      return;
    }
    if (words.size() != 3) {
      fail(fmt::format("has {} numbers; write row, column and bytes", words.size()));
    }
    const auto whole = whole_text(words[2]);
    const auto row = add({words[0], words[1], whole, "1"}, 1);
    ++found_;
    if (symmetric_ && row.from != row.to) {
      rows_.push_back({.from = row.to, .to = row.from, .bytes = row.bytes, .count = row.count});
    }
  }

  void take_size(const std::vector<std::string_view>& words) {
    constexpr std::size_t kMostDigits = 10;
    if (words.size() != 3 || !std::ranges::all_of(words, [](const auto& word) {
          return is_number(word) && word.size() <= kMostDigits;
        })) {
      fail_at_size();
    }
    if (number_in(words[0]) != processes_ || number_in(words[1]) != processes_) {
      fail(fmt::format("the matrix is {} x {}; it must be {} x {}", number_in(words[0]),
                       number_in(words[1]), processes_, processes_));
    }
    entries_ = number_in(words[2]);
  }

  /// A whole number without point and exponent, however many digits it has; another word as it is.
  static std::string whole_text(std::string_view word) {
    constexpr double kExact = 9007199254740992;  // 2^53
    double value = 0;
    const auto* const end = word.data() + word.size();
    const auto [rest, problem] = std::from_chars(word.data(), end, value);
    const bool is_whole = word.front() >= '0' && word.front() <= '9' && problem == std::errc() &&
                          rest == end && value < kExact && value == std::floor(value);
    return is_whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : std::string(word);
  }

  MatrixRow add(const std::array<std::string_view, 4>& words, int first) {
    constexpr std::array<const char*, 4> kNames{"from", "to", "bytes", "count"};
    std::array<std::int64_t, 4> values{};
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!is_number(words.at(i))) {
        fail(
            fmt::format("{} is {}; write a whole number from 0", kNames.at(i), shown(words.at(i))));
      }
      values.at(i) = number_in(words.at(i));
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (values.at(i) < first || values.at(i) > processes_ - 1 + first) {
        fail(fmt::format("{} is {}; ranks are from {} to {}", kNames.at(i), values.at(i), first,
                         processes_ - 1 + first));
      }
    }
    if (values[2] > kMostMessageBytes) {
      fail(
          fmt::format("a message of {} byte is larger than the {} that MPI counts; write the bytes "
                      "of one iteration, or more messages",
                      values[2], kMostMessageBytes));
    }
    if (values[3] > kMostMessages) {
      fail(fmt::format("count is {}; write at most {}", values[3], kMostMessages));
    }
    volume_ += values[2] * values[3];
    if (volume_ > kMostVolume) {
      fail_whole(fmt::format("holds more than {} in sum; write the bytes of one iteration",
                             format_size(kMostVolume)));
    }
    if (rows_.size() >= kMostMatrixRows) {
      fail(fmt::format("is behind the {} rows that are possible; write fewer", kMostMatrixRows));
    }
    return rows_.emplace_back(MatrixRow{.from = static_cast<int>(values[0]) - first,
                                        .to = static_cast<int>(values[1]) - first,
                                        .bytes = values[2],
                                        .count = values[3]});
  }

  std::istream* stream_;
  std::string file_;
  int processes_;
  std::string line_;
  std::int64_t number_ = 0;
  bool market_ = false;
  bool symmetric_ = false;
  std::int64_t entries_ = -1;
  std::int64_t found_ = 0;
  Bytes volume_ = 0;
  std::vector<MatrixRow> rows_;
};

}  // namespace

std::vector<MatrixRow> read_matrix(std::istream& stream, const std::string& file, int processes) {
  return MatrixReader(stream, file, processes).read();
}

}  // namespace beff::pairs
