/* A stand-in for libcuda.so.1, or by -DHIP for libamdhip64.so.6: the functions that b_eff and its kin
   call. Devices have addresses on the PCI bus that no machine has. */
#include "standin.h"

enum { SUCCESS, INVALID = 1, OUT_OF_MEMORY = 2, BUSY = 46, NO_DEVICE = 100, BAD_DEVICE = 101 };

#ifdef HIP
#define cuInit hipInit
#define cuDriverGetVersion hipDriverGetVersion
#define cuDeviceGetCount hipGetDeviceCount
#define cuDeviceGet hipDeviceGet
#define cuDeviceGetName hipDeviceGetName
#define cuDeviceTotalMem_v2 hipDeviceTotalMem
#define cuDeviceGetPCIBusId hipDeviceGetPCIBusId
#define cuDeviceGetUuid_v2 hipDeviceGetUuid
#define cuCtxSynchronize hipDeviceSynchronize
#define cuMemAlloc_v2 hipMalloc
#define cuMemFree_v2 hipFree
#define cuMemsetD8_v2 hipMemsetD8
#define cuMemcpyHtoD_v2 hipMemcpyHtoD
#define cuMemcpyDtoH_v2 hipMemcpyDtoH
#define VERSION 60342134
const char* hipGetErrorName(int error) { return error == BUSY ? "hipErrorBusy" : "hipErrorOther"; }
int hipSetDevice(int ordinal) {
  counted.current = ordinal;
  return fails("busy") ? BUSY : SUCCESS;
}
#else
#define VERSION 12040
#ifndef OLD_DRIVER
int cuGetErrorName(int error, const char** name) {
  *name = error == BUSY         ? "CUDA_ERROR_DEVICE_UNAVAILABLE"
          : error == BAD_DEVICE ? "CUDA_ERROR_INVALID_DEVICE"
                                : "CUDA_ERROR_INVALID_VALUE";
  return SUCCESS;
}
#endif
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = (void*)(long)(device + 1);
  return fails("busy") ? BUSY : SUCCESS;
}
int cuCtxSetCurrent(void* context) {
  counted.current = (int)(long)context - 1;
  return SUCCESS;
}
#endif

int cuInit(unsigned flags) { return flags != 0 ? INVALID : fails("no_device") ? NO_DEVICE : SUCCESS; }
int cuDriverGetVersion(int* version) {
  *version = VERSION;
  return SUCCESS;
}
int cuDeviceGetCount(int* count) {
  *count = setting("BEFF_STANDIN_DEVICES", 1);
  return SUCCESS;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal < setting("BEFF_STANDIN_DEVICES", 1) ? SUCCESS : BAD_DEVICE;
}
int cuDeviceGetName(char* name, int length, int device) {
  snprintf(name, (size_t)length, "stand-in %d", device);
  return SUCCESS;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  (void)device;
  *bytes = DEVICE_BYTES;
  return SUCCESS;
}
int cuDeviceGetPCIBusId(char* address, int length, int device) {
  snprintf(address, (size_t)length, "FFFF:%02X:00.0", standin_bus(device));
  return SUCCESS;
}
int cuDeviceGetUuid_v2(char* uuid, int device) {
  standin_uuid(uuid, device);
  return SUCCESS;
}
int cuCtxSynchronize(void) {
  counted.wrong += counted.current < 0;
  return SUCCESS;
}
int cuMemAlloc_v2(unsigned long long* address, size_t bytes) {
  char* at = standin_allocate(bytes);
  *address = (unsigned long long)at;
  return at == NULL ? OUT_OF_MEMORY : SUCCESS;
}
int cuMemFree_v2(unsigned long long address) { return standin_release((void*)address); }
int cuMemsetD8_v2(unsigned long long address, unsigned char byte, size_t bytes) {
  return standin_fill((void*)address, byte, bytes);
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, size_t bytes) {
  return standin_copy((void*)to, from, bytes, (void*)to);
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, size_t bytes) {
  return standin_copy(to, (const void*)from, bytes, (const void*)from);
}
