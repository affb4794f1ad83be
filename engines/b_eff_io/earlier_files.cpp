#include "engines/b_eff_io/earlier_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <optional>
#include <utility>

#include "core/units/quantity_text.hpp"

namespace beff::b_eff_io {
namespace fs = std::filesystem;
namespace {

bool is_run_folder(const fs::directory_entry& entry) {
  constexpr std::size_t kDigits = 16;
  const auto name = entry.path().filename().string();
  std::error_code error;
  return name.size() == kRunFolderPrefix.size() + kDigits && name.starts_with(kRunFolderPrefix) &&
         name.find_first_not_of("0123456789abcdef", kRunFolderPrefix.size()) == std::string::npos &&
         entry.symlink_status(error).type() == fs::file_type::directory;
}

bool is_held(const fs::path& folder) {
  const int open_folder = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (open_folder < 0) {
    return false;
  }
  const bool held = flock(open_folder, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(open_folder);
  return held;
}

std::string owner(uid_t user) {
  const auto* known = getpwuid(user);  // NOLINT(concurrency-mt-unsafe): before any thread asks
  return known != nullptr ? known->pw_name : fmt::format("user {}", user);
}

/// Empty where the folder has just gone.
std::optional<std::string> described(const fs::path& folder) {
  struct stat state{};
  if (lstat(folder.c_str(), &state) != 0) {
    return std::nullopt;
  }
  Bytes bytes = 0;
  auto last = state.st_mtime;
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    struct stat inner{};
    if (lstat(file->path().c_str(), &inner) == 0) {
      bytes += inner.st_size;
      last = std::max(last, inner.st_mtime);
    }
  }
  const auto age = static_cast<Seconds>(std::max<std::time_t>(0, std::time(nullptr) - last));
  return fmt::format("{} of {} holds {}, last written {} ago; {}", folder.string(),
                     owner(state.st_uid), format_size(bytes), format_duration(age),
                     is_held(folder) ? "a run that is under way uses it"
                                     : "if no run on another machine uses it, it can be removed "
                                       "(beff recover JOURNAL --remove-files, or rm -r)");
}

}  // namespace

FolderHold::FolderHold(const fs::path& folder)
    : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_ >= 0) {
    (void)flock(folder_, LOCK_EX | LOCK_NB);
  }
}

FolderHold::FolderHold(FolderHold&& other) noexcept : folder_(std::exchange(other.folder_, -1)) {}

FolderHold::~FolderHold() {
  if (folder_ >= 0) {
    close(folder_);
  }
}

std::vector<std::string> earlier_files(const fs::path& folder) {
  std::vector<std::string> told;
  std::error_code error;
  const auto real = fs::canonical(folder, error);
  for (fs::directory_iterator entry(real, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_run_folder(*entry)) {
      if (auto sentence = described(entry->path())) {
        told.push_back(std::move(*sentence));
      }
    }
  }
  std::ranges::sort(told);
  return told;
}

}  // namespace beff::b_eff_io
