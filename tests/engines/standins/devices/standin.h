/* What the stand-ins for drivers share: memory that nobody may touch but their own copies and MPI.
   Settings, all by the environment:
     BEFF_STANDIN_LOG       what each process has counted is in this, a point and its number
     BEFF_STANDIN_DEVICES   how many devices there are (1)
     BEFF_STANDIN_PARTS     how many devices are parts of one, with its address (1)
     BEFF_STANDIN_FAIL      what fails: no_device, out_of_memory, busy (another process has it),
   lost (after some copies it answers no more), idle_copies (those to the host bring nothing),
                           messages (MPI touches the memory), windows (MPI makes none)
     BEFF_STANDIN_MPS       1: contexts are shared (0)
     BEFF_STANDIN_MPI       yes or no: what the extensions of MPI say (yes)
     BEFF_STANDIN_KINDS     what MPI lists in mpi_memory_alloc_kinds (nothing) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST 64
#define DEVICE_BYTES (256u << 20)

struct block {
  char* at;
  size_t bytes;
  int device;
};
static struct block blocks[MOST];
static struct {
  long allocated, released, copies, wrong, locked; /* locked: memory of the host */
  int current; /* the device whose context this process has chosen; -1: none */
} counted = {.current = -1};
static int is_open;

static int setting(const char* name, int otherwise) {
  const char* value = getenv(name);
  return value == NULL ? otherwise : atoi(value);
}

static int fails(const char* what) {
  const char* value = getenv("BEFF_STANDIN_FAIL");
  return value != NULL && strcmp(value, what) == 0;
}

static int standin_bus(int device) { return device / setting("BEFF_STANDIN_PARTS", 1); }

static void standin_uuid(char* uuid, int device) {
  memset(uuid, 0, 16);
  uuid[15] = (char)(device + 1);
}

static void protect(int access) {
  for (int i = 0; i < MOST; ++i) {
    if (blocks[i].at != NULL) {
      mprotect(blocks[i].at, blocks[i].bytes, access);
    }
  }
}

static void open_memory(void) {
  if (!is_open) {
    protect(PROT_READ | PROT_WRITE);
  }
  is_open = 1;
}

static void close_memory(void) {
  if (is_open) {
    protect(PROT_NONE);
  }
  is_open = 0;
}

static struct block* block_of(const void* place, size_t bytes) {
  const char* at = place;
  for (int i = 0; i < MOST; ++i) {
    struct block* b = &blocks[i];
    if (b->at != NULL && at >= b->at && at + bytes <= b->at + b->bytes) {
      return b;
    }
  }
  return NULL;
}

/* Memory of the current device; NULL where there is none. */
static char* standin_allocate(size_t bytes) {
  if (counted.current < 0 || fails("out_of_memory")) {
    counted.wrong += counted.current < 0;
    return NULL;
  }
  for (int i = 0; i < MOST; ++i) {
    if (blocks[i].at == NULL) {
      void* at = mmap(NULL, bytes, is_open ? PROT_READ | PROT_WRITE : PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (at == MAP_FAILED) {
        return NULL;
      }
      blocks[i] = (struct block){at, bytes, counted.current};
      ++counted.allocated;
      return at;
    }
  }
  return NULL;
}

/* At each release, too: the launcher may end a process before it comes to its end. */
__attribute__((destructor)) static void write_log(void) {
  char path[4096];
  const char* log_path = getenv("BEFF_STANDIN_LOG");
  snprintf(path, sizeof path, "%s.%ld", log_path == NULL ? "" : log_path, (long)getpid());
  FILE* log = log_path == NULL || counted.current < 0 ? NULL : fopen(path, "w");
  if (log != NULL) {
    fprintf(log, "%d %ld %ld %ld %ld %ld\n", counted.current, counted.allocated, counted.released,
            counted.copies, counted.wrong, counted.locked);
    fclose(log);
  }
}

static int standin_release(void* at) {
  struct block* b = block_of(at, 0);
  if (b == NULL || b->at != at || b->device != counted.current) {
    ++counted.wrong;
    return 1;
  }
  munmap(b->at, b->bytes);
  b->at = NULL;
  ++counted.released;
  write_log();
  return 0;
}

/* Whether `bytes` from `at` on are memory of the current device. */
static int is_ours(const void* at, size_t bytes) {
  const struct block* b = block_of(at, bytes);
  const int ours = b != NULL && b->device == counted.current;
  counted.wrong += !ours;
  return ours;
}

/* Copies rows of `width` byte between the host and a device, whose memory is the one or the other.
 */
static int standin_rows(char* to, size_t to_pitch, const char* from, size_t from_pitch,
                        size_t width, size_t rows, int to_host) {
  enum { BEFORE_IT_IS_LOST = 500 };
  const size_t reach = (rows - 1) * (to_host ? from_pitch : to_pitch) + width;
  if (!is_ours(to_host ? from : to, reach) ||
      (fails("lost") && counted.copies > BEFORE_IT_IS_LOST)) {
    return 1;
  }
  const int was_open = is_open;
  open_memory();
  for (size_t i = 0; i < rows && !(to_host && fails("idle_copies")); ++i) {
    memcpy(to + i * to_pitch, from + i * from_pitch, width);
  }
  ++counted.copies;
  if (!was_open) {
    close_memory();
  }
  return 0;
}

static int standin_fill(char* at, int byte, size_t bytes) {
  return bytes == 0 ? 0 : standin_rows(at, 1, (const char[]){(char)byte}, 0, 1, bytes, 0);
}
