#include "engines/common/roll.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>
#include <string_view>

#include "engines/common/owned.hpp"

namespace beff {
namespace {

constexpr int kLine = 256;

OpenFile opened(const std::filesystem::path& path, int mode) {
  return OpenFile(open(path.c_str(), mode | O_CLOEXEC, 0666));
}

bool write_line(const std::filesystem::path& path, int number, std::string_view text) {
  const auto file = opened(path, O_WRONLY);
  std::string line(text.substr(0, kLine - 1));
  line.resize(kLine - 1, ' ');
  line += '\n';
  const auto written = pwrite(file.get(), line.data(), line.size(), off_t{number} * kLine);
  return std::cmp_equal(written, line.size());
}

/// Empty where it was not written as a whole.
std::string roll_line(const OpenFile& file, int number) {
  std::array<char, kLine> line{};
  const auto length = pread(file.get(), line.data(), kLine, off_t{number} * kLine);
  return length == kLine && line.back() == '\n' ? std::string(line.data(), kLine - 1)
                                                : std::string();
}

RollLine parsed(const std::string& text) {
  RollLine line;
  std::istringstream words(text);
  words >> line.question >> line.step >> line.arrived >> line.host >> std::ws;
  std::getline(words, line.place);
  line.place.erase(line.place.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

bool Roll::create() const {
  const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    return false;
  }
  // Where the file system knows no locks, nothing is locked.
  if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(file);
    return false;
  }
  return ftruncate(file, 0) == 0 && ask(kNoQuestion);
}

void Roll::remove() const { unlink(path_.c_str()); }

bool Roll::is_there() const { return access(path_.c_str(), R_OK | W_OK) == 0; }

bool Roll::ask(std::int64_t question) const {
  return write_line(path_, 0, std::to_string(question));
}

std::int64_t Roll::question() const {
  const auto file = opened(path_, O_RDONLY);
  if (file.get() < 0) {
    return errno == ENOENT || errno == ESTALE ? kGone : kNoQuestion;
  }
  std::int64_t question = kNoQuestion;
  std::istringstream(roll_line(file, 0)) >> question;
  return question;
}

bool Roll::answer(int rank, const RollLine& line) const {
  return write_line(path_, rank + 1,
                    fmt::format("{} {} {:d} {} {}", line.question, line.step, line.arrived,
                                line.host, line.place));
}

std::vector<RollLine> Roll::answers(std::int64_t question, int processes) const {
  std::vector<RollLine> answers(static_cast<std::size_t>(processes));
  const auto file = opened(path_, O_RDONLY);
  for (int rank = 0; rank < processes; ++rank) {
    if (auto line = parsed(roll_line(file, rank + 1)); line.question == question) {
      answers[static_cast<std::size_t>(rank)] = std::move(line);
    }
  }
  return answers;
}

}  // namespace beff
