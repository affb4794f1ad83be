#include "engines/common/run/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "core/record/json.hpp"
#include "engines/common/host/host.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace fs = std::filesystem;
namespace {

constexpr mode_t kMode = 0666;

[[noreturn]] void fail() { throw FileError(std::strerror(errno)); }

void refuse_others(mode_t mode) {
  if (S_ISREG(mode)) {
    return;
  }
  throw FileError(S_ISDIR(mode)    ? "it is a folder"
                  : S_ISFIFO(mode) ? "it is a pipe, no regular file"
                                   : "it is no regular file");
}

/// Some file systems have nothing to flush, and say so.
void flush(const OpenFile& file) {
  if (fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS &&
      errno != EROFS) {
    fail();
  }
}

/// What was written is in the file system for good.
void finish(OpenFile file) {
  flush(file);
  std::FILE* stream = fdopen(file.release(), "w");
  if (stream == nullptr || std::fclose(stream) != 0) {
    fail();
  }
}

/// The folder of a file, so that its new name is there after a crash; where it may be read.
void flush_folder(const fs::path& file) {
  const auto folder = file.parent_path();
  const OpenFile opened(
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) {
    flush(opened);
  }
}

void check_text(const std::string& text) {
  bool is_text = text.find('\0') == std::string::npos;
  if (std::ranges::any_of(text, [](char sign) { return static_cast<signed char>(sign) < 0; })) {
    try {
      (void)Json(text).dump();
    } catch (const Json::exception&) {
      is_text = false;
    }
  }
  if (!is_text) {
    throw FileError("it is no text in ASCII or UTF-8");
  }
}

void write_new(const fs::path& path, std::string_view text) {
  auto file = open_regular(path, O_WRONLY | O_CREAT | O_EXCL);
  try {
    write_all(file, text);
    finish(std::move(file));
  } catch (const FileError&) {
    unlink(path.c_str());
    throw;
  }
}

/// Takes nobody's file: where a name is taken, a number goes before it. Throws FileError.
fs::path write_under_free_name(const fs::path& wanted, std::string_view text) {
  constexpr int kMostOfAName = 1000;
  auto path = wanted;
  for (int number = 2;; ++number) {
    try {
      write_new(path, text);
      return path;
    } catch (const FileError&) {
      if (!is_there(path) || number > kMostOfAName) {
        throw;
      }
    }
    path = wanted.parent_path() / fmt::format("{}-{}", number, wanted.filename().string());
  }
}

}  // namespace

OpenFile open_regular(const fs::path& path, int flags) {
  struct stat state{};
  if (stat(path.c_str(), &state) == 0) {
    refuse_others(state.st_mode);
  }
  // what it is may have changed since; a pipe then does not wait, and nothing was cut off
  OpenFile file(open(path.c_str(), (flags & ~O_TRUNC) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, kMode));
  if (file.get() < 0 || fstat(file.get(), &state) != 0) {
    fail();
  }
  refuse_others(state.st_mode);
  if ((flags & O_TRUNC) != 0 && ftruncate(file.get(), 0) != 0) {
    fail();
  }
  return file;
}

std::string read_text(const fs::path& path, std::size_t most) {
  constexpr std::size_t kPiece = 65536;
  const auto file = open_regular(path, O_RDONLY);
  struct stat state{};
  const bool fits = fstat(file.get(), &state) == 0 && std::cmp_less_equal(state.st_size, most);
  std::string text;
  text.reserve(fits ? static_cast<std::size_t>(state.st_size) + kPiece : 0);
  while (fits && text.size() <= most) {
    const auto before = text.size();
    text.resize(before + kPiece);
    const auto length = read(file.get(), text.data() + before, kPiece);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    if (length < 0 && errno != EINTR) {
      fail();
    }
    if (length == 0) {
      check_text(text);
      return text;
    }
  }
  throw FileError(fmt::format("it has more than {} byte", most));
}

std::string text_of_option(std::string_view option, const std::string& file,
                           std::string_view way_out) {
  constexpr std::size_t kLongest = 1'000'000;
  try {
    return read_text(file, kLongest);
  } catch (const FileError& problem) {
    throw UsageError(
        fmt::format("--{} {}: cannot be read ({}); {}", option, file, problem.what(), way_out));
  }
}

std::size_t read_at(const OpenFile& file, void* memory, std::size_t length, off_t at) {
  std::size_t done = 0;
  while (done < length) {
    const auto got = pread(file.get(), static_cast<char*>(memory) + done, length - done,
                           at + static_cast<off_t>(done));
    if (got > 0) {
      done += static_cast<std::size_t>(got);
    } else if (got == 0 || errno != EINTR) {
      break;
    }
  }
  return done;
}

void write_all(const OpenFile& file, std::string_view text) {
  while (!text.empty()) {
    const auto written = write(file.get(), text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      throw FileError("nothing more can be written");
    } else if (errno != EINTR) {
      fail();
    }
  }
}

void write_atomically(const fs::path& path, std::string_view text) {
  const auto temporary = write_under_free_name(path.string() + ".tmp", text);
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    throw FileError(std::strerror(error));
  }
  flush_folder(path);
}

std::optional<fs::path> write_elsewhere(const fs::path& wanted, std::string_view text) {
  std::error_code problem;
  std::vector<fs::path> folders;
  if (const char* folder = std::getenv("TMPDIR"); folder != nullptr && *folder != '\0') {
    folders.emplace_back(folder);
  }
  folders.push_back(fs::current_path(problem));
  for (const auto& folder : folders) {
    try {
      return write_under_free_name(fs::absolute(folder, problem) / wanted.filename(), text);
    } catch (const FileError&) {
      continue;  // this folder takes no file
    }
  }
  return std::nullopt;
}

void OutputFiles::check_folder() const {
  const auto named = fs::path(prefix_ + ".json").parent_path();
  const auto folder = named.empty() ? fs::path(".") : named;
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw UsageError(fmt::format("--output {}: the folder {} does not exist; create it first",
                                 prefix_, folder.string()));
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    throw UsageError(
        fmt::format("--output {}: the folder {} cannot be written ({}); choose another", prefix_,
                    folder.string(), std::strerror(errno)));
  }
}

void OutputFiles::check_files(bool overwrite) const {
  for (const auto& path : {result(), protocol(), journal()}) {
    std::error_code error;
    const auto state = fs::status(path, error);
    if (!fs::exists(state)) {
      continue;
    }
    if (!fs::is_regular_file(state)) {
      throw UsageError(
          fmt::format("--output {}: {} is there, but no regular file; choose another prefix",
                      prefix_, path.string()));
    }
    if (!overwrite) {
      throw UsageError(fmt::format(
          "--output {}: {} holds an earlier run; choose another prefix or give --overwrite",
          prefix_, path.string()));
    }
  }
}

}  // namespace beff
