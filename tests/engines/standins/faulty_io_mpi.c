/* Preloaded into b_eff_io by tests: file systems and networks that fail in the way that
 * BEFF_TEST_FAULT names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fault_is(const char* name) {
  const char* fault = getenv("BEFF_TEST_FAULT");
  return fault != NULL && strcmp(fault, name) == 0;
}

static int world_rank(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/* "flip": one bit of what is read arrives wrong. */
static void flip(void* memory) {
  if (fault_is("flip")) {
    ((unsigned char*)memory)[17] ^= 4;
  }
}

int MPI_File_read(MPI_File file, void* memory, int count, MPI_Datatype type, MPI_Status* status) {
  const int code = PMPI_File_read(file, memory, count, type, status);
  flip(memory);
  return code;
}

int MPI_File_read_all(MPI_File file, void* memory, int count, MPI_Datatype type,
                      MPI_Status* status) {
  const int code = PMPI_File_read_all(file, memory, count, type, status);
  flip(memory);
  return code;
}

/* "corrupt": one byte of the file changes on the disk between write and read. */
int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  if (fault_is("corrupt") && (mode & MPI_MODE_RDONLY) != 0 && world_rank() == 0) {
    const int number = open(name, O_RDWR);
    unsigned char byte = 0;
    if (number >= 0 && pread(number, &byte, 1, 1234) == 1) {
      byte ^= 255;
      if (pwrite(number, &byte, 1, 1234) != 1) {
        perror("corrupt");
      }
      fsync(number);
      close(number);
    }
  }
  return PMPI_File_open(comm, name, mode, info, file);
}

/* "fill": another program takes all space of BEFF_TEST_FOLDER while a collective write runs. */
int MPI_File_write_all(MPI_File file, const void* memory, int count, MPI_Datatype type,
                       MPI_Status* status) {
  static int calls = 0;
  if (fault_is("fill") && ++calls == 3) {
    if (world_rank() == 0) {
      static char block[65536];
      char name[4096];
      snprintf(name, sizeof name, "%s/eater", getenv("BEFF_TEST_FOLDER"));
      const int number = open(name, O_WRONLY | O_CREAT, 0600);
      while (write(number, block, sizeof block) > 0) {
      }
      close(number);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  return PMPI_File_write_all(file, memory, count, type, status);
}

/* "short": a quota-like write that moves less than asked and does not complain. */
int MPI_File_write(MPI_File file, const void* memory, int count, MPI_Datatype type,
                   MPI_Status* status) {
  const int code = PMPI_File_write(file, memory, count, type, status);
  if (fault_is("short") && world_rank() == 1) {
    PMPI_Status_set_elements(status, MPI_BYTE, 100);
  }
  return code;
}

/* "slow-removal": removing a file takes longer than a launcher waits for the others. */
int unlinkat(int folder, const char* name, int flags) {
  static int (*of_system)(int, const char*, int) = NULL;
  if (of_system == NULL) {
    of_system = (int (*)(int, const char*, int))dlsym(RTLD_NEXT, "unlinkat");
  }
  if (fault_is("slow-removal")) {
    sleep(3);
  }
  return of_system(folder, name, flags);
}

/* "slow-roll": removing a file by its path takes longer than a launcher waits. */
int unlink(const char* path) {
  static int (*of_system)(const char*) = NULL;
  if (of_system == NULL) {
    of_system = (int (*)(const char*))dlsym(RTLD_NEXT, "unlink");
  }
  if (fault_is("slow-roll") && strstr(path, ".roll") != NULL) {
    sleep(2);
  }
  return of_system(path);
}

/* "hang": rank 1 never comes back from closing a file. "no-pointer": shared pointers fail. */
int MPI_File_close(MPI_File* file) {
  static int calls = 0;
  if (fault_is("hang") && world_rank() == 1 && ++calls == 2) {
    sleep(100);
  }
  return PMPI_File_close(file);
}

/* "striping": rank 1 is told of another striping unit. */
int MPI_File_get_info(MPI_File file, MPI_Info* info) {
  const int code = PMPI_File_get_info(file, info);
  if (fault_is("striping") && code == MPI_SUCCESS) {
    PMPI_Info_set(*info, "striping_unit", world_rank() == 1 ? "3145728" : "2097152");
  }
  return code;
}

int MPI_File_seek_shared(MPI_File file, MPI_Offset offset, int whence) {
  return fault_is("no-pointer") ? MPI_ERR_UNSUPPORTED_OPERATION
                                : PMPI_File_seek_shared(file, offset, whence);
}

/* "much-memory": the system says that it has 512 GiB of memory. */
long sysconf(int name) {
  static long (*of_system)(int) = NULL;
  if (of_system == NULL) {
    of_system = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
  }
  if (name == _SC_PHYS_PAGES && fault_is("much-memory")) {
    return (512L << 30) / of_system(_SC_PAGESIZE);
  }
  return of_system(name);
}
