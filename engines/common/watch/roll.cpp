#include "engines/common/watch/roll.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <random>
#include <string_view>

#include "engines/common/host/host.hpp"
#include "engines/common/run/files.hpp"

namespace beff {
namespace {

// A line: run and host, then the answer. That of rank 0: run and speaker, then the sign of life.
constexpr std::size_t kLine = 256;
constexpr std::size_t kAnswer = 96;

off_t begin_of_line(int number) { return static_cast<off_t>(number) * static_cast<off_t>(kLine); }

bool write_padded(const OpenFile& file, off_t at, std::string text, std::size_t length) {
  text.resize(length - 1, ' ');
  text += '\n';
  return std::cmp_equal(pwrite(file.get(), text.data(), length, at), length);
}

/// By a descriptor that stays open; NFS sends it on as one is closed.
bool write_for_others(const OpenFile& file, off_t at, std::string text, std::size_t length) {
  const bool written = write_padded(file, at, std::move(text), length);
  const OpenFile closed(dup(file.get()));
  return written;
}

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
  const auto word = text.substr(0, text.find_first_of(" \n"));
  text.remove_prefix(word.size());
  return word;
}

std::int64_t next_number(std::string_view& text) {
  const auto word = next_word(text);
  std::int64_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

RollLine answer_in(std::string_view text) {
  RollLine line;
  line.question = next_number(text);
  line.step = next_number(text);
  line.arrived = next_number(text) != 0;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  line.where = text.substr(0, text.find_last_not_of(" \n") + 1);
  return line;
}

/// As much of a file as there is, `length` byte at most.
std::string piece_of(const OpenFile& file, off_t at, std::size_t length) {
  std::string piece(length, '\0');
  std::size_t done = 0;
  while (done < length) {
    const auto got =
        pread(file.get(), piece.data() + done, length - done, at + static_cast<off_t>(done));
    if (got <= 0) {
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  piece.resize(done);
  return piece;
}

RollHead head_in(const OpenFile& file) {
  const auto text = piece_of(file, 0, 2 * kLine);
  auto first = std::string_view(text).substr(0, kLine);
  const auto second = std::string_view(text).substr(first.size());
  RollHead head;
  head.question = next_number(first);
  head.run = next_word(first);
  (void)next_word(first);  // the process
  head.host = next_word(first);
  auto named = second.substr(0, kAnswer);
  head.speaker = next_word(named) == head.run ? static_cast<int>(next_number(named)) : 0;
  head.sign = answer_in(second.substr(std::min(kAnswer, second.size()))).question;
  return head;
}

std::string signature(const std::string& run) { return fmt::format("{} {}", run, own_host()); }

bool write_head(const OpenFile& file, std::int64_t question, const std::string& run) {
  const auto start = start_of_process(getpid()).value_or(0);
  return write_for_others(
      file, 0, fmt::format("{} {} {} {} {}", question, run, getpid(), own_host(), start), kLine);
}

std::string new_run() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

/// Whether a file still has its name: who held it before may have removed it meanwhile.
bool is_at(const std::filesystem::path& path, const OpenFile& file) {
  struct stat named{};
  struct stat opened{};
  return stat(path.c_str(), &named) == 0 && fstat(file.get(), &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

/// Throws FileError.
OpenFile create_or_open(const std::filesystem::path& path) {
  OpenFile file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() >= 0) {
    return file;
  }
  try {
    return errno == EEXIST ? open_regular(path, O_RDWR) : throw FileError(std::strerror(errno));
  } catch (const FileError& problem) {
    throw FileError(fmt::format("{} cannot be made: {}", path.string(), problem.what()));
  }
}

/// Locks a roll, or says who has it; empty where it is free. Where the file system knows no locks,
/// the roll itself says who made it; whether that process lives can be seen on its host only.
std::string holder_of(const OpenFile& file, const std::filesystem::path& path) {
  const auto head = piece_of(file, 0, kLine);
  std::string_view rest(head);
  (void)next_number(rest);  // the question
  (void)next_word(rest);    // the run
  const auto process = next_number(rest);
  const std::string host(next_word(rest));
  const auto start = next_number(rest);
  if (flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
    return {};
  }
  const auto maker =
      host.empty() ? "another run" : fmt::format("the run of process {} on {}", process, host);
  if (errno == EWOULDBLOCK) {
    return maker + " is under way there; wait for its end, or choose another output";
  }
  // another process may have its number by now
  const bool is_gone = host == own_host() && start_of_process(process) != start;
  return head.empty() || is_gone ? std::string()
                                 : fmt::format("{} may be under way there; remove {} if it is over",
                                               maker, path.string());
}

}  // namespace

void Roll::claim() const {
  constexpr int kMostTries = 10;  // who held it may remove it at any moment
  const std::scoped_lock lock(claim_->busy);
  for (int tries = 0; claim_->file.get() < 0; ++tries) {
    auto file = create_or_open(path_);
    if (const auto holder = holder_of(file, path_); !holder.empty()) {
      throw FileError(holder);
    }
    if (is_at(path_, file) || tries == kMostTries) {
      claim_->run = new_run();
      (void)(ftruncate(file.get(), 0) == 0);
      (void)write_head(file, kNoQuestion, claim_->run);
      claim_->file = std::move(file);
    }
  }
}

void Roll::remove() const {
  const std::scoped_lock lock(claim_->busy);
  if (claim_->file.get() >= 0 && is_at(path_, claim_->file)) {
    unlink(path_.c_str());
  }
}

void Roll::remove_of(const std::string& run) const {
  if (!run.empty() && run_there() == run) {
    unlink(path_.c_str());
  }
}

bool Roll::ask(std::int64_t question) const {
  const std::scoped_lock lock(claim_->busy);
  return write_head(claim_->file, question, claim_->run);
}

bool Roll::give_sign(std::int64_t sign) const {
  const std::scoped_lock lock(claim_->busy);
  return write_for_others(claim_->file, begin_of_line(1) + static_cast<off_t>(kAnswer),
                          fmt::format("{}", sign), kLine - kAnswer);
}

std::vector<RollEntry> Roll::read(std::int64_t question, int processes) const {
  std::vector<RollEntry> entries(static_cast<std::size_t>(processes));
  std::string run;
  std::string text;
  try {
    const auto file = open_regular(path_, O_RDONLY);
    run = head_in(file).run;
    text = piece_of(file, begin_of_line(1), entries.size() * kLine);
  } catch (const FileError&) {
    return {};
  }
  for (std::size_t rank = 0; rank * kLine < text.size(); ++rank) {
    const auto line = std::string_view(text).substr(rank * kLine, kLine);
    auto sign = line.substr(0, kAnswer);
    if (next_word(sign) != run) {
      continue;
    }
    auto& entry = entries[rank];
    entry.host = next_word(sign);
    auto answer = answer_in(line.substr(std::min(kAnswer, line.size())));
    if (answer.question == question) {
      static_cast<RollLine&>(entry) = std::move(answer);
    }
  }
  return entries;
}

std::string Roll::run() const {
  const std::scoped_lock lock(claim_->busy);
  return claim_->run;
}

std::string Roll::run_there() const {
  try {
    return head_in(open_regular(path_, O_RDONLY)).run;
  } catch (const FileError&) {
    return {};
  }
}

RollHead Roll::read_head(int rank, const std::string& signed_run) const {
  try {
    const auto file = open_regular(path_, O_RDWR);
    auto head = head_in(file);
    head.signed_in = !head.run.empty() &&
                     (head.run == signed_run ||
                      write_padded(file, begin_of_line(rank + 1), signature(head.run), kAnswer));
    return head;
  } catch (const FileError&) {
    const bool gone = access(path_.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ESTALE);
    return {.question = gone ? kGone : kNoQuestion, .run = {}, .host = {}};
  }
}

bool Roll::name_speaker(int rank, const std::string& run) const {
  try {
    return write_padded(open_regular(path_, O_WRONLY), begin_of_line(1),
                        fmt::format("{} {}", run, rank), kAnswer);
  } catch (const FileError&) {
    return false;
  }
}

bool Roll::answer(int rank, const std::string& run, const RollLine& line) const {
  try {
    return write_padded(open_regular(path_, O_WRONLY), begin_of_line(rank + 1),
                        fmt::format("{:<{}}{} {} {:d} {}", signature(run), kAnswer, line.question,
                                    line.step, line.arrived, line.where),
                        kLine);
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace beff
