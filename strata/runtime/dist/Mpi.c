/* The provider on MPI: one source, compiled once for each binary interface of MPI (Open MPI's,
 * MPICH's, the one of the MPI 5 standard). A plugin names no library of MPI: whoever loads it has
 * loaded one.
 *
 * Part of Strata, under the Apache License v2.0 with LLVM Exceptions. */
#define _DEFAULT_SOURCE /* on_exit */
#include "strata/runtime/dist/Provider.h"

#ifdef STRATA_MPI_STANDARD_ABI
#include <mpi_abi.h>
#else
#include <mpi.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef STRATA_MPI_NAME
#define STRATA_MPI_NAME "mpi"
#endif

/* Codes of our own, which no error class of MPI has. */
enum { outOfMemory = -1, tooLong = -2, tooMany = -3 };
/* What every MPI allows as a tag. */
enum { mostPieces = 32000 };

struct strata_group {
  MPI_Comm comm;
  int64_t limit;
};

struct strata_channel {
  int count, receives; /* of requests; those that receive come first */
  int persistent;
  int *peers; /* of each request; null in a collective operation */
  MPI_Request *requests;
};

static int exitCode;
static void leave(int signal) {
  (void)signal;
  _exit(exitCode);
}

/* MPI is ended with the process, if it was begun here and nothing has failed. All ranks have agreed
 * that they are at the end; a library that does not come to an end then is left by an alarm. */
static int failed;
static void finalize(int code, void *nothing) {
  int finalized;
  (void)nothing;
  if (failed || MPI_Finalized(&finalized) != MPI_SUCCESS || finalized)
    return;
  exitCode = code;
  signal(SIGALRM, leave);
  alarm(60);
  MPI_Finalize();
  alarm(0);
}

#define TRY(call)                                                                                  \
  do {                                                                                             \
    int code = (call);                                                                             \
    if (code != MPI_SUCCESS) {                                                                     \
      failed = 1;                                                                                  \
      return code;                                                                                 \
    }                                                                                              \
  } while (0)

static int32_t beginGroup(const void *communicator, int64_t limit, strata_group **made,
                          strata_group_facts *facts) {
  int initialized, level, length = 0;
  TRY(MPI_Initialized(&initialized));
  if (!initialized) {
    TRY(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level));
    on_exit(finalize, NULL);
  } else {
    TRY(MPI_Query_thread(&level));
  }
  MPI_Comm from = MPI_COMM_WORLD;
  if (communicator)
    memcpy(&from, communicator, sizeof from);
  strata_group *group = malloc(sizeof *group);
  if (!group)
    return outOfMemory;
  group->limit = limit;
  TRY(MPI_Comm_dup(from, &group->comm));
  TRY(MPI_Comm_set_errhandler(group->comm, MPI_ERRORS_RETURN));
  int rank, size;
  TRY(MPI_Comm_rank(group->comm, &rank));
  TRY(MPI_Comm_size(group->comm, &size));
  facts->rank = rank;
  facts->size = size;
  facts->any_thread = level >= MPI_THREAD_SERIALIZED;
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  TRY(MPI_Get_library_version(version, &length));
  snprintf(facts->library, sizeof facts->library, "%.100s", version);
  *made = group;
  return 0;
}

static int32_t endGroup(strata_group *group) {
  TRY(MPI_Comm_free(&group->comm));
  free(group);
  return 0;
}

static int64_t piecesOf(const strata_group *group, int64_t bytes) {
  return bytes / group->limit + (bytes % group->limit != 0);
}

static int lengthAt(const strata_group *group, int64_t bytes, int64_t at) {
  return (int)(bytes - at < group->limit ? bytes - at : group->limit);
}

/* Makes a channel with room for so many requests, of which there are none yet. */
static int32_t makeChannel(int64_t requests, int persistent, strata_channel **made) {
  if (requests > INT32_MAX)
    return tooMany;
  strata_channel *channel = calloc(1, sizeof *channel);
  if (!channel)
    return outOfMemory;
  channel->persistent = persistent;
  channel->requests = malloc(sizeof(MPI_Request) * (size_t)(requests + 1));
  channel->peers = persistent ? malloc(sizeof(int) * (size_t)(requests + 1)) : NULL;
  if (!channel->requests || (persistent && !channel->peers)) {
    free(channel->requests);
    free(channel->peers);
    free(channel);
    return outOfMemory;
  }
  *made = channel;
  return 0;
}

static int32_t broadcast(strata_group *group, void *data, int64_t bytes, int32_t root,
                         strata_channel **made) {
  strata_channel *channel;
  int32_t code = makeChannel(piecesOf(group, bytes), 0, &channel);
  if (code)
    return code;
  for (int64_t at = 0; at < bytes; at += group->limit)
    TRY(MPI_Ibcast((char *)data + at, lengthAt(group, bytes, at), MPI_BYTE, root, group->comm,
                   &channel->requests[channel->count++]));
  *made = channel;
  return 0;
}

