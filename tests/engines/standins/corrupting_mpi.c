/* Preloaded into programs by tests: a network that spoils one byte in every seventh call. */
#include <mpi.h>

int MPI_Sendrecv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void* recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 MPI_Comm comm, MPI_Status* status) {
  static long calls = 0;
  const int code = PMPI_Sendrecv(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                                 recvtype, source, recvtag, comm, status);
  if (++calls % 7 == 0 && source != MPI_PROC_NULL) {
    ((unsigned char*)recvbuf)[recvcount - 1] ^= 1;
  }
  return code;
}
