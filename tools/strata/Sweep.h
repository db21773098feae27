// Accelerators with all combinations of some parameters.
#ifndef STRATA_TOOLS_SWEEP_H
#define STRATA_TOOLS_SWEEP_H

#include "strata/accelerator/Accelerator.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace strata::tool {

/// `size=16,64;count=1,2`: parameters with the values that each is to have.
struct Sweep {
  struct Parameter {
    std::string name;
    std::vector<std::string> values;
  };
  std::vector<Parameter> parameters;

  /// Adds what a text says. False after a mistake, which was reported.
  bool add(llvm::StringRef text);
};

/// Each accelerator with each combination of values, the last parameter changing fastest. Its name
/// tells those that differ: "GEMM size=16 count=2". Combinations that make no sense are left out,
/// and notes say why. Nothing after a mistake, which was reported: a parameter or value that does
/// not exist, no combination that makes sense, or more than 10,000.
std::optional<std::vector<accelerator::Accelerator>>
combinations(llvm::ArrayRef<accelerator::Accelerator> bases, const Sweep &sweep);

} // namespace strata::tool

#endif // STRATA_TOOLS_SWEEP_H
