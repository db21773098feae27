// A caller's communicators: of the even ranks, and of the odd ones.
#ifdef STRATA_MPI_STANDARD_ABI
#include <mpi_abi.h>
#else
#include <mpi.h>
#endif

const void *strata_test_halves(void) {
  static MPI_Comm half;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  return &half;
}
