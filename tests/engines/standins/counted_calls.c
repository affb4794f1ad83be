/* Preloaded into the programs: each process appends a line to BEFF_COUNTS when it ends MPI: rank,
 * opens and removals of files whose names hold BEFF_FILES. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long opens = 0, removals = 0;

static int is_counted(const char* path) {
  const char* files = getenv("BEFF_FILES");
  return files != NULL && strstr(path, files) != NULL;
}

#define OPEN(name)                                                       \
  int name(const char* path, int flags, ...) {                           \
    __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    va_list more;                                                        \
    va_start(more, flags);                                               \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                        \
    opens += is_counted(path);                                           \
    return real(path, flags, mode);                                      \
  }
OPEN(open)
OPEN(open64)

int unlink(const char* path) {
  __typeof__(&unlink) real = (__typeof__(&unlink))dlsym(RTLD_NEXT, "unlink");
  removals += is_counted(path);
  return real(path);
}

int MPI_Finalize(void) {
  int rank = 0;
  char line[200];
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int length = snprintf(line, sizeof line, "%d %ld %ld\n", rank, opens, removals);
  const char* counts = getenv("BEFF_COUNTS");
  const int file = counts == NULL ? -1 : open(counts, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (file >= 0) {
    (void)!write(file, line, (size_t)length);
    close(file);
  }
  return PMPI_Finalize();
}
