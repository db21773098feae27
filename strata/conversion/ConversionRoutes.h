// By which kernels a tensor gets from one format to another.
#ifndef STRATA_CONVERSION_CONVERSIONROUTES_H
#define STRATA_CONVERSION_CONVERSIONROUTES_H

#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/tensor/TensorValue.h"

#include "mlir/IR/BuiltinOps.h"

namespace strata {

/// What is known of a tensor that is to be converted, before it is there.
struct Given {
  mlir::RankedTensorType type;
  std::vector<int64_t> sizes;
  int64_t entries; ///< at most; places that hold none may be counted
};

/// A kernel that converts.
struct DirectRoute {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<Phase, 2> phases = {Phase::All}; ///< each a kernel of its own
  double beside = 0; ///< bytes that it takes at most beside the two tensors
};

/// What happens to the tensor in between, where more than one kernel converts.
enum class Between {
  Nothing,
  Sorts, ///< its rows are put in the order in which the target stores them
  Levels ///< its levels become dimensions: blocks are copied as a whole
};

/// One kernel, or several, with a tensor in between.
struct Route {
  mlir::RankedTensorType via;   ///< null: one
  std::unique_ptr<Route> first; ///< to that; null where it is given
  Between between = Between::Nothing;
  DirectRoute last;
  mlir::RankedTensorType made; ///< what the last one makes, if not the target itself
  double betweenBytes = 0;     ///< of what is in between, while kernels before and after it run

  /// Returns the bytes that it takes at most beside the two tensors.
  double beside() const {
    return betweenBytes + std::max(first ? first->beside() : 0, last.beside);
  }
  int64_t kernels() const { return first ? first->kernels() + 1 : 1; }
};

/// Finds how kernels convert to a type of decided widths; nothing where that goes by way of a list.
/// What may be refused is listed: only then is it known how large it becomes.
std::optional<Route> routeOf(const Given &given, mlir::RankedTensorType decided, bool force);

/// A kernel that converts whatever the tensor is, between two formats of decided widths.
struct KernelAhead {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Counts the entries at each place of these dimensions; the most are the slots of the result.
  /// Null: it has none.
  mlir::OwningOpRef<mlir::ModuleOp> counting;
  llvm::SmallVector<unsigned> counted;
};

/// Makes that kernel; nothing where there is none.
std::optional<KernelAhead> kernelAhead(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// Returns the type of rows of entries in the order of a format's dimensions, of open widths, if
/// they take no more positions than a tensor in that format does, but for blocks; null where they
/// may, and where the format itself is such rows.
mlir::RankedTensorType rowsAhead(mlir::RankedTensorType to);

/// Says the route in words: "by two kernels, by way of CSR".
std::string describe(const Route &route);

/// Returns rows of blocks by their first levels alone, a place for each row and a list of blocks: a
/// matrix of which only the pattern is right.
TensorValue patternOfBlocks(const TensorValue &blockRows);

/// Returns the type of rows of entries in the order of a format's dimensions: what most formats are
/// made from. Widths are decided.
mlir::RankedTensorType rowsFor(mlir::RankedTensorType to, const Given &given);

} // namespace strata

#endif // STRATA_CONVERSION_CONVERSIONROUTES_H
