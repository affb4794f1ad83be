/* A stand-in for libcuda.so.1, or by -DHIP for libamdhip64.so.6: the functions that b_eff and its
   kin call. Devices have addresses on the PCI bus that no machine has. */
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
#define cuMemcpyDtoD_v2 hipMemcpyDtoD
#define cuMemcpy2D_v2 hipMemcpyParam2D
#define cuMemGetInfo_v2 hipMemGetInfo
#define cuMemHostRegister_v2 hipHostRegister
#define cuMemHostUnregister hipHostUnregister
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
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  (void)device;
  *value = setting("BEFF_STANDIN_MPS", 0);
  return attribute == 133 ? SUCCESS : INVALID; /* CU_DEVICE_ATTRIBUTE_MPS_ENABLED of cuda.h */
}
#endif

int cuInit(unsigned flags) {
  return flags != 0 ? INVALID : fails("no_device") ? NO_DEVICE : SUCCESS;
}
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
  snprintf(name, (size_t)length, "stand-in %d%s", device,
           setting("BEFF_STANDIN_PARTS", 1) > 1 ? " MIG 1g.5gb" : "");
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
struct side { /* of CUDA_MEMCPY2D and hip_Memcpy2D; kind 1: of the host, 2: of a device */
  size_t x, y;
  int kind;
  char *host, *device;
  void* array;
  size_t pitch;
};
struct copy {
  struct side from, to;
  size_t width, height;
};
int cuMemcpy2D_v2(const struct copy* c) {
  const int to_host = c->to.kind == 1;
  return standin_rows(to_host ? c->to.host : c->to.device, c->to.pitch,
                      to_host ? c->from.device : c->from.host, c->from.pitch, c->width, c->height,
                      to_host);
}
int cuMemcpyHtoD_v2(char* to, const char* from, size_t bytes) {
  return standin_rows(to, 0, from, 0, bytes, 1, 0);
}
int cuMemcpyDtoH_v2(char* to, const char* from, size_t bytes) {
  return standin_rows(to, 0, from, 0, bytes, 1, 1);
}
int cuMemcpyDtoD_v2(char* to, const char* from, size_t bytes) {
  return is_ours(from, bytes) ? standin_rows(to, 0, from, 0, bytes, 1, 0) : INVALID;
}
int cuMemGetInfo_v2(size_t* left, size_t* all) {
  *all = DEVICE_BYTES;
  *left = DEVICE_BYTES / 16;
  return SUCCESS;
}
int cuMemHostRegister_v2(void* at, size_t bytes, unsigned flags) {
  ++counted.locked;
  return at == NULL || bytes == 0 || flags != 0 ? INVALID : SUCCESS;
}
int cuMemHostUnregister(void* at) { return at == NULL ? INVALID : SUCCESS; }
