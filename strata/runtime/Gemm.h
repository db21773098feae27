// Products of dense matrices by a library that has the interface of CBLAS (OpenBLAS, BLIS, MKL),
// which is loaded when somebody asks for it.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_GEMM_H
#define STRATA_RUNTIME_GEMM_H

#include "strata/runtime/Status.h"
#include "strata/runtime/abi.h"

#include <string>

namespace strata::runtime {

/// Makes kernels that call for it multiply by this library, in this process: a file, or a name as
/// the dynamic loader takes it. An error says why it cannot be used; what was used before stays.
/// Not while kernels run. The library stays loaded as long as the process; its threads begin here,
/// and inherit which signals are blocked.
Status useGemmLibrary(const std::string &file);

/// Counts the calls that the library has computed in this process, and those that it declined and
/// Strata's own blocks computed.
struct GemmCounts {
  int64_t computed = 0, declined = 0;
};
GemmCounts gemmCounts();

} // namespace strata::runtime

extern "C" {

/// What a label of a contraction is for, as lvl.contract says.
enum { STRATA_LABEL_BATCHED = 0, STRATA_LABEL_ROW, STRATA_LABEL_COLUMN, STRATA_LABEL_SUMMED };

/// Adds alpha times a contraction to `result`, or stores it there, by the library's product of
/// matrices. `numbers` has the first element's place in the left operand, the right one and the
/// result; then for each of `labels` labels its role, how many values it has, and how far a step
/// moves in each of the three. Returns 1 if the library has done it. Returns 0, and changes
/// nothing, if there is no library, it has no function for the type, or the labels of a role are no
/// dimension of a matrix (they do not lie one behind the other, or neither dimension is
/// contiguous).
int64_t strata_kernel_gemm(strata_context *, const void *left, const void *right, void *result,
                           const int64_t *numbers, int64_t labels, int64_t type, double real,
                           double imaginary, int64_t overwrites);
}

#endif // STRATA_RUNTIME_GEMM_H
