// Numbers of a kernel that are known before it runs.
#ifndef STRATA_COST_KNOWNNUMBERS_H
#define STRATA_COST_KNOWNNUMBERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace strata::cost {

class KnownNumbers {
public:
  void know(mlir::Value value, double number) { numbers[value] = number; }
  /// Of a loop's variable, in all its rounds.
  void knowMean(mlir::Value variable, double mean) { means[variable] = mean; }

  /// Returns a number that follows from those that are known; nothing if it depends on others. The
  /// length of blocks, of which the last one may be shorter, is their mean length.
  std::optional<double> numberOf(mlir::Value value) const;
  /// Returns about the mean of a number over the rounds of the loops around: what it is where each
  /// variable has its mean.
  std::optional<double> meanOf(mlir::Value value) const;

private:
  std::optional<double> meanOfBlocks(std::optional<double> block, mlir::Value left) const;

  llvm::DenseMap<mlir::Value, double> numbers, means;
};

} // namespace strata::cost

#endif // STRATA_COST_KNOWNNUMBERS_H