static int32_t allgather(strata_group *group, const int64_t *own, int64_t count, int64_t *all,
                         strata_channel **made) {
  int size;
  TRY(MPI_Comm_size(group->comm, &size));
  if (count > INT32_MAX / size)
    return tooMany;
  strata_channel *channel;
  int32_t code = makeChannel(1, 0, &channel);
  if (code)
    return code;
  TRY(MPI_Iallgather(own, (int)count, MPI_INT64_T, all, (int)count, MPI_INT64_T, group->comm,
                     &channel->requests[channel->count++]));
  *made = channel;
  return 0;
}

static int32_t alltoall(strata_group *group, const int64_t *out, int64_t *in,
                        strata_channel **made) {
  strata_channel *channel;
  int32_t code = makeChannel(1, 0, &channel);
  if (code)
    return code;
  TRY(MPI_Ialltoall(out, 1, MPI_INT64_T, in, 1, MPI_INT64_T, group->comm,
                    &channel->requests[channel->count++]));
  *made = channel;
  return 0;
}

/* MPI_Startall may start in any order: the pieces of a message are told apart by their tags. */
static int32_t addPieces(strata_group *group, const strata_message *message, int receives,
                         strata_channel *channel) {
  int tag = 0;
  for (int64_t at = 0; at < message->bytes; at += group->limit, ++tag) {
    char *data = (char *)message->data + at;
    int length = lengthAt(group, message->bytes, at);
    MPI_Request *request = &channel->requests[channel->count];
    if (receives)
      TRY(MPI_Recv_init(data, length, MPI_BYTE, message->peer, tag, group->comm, request));
    else
      TRY(MPI_Send_init(data, length, MPI_BYTE, message->peer, tag, group->comm, request));
    channel->peers[channel->count++] = message->peer;
  }
  return 0;
}

static int32_t openChannel(strata_group *group, const strata_message *out, int32_t outs,
                           const strata_message *in, int32_t ins, strata_channel **made) {
  int64_t requests = 0;
  for (int32_t at = 0; at < ins + outs; ++at) {
    int64_t pieces = piecesOf(group, at < ins ? in[at].bytes : out[at - ins].bytes);
    if (pieces > mostPieces)
      return tooLong;
    requests += pieces;
  }
  strata_channel *channel;
  int32_t code = makeChannel(requests, 1, &channel);
  for (int32_t at = 0; at < ins && !code; ++at)
    code = addPieces(group, &in[at], 1, channel);
  if (!code)
    channel->receives = channel->count;
  for (int32_t at = 0; at < outs && !code; ++at)
    code = addPieces(group, &out[at], 0, channel);
  if (!code)
    *made = channel;
  return code;
}

static int32_t startChannel(strata_channel *channel) {
  if (channel->count)
    TRY(MPI_Startall(channel->count, channel->requests));
  return 0;
}

static int32_t testChannel(strata_channel *channel, int32_t *done) {
  int all = 1;
  if (channel->count)
    TRY(MPI_Testall(channel->count, channel->requests, &all, MPI_STATUSES_IGNORE));
  *done = all;
  return 0;
}

static int32_t pendingPeers(strata_channel *channel, int32_t *peers, int32_t room, int32_t *count) {
  *count = channel->peers ? 0 : -1;
  for (int at = 0; channel->peers && at < channel->count; ++at) {
    int done;
    if (at == channel->receives && *count)
      return 0;
    TRY(MPI_Request_get_status(channel->requests[at], &done, MPI_STATUS_IGNORE));
    /* Pieces of one message lie side by side. */
    if (!done && *count < room && (!*count || peers[*count - 1] != channel->peers[at]))
      peers[(*count)++] = channel->peers[at];
  }
  return 0;
}

static int32_t closeChannel(strata_channel *channel) {
  for (int at = 0; at < channel->count; ++at)
    if (channel->requests[at] != MPI_REQUEST_NULL)
      TRY(MPI_Request_free(&channel->requests[at]));
  free(channel->requests);
  free(channel->peers);
  free(channel);
  return 0;
}

/* MPICH's MPI_Abort waits for processes that do not answer. The launcher ends the others, too, if
 * this one ends. */
static void stopGroup(strata_group *group, int32_t code) {
  failed = 1;
  exitCode = code;
  signal(SIGALRM, leave);
  alarm(1);
  MPI_Abort(group->comm, code);
}

static void describe(int32_t code, char *text, int32_t room) {
  char words[MPI_MAX_ERROR_STRING] = "an error without a description";
  int length;
  if (code == outOfMemory)
    snprintf(words, sizeof words, "out of memory");
  else if (code == tooLong)
    snprintf(words, sizeof words, "a message has more than %d pieces", mostPieces);
  else if (code == tooMany)
    snprintf(words, sizeof words, "2^31 or more words, or pieces, at once");
  else
    MPI_Error_string(code, words, &length);
  snprintf(text, (size_t)room, "%s", words);
}

__attribute__((visibility("default"))) const strata_provider strata_mpi_provider = {
    STRATA_PROVIDER_ABI, STRATA_MPI_NAME, beginGroup,  endGroup,     broadcast,
    allgather,           alltoall,        openChannel, startChannel, testChannel,
    pendingPeers,        closeChannel,    stopGroup,   describe};
