// What the passes on whole programs tell the user besides what stands on operations: kept on the
// module, in the order of their making, when the pass ends.
#ifndef STRATA_LOWER_TA_PROGRAMNOTES_H
#define STRATA_LOWER_TA_PROGRAMNOTES_H

#include "mlir/IR/BuiltinOps.h"

namespace strata {

class ProgramNotes {
public:
  /// The attribute of the module: a list of texts and, one after the other, their locations.
  static constexpr llvm::StringLiteral attribute = "strata.notes";

  explicit ProgramNotes(mlir::ModuleOp module) : module(module) {}
  ProgramNotes(const ProgramNotes &) = delete;
  /// Adds what was noted to the module, at once: attributes are never freed.
  ~ProgramNotes();

  /// Notes that the tensor `value` is treated so: "is not computed again".
  void add(mlir::Value value, const llvm::Twine &what);

  /// All that was noted: places and sentences.
  static llvm::SmallVector<std::pair<mlir::Location, std::string>> all(mlir::ModuleOp module);

  /// What the program calls a value; "?" if it has no name.
  static std::string nameOf(mlir::Value value);

private:
  mlir::ModuleOp module;
  llvm::SmallVector<mlir::Attribute> fresh;
};

} // namespace strata

#endif // STRATA_LOWER_TA_PROGRAMNOTES_H
