#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "engines/b_eff_io/content.hpp"

namespace beff::b_eff_io {

/// The memory that calls write from and read into: call k uses the bytes from window(k) on.
class TransferBuffer {
 public:
  /// Room for calls of up to `largest` byte. Throws std::bad_alloc.
  explicit TransferBuffer(Bytes largest) : memory_(allocate(largest + Content::kSlack)) {}

  /// Before writing: the windows of all calls of `bytes_per_call` hold their content.
  void fill(const Content& content, Bytes bytes_per_call) {
    content.fill(memory_.get(), bytes_per_call + Content::kSlack);
  }
  /// Before reading: no window holds what is to be read.
  void clear(Bytes bytes_per_call) {
    std::memset(memory_.get(), 0, static_cast<std::size_t>(bytes_per_call + Content::kSlack));
  }
  [[nodiscard]] std::byte* window(std::int64_t call) const {
    return memory_.get() + Content::first_byte(call);
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  static std::byte* allocate(Bytes bytes) {
    constexpr std::size_t kPage = 4096;
    const auto rounded = (static_cast<std::size_t>(bytes) + kPage - 1) / kPage * kPage;
    void* memory = std::aligned_alloc(kPage, rounded);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    return static_cast<std::byte*>(memory);
  }

  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace beff::b_eff_io
