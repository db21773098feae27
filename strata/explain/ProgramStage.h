// What a program looks like at each stage of the pipeline.
#ifndef STRATA_EXPLAIN_PROGRAMSTAGE_H
#define STRATA_EXPLAIN_PROGRAMSTAGE_H

#include "strata/compile/ProgramKernels.h"
#include "strata/target/cpu/Processor.h"

#include "mlir/IR/BuiltinOps.h"

namespace strata {

/// In the order of the pipeline. Loops is the lvl form in words, Graph its iteration graph, Lattice
/// the merge lattices of its loops, C is Scf as C99, Header the C declarations that belong to C and
/// Object. (The syntax tree, which comes before them all, is the front end's.)
enum class ProgramStage {
  Ta,
  Loops,
  Graph,
  Lattice,
  Cin,
  Lvl,
  Scf,
  Vector,
  C,
  Llvm,
  Assembly,
  Object,
  Header
};

/// "ta, cin, ..." in a sentence.
constexpr llvm::StringRef stageWords =
    "ast, ta, loops, graph, lattice, cin, lvl, scf, vector, c, llvm, asm, obj and header";
/// The stage of a word; none for others, ast among them.
std::optional<ProgramStage> findStage(llvm::StringRef word);

struct StageOptions {
  OpenWidths widths = {};
  Processor processor;   ///< of Vector, and from Llvm on
  std::string loop = {}; ///< of Lattice: only loops over this variable; empty: all
  bool phases = false;   ///< are there also kernels for assembly and computation alone?
};

/// The text, or the bytes, of a program at a stage: the program itself at Ta, one module with all
/// its kernels below.
runtime::Result<std::string> programAt(ProgramStage stage, mlir::ModuleOp program,
                                       const StageOptions &options);

/// The same of some kernels of a program, which it may change; not Ta.
runtime::Result<std::string> kernelsAt(ProgramStage stage,
                                       llvm::MutableArrayRef<ProgramKernel> kernels,
                                       mlir::MLIRContext *context, const StageOptions &options);

} // namespace strata

#endif // STRATA_EXPLAIN_PROGRAMSTAGE_H
