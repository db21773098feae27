/* What the code of kernels calls to assemble results: in pieces of a loop, and in workspaces.
 *
 * Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
 */
#ifndef STRATA_RUNTIME_ASSEMBLY_H
#define STRATA_RUNTIME_ASSEMBLY_H

#include "strata/runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Parts of a result, built by the pieces of a loop ---- */

/* So many pieces there are at most for each thread. */
#define STRATA_SHARES_OF_THREAD 8
/* Into how many pieces to cut a loop of about so many steps, where a piece keeps nothing after it,
 * though it may need a workspace of `places` while it runs: several for each thread, so that the
 * threads end at about the same time. 1 where there is one thread, or little to do. */
int64_t strata_kernel_shares(strata_context *, int64_t steps, int64_t places);
/* Of how many coordinates each piece of a level consists, where all pieces walk what lies above the
 * level and reach, at each of its steps, `longest` of the `extent` coordinates at most: few, so
 * that what they have in common stays in cache, but not so few that walking it costs more than the
 * rest. */
int64_t strata_kernel_block(strata_context *, int64_t extent, int64_t longest);
/* In a piece that has ended: the one that follows, which the same thread is to run now, as a part
 * of the first; -1 if there is none, or another thread has begun it. */
int64_t strata_kernel_go_on(strata_context *, int64_t piece);
/* From how many steps on loops are cut, in this process: tests lower it. */
void strata_cut_loops_from(int64_t steps);

/* How many coordinates ahead of the one that it is at a kernel should ask for what it reads there:
 * `stride` bytes for each coordinate, of `total` in all. 0 where it should not: the lines come from
 * a core's caches, as far as a sample of the `count` coordinates (of so many `bytes` each) tells,
 * or there is little to do. No result depends on it. */
int64_t strata_kernel_lookahead(strata_context *, const void *coordinates, int64_t count,
                                int64_t bytes, int64_t stride, int64_t total);
/* How rows of terms are added up. */
enum {
  STRATA_ROWS_BY_VECTORS = 0,  /* of each row as many terms at once as it has */
  STRATA_ROWS_ONE_BY_ONE = 1,  /* one term after the other, of several rows in turn */
  STRATA_ROWS_BY_MASKS = 2,    /* several rows at once, by strata_kernel_add_rows */
  STRATA_ROWS_IN_ONE_LOOP = 3, /* row by row, each by the same code, whose branches are few */
};
/* How they are best added up, as far as a sample tells: `positions` (of so many `bytes` each) says
 * where each of `count` - 1 rows begins, and where the last one ends. Masks serve short rows whose
 * lengths a processor does not foresee, where what the terms lead to, `total` bytes, is in a core's
 * own cache; others of these are added up in one loop. Foreseen rows shorter than a vector go one
 * by one. Vectors also look ahead, where what terms lead to is in no cache. */
int64_t strata_kernel_short_rows(strata_context *, const void *positions, int64_t count,
                                 int64_t bytes, int64_t total);
/* Of rows that begin at such `positions`, whose entries lead to places of what is stored to, of
 * `total` bytes: 1 where a loop over the entries of each is better left as it is than unrolled, 0
 * else. So it is where what is stored to is in no cache of the core's own, and where rows of uneven
 * lengths are more than a processor remembers branches. No result depends on it. */
int64_t strata_kernel_scatters_singly(strata_context *, const void *positions, int64_t count,
                                      int64_t bytes, int64_t total);
/* Puts the sum of the terms of each of `count` rows, from row `first` on, into `sums`, the first of
 * them at `place`: the terms of all of them lie one behind the other. */
void strata_kernel_add_rows(const double *terms, const void *positions, int64_t first,
                            int64_t count, int64_t bytes, double *sums, int64_t place);
/* Up to which mean length of uneven rows, the longest counted as 16, strata_kernel_add_rows is
 * faster than a loop on this processor; 0 if it never is. */
int64_t strata_longest_masked_rows(void);
/* With `all`, kernels of this process take no samples: they look ahead, but not far, and add up
 * rows in ways that do not depend on their lengths. For tests, whose tensors are small. */
