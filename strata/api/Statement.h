// What a statement's handle is inside.
#ifndef STRATA_API_STATEMENT_H
#define STRATA_API_STATEMENT_H

#include "strata/api/Handles.h"
#include "strata/execution/Executor.h"

struct strata_statement : strata::api::Counted {
  strata::api::Handle<strata_session> session;
  mlir::OwningOpRef<mlir::ModuleOp>
      module; ///< whose main takes the operands and returns the result
  std::vector<std::string> operands;
  std::vector<mlir::RankedTensorType> types; ///< of the operands
  strata::api::Handle<strata_format> result;
  std::string text;
  llvm::raw_string_ostream printed{text};
  std::optional<strata::Executor> executor; ///< keeps the kernels that it has prepared

  /// What the last run was for and did, if it was one call of a kernel.
  struct Repeatable {
    strata::Executor::SingleCall call;
    strata::api::FormatFacts *result;
    struct Operand {
      mlir::RankedTensorType type;
      std::vector<int64_t> sizes;
      int64_t stored;
    };
    std::vector<Operand> operands;
  };
  std::optional<Repeatable> last;

  strata_error *checkOperands(llvm::ArrayRef<strata_tensor *> tensors) const;
  /// Are these tensors what the last run was for, with about as many entries: is there nothing to
  /// decide anew?
  bool repeats(llvm::ArrayRef<strata_tensor *> tensors) const;
  /// Calls the kernel of the last run; null if it failed, which a whole run will tell.
  strata_tensor *repeat(llvm::ArrayRef<strata_tensor *> tensors);
  void remember(llvm::ArrayRef<strata_tensor *> tensors, const strata_tensor &result);
  mlir::LogicalResult compute(llvm::ArrayRef<strata_tensor *> tensors, unsigned width);
};

#endif // STRATA_API_STATEMENT_H
