#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/benchmark.hpp"
#include "core/units/quantity_text.hpp"

namespace beff {

inline constexpr Bytes kPage = 4096;
[[nodiscard]] constexpr Bytes whole_pages(Bytes bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

/// What a driver says of a device that cannot be used.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A device has not as much memory left: which, how much was asked and is left.
class OutOfDeviceMemory : public std::bad_alloc {
 public:
  explicit OutOfDeviceMemory(std::string what) : what_(std::move(what)) {}
  [[nodiscard]] const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};

/// Memory for the buffers of messages and files, of the host or of a device. Pointers into that of
/// a device may be given to MPI and to these functions, and to nobody else. Device functions throw
/// DeviceError; all belong to the thread that chose the memory.
class BufferMemory : public InOnePlace {
 public:
  [[nodiscard]] virtual bool is_of_host() const { return false; }
  /// `alignment` is 0 for that of malloc; devices align to more than that anyway. Throws
  /// std::bad_alloc.
  [[nodiscard]] virtual char* allocate(Bytes bytes, std::size_t alignment) = 0;
  virtual void release(char* memory) noexcept = 0;
  virtual void fill(char* memory, unsigned char byte, Bytes bytes) = 0;
  /// From the host's memory to this one, and back.
  virtual void write(char* to, const void* from, Bytes bytes) = 0;
  virtual void read(void* to, const char* from, Bytes bytes) = 0;
  /// The same of one byte in each of `rows` rows, which begin `pitch` byte apart in this memory: of
  /// a device by one copy.
  virtual void write_column(char* to, const char* from, Bytes pitch, Bytes rows) = 0;
  virtual void read_column(char* to, const char* from, Bytes pitch, Bytes rows) = 0;
  /// From a place of this memory to another.
  virtual void copy(char* to, const char* from, Bytes bytes) = 0;
  /// Lets the device reach memory of the host without a copy on the way, until it is unlocked;
  /// returns whether it can.
  virtual bool lock_host(void* /*memory*/, Bytes /*bytes*/) { return false; }
  virtual void unlock_host(void* /*memory*/) noexcept {}
  /// Returns when all that was asked of the device is done.
  virtual void synchronise() = 0;
};

class HostMemory final : public BufferMemory {
 public:
  [[nodiscard]] bool is_of_host() const override { return true; }
  [[nodiscard]] char* allocate(Bytes bytes, std::size_t alignment) override {
    const auto size = static_cast<std::size_t>(bytes);
    // malloc, because SMPI folds memory of this kind only
    void* memory = alignment == 0 ? std::malloc(size) : std::aligned_alloc(alignment, size);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    return static_cast<char*>(memory);
  }
  void release(char* memory) noexcept override { std::free(memory); }
  void fill(char* memory, unsigned char byte, Bytes bytes) override {
    std::memset(memory, byte, static_cast<std::size_t>(bytes));
  }
  void write(char* to, const void* from, Bytes bytes) override {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void read(void* to, const char* from, Bytes bytes) override {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void write_column(char* to, const char* from, Bytes pitch, Bytes rows) override {
    for (Bytes i = 0; i < rows; ++i) {
      to[i * pitch] = from[i];
    }
  }
  void read_column(char* to, const char* from, Bytes pitch, Bytes rows) override {
    for (Bytes i = 0; i < rows; ++i) {
      to[i] = from[i * pitch];
    }
  }
  void copy(char* to, const char* from, Bytes bytes) override { write(to, from, bytes); }
  void synchronise() override {}
};

/// Owns `count` buffers of one length. The pointers come first: timed code reads them.
template <std::size_t count>
class OwnedBuffers {
 public:
  /// `memory` must outlive the object. Throws std::bad_alloc.
  OwnedBuffers(BufferMemory& memory, Bytes bytes, std::size_t alignment = 0)
      : OwnedBuffers(memory) {
    for (auto& buffer : buffers_) {
      buffer = memory.allocate(bytes, alignment);
    }
  }
  OwnedBuffers(const OwnedBuffers&) = delete;
  OwnedBuffers& operator=(const OwnedBuffers&) = delete;
  ~OwnedBuffers() {
    for (char* buffer : buffers_) {
      if (buffer != nullptr) {
        memory_->release(buffer);
      }
    }
  }

  template <std::size_t index>
  [[nodiscard]] char* get() const {
    static_assert(index < count);
    return buffers_[index];
  }
  [[nodiscard]] BufferMemory& memory() const { return *memory_; }

 private:
  explicit OwnedBuffers(BufferMemory& memory) : memory_(&memory) {}

  char* buffers_[count]{};
  BufferMemory* memory_;
};

/// The first and the last byte of a message, by which it is checked; of one byte both are the same.
struct Ends {
  char first;
  char last;

  friend bool operator==(const Ends&, const Ends&) = default;
};

[[nodiscard]] inline Ends read_ends(BufferMemory& memory, const char* message, Bytes last_byte) {
  Ends ends{};
  memory.read(&ends.first, message, 1);
  memory.read(&ends.last, message + last_byte, 1);
  return ends;
}

/// Of a message of one byte the last is what stays.
inline void write_ends(BufferMemory& memory, char* message, Bytes last_byte, const Ends& ends) {
  memory.write(message, &ends.first, 1);
  memory.write(message + last_byte, &ends.last, 1);
}

}  // namespace beff
