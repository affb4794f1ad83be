/* An MPI library that takes buffers of the stand-in's devices: their memory is open while a call
   lasts. Where calls leave something under way, it stays open until all have waited for it; of
   one-sided ones that is the agreement behind a loop. */
#include <mpi.h>

#include "standin_driver.c"

static int says_yes(void) {
  const char* value = getenv("BEFF_STANDIN_MPI");
  return value == NULL || strcmp(value, "yes") == 0;
}
int MPIX_Query_cuda_support(void) { return says_yes(); }
int MPIX_Query_rocm_support(void) { return says_yes(); }
int MPIX_GPU_query_support(int kind, int* takes) {
#ifdef HIP
  *takes = kind == 2 && says_yes(); /* MPIX_GPU_SUPPORT_HIP of MPICH's mpi.h */
#else
  *takes = kind == 0 && says_yes(); /* MPIX_GPU_SUPPORT_CUDA */
#endif
  return MPI_SUCCESS;
}
int MPI_Info_get(MPI_Info info, const char* key, int length, char* value, int* found) {
  const char* kinds = getenv("BEFF_STANDIN_KINDS");
  if (kinds == NULL || strcmp(key, "mpi_memory_alloc_kinds") != 0) {
    return PMPI_Info_get(info, key, length, value, found);
  }
  snprintf(value, (size_t)length + 1, "%s", kinds);
  *found = 1;
  return MPI_SUCCESS;
}

static int closes(int code) {
  close_memory();
  return code;
}

static void opens(void) {
  if (!fails("messages")) {
    open_memory();
  }
}

#define WHOLE(call) (opens(), closes(call))
#define LEFT_OPEN(call) (opens(), (call))

int MPI_Win_create(void* at, MPI_Aint bytes, int unit, MPI_Info info, MPI_Comm comm,
                   MPI_Win* made) {
  if (fails("windows")) {
    PMPI_Comm_call_errhandler(comm, MPI_ERR_WIN);
    return MPI_ERR_WIN;
  }
  return PMPI_Win_create(at, bytes, unit, info, comm, made);
}

int MPI_Sendrecv(const void* out, int n, MPI_Datatype t, int to, int tag, void* in, int m,
                 MPI_Datatype u, int from, int tag2, MPI_Comm comm, MPI_Status* status) {
#ifdef LOSES_A_BYTE /* behind so many calls */
  static int calls;
  n -= n > 1 && ++calls > LOSES_A_BYTE;
#endif
  return WHOLE(PMPI_Sendrecv(out, n, t, to, tag, in, m, u, from, tag2, comm, status));
}
int MPI_Send(const void* out, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm) {
  return WHOLE(PMPI_Send(out, n, t, to, tag, comm));
}
int MPI_Recv(void* in, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return WHOLE(PMPI_Recv(in, n, t, from, tag, comm, status));
}
int MPI_Isend(const void* out, int n, MPI_Datatype t, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return LEFT_OPEN(PMPI_Isend(out, n, t, to, tag, comm, request));
}
int MPI_Irecv(void* in, int n, MPI_Datatype t, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return LEFT_OPEN(PMPI_Irecv(in, n, t, from, tag, comm, request));
}
int MPI_Startall(int n, MPI_Request* requests) { return LEFT_OPEN(PMPI_Startall(n, requests)); }
int MPI_Waitall(int n, MPI_Request* requests, MPI_Status* statuses) {
  return WHOLE(PMPI_Waitall(n, requests, statuses));
}
int MPI_Alltoallv(const void* out, const int* n, const int* d, MPI_Datatype t, void* in,
                  const int* m, const int* e, MPI_Datatype u, MPI_Comm comm) {
  return WHOLE(PMPI_Alltoallv(out, n, d, t, in, m, e, u, comm));
}
int MPI_Neighbor_alltoallv(const void* out, const int* n, const int* d, MPI_Datatype t, void* in,
                           const int* m, const int* e, MPI_Datatype u, MPI_Comm comm) {
  return WHOLE(PMPI_Neighbor_alltoallv(out, n, d, t, in, m, e, u, comm));
}
int MPI_Win_fence(int hints, MPI_Win window) { return LEFT_OPEN(PMPI_Win_fence(hints, window)); }
int MPI_Put(const void* out, int n, MPI_Datatype t, int to, MPI_Aint at, int m, MPI_Datatype u,
            MPI_Win window) {
  return LEFT_OPEN(PMPI_Put(out, n, t, to, at, m, u, window));
}
int MPI_Allreduce(const void* out, void* in, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm) {
  return closes(PMPI_Allreduce(out, in, n, t, op, comm));
}
