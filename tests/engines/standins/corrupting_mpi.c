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

int MPI_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                  MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
                  MPI_Datatype recvtype, MPI_Comm comm) {
  static long calls = 0;
  const int code = PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                  rdispls, recvtype, comm);
  int members = 0;
  PMPI_Comm_size(comm, &members);
  int peer = 0;
  while (peer < members && recvcounts[peer] == 0) {
    ++peer;
  }
  if (++calls % 7 == 0 && peer < members) {
    ((unsigned char*)recvbuf)[rdispls[peer] + recvcounts[peer] - 1] ^= 1;
  }
  return code;
}
