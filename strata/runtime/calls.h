/* How programs call kernels as objects: their arguments are checked, and their threads limited.
 *
 * Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
 */
#ifndef STRATA_RUNTIME_CALLS_H
#define STRATA_RUNTIME_CALLS_H

#include "strata/runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How many threads at most work in a call of a kernel, from the next call on; 0: as many as there
 * are, or as STRATA_NUM_THREADS says, which also counts at first. No result depends on it. */
void strata_limit_threads(int32_t count);

/* strata_invoke for callers that may be wrong, which the entry points of kernels as objects call.
 *
 * Before a buffer is read, the arguments are compared with what the kernel was compiled for, in
 * time that does not depend on sizes: null pointers, orders, numbers and types of buffers, sizes
 * with the extents, and how many elements the buffers of operands have at least. Where they do not
 * fit, the status is STRATA_BAD_ARGUMENT, and the message names the storage and the buffer. What
 * the buffers hold, coordinates and positions but the last, is not looked at.
 *
 * `signature` and `names` say what the kernel was compiled for (runtime/storage/Signature.h). */
int32_t strata_invoke_checked(strata_context *, strata_storage *const *, const int64_t *extents,
                              void (*body)(strata_context *, strata_storage *const *,
                                           const int64_t *),
                              const int64_t *signature, const char *names);

#ifdef __cplusplus
}
#endif
#endif /* STRATA_RUNTIME_CALLS_H */
