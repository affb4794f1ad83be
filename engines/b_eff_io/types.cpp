#include <algorithm>
#include <array>

#include "engines/b_eff_io/call_loop.hpp"

namespace beff::b_eff_io {
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

/// Calls of MPI_File_…(file, memory, count, datatype, status) where the file pointer stands.
template <auto mpi_call>
void at_pointer(const Work& work, std::int64_t first, std::int64_t calls, const char* name,
                CallErrors& errors) {
  repeat(
      work, first, calls, name, errors,
      [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status,
          std::int64_t /*number*/) { return mpi_call(work.file, memory, count, chunk, status); });
}

/// Calls of MPI_File_…_at at the place of each chunk.
template <auto mpi_call>
void at_offset(const Work& work, std::int64_t first, std::int64_t calls, const char* name,
               CallErrors& errors) {
  repeat(work, first, calls, name, errors,
         [&](void* memory, int count, MPI_Datatype chunk, MPI_Status* status, std::int64_t number) {
           return mpi_call(work.file, work.offsets[static_cast<std::size_t>(number)], memory, count,
                           chunk, status);
         });
}

constexpr Calls kWrite{at_pointer<MPI_File_write>, "MPI_File_write"};
constexpr Calls kRead{at_pointer<MPI_File_read>, "MPI_File_read"};
constexpr Calls kWriteAll{at_pointer<MPI_File_write_all>, "MPI_File_write_all"};
constexpr Calls kReadAll{at_pointer<MPI_File_read_all>, "MPI_File_read_all"};
constexpr Calls kWriteOrdered{at_pointer<MPI_File_write_ordered>, "MPI_File_write_ordered"};
constexpr Calls kReadOrdered{at_pointer<MPI_File_read_ordered>, "MPI_File_read_ordered"};
constexpr Calls kWriteAt{at_offset<MPI_File_write_at>, "MPI_File_write_at"};
constexpr Calls kReadAt{at_offset<MPI_File_read_at>, "MPI_File_read_at"};

constexpr std::array kMethods{
    TypeMethod{Type::kScatter, set_view, kWriteAll, kReadAll, true},
    TypeMethod{Type::kShared, seek_shared, kWriteOrdered, kReadOrdered, false},
    TypeMethod{Type::kSeparate, seek, kWrite, kRead, false},
    TypeMethod{Type::kSegmented, seek, kWrite, kRead, false},
    TypeMethod{Type::kSegColl, seek, kWriteAll, kReadAll, false},
    TypeMethod{Type::kRandomShared, stay, kWriteAt, kReadAt, false},
    TypeMethod{Type::kRandomSeparate, stay, kWriteAt, kReadAt, false},
};
static_assert(std::ranges::equal(kMethods, kTypes, {}, &TypeMethod::type, &TypeRow::type));

}  // namespace

const TypeMethod& method_of(Type type, Pointer pointer) {
  const bool as_scatter = type == Type::kShared && pointer == Pointer::kIndividual;
  return kMethods.at(index_of(as_scatter ? Type::kScatter : type));
}

}  // namespace beff::b_eff_io
