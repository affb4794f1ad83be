/* A stand-in for libze_loader.so.1: the functions of Level Zero that b_eff and its kin call. What it
   reads and writes of structures stands at the places that the specification gives them. */
#include "standin.h"

#include <stdint.h>

/* The most that an allocation may have without relaxed limits, which have the number of version 1.17. */
enum { LARGEST_ALLOCATION = 16 << 10, RELAXED = 0x10016 };
enum {
  SUCCESS = 0,
  OUT_OF_DEVICE_MEMORY = 0x70000003,
  INVALID = 0x78000004,
  UNINITIALISED = 0x78000001,
  UNSUPPORTED = 0x78000009,
  BUSY = 0x70000001
};

/* Whether a structure begins with this number of its type, and no extension. */
static int is_of(const void* structure, uint32_t type) {
  const char* bytes = structure;
  return *(const uint32_t*)bytes == type && *(void* const*)(bytes + 8) == NULL;
}
static void put32(void* structure, size_t at, uint32_t value) {
  memcpy((char*)structure + at, &value, sizeof value);
}

uint32_t zeInit(uint32_t flags) {
  return flags != 1 ? INVALID : fails("no_device") ? UNINITIALISED : SUCCESS;
}
uint32_t zeDriverGet(uint32_t* count, void** drivers) {
  *count = 1;
  if (drivers != NULL) {
    drivers[0] = (void*)1L;
  }
  return SUCCESS;
}
#ifndef OLD_DRIVER
uint32_t zeDriverGetProperties(void* driver, void* properties) {
  (void)driver;
  put32(properties, 32, 0x01030000);
  return is_of(properties, 0x1) ? SUCCESS : INVALID;
}
#endif
uint32_t zeDeviceGet(void* driver, uint32_t* count, void** devices) {
  (void)driver;
  *count = (uint32_t)setting("BEFF_STANDIN_DEVICES", 1);
  for (uint32_t i = 0; devices != NULL && i < *count; ++i) {
    devices[i] = (void*)(long)(i + 1);
  }
  return SUCCESS;
}
uint32_t zeDeviceGetProperties(void* device, void* properties) {
  const uint64_t largest = LARGEST_ALLOCATION;
  put32(properties, 16, 1); /* a GPU */
  memcpy((char*)properties + 40, &largest, sizeof largest);
  standin_uuid((char*)properties + 96, (int)(long)device - 1);
  snprintf((char*)properties + 112, 256, "stand-in %ld", (long)device - 1);
  return is_of(properties, 0x3) ? SUCCESS : INVALID;
}
/* Group 0 computes without memory, group 1 copies. */
uint32_t zeDeviceGetCommandQueueGroupProperties(void* device, uint32_t* count, void* properties) {
  (void)device;
  *count = 2;
  if (properties != NULL) {
    const size_t pattern = 1;
    char* copies = (char*)properties + 40;
    put32(properties, 16, 1);
    put32(copies, 16, 2);
    memcpy(copies + 24, &pattern, sizeof pattern);
  }
  return properties == NULL || is_of(properties, 0x6) ? SUCCESS : INVALID;
}
uint32_t zeDeviceGetMemoryProperties(void* device, uint32_t* count, void* properties) {
  (void)device;
  *count = 1;
  if (properties != NULL) {
    const uint64_t bytes = DEVICE_BYTES;
    memcpy((char*)properties + 32, &bytes, sizeof bytes);
  }
  return properties == NULL || is_of(properties, 0x7) ? SUCCESS : INVALID;
}
uint32_t zeDevicePciGetPropertiesExt(void* device, void* properties) {
  put32(properties, 16, 0xffff);
  put32(properties, 20, (uint32_t)standin_bus((int)(long)device - 1));
  return is_of(properties, 0x10008) ? SUCCESS : INVALID;
}
uint32_t zeContextCreate(void* driver, const void* description, void** context) {
  *context = driver;
  return !is_of(description, 0xd) ? INVALID : fails("busy") ? BUSY : SUCCESS;
}
uint32_t zeCommandListCreateImmediate(void* context, void* device, const void* description,
                                      void** list) {
  (void)context;
  uint32_t mode, group;
  memcpy(&group, (const char*)description + 16, sizeof group);
  memcpy(&mode, (const char*)description + 28, sizeof mode);
  counted.current = (int)(long)device - 1;
  *list = device;
  return is_of(description, 0xe) && mode == 1 && group == 1 ? SUCCESS : INVALID;
}
uint32_t zeMemAllocDevice(void* context, const void* description, size_t bytes, size_t alignment,
                          void* device, void** address) {
  (void)context;
  (void)alignment;
  const char* next = *(const char* const*)((const char*)description + 8);
  if (bytes > LARGEST_ALLOCATION) {
    if (next == NULL || !is_of(next, RELAXED) || *(const uint32_t*)(next + 16) != 1) {
      return UNSUPPORTED;
    }
  } else if (next != NULL) {
    return INVALID;
  }
  counted.wrong += (long)device - 1 != counted.current;
  *address = standin_allocate(bytes);
  const int is_valid = *(const uint32_t*)description == 0x15;
  return !is_valid ? INVALID : *address == NULL ? OUT_OF_DEVICE_MEMORY : SUCCESS;
}
uint32_t zeMemFree(void* context, void* address) {
  (void)context;
  return standin_release(address) ? INVALID : SUCCESS;
}
uint32_t zeCommandListAppendMemoryCopy(void* list, void* to, const void* from, size_t bytes,
                                       void* signal, uint32_t waits, void** events) {
  (void)list, (void)signal, (void)waits, (void)events;
  const int is_to_device = block_of(to, bytes) != NULL;
  return standin_copy(to, from, bytes, is_to_device ? to : from) ? INVALID : SUCCESS;
}
uint32_t zeCommandListAppendMemoryFill(void* list, void* address, const void* pattern,
                                       size_t pattern_bytes, size_t bytes, void* signal,
                                       uint32_t waits, void** events) {
  (void)list, (void)signal, (void)waits, (void)events;
  const int failed = pattern_bytes != 1 || standin_fill(address, *(const char*)pattern, bytes);
  return failed ? INVALID : SUCCESS;
}
