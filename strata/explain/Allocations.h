// What a kernel allocates, read off its loops.
#ifndef STRATA_EXPLAIN_ALLOCATIONS_H
#define STRATA_EXPLAIN_ALLOCATIONS_H

#include "strata/dialect/ta/Ta.h"

#include <optional>
#include <string>
#include <vector>

namespace strata {

/// An array that a kernel allocates.
struct Allocation {
  std::string what;     ///< "positions of C2", "values of C", "workspace"
  std::string count;    ///< elements: "size of C1 + 1", "500"; empty where only the run knows
  int64_t elementBytes; ///< bytes of an element
  bool ofResult;        ///< the result keeps it; else it is released when the kernel ends
  bool perThread;       ///< each thread has its own
};

/// "positions of C2: (size of C1 + 1) x 4 bytes", "values of C: 8 bytes for each that is stored".
std::string allocationText(const Allocation &allocation);

/// The arrays of a kernel that makes `result`, a tensor of this type: those of the result first, in
/// the order of its buffers. Nothing if the kernel could not be compiled.
std::optional<std::vector<Allocation>>
allocationsOf(mlir::ModuleOp kernel, const std::string &result, mlir::RankedTensorType type);

} // namespace strata

#endif // STRATA_EXPLAIN_ALLOCATIONS_H
