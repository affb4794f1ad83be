/* Preloaded into the programs by faults.py and by tests: calls of the system that fail. BEFF_FAULT
 * names the kind of call, BEFF_ERROR the errno, BEFF_FILES a part of the names of the files,
 * BEFF_AFTER how many such calls of a process succeed first, BEFF_ONCE that only the next one
 * fails, BEFF_RANK the only process in which they do. An errno below zero is the seconds that a
 * call takes before it succeeds. With an errno of 0 calls are counted: at its end each process
 * appends its rank and their number to BEFF_COUNTS. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static const char* own_rank(void) {
  const char* mpich = getenv("PMI_RANK");
  return mpich != NULL ? mpich : getenv("OMPI_COMM_WORLD_RANK");
}

static int is_fault(const char* call) {
  const char* fault = getenv("BEFF_FAULT");
  const char* rank = getenv("BEFF_RANK");
  return fault != NULL && strcmp(fault, call) == 0 &&
         strncmp(program_invocation_short_name, "b_", 2) == 0 &&
         (rank == NULL || (own_rank() != NULL && strcmp(rank, own_rank()) == 0));
}

static int number(const char* variable) {
  const char* text = getenv(variable);
  return text != NULL ? atoi(text) : 0;
}

static int calls = 0; /* of the kind that BEFF_FAULT names */

/* Whether this call shall fail; errno is then set. */
static int fails(const char* call, const char* name) {
  const char* files = getenv("BEFF_FILES");
  const int error = number("BEFF_ERROR");
  if (!is_fault(call) || (files != NULL && strstr(name, files) == NULL) ||
      ++calls <= number("BEFF_AFTER") ||
      (getenv("BEFF_ONCE") != NULL && calls > number("BEFF_AFTER") + 1)) {
    return 0;
  }
  for (int left = -error; left > 0;) {
    left = (int)sleep((unsigned)left);
  }
  errno = error;
  return error > 0;
}

static const char* name_of(int file) {
  static __thread char name[4096];
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, name, sizeof name - 1);
  name[length < 0 ? 0 : length] = '\0';
  return name;
}

static int fails_for(const char* call, int file) {
  return is_fault(call) && fails(call, name_of(file));
}

static int is_of_files(int file) { return strstr(name_of(file), getenv("BEFF_FILES")) != NULL; }

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

/* "quota": as many byte as BEFF_AFTER says may be written into the files. */
static int is_over(int file, size_t length) {
  static long long written = 0;
  if (!is_fault("quota") || !is_of_files(file)) {
    return 0;
  }
  written += (long long)length;
  errno = EDQUOT;
  return written > number("BEFF_AFTER");
}

static size_t length_of(const struct iovec* parts, int count) {
  size_t length = 0;
  for (int i = 0; i < count; ++i) {
    length += parts[i].iov_len;
  }
  return length;
}

#define WRITE(name, parameters, arguments, length)                                  \
  ssize_t name parameters {                                                         \
    REAL(name);                                                                     \
    return fails_for("write", file) || is_over(file, length) ? -1 : real arguments; \
  }
WRITE(write, (int file, const void* from, size_t n), (file, from, n), n)
WRITE(pwrite, (int file, const void* from, size_t n, off_t at), (file, from, n, at), n)
WRITE(pwrite64, (int file, const void* from, size_t n, off64_t at), (file, from, n, at), n)
WRITE(writev, (int file, const struct iovec* from, int n), (file, from, n), length_of(from, n))
WRITE(pwritev, (int file, const struct iovec* from, int n, off_t at), (file, from, n, at),
      length_of(from, n))

#define SYNC(name)                                    \
  int name(int file) {                                \
    REAL(name);                                       \
    return fails_for("sync", file) ? -1 : real(file); \
  }
SYNC(fsync)
SYNC(fdatasync)

/* "process_vm_readv": of the memory of another process, BEFF_FILES is empty. */
ssize_t process_vm_readv(pid_t process, const struct iovec* own, unsigned long of_own,
                         const struct iovec* other, unsigned long of_other, unsigned long flags) {
  REAL(process_vm_readv);
  return fails("process_vm_readv", "") ? -1 : real(process, own, of_own, other, of_other, flags);
}

