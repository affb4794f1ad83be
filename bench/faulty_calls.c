/* Preloaded into the programs by faults.py: calls of the system that fail. BEFF_FAULT names the
 * kind of call, BEFF_ERROR the errno, BEFF_FILES a part of the names of the files, BEFF_AFTER how
 * many such calls of a process succeed first. An errno below zero is the seconds that a call takes
 * before it succeeds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int is_fault(const char* call) {
  const char* fault = getenv("BEFF_FAULT");
  return fault != NULL && strcmp(fault, call) == 0 &&
         strncmp(program_invocation_short_name, "b_", 2) == 0;
}

/* Whether this call shall fail; errno is then set. */
static int fails(const char* call, const char* name) {
  static int calls = 0;
  const int error = is_fault(call) ? atoi(getenv("BEFF_ERROR")) : 0;
  if (!is_fault(call) || strstr(name, getenv("BEFF_FILES")) == NULL ||
      ++calls <= atoi(getenv("BEFF_AFTER"))) {
    return 0;
  }
  for (int left = -error; left > 0;) {
    left = (int)sleep((unsigned)left);
  }
  errno = error;
  return error > 0;
}

static int fails_for(const char* call, int file) {
  char link[64];
  char name[4096];
  if (!is_fault(call)) {
    return 0;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, name, sizeof name - 1);
  name[length < 0 ? 0 : length] = '\0';
  return fails(call, name);
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int measures = 0; /* this process has opened the journal */

#define OPEN(name)                                             \
  int name(const char* path, int flags, ...) {                 \
    REAL(name);                                                \
    measures |= strstr(path, ".journal.jsonl") != NULL;        \
    va_list rest;                                              \
    va_start(rest, flags);                                     \
    const mode_t mode = va_arg(rest, mode_t);                  \
    va_end(rest);                                              \
    return fails("open", path) ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define FILE_CALL(kind, result, name, parameters, arguments) \
  result name parameters {                                   \
    REAL(name);                                              \
    return fails_for(kind, file) ? -1 : real arguments;      \
  }
FILE_CALL("write", ssize_t, write, (int file, const void* from, size_t n), (file, from, n))
FILE_CALL("write", ssize_t, pwrite, (int file, const void* from, size_t n, off_t at),
          (file, from, n, at))
FILE_CALL("write", ssize_t, pwrite64, (int file, const void* from, size_t n, off64_t at),
          (file, from, n, at))
FILE_CALL("write", ssize_t, writev, (int file, const struct iovec* from, int n), (file, from, n))
FILE_CALL("write", ssize_t, pwritev, (int file, const struct iovec* from, int n, off_t at),
          (file, from, n, at))
FILE_CALL("sync", int, fsync, (int file), (file))
FILE_CALL("sync", int, fdatasync, (int file), (file))

/* Of a folder's entries; the file itself has been removed by then or is removed with the folder. */
int unlinkat(int folder, const char* name, int flags) {
  REAL(unlinkat);
  return fails_for("unlink", folder) ? -1 : real(folder, name, flags);
}

/* As Linux does, it closes the file all the same. */
int close(int file) {
  REAL(close);
  const int failed = fails_for("close", file);
  const int error = errno;
  const int code = real(file);
  if (failed) {
    errno = error;
  }
  return failed ? -1 : code;
}

/* "finalize": of rank 1. */
int MPI_Finalize(void) {
  REAL(MPI_Finalize);
  const char* mpich = getenv("PMI_RANK");
  const char* rank = mpich != NULL ? mpich : getenv("OMPI_COMM_WORLD_RANK");
  if (is_fault("finalize") && rank != NULL && strcmp(rank, "1") == 0) {
    fails("finalize", "");
  }
  return real();
}

/* "clock": the time of day is an hour earlier, at most a second after the journal was opened. */
int clock_gettime(clockid_t clock, struct timespec* now) {
  static time_t first = 0;
  REAL(clock_gettime);
  const int code = real(clock, now);
  if (clock == CLOCK_REALTIME && measures && is_fault("clock")) {
    first = first == 0 ? now->tv_sec : first;
    now->tv_sec -= now->tv_sec > first ? 3600 : 0;
  }
  return code;
}

int gettimeofday(struct timeval* now, void* zone) {
  struct timespec time;
  (void)zone;
  const int code = clock_gettime(CLOCK_REALTIME, &time);
  *now = (struct timeval){.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
  return code;
}

/* "interrupt": a signal each 2 ms, after which the system does not restart its calls. */
static void ignore(int number) { (void)number; }

__attribute__((constructor)) static void interrupt(void) {
  const struct itimerval often = {{0, 2000}, {0, 2000}};
  const struct sigaction action = {.sa_handler = ignore};
  if (is_fault("interrupt")) {
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
  }
}