void strata_sample_nothing(int32_t all);

/* Puts blocks that pieces have made one behind the other. What a piece made, with those that it
 * went on with, is described by a row of `words` words in `rows`: a block in word `block`, its
 * capacity in the next, the number of its elements in word `count`, or, where these come in tuples,
 * of `each` elements, the number of those. The rows of the others are zero. Returns one block of
 * them all, in the order of the pieces; its capacity is left in the first row. */
void *strata_kernel_join(strata_context *, int64_t *rows, int64_t pieces, int64_t words,
                         int64_t block, int64_t count, int64_t each, int64_t element_bytes);
/* Likewise, where the block tells for each of `parents` where its children begin, and where the
 * last one's end; `children` is the word with their number. */
void *strata_kernel_join_edges(strata_context *, int64_t *rows, int64_t pieces, int64_t words,
                               int64_t block, int64_t parents, int64_t children,
                               int64_t element_bytes);

/* ---- Results with the pattern of an operand ---- */

/* A level of that operand. Bytes are those of an element; all are 0 where the level has a place for
 * every coordinate. */
typedef struct strata_inherited_level {
  int64_t dim;        /* of the operand: the dimension that the level is of */
  int64_t extent;     /* the number of the label's extent, of a level that is shared */
  int64_t compressed; /* does the level store coordinates? */
  int64_t position_bytes, coordinate_bytes;
  int64_t result_dim; /* the same of the result, of a level that is shared */
  int64_t result_position_bytes, result_coordinate_bytes;
} strata_inherited_level;

/* Which part of the work a kernel does. */
enum {
  STRATA_PHASE_ALL = 0,
  STRATA_PHASE_ASSEMBLE = 1,
  STRATA_PHASE_PATTERN = 2,
  STRATA_PHASE_COMPUTE = 3
};

/* How a result has the pattern of an operand. Behind it lie a strata_inherited_level for each of
 * `levels`, and the dimension of the result for each of `places`. */
typedef struct strata_inheritance {
  int64_t phase;
  int64_t operand;     /* the number of its storage; 0 is the result's */
  int64_t storages;    /* how many the kernel takes */
  int64_t extents;     /* how many it takes */
  int64_t levels;      /* of the operand */
  int64_t shared;      /* so many of them, from the root on, are the result's, too */
  int64_t places;      /* levels of the result behind them, which have a place for everything */
  int64_t value_bytes; /* of a value of the result */
} strata_inheritance;

typedef void strata_kernel_body(strata_context *, strata_storage *const *, const int64_t *);

/* Computes a result that has an entry wherever the operand has one below its first levels. If the
 * operand stores nothing there that is empty, these levels are copied (or, where the phase computes
 * values alone, compared), and `values` computes all values: it takes storages whose first
 * dimension is the number of a position of the last level that is shared, in place of all those
 * above, and one more extent, how many of these there are. Else `general` does all the work. */
void strata_kernel_inherit(strata_context *, strata_storage *const *, const int64_t *extents,
                           const strata_inheritance *, strata_kernel_body *general,
                           strata_kernel_body *values);

/* ---- Workspaces ---- */

/* Sorts `list`, of `count` slots of a hash table, by the keys in these. */
void strata_kernel_sort_slots(int64_t *list, int64_t count, const int64_t *keys);
/* Where a key's search begins in a table with a power of two of slots. */
static inline uint64_t strata_hash(uint64_t key) { return key * 0x9E3779B97F4A7C15u >> 32; }
/* Moves the keys of the slots in `list`, with the values of each (so many bytes), to an empty table
 * of `slots` slots, whose list gets them in the same order. */
void strata_kernel_rehash(const int64_t *keys, const void *values, const int64_t *list,
                          int64_t count, int64_t *to_keys, void *to_values, int64_t *to_list,
                          int64_t slots, int64_t value_bytes);

#ifdef __cplusplus
}
#endif
#endif /* STRATA_RUNTIME_ASSEMBLY_H */
