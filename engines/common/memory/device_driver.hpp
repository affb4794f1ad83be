#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/record/device_buffers.hpp"
#include "engines/common/memory/memory.hpp"

namespace beff {

struct DriverFunctions;

/// The driver of a kind of device, found at run time: this program is linked with none.
class DeviceDriver {
 public:
  /// Throws DeviceError where there is no such driver, or one that lacks a function.
  explicit DeviceDriver(MemoryKind kind);

  /// Those that this process sees, in the driver's order, without what the system says of them.
  /// Throws DeviceError.
  [[nodiscard]] std::vector<Device> devices() const;
  /// Memory of a device by its place in devices(); the driver may end before it. Throws
  /// DeviceError.
  [[nodiscard]] std::unique_ptr<BufferMemory> memory_of(int device) const;

 private:
  std::shared_ptr<const DriverFunctions> driver_;
  bool has_devices_ = false;
};

/// What the MPI library says of buffers in a kind of memory.
struct MpiSupport {
  bool takes = false;
  std::string by;  ///< what says so, or the functions that say no; empty where it says nothing
};

/// Asks by all that there is: the info key `mpi_memory_alloc_kinds` (MPI 4.1, section 11.4.3, and
/// its side document on memory allocation kinds), where a kind that is not listed may still be
/// taken, and the extensions of libraries, looked up by name: MPIX_Query_cuda_support and
/// MPIX_Query_rocm_support of Open MPI, MPIX_GPU_query_support of MPICH. After MPI_Init.
[[nodiscard]] MpiSupport ask_mpi(MemoryKind kind);

/// What to load or set where it does not take them, as the end of a sentence.
[[nodiscard]] std::string way_to_support(MemoryKind kind);

}  // namespace beff
