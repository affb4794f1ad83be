#include "engines/b_eff_io/page_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace beff::b_eff_io {
namespace fs = std::filesystem;
namespace {

class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags) : number_(open(file.c_str(), flags | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// Resident bytes of one stretch of a file.
std::optional<Bytes> resident_in(const Descriptor& file, Bytes offset, Bytes length, Bytes page) {
  const auto size = static_cast<std::size_t>(length);
  void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), offset);
  if (memory == MAP_FAILED) {
    return std::nullopt;
  }
  std::vector<unsigned char> pages(static_cast<std::size_t>((length + page - 1) / page));
  const bool known = mincore(memory, size, pages.data()) == 0;
  munmap(memory, size);
  if (!known) {
    return std::nullopt;
  }
  const auto present =
      std::ranges::count_if(pages, [](unsigned char state) { return (state & 1U) != 0; });
  return std::min(length, present * page);
}

}  // namespace

bool drop_from_page_cache(const fs::path& file) {
  const Descriptor descriptor(file, O_RDWR);
  return descriptor.get() >= 0 && fsync(descriptor.get()) == 0 &&
         posix_fadvise(descriptor.get(), 0, 0, POSIX_FADV_DONTNEED) == 0;
}

std::optional<Bytes> resident_bytes(const fs::path& file) {
  const Descriptor descriptor(file, O_RDONLY);
  if (descriptor.get() < 0) {
    return std::nullopt;
  }
  const Bytes page = sysconf(_SC_PAGESIZE);
  const Bytes size = size_of_file(file);
  Bytes sum = 0;
  for (Bytes offset = 0; offset < size; offset += kGiB) {
    const auto part = resident_in(descriptor, offset, std::min(kGiB, size - offset), page);
    if (!part) {
      return std::nullopt;
    }
    sum += *part;
  }
  return sum;
}

Bytes size_of_file(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  return error ? 0 : static_cast<Bytes>(size);
}

std::optional<Bytes> bytes_read_from_storage() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (Bytes value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace beff::b_eff_io
