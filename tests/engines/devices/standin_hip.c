/* A stand-in for libamdhip64.so.6: the functions of the HIP runtime that b_eff and its kin call. */
#include "standin.h"

enum { SUCCESS, INVALID = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, BAD_DEVICE = 101, BUSY = 46 };
enum { TO_DEVICE = 1, TO_HOST = 2 };

int hipInit(unsigned flags) {
  return flags != 0 ? INVALID : fails("no_device") ? NO_DEVICE : SUCCESS;
}
int hipDriverGetVersion(int* version) {
  *version = 60342134;
  return SUCCESS;
}
#ifndef OLD_DRIVER
const char* hipGetErrorName(int error) { return error == BUSY ? "hipErrorBusy" : "hipErrorOther"; }
#endif
int hipGetDeviceCount(int* count) {
  *count = setting("BEFF_STANDIN_DEVICES", 1);
  return SUCCESS;
}
int hipDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal < setting("BEFF_STANDIN_DEVICES", 1) ? SUCCESS : BAD_DEVICE;
}
int hipDeviceGetName(char* name, int length, int device) {
  snprintf(name, (size_t)length, "stand-in %d", device);
  return SUCCESS;
}
int hipDeviceTotalMem(size_t* bytes, int device) {
  (void)device;
  *bytes = DEVICE_BYTES;
  return SUCCESS;
}
int hipDeviceGetPCIBusId(char* address, int length, int ordinal) {
  snprintf(address, (size_t)length, "ffff:%02x:00.0", standin_bus(ordinal));
  return SUCCESS;
}
int hipDeviceGetUuid(char* uuid, int device) {
  standin_uuid(uuid, device);
  return SUCCESS;
}
int hipSetDevice(int ordinal) {
  counted.current = ordinal;
  return fails("busy") ? BUSY : SUCCESS;
}
int hipDeviceSynchronize(void) {
  counted.wrong += counted.current < 0;
  return SUCCESS;
}
int hipMalloc(void** address, size_t bytes) {
  *address = standin_allocate(bytes);
  return *address == NULL ? OUT_OF_MEMORY : SUCCESS;
}
int hipFree(void* address) { return standin_release(address); }
int hipMemset(void* address, int byte, size_t bytes) { return standin_fill(address, byte, bytes); }
int hipMemcpy(void* to, const void* from, size_t bytes, int kind) {
  return kind != TO_DEVICE && kind != TO_HOST
             ? INVALID
             : standin_copy(to, from, bytes, kind == TO_DEVICE ? to : from);
}
