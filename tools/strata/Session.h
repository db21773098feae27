// A program on its way into the compiler: its texts, the context, and what is said about it.
#ifndef STRATA_TOOLS_SESSION_H
#define STRATA_TOOLS_SESSION_H

#include "strata/compile/ProgramKernels.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/explain/ProgramStage.h"
#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"
#include "strata/frontend/Sema.h"
#include "strata/lower/Pipeline.h"
#include "strata/run/WrittenProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace strata::tool {

/// Seconds that the stages before execution took.
struct LoadTimes {
  double context = 0; ///< making the compiler's context
  double program = 0; ///< text to the ta dialect, and the passes on whole programs
};

class Session {
public:
  Session();

  /// The buffer of a file ('-' is standard input), which is read once, or of a text under a name to
  /// show; the file's failures are reported once.
  std::optional<unsigned> open(llvm::StringRef file);
  unsigned addText(llvm::StringRef text, llvm::StringRef name);

  /// Reads a program (.ta; or .mlir, of the ta dialect or of linalg and sparse_tensor) up to ta;
  /// null after errors, which are reported. A .ta program also writes `outputs` at its end; of a
  /// .mlir program the function `entry` runs, or where that is empty main or the only one.
  mlir::OwningOpRef<mlir::ModuleOp> load(llvm::StringRef file,
                                         const frontend::Parameters &parameters,
                                         frontend::Outputs *outputs = nullptr,
                                         llvm::StringRef entry = "");
  /// The same of a .ta program in a buffer; what is wrong is told to `diagnostics`.
  mlir::OwningOpRef<mlir::ModuleOp> analyze(unsigned id, const frontend::Parameters &parameters,
                                            frontend::Diagnostics &diagnostics,
                                            frontend::Outputs *outputs = nullptr);
  /// Is a file a .ta program of functions without `main`? Then it is open, and there is nothing to
  /// load but its functions. False after errors, which load reports.
  bool hasFunctionsAlone(llvm::StringRef file);
  /// The functions of a .ta program that is open, but `main`, by their names, as far as their
  /// parameters say what they take; null for one that has an error.
  std::vector<std::pair<std::string, mlir::OwningOpRef<mlir::ModuleOp>>>
  loadFunctions(llvm::StringRef file, const frontend::Parameters &parameters);
  /// From an analyzed program to ta.
  mlir::OwningOpRef<mlir::ModuleOp> emit(const frontend::Program &program,
                                         frontend::Diagnostics &diagnostics);
  /// Keeps the program as it is now, before prepare, for its results to be checked against.
  void keepWritten(mlir::ModuleOp module) { written.emplace(module); }
  /// Runs the passes on whole programs.
  mlir::LogicalResult transform(mlir::ModuleOp module, const ProgramOptions &options);
  /// Runs them, and tells which conversions they inserted.
  mlir::LogicalResult prepare(mlir::ModuleOp module, const ProgramOptions &options = {});

  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  LoadTimes times;
  std::optional<WrittenProgram> written; ///< if it was kept

private:
  std::optional<unsigned> read(llvm::StringRef file);
  mlir::OwningOpRef<mlir::ModuleOp> loadMlir(llvm::StringRef file, llvm::StringRef entry);
  void showDiagnostic(mlir::Diagnostic &diagnostic);

  llvm::StringMap<unsigned> opened; ///< the buffers of files by their names; 0: it cannot be read
  llvm::StringSet<> remarked;       ///< texts and places of remarks, each of which is shown once
};

/// What the passes on whole programs did to a statement, in words.
struct OpNote {
  mlir::Operation *op;
  std::string text;
};
std::vector<OpNote> resolutionsIn(mlir::ModuleOp module);

/// The text, or the bytes, of a program at a stage; nothing after an error, which was reported.
std::optional<std::string> textAt(ProgramStage stage, mlir::ModuleOp program,
                                  const StageOptions &options);
/// The same as a picture in SVG, of a stage that has one (page::hasPicture).
std::optional<std::string> pictureAt(ProgramStage stage, mlir::ModuleOp program,
                                     const StageOptions &options);

using ta::nameOf;
using ta::placeOf;

} // namespace strata::tool

#endif // STRATA_TOOLS_SESSION_H
