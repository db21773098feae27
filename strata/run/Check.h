// Checks results against the reference interpreter.
#ifndef STRATA_RUN_CHECK_H
#define STRATA_RUN_CHECK_H

#include "strata/dialect/ta/Ta.h"
#include "strata/reference/Reference.h"
#include "strata/run/WrittenProgram.h"
#include "strata/runtime/storage/Coordinates.h"

#include <optional>
#include <string>

namespace strata {

struct CheckOutcome {
  bool agrees = false;
  std::string text; ///< what was compared, or the first differences
};

/// Follows a running program with the reference interpreter. Each statement is evaluated from its
/// definition as the program states it, of operands as the running program computed them, so that
/// rounding does not add up; an operand that the running program never stores (because a statement
/// was fused with the one that reads it) is evaluated from its definition, too.
class Checker {
public:
  /// `running` is the function that will run: what passes made of `program`'s.
  Checker(const WrittenProgram &program, mlir::func::FuncOp running);

  /// The tensor with that number has these entries. Where a statement gives it its value they are
  /// compared with what the reference makes of it; otherwise there is no outcome.
  runtime::Result<std::optional<CheckOutcome>> reach(int64_t number,
                                                     const runtime::Coordinates &actual);
  /// The operation that gives the tensor with that number its value, if that is checked; else null.
  mlir::Operation *statementOf(int64_t number) const;

private:
  runtime::Result<CheckOutcome> check(mlir::Operation *statement,
                                      const runtime::Coordinates &actual);
  runtime::Result<reference::Expected> evaluate(mlir::Operation *statement);
  runtime::Result<reference::Expected> evaluate(ta::ComputeOp statement);
  runtime::Result<reference::Expected> evaluate(ta::ConcatOp op);
  runtime::Result<std::string> evaluateOperands(mlir::Operation *statement);
  std::optional<int64_t> index(mlir::Value value);
  std::optional<int64_t> sizeOf(mlir::Value tensor, unsigned dim);
  mlir::Operation *lastUse(mlir::Value tensor);
  void release(mlir::Value reached);

  const WrittenProgram &program;
  llvm::DenseSet<mlir::Value> stored; ///< what the running program stores
  /// What the running program has stored last; of what it does not store, what was evaluated last.
  llvm::DenseMap<mlir::Value, reference::Tensor> values;
  llvm::DenseMap<mlir::Value, std::vector<int64_t>> sizes; ///< also of values that are released
  /// For each operation the tensors of its block that nothing needs after it.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>> ending;
  llvm::DenseMap<mlir::Value, mlir::Operation *> lastUses;
  llvm::DenseMap<mlir::Block *, mlir::Operation *> reached; ///< the last one in each block
};

/// Does a tensor of that type hold what it was made from, a list with the same fill? `actual` are
/// its entries; repeated ones of the list are added up.
runtime::Result<CheckOutcome> checkStored(const runtime::Coordinates &list,
                                          mlir::RankedTensorType type,
                                          const runtime::Coordinates &actual);

} // namespace strata

#endif // STRATA_RUN_CHECK_H
