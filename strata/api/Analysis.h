// From a statement's text and the formats of its operands to a checked program.
#ifndef STRATA_API_ANALYSIS_H
#define STRATA_API_ANALYSIS_H

#include "strata/api/Ranks.h"
#include "strata/frontend/Differentiate.h"
#include "strata/frontend/OneLiner.h"

#include "mlir/IR/OwningOpRef.h"

namespace strata::api {

/// A statement's text, the texts of its formats, and what is wrong with them.
class Analysis {
public:
  /// `unscheduled`: schedules are left out, as if there were none.
  Analysis(strata_session &session, bool unscheduled)
      : session(session), unscheduled(unscheduled), diagnostics(sources) {}

  strata_error *parse(const char *text, llvm::ArrayRef<strata_operand> operands,
                      const strata_statement_options &options);
  strata_error *describe(const std::string &name, mlir::RankedTensorType type, bool given);
  /// Formats and the schedule may name these. Others are as formats say, as long as nothing runs.
  void declare(llvm::ArrayRef<Handle<strata_machine>> machines) {
    for (const Handle<strata_machine> &machine : machines)
      options.machines.push_back(machine->declaration());
  }
  /// The program that computes the statement from what its caller gives; null after an error.
  strata_error *emit(mlir::OwningOpRef<mlir::ModuleOp> &module);
  /// The statements of its gradient by some operands.
  strata_error *differentiate(llvm::ArrayRef<std::string> by, frontend::Gradients &gradients);

  llvm::StringRef resultName() const { return tree->tensor.text; }

private:
  unsigned add(llvm::StringRef text, llvm::StringRef name) {
    return sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name),
                                      llvm::SMLoc());
  }

  strata_session &session;
  bool unscheduled;
  llvm::SourceMgr sources;
  frontend::Diagnostics diagnostics;
  frontend::OneLinerOptions options;
  std::unique_ptr<frontend::ast::AssignStmt> tree;
};

} // namespace strata::api

#endif // STRATA_API_ANALYSIS_H
