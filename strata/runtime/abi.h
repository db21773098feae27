/* The binary interface between compiled kernels, the runtime and any caller: plain C structs.
 *
 * A kernel is `int32_t name(strata_context *, strata_storage *const *, const int64_t *)`. It
 * returns a strata_status; on anything but STRATA_OK the context holds a message and the result
 * storage is empty. Kernels called NAME_assemble make the pattern of a result, all its buffers,
 * with values that are the fill; NAME_compute then fills in the values, any number of times, and
 * leaves the other buffers as they are also where it fails. Part of Strata, under the Apache
 * License v2.0 with LLVM Exceptions.
 */
#ifndef STRATA_RUNTIME_ABI_H
#define STRATA_RUNTIME_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STRATA_ABI_VERSION 1

/* What a kernel or a runtime call reports. */
typedef enum strata_status {
  STRATA_OK = 0,
  STRATA_OUT_OF_MEMORY = 1,    /* the allocator returned null */
  STRATA_OVERFLOW = 2,         /* a position or size does not fit its width */
  STRATA_INTERRUPTED = 3,      /* the caller's interrupt flag was set */
  STRATA_BAD_ARGUMENT = 4,     /* sizes or buffers contradict what the kernel was compiled for */
  STRATA_DIVISION_BY_ZERO = 5, /* of integers */
  STRATA_NO_PLACE = 6,         /* the format of a level cannot hold a coordinate */
  STRATA_NOT_ASSEMBLED = 7,    /* values are to be computed of a result without a pattern */
  STRATA_NOT_IN_PATTERN = 8    /* ... of one whose pattern lacks an entry to be computed */
} strata_status;

/* Element types of buffers. In C++ the width is fixed, as C has it: any number may stand in a
 * value of this type, and functions that take one refuse those that name no type. */
