#pragma once

#include <unistd.h>

#include <utility>

namespace beff {

/// Owns a handle, which `give_up` frees; `none` gives the handle that stands for nothing.
/// (`free` itself is a macro of SMPI.)
template <class Handle, auto give_up, Handle (*none)()>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, none())) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != none()) {
      give_up(&handle_);
    }
  }

  [[nodiscard]] Handle get() const { return handle_; }
  /// Gives the handle away: it is no longer owned.
  [[nodiscard]] Handle release() { return std::exchange(handle_, none()); }

 private:
  Handle handle_ = none();
};

inline int no_file() { return -1; }
inline void close_file(const int* file) { close(*file); }
/// Owns an open file of the operating system.
using OpenFile = Owned<int, close_file, no_file>;

}  // namespace beff
