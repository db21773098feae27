// Parts of a statement that become statements of their own, before it.
#ifndef STRATA_LOWER_TA_STATEMENTPART_H
#define STRATA_LOWER_TA_STATEMENTPART_H

#include "strata/lower/analysis/IndexStatement.h"

#include "mlir/IR/IRMapping.h"

namespace strata {

/// A part of a statement, for which a temporary stands.
struct StatementPart {
  mlir::Value value;                     ///< in the statement: replaced by the temporary
  llvm::SmallVector<unsigned> variables; ///< the temporary's dimensions, as they are stored
  std::string reason;
  bool missing = false; ///< what the temporary does not store has no value
  ta::FormatAttr format = {};
};

/// These labels in the order in which a tensor stores them.
llvm::SmallVector<unsigned> storedOrder(const AccessPath &path, const llvm::SmallBitVector &labels);

/// The statement `name[variables] = body` before this one. `read`: what the body reads.
mlir::Value
computeFirst(const IndexStatement &statement, const StatementPart &part, llvm::StringRef name,
             llvm::ArrayRef<ta::AccessOp> read,
             llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::IRMapping &)> body);

/// The same of the part's own value. What masks around it exclude in the statement, whatever else
/// becomes of the value there, the temporary does not have.
mlir::Value computeMasked(const IndexStatement &statement, const StatementPart &part,
                          llvm::StringRef name);

/// Reads the temporary inside the statement; `mapping` says which variables have taken the place
/// of the statement's.
mlir::Value accessTo(const IndexStatement &statement, mlir::Value temporary,
                     const StatementPart &part, mlir::OpBuilder &b,
                     const mlir::IRMapping &mapping = {});

/// Reads the temporary wherever the part's value was used.
void replaceBy(const IndexStatement &statement, const StatementPart &part, mlir::Value temporary);

/// Erases what nothing in the statement uses any more, and inputs that are not read.
void dropUnused(ta::ComputeOp op);

/// The element of a tensor that a value is, perhaps in another type; null if it is anything else.
ta::AccessOp elementRead(mlir::Value value);

/// The labels that an access has.
llvm::SmallBitVector labelsIn(const IndexStatement &statement, ta::AccessOp access);

/// Of a value that is computed from elements of dense tensors by operations on elements, an element
/// of a tensor that has as many of them as a tensor of such values; null of other values.
ta::AccessOp widestElement(const IndexStatement &statement, mlir::Value value);

/// The factors of a product of products.
void factorsOf(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &factors);

} // namespace strata

#endif // STRATA_LOWER_TA_STATEMENTPART_H