#ifdef __cplusplus
typedef enum strata_type : int32_t {
#else
typedef enum strata_type {
#endif
  STRATA_I8 = 0,
  STRATA_I16 = 1,
  STRATA_I32 = 2,
  STRATA_I64 = 3,
  STRATA_F32 = 4,
  STRATA_F64 = 5,
  STRATA_C128 = 6, /* two doubles: real, imaginary */
  STRATA_BOOL = 7, /* a byte, 0 or 1 */
  STRATA_U8 = 8,
  STRATA_U16 = 9,
  STRATA_U32 = 10,
  STRATA_U64 = 11,
  STRATA_F16 = 12,  /* IEEE 754 binary16 */
  STRATA_BF16 = 13, /* the upper half of a float */
  STRATA_C64 = 14   /* two floats */
} strata_type;

/* One array of a storage. `owned` buffers were obtained from the context's allocator and are
 * released by the owner of the storage; the others belong to the caller and are only read. */
typedef struct strata_buffer {
  void *data;
  int64_t count;    /* elements in use */
  int64_t capacity; /* elements allocated */
  int32_t type;     /* a strata_type */
  int32_t owned;
} strata_buffer;

/* A tensor's storage: the sizes of its dimensions and the buffers that its levels declare, level
 * by level from the root, followed by one buffer of values. */
typedef struct strata_storage {
  int32_t order;
  int32_t buffer_count;
  const int64_t *sizes;
  strata_buffer *buffers;
} strata_storage;

/* Resizes a block: `old_bytes` == 0 allocates, `new_bytes` == 0 releases and returns null. Memory
 * is aligned to 64 bytes; null means that there is none. */
typedef void *(*strata_reallocate_fn)(void *state, void *block, size_t old_bytes, size_t new_bytes);

typedef struct strata_allocator {
  void *state;
  strata_reallocate_fn reallocate;
} strata_allocator;

/* What a kernel call needs from its surroundings. One per thread of calls. */
typedef struct strata_context {
  strata_allocator allocator;
  const volatile int32_t *interrupt; /* may be null; non-zero asks the kernel to stop */
  int64_t bytes_now, bytes_peak;     /* kept by the runtime's entry points below */
  int32_t status;                    /* first error of the running kernel */
  char message[244];
  void *frame; /* of the kernel that runs: null outside, kept by strata_invoke */
} strata_context;

/* A compiled kernel: the result's storage, then the operands'; the extents of its index variables.
 */
typedef int32_t (*strata_kernel)(strata_context *, strata_storage *const *, const int64_t *);

/* ---- What callers of kernels use ---- */

/* Bytes of one element of a strata_type; 0 for anything else. */
int64_t strata_type_bytes(int32_t type);
/* The process's allocator. Blocks of 256 KiB and more are mapped, so that growing them copies
 * nothing and capacity that was never touched is not resident. Safe for concurrent use. */
strata_allocator strata_default_allocator(void);
/* Prepares a context: the default allocator, no interrupt flag, no error, nothing counted. */
void strata_context_initialize(strata_context *);

/* ---- Entry points that compiled kernels call (from any of the kernel's threads) ---- */

/* Grows a block from `old_count` to `new_count` elements of `element_bytes`; null and 0 elements
 * make a new block; a block of 0 elements is not null, and need not be released. Returns null and
 * sets the context's status if there is no memory or the size does not fit 64 bits; the old block
 * is then untouched and still the caller's. */
void *strata_grow(strata_context *, void *block, int64_t old_count, int64_t new_count,
                  int64_t element_bytes);
/* Releases a block of `count` elements that strata_grow returned. */
void strata_release(strata_context *, void *block, int64_t count, int64_t element_bytes);
/* Hands a finished block of `capacity` elements to buffer `index` of `storage`, trimmed to `count`
 * elements. What the buffer owned before is released; the block no longer counts in bytes_now, so
 * that a kernel that holds nothing ends with 0. The storage must release it with the allocator of
 * the context. On failure the block is released. */
void strata_publish(strata_context *, strata_storage *storage, int64_t index, void *block,
                    int64_t count, int64_t capacity, int64_t element_bytes);
/* Records the first error of the running kernel; later ones are ignored. */
void strata_fail(strata_context *, int32_t status);

/* ---- What the code of a kernel calls; each ends the kernel if it fails ---- */

/* Runs the code of a kernel. If it fails inside, its scratch memory is released and the status says
 * why; it needs no checks of its own. */
int32_t strata_invoke(strata_context *, strata_storage *const *, const int64_t *extents,
                      void (*body)(strata_context *, strata_storage *const *, const int64_t *));
void strata_kernel_fail(strata_context *, int64_t status);
void *strata_kernel_allocate(strata_context *, int64_t count, int64_t element_bytes);
void *strata_kernel_grow(strata_context *, void *block, int64_t old_count, int64_t new_count,
                         int64_t element_bytes);
void strata_kernel_release(strata_context *, void *block, int64_t count, int64_t element_bytes);
void strata_kernel_publish(strata_context *, strata_storage *, int64_t index, void *block,
                           int64_t count, int64_t capacity, int64_t element_bytes);

/* One piece of a loop that is cut; `captured` is what the code around the loop gives to all. */
typedef void (*strata_piece)(strata_context *, int64_t piece, void *captured);
/* Into how many pieces to cut a loop of about so many steps, each of which but one keeps a count
 * for each of `places`: 1 where there is one thread, or little to do. No result depends on it. */
int64_t strata_kernel_pieces(strata_context *, int64_t steps, int64_t places);
/* Runs pieces [0, `pieces`), in any order and at once. If some fail, the first of them ends the
 * kernel, when all have ended. */
void strata_kernel_parallel(strata_context *, int64_t pieces, strata_piece, void *captured);

/* Sorts `list`, the `count` indices of the non-zero ones among `extent` marks. */
void strata_kernel_sort(int64_t *list, int64_t count, const uint8_t *marks, int64_t extent);

#ifdef __cplusplus
}
#endif
#endif /* STRATA_RUNTIME_ABI_H */
