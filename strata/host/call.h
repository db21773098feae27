/* What functions of compiled programs take and return: the `def`s of a program, called from C.
 *
 * Part of Strata, under the Apache License v2.0 with LLVM Exceptions. */
#ifndef STRATA_HOST_CALL_H
#define STRATA_HOST_CALL_H

#include "strata/runtime/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tensor that such a function has returned. */
typedef struct strata_returned strata_returned;

/* Its storage, which lives as long as it does; of a hybrid format, that of the first part. */
const strata_storage *strata_returned_storage(const strata_returned *);
/* The storages that it consists of: one, or several in a hybrid format. They count from 0. */
int64_t strata_returned_parts(const strata_returned *);
const strata_storage *strata_returned_part(const strata_returned *, int64_t part);
/* Takes null, too. */
void strata_returned_release(strata_returned *);

#ifdef __cplusplus
}
#endif

#endif /* STRATA_HOST_CALL_H */
