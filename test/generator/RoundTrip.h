// A program with the schedules that the compiler chose for its statements: is it the same program?
#ifndef STRATA_TEST_GENERATOR_ROUNDTRIP_H
#define STRATA_TEST_GENERATOR_ROUNDTRIP_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace strata::test {

struct RoundTrip {
  bool compiled = false; ///< by the compiler's choice; if not, nothing was compared
  unsigned kernels = 0;  ///< how many were compared
  /// For each statement whose kernel becomes another one by its own schedule: statement, schedule,
  /// and what is different.
  std::vector<std::string> differences;
};

/// Compiles the program to lvl, puts the schedule of each kernel on its statement, and compiles it
/// again. Where the passes on whole programs have changed a statement or its operands (split,
/// fused, converted), its schedule is put on what they have made of it. Copies of whole tensors,
/// which are left to conversions, are not compared.
RoundTrip roundTrip(mlir::ModuleOp program);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_ROUNDTRIP_H
