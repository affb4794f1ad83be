#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "core/b_eff_io/layout.hpp"
#include "core/b_eff_io/plan.hpp"
#include "engines/b_eff_io/content.hpp"
#include "engines/b_eff_io/setup.hpp"
#include "engines/common/mpi/handles.hpp"
#include "engines/common/mpi/launch.hpp"

namespace beff::b_eff_io {

/// The first failure of this process in a pattern. What notes one stays out of the timed loops.
class CallErrors {
 public:
  [[gnu::cold, gnu::noinline]] void note_failed(const char* operation, int code);
  /// A call that says it went well but moved `moved` instead of `expected` of a datatype.
  [[gnu::cold, gnu::noinline]] void note_short(const char* operation, int moved, int expected,
                                               const char* what);
  [[nodiscard]] const std::optional<std::string>& first() const { return first_; }

 private:
  std::optional<std::string> first_;
};

/// What one call moves. In MPI_BYTE where an int can hold the length: with a derived datatype a
/// cheap call takes up to a quarter longer.
struct CallLength {
  int count;
  MPI_Datatype datatype;
  const char* name;  ///< of the datatype, for the reader
};

/// A pattern at work on its open file. Everything is made before the clock starts.
struct Work {
  MPI_File file = MPI_FILE_NULL;
  Placement placement{};
  int rank = 0;
  bool writes = false;
  bool collective = false;
  Datatype chunk;    ///< l contiguous byte; calls move chunks_per_call of them
  Datatype strided;  ///< the chunk, repeated every n·l byte: the file type of a view
  Info info;         ///< hints of the pattern; where a view is set they go with it
  const TransferBuffer* buffer = nullptr;
  CallLength call{};
  std::vector<MPI_Offset> offsets;  ///< of each call, where the type moves chunks in random order
};

/// Makes calls first … first + calls - 1 of one MPI function. Inside the clock.
struct Calls {
  void (*make)(const Work& work, std::int64_t first, std::int64_t calls, const char* name,
               CallErrors& errors);
  const char* name;  ///< of the MPI function
};

/// How a pattern type uses MPI: one row of the table in types.cpp.
struct TypeMethod {
  Type type;
  /// Sets view or pointer to the pattern's first chunk. Inside the clock. Returns MPI's code.
  int (*start)(const Work& work, bool reposition);
  Calls write;
  Calls read;
  bool sets_view;  ///< and with it the hints; else MPI_File_set_info does before the clock

  void run(const Work& work, std::int64_t first, std::int64_t calls, CallErrors& errors) const {
    const Calls& way = work.writes ? write : read;
    way.make(work, first, calls, way.name, errors);
  }
};

/// Type 1 through individual pointers has the view of type 0, and one chunk per call. With `copies`
/// each call goes with a copy from the device, or to it.
[[nodiscard]] const TypeMethod& method_of(Type type, Pointer pointer, bool copies);

/// Repeats `call(memory, count, datatype, status, number)`, which returns MPI's code, and looks at
/// code and count of each. A process alone stops at its first failure; in a collective pattern
/// it goes on without data, because the others wait for it in the calls that follow. Without data
/// it needs no space: ROMIO ends all processes where it cannot move its shared pointer, a file.
template <class Call>
void repeat(const Work& work, std::int64_t first, std::int64_t calls, const char* operation,
            CallErrors& errors, Call&& call) {
  const auto [count, datatype, name] = work.call;
  std::byte* const begin = work.buffer->window(0);
  std::int64_t window = first % Content::kWindows;
  for (std::int64_t number = first; number < first + calls; ++number) {
    MPI_Status status;
    const int code = call(begin + window * Content::kStep, count, datatype, &status, number);
    window = window + 1 == Content::kWindows ? 0 : window + 1;
    int moved = 0;
    if (code == MPI_SUCCESS) {
      MPI_Get_count(&status, datatype, &moved);
    }
    if (moved != count) [[unlikely]] {
      code == MPI_SUCCESS ? errors.note_short(operation, moved, count, name)
                          : errors.note_failed(operation, code);
      while (work.collective && ++number < first + calls) {
        call(begin, 0, datatype, &status, number);
      }
      return;
    }
  }
}

}  // namespace beff::b_eff_io
