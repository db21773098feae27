// The operations of linalg and sparse_tensor that programs of tensors have no use for.
#ifndef STRATA_INTEROP_UPSTREAMOPS_H
#define STRATA_INTEROP_UPSTREAMOPS_H

#include "llvm/ADT/StringRef.h"

namespace strata::interop {

/// Why an operation is refused wherever it stands, for a message behind its name; empty of one that
/// is imported, or that no upstream dialect of tensors has.
llvm::StringRef reasonToRefuse(llvm::StringRef operation);

} // namespace strata::interop

#endif // STRATA_INTEROP_UPSTREAMOPS_H
