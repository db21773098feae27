// What the code of a compiled program calls: C functions, with the program as bytes.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_ENTRY_H
#define STRATA_HOST_ENTRY_H

#include "strata/host/Program.h"
#include "strata/host/call.h"

#include <cstdio>

extern "C" {

/// Runs a program (host::encode) with its kernels. `parameters` are texts NAME=FILE. Returns 0, or
/// 1 after an error, which is told on standard error.
int32_t strata_program_run(const char *bytes, int64_t size, const strata_kernel *kernels,
                           int32_t parameterCount, const char *const *parameters);

/// The same as the main function of a process, whose arguments it reads; of several that a launcher
/// has started, the first one prints and writes. Returns 2 where the arguments are wrong.
int32_t strata_program_main(const char *bytes, int64_t size, const strata_kernel *kernels,
                            int32_t argumentCount, const char *const *arguments);

/// Calls a program that takes and returns storages. What it returns is the caller's, to be
/// released; null if nobody wants it.
int32_t strata_program_call(const char *bytes, int64_t size, const strata_kernel *kernels,
                            const strata_storage *const *arguments, strata_returned **returned);
}

namespace strata::host {

/// The program of these bytes; if they are none, `messages` tells so.
std::optional<Program> decodeOrTell(const char *bytes, int64_t size, FILE *messages = stderr);

} // namespace strata::host

#endif // STRATA_HOST_ENTRY_H
