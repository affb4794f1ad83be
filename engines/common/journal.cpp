#include "engines/common/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/record/json.hpp"
#include "engines/common/fail.hpp"

namespace beff {

Journal::Journal(const std::filesystem::path& path)
    : path_(path),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_.get() < 0) {
    throw RunError(
        fmt::format("the journal {} cannot be opened: {}", path.string(), std::strerror(errno)));
  }
}

void Journal::append(const Json& record) const {
  const std::string line = json_text(record) + "\n";
  const char* rest = line.data();
  auto left = line.size();
  while (left > 0) {
    const auto written = write(file_.get(), rest, left);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      throw RunError(fmt::format("the journal {} cannot be written: {}", path_.string(),
                                 std::strerror(errno)));
    }
    rest += written;
    left -= static_cast<std::size_t>(written);
  }
}

void Journal::touch() const { (void)futimens(file_.get(), nullptr); }

}  // namespace beff