int rename(const char* from, const char* to) {
  REAL(rename);
  return fails("rename", to) ? -1 : real(from, to);
}

#define READ_FOLDER(name, entry)                                      \
  struct entry* name(DIR* folder) {                                   \
    REAL(name);                                                       \
    return fails_for("readdir", dirfd(folder)) ? NULL : real(folder); \
  }
READ_FOLDER(readdir, dirent)
READ_FOLDER(readdir64, dirent64)

/* "lock" */
#define LOCK(name)                                                                           \
  int name(int file, int command, ...) {                                                     \
    REAL(name);                                                                              \
    va_list rest;                                                                            \
    va_start(rest, command);                                                                 \
    void* argument = va_arg(rest, void*);                                                    \
    va_end(rest);                                                                            \
    const int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || \
                      command == F_OFD_SETLKW;                                               \
    return locks && fails_for("lock", file) ? -1 : real(file, command, argument);            \
  }
LOCK(fcntl)
LOCK(fcntl64)

int flock(int file, int operation) {
  REAL(flock);
  return fails_for("lock", file) ? -1 : real(file, operation);
}

/* "statvfs": 2^BEFF_ERROR blocks of 2^BEFF_AFTER byte; all bits set for a BEFF_ERROR below zero. */
#define STATVFS(name, state)                                                                  \
  int name(const char* path, struct state* found) {                                           \
    REAL(name);                                                                               \
    const int code = real(path, found);                                                       \
    if (is_fault("statvfs") && strstr(path, getenv("BEFF_FILES")) != NULL) {                  \
      const int blocks = number("BEFF_ERROR");                                                \
      found->f_bsize = found->f_frsize = 1UL << number("BEFF_AFTER");                         \
      found->f_blocks = found->f_bfree = found->f_bavail = blocks < 0 ? ~0UL : 1UL << blocks; \
    }                                                                                         \
    return code;                                                                              \
  }
STATVFS(statvfs, statvfs)
STATVFS(statvfs64, statvfs64)

/* "thread": of the program, not of the MPI library. */
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  REAL(pthread_create);
  Dl_info caller;
  const int known = dladdr(__builtin_return_address(0), &caller) != 0 && caller.dli_fname != NULL;
  const int ours = known && (strstr(caller.dli_fname, "libstdc++") != NULL ||
                             strstr(caller.dli_fname, program_invocation_short_name) != NULL);
  return ours && fails("thread", "") ? EAGAIN : real(thread, attributes, start, argument);
}

/* "absent": the process stops as soon as MPI is there. */
int MPI_Init_thread(int* count, char*** words, int required, int* provided) {
  REAL(MPI_Init_thread);
  const int code = real(count, words, required, provided);
  if (is_fault("absent")) {
    raise(SIGSTOP);
  }
  return code;
}

/* Of a folder's entries; the file itself has been removed by then or is removed with the folder. */
int unlinkat(int folder, const char* name, int flags) {
  REAL(unlinkat);
  return fails_for("unlink", folder) ? -1 : real(folder, name, flags);
}

/* "remove": of a file by its path. */
int unlink(const char* path) {
  REAL(unlink);
  return fails("remove", path) ? -1 : real(path);
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

int fclose(FILE* stream) {
  REAL(fclose);
  const int failed = fails_for("close", fileno(stream));
  const int code = real(stream);
  if (failed) {
    errno = number("BEFF_ERROR");
  }
  return failed ? EOF : code;
}

/* "finalize": of rank 1. */
int MPI_Finalize(void) {
  REAL(MPI_Finalize);
  const char* rank = own_rank();
  const char* counts = getenv("BEFF_COUNTS");
  FILE* file = counts == NULL ? NULL : fopen(counts, "a");
  if (file != NULL) {
    fprintf(file, "%s %d\n", rank, calls);
    fclose(file);
  }
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
