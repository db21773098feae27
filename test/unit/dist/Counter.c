/* Counts the bytes of the messages that a process starts, the messages, and the operations of all
 * that gather, by MPI's profiling interface, and writes the numbers to the file
 * STRATA_COUNT.PROCESS when MPI ends. It is loaded before the library of MPI, of which it needs
 * functions alone. */
#ifdef STRATA_MPI_STANDARD_ABI
#include <mpi_abi.h>
#else
#include <mpi.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
  MPI_Request request;
  long long bytes;
} *sends;
static int count, room;
static long long bytesSent, messagesSent, gathered;

int MPI_Send_init(const void *data, int length, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  int code = PMPI_Send_init(data, length, type, peer, tag, comm, request);
  int at = 0;
  while (at < count && sends[at].request != *request) /* which may have been freed, and made anew */
    ++at;
  if (at == room)
    sends = realloc(sends, (size_t)(room = 2 * room + 64) * sizeof *sends);
  sends[at].request = *request;
  sends[at].bytes = length;
  count += at == count;
  return code;
}

int MPI_Recv_init(void *data, int length, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  int code = PMPI_Recv_init(data, length, type, peer, tag, comm, request);
  for (int at = 0; at < count; ++at)
    if (sends[at].request == *request)
      sends[at] = sends[--count];
  return code;
}

int MPI_Startall(int requests, MPI_Request *started) {
  for (int at = 0; at < requests; ++at)
    for (int send = 0; send < count; ++send)
      if (sends[send].request == started[at]) {
        bytesSent += sends[send].bytes;
        ++messagesSent;
      }
  return PMPI_Startall(requests, started);
}

int MPI_Iallgather(const void *own, int length, MPI_Datatype type, void *all, int each,
                   MPI_Datatype allType, MPI_Comm comm, MPI_Request *request) {
  ++gathered;
  return PMPI_Iallgather(own, length, type, all, each, allType, comm, request);
}

int MPI_Finalize(void) {
  char name[1024];
  snprintf(name, sizeof name, "%s.%d", getenv("STRATA_COUNT"), (int)getpid());
  FILE *file = fopen(name, "w");
  if (file) {
    fprintf(file, "%lld %lld %lld\n", bytesSent, messagesSent, gathered);
    fclose(file);
  }
  return PMPI_Finalize();
}
