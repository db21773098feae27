// What the library of compiled programs takes from the archives that it is made of.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Entry.h"
#include "strata/host/Statement.h"
#include "strata/runtime/Gemm.h"
#include "strata/runtime/assembly.h"

using Function = void (*)();

// Nothing reads it; that it is here keeps the functions.
extern "C" [[gnu::used]] const Function strata_program_exports[] = {
    reinterpret_cast<Function>(&strata_program_run),
    reinterpret_cast<Function>(&strata_program_main),
    reinterpret_cast<Function>(&strata_program_call),
    reinterpret_cast<Function>(&strata_statement_call),
    reinterpret_cast<Function>(&strata_returned_storage),
    reinterpret_cast<Function>(&strata_returned_parts),
    reinterpret_cast<Function>(&strata_returned_part),
    reinterpret_cast<Function>(&strata_returned_release),
#define KERNEL_FUNCTION(name) reinterpret_cast<Function>(&name),
#include "strata/runtime/KernelFunctions.def"
};
