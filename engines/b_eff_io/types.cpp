#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "engines/b_eff_io/call_loop.hpp"

namespace beff::b_eff_io {
namespace {

/// Some libraries do not say why they failed.
std::string bound_of_files() {
  rlimit bound{};
  return getrlimit(RLIMIT_FSIZE, &bound) == 0 && bound.rlim_cur != RLIM_INFINITY
             ? fmt::format(" (files are bounded to {} by ulimit -f)",
                           format_size(product(bound.rlim_cur, 1)))
             : std::string();
}

}  // namespace

void CallErrors::note_failed(const char* operation, int code) {
  if (!first_) {
    first_ = fmt::format("{}{}: {}", operation, bound_of_files(), error_text(code));
  }
}

void CallErrors::note_short(const char* operation, int moved, int expected, const char* what) {
  if (!first_) {
    first_ = moved == MPI_UNDEFINED
                 ? fmt::format("{}{} reported success, but moved only part of the data", operation,
                               bound_of_files())
                 : fmt::format("{}{} reported success, but moved {} of {} {}", operation,
                               bound_of_files(), moved, expected, what);
  }
}

namespace {

int set_view(const Work& work, bool /*reposition*/) {
  const auto view = view_of(work.placement, work.rank);
  return MPI_File_set_view(work.file, view.displacement, MPI_BYTE, work.strided.get(), "native",
                           work.info.get());
}

int seek(const Work& work, bool /*reposition*/) {
  return MPI_File_seek(work.file, view_of(work.placement, work.rank).displacement, MPI_SEEK_SET);
}

/// A view set between patterns would reset the shared pointer, so none is.
int seek_shared(const Work& work, bool reposition) {
  return reposition ? MPI_File_seek_shared(work.file, work.placement.base, MPI_SEEK_SET)
                    : MPI_SUCCESS;
}

int stay(const Work& /*work*/, bool /*reposition*/) { return MPI_SUCCESS; }

/// What goes with a call where the data belongs on a device; with a call without data nothing does.
enum class Copy : std::uint8_t { kNone, kFromDevice, kToDevice };

template <Copy copy, class Call>
void repeat_with(const Work& work, std::int64_t first, std::int64_t calls, const char* name,
                 CallErrors& errors, const Call& call) {
  if constexpr (copy == Copy::kNone) {
    repeat(work, first, calls, name, errors, call);
  } else {
    repeat(
        work, first, calls, name, errors,
        [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status, std::int64_t number) {
          const Bytes bytes = count > 0 ? work.placement.bytes_per_call() : 0;
          if (copy == Copy::kFromDevice && bytes > 0) {
            work.buffer->from_device(memory, bytes);
          }
          const int code = call(memory, count, chunk, status, number);
          if (copy == Copy::kToDevice && bytes > 0) {
            work.buffer->to_device(memory, bytes);
          }
          return code;
        });
  }
}

/// Calls of MPI_File_…(file, memory, count, datatype, status) where the file pointer stands.
template <auto mpi_call, Copy copy>
void at_pointer(const Work& work, std::int64_t first, std::int64_t calls, const char* name,
                CallErrors& errors) {
  const auto call = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                        std::int64_t /*number*/) {
    return mpi_call(work.file, memory, count, chunk, status);
  };
  repeat_with<copy>(work, first, calls, name, errors, call);
}

/// Calls of MPI_File_…_at at the place of each chunk.
template <auto mpi_call, Copy copy>
void at_offset(const Work& work, std::int64_t first, std::int64_t calls, const char* name,
               CallErrors& errors) {
  const auto call = [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
                        std::int64_t number) {
    return mpi_call(work.file, work.offsets[static_cast<std::size_t>(number)], memory, count, chunk,
                    status);
  };
  repeat_with<copy>(work, first, calls, name, errors, call);
}

template <bool copies>
constexpr std::array<TypeMethod, kTypes.size()> methods() {
  constexpr auto out = copies ? Copy::kFromDevice : Copy::kNone;
  constexpr auto in = copies ? Copy::kToDevice : Copy::kNone;
  constexpr Calls write{at_pointer<MPI_File_write, out>, "MPI_File_write"};
  constexpr Calls read{at_pointer<MPI_File_read, in>, "MPI_File_read"};
  constexpr Calls write_all{at_pointer<MPI_File_write_all, out>, "MPI_File_write_all"};
  constexpr Calls read_all{at_pointer<MPI_File_read_all, in>, "MPI_File_read_all"};
  constexpr Calls write_ordered{at_pointer<MPI_File_write_ordered, out>, "MPI_File_write_ordered"};
  constexpr Calls read_ordered{at_pointer<MPI_File_read_ordered, in>, "MPI_File_read_ordered"};
  constexpr Calls write_at{at_offset<MPI_File_write_at, out>, "MPI_File_write_at"};
  constexpr Calls read_at{at_offset<MPI_File_read_at, in>, "MPI_File_read_at"};
  return {TypeMethod{Type::kScatter, set_view, write_all, read_all, true},
          TypeMethod{Type::kShared, seek_shared, write_ordered, read_ordered, false},
          TypeMethod{Type::kSeparate, seek, write, read, false},
          TypeMethod{Type::kSegmented, seek, write, read, false},
          TypeMethod{Type::kSegColl, seek, write_all, read_all, false},
          TypeMethod{Type::kRandomShared, stay, write_at, read_at, false},
          TypeMethod{Type::kRandomSeparate, stay, write_at, read_at, false}};
}

constexpr auto kMethods = methods<false>();
constexpr auto kMethodsWithCopies = methods<true>();
static_assert(std::ranges::equal(kMethods, kTypes, {}, &TypeMethod::type, &TypeRow::type));

}  // namespace

const TypeMethod& method_of(Type type, Pointer pointer, bool copies) {
  const bool as_scatter = type == Type::kShared && pointer == Pointer::kIndividual;
  const auto& of = copies ? kMethodsWithCopies : kMethods;
  return of.at(index_of(as_scatter ? Type::kScatter : type));
}

}  // namespace beff::b_eff_io
