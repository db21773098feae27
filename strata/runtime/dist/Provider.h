/* The interface of what carries messages between processes: a C ABI, which plugins implement. No
 * type of MPI occurs in it.
 *
 * Part of Strata, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef STRATA_RUNTIME_DIST_PROVIDER_H
#define STRATA_RUNTIME_DIST_PROVIDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface; a plugin of another one is refused. */
#define STRATA_PROVIDER_ABI 2
/* The name under which a plugin exports its `const strata_provider`. */
#define STRATA_PROVIDER_SYMBOL "strata_mpi_provider"

/* Some processes of a run, with messages of their own. */
typedef struct strata_group strata_group;
/* Messages under way, or that can be sent again and again. */
typedef struct strata_channel strata_channel;

/* Bytes for a process, or from one. A message of 0 bytes is legal, and nothing is sent for it. */
typedef struct strata_message {
  int32_t peer; /* its rank */
  void *data;   /* where the bytes are, or go to, from `open` to `close` */
  int64_t bytes;
} strata_message;

typedef struct strata_group_facts {
  int32_t rank, size;
  int32_t any_thread; /* not 0: any thread may call, one at a time; 0: only the one that began */
  char library[128];  /* what the library calls itself, with its version */
} strata_group_facts;

/* A function returns 0, or a code that `describe` puts into words. All processes of a group call
 * `begin`, `end`, `broadcast`, `allgather` and `alltoall`, in one order. Only `describe` and
 * `begin` take no group. */
typedef struct strata_provider {
  int32_t abi;
  const char *name; /* of the binary interface of MPI that it was compiled for */

  /* Begins a group: of the communicator at this address (an MPI_Comm), or, where that is null, of
   * all processes that the launcher has started. A message of more bytes than `limit` is cut. */
  int32_t (*begin)(const void *communicator, int64_t limit, strata_group **made,
                   strata_group_facts *facts);
  int32_t (*end)(strata_group *self);

  /* Begins to copy `bytes` bytes from the process `root` to all others. */
  int32_t (*broadcast)(strata_group *self, void *data, int64_t bytes, int32_t root,
                       strata_channel **made);
  /* Begins to gather `count` words of each process, rank by rank, in all of them. */
  int32_t (*allgather)(strata_group *self, const int64_t *own, int64_t count, int64_t *all,
                       strata_channel **made);
  /* Begins to send each process a word, in the order of ranks, and to get one from each. */
  int32_t (*alltoall)(strata_group *self, const int64_t *out, int64_t *in, strata_channel **made);

  /* Prepares messages, at most one to each process and one from each, the process itself included.
   * Sender and receiver give the same number of bytes, and start their channels in the same order.
   */
  int32_t (*open)(strata_group *self, const strata_message *out, int32_t outs,
                  const strata_message *in, int32_t ins, strata_channel **made);
  int32_t (*start)(strata_channel *channel);
  /* Tells whether all messages of a started channel have been sent and received, and does not wait.
   */
  int32_t (*test)(strata_channel *channel, int32_t *done);
  /* Gives the processes that a started channel still expects messages from, or else those that have
   * not taken theirs, at most `room` of them; their number is -1 if it cannot be told. */
  int32_t (*pending)(strata_channel *channel, int32_t *peers, int32_t room, int32_t *count);
  /* Ends a channel of which nothing is under way. */
  int32_t (*close)(strata_channel *channel);

  /* Ends all processes of the group, with this exit code where the launcher can. */
  void (*stop)(strata_group *self, int32_t code);
  void (*describe)(int32_t code, char *text, int32_t room);
} strata_provider;

#ifdef __cplusplus
}
#endif
#endif /* STRATA_RUNTIME_DIST_PROVIDER_H */
