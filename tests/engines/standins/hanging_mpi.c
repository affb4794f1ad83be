/* Preloaded into the programs by tests: BEFF_HANGS lists calls that take long, as
 * "CALL RANK SECONDS CALL RANK SECONDS ..."; 0 seconds stop the process. "journal" is to open a
 * journal, "result" a new result, and "MPI_Sendrecv_N" sends N elements. Where "launcher" is among
 * them, the launcher is late to see what happened. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int own_rank(void) {
  const char* mpich = getenv("PMI_RANK");
  const char* rank = mpich != NULL ? mpich : getenv("OMPI_COMM_WORLD_RANK");
  return rank != NULL ? atoi(rank) : -1;
}

static void may_hang(const char* call) {
  const char* rest = getenv("BEFF_HANGS");
  char name[64];
  int rank = 0;
  unsigned seconds = 0;
  int length = 0;
  while (rest != NULL && sscanf(rest, " %63s %d %u%n", name, &rank, &seconds, &length) == 3) {
    rest += length;
    if (strcmp(name, call) == 0 && rank == own_rank()) {
      if (seconds == 0) {
        raise(SIGSTOP);
      }
      while (seconds > 0) {
        seconds = sleep(seconds);
      }
    }
  }
}

int MPI_Finalize(void) {
  may_hang("MPI_Finalize");
  return PMPI_Finalize();
}

int MPI_Get_processor_name(char* name, int* length) {
  may_hang("MPI_Get_processor_name");
  return PMPI_Get_processor_name(name, length);
}

int MPI_Sendrecv(const void* send, int count, MPI_Datatype type, int to, int tag, void* receive,
                 int most, MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm,
                 MPI_Status* status) {
  char call[64];
  snprintf(call, sizeof call, "MPI_Sendrecv_%d", count);
  may_hang(call);
  return PMPI_Sendrecv(send, count, type, to, tag, receive, most, receive_type, from, receive_tag,
                       comm, status);
}

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  may_hang("MPI_File_open");
  return PMPI_File_open(comm, name, mode, info, file);
}

#define OPEN(name)                                                                  \
  int name(const char* path, int flags, ...) {                                      \
    int (*real)(const char*, int, ...) = (__typeof__(real))dlsym(RTLD_NEXT, #name); \
    va_list rest;                                                                   \
    va_start(rest, flags);                                                          \
    const mode_t mode = va_arg(rest, mode_t);                                       \
    va_end(rest);                                                                   \
    if (strstr(path, ".journal.jsonl") != NULL) {                                   \
      may_hang("journal");                                                          \
    }                                                                               \
    if (strstr(path, ".json.tmp") != NULL) {                                        \
      may_hang("result");                                                           \
    }                                                                               \
    return real(path, flags, mode);                                                 \
  }
OPEN(open)
OPEN(open64)

int poll(struct pollfd* files, nfds_t count, int timeout) {
  int (*real)(struct pollfd*, nfds_t, int) = (__typeof__(real))dlsym(RTLD_NEXT, "poll");
  const int found = real(files, count, timeout);
  const char* hangs = getenv("BEFF_HANGS");
  if (own_rank() < 0 && found > 0 && hangs != NULL && strstr(hangs, "launcher") != NULL) {
    usleep(5000);
  }
  return found;
}
