// What functions call that --sparsifier has compiled: a statement, on buffers of upstream's layout.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_STATEMENT_H
#define STRATA_HOST_STATEMENT_H

#include "strata/runtime/abi.h"

extern "C" {

/// Runs a statement: a program (host::encode) with its kernels. `program` is null at the first call
/// and keeps what the bytes say for the others.
///
/// `words` are, one behind the other: for each argument its sizes, and for each of its buffers the
/// address, the number of elements in use and their strata_type; 1 where kernels may use several
/// threads, else 0; for each result the number of the argument into whose values it is written, or
/// -1; and then for each result its sizes, and for each of its buffers the same three words, of
/// which the caller gives the type. The others are given back. Buffers of results are the caller's,
/// who releases them by free(); each has room for an element at least.
///
/// Returns 0, or 1 after an error, which is told on standard error.
int32_t strata_statement_call(const char *bytes, int64_t size, const strata_kernel *kernels,
                              void **program, int64_t *words);
}

#endif // STRATA_HOST_STATEMENT_H
