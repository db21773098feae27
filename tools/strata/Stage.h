// What a program looks like at each stage of the pipeline.
#ifndef STRATA_TOOLS_STAGE_H
#define STRATA_TOOLS_STAGE_H

#include "Session.h"

#include "strata/execution/Processor.h"

namespace strata::tool {

/// In the order of the pipeline. Loops is the lvl form in words, Graph its iteration graph, C is
/// Scf as C99, Header the C declarations that belong to C and Object. (The syntax tree, which comes
/// before them all, is the front end's.)
enum class ProgramStage { Ta, Loops, Graph, Cin, Lvl, Scf, C, Llvm, Assembly, Object, Header };

/// "ta, cin, ..." in a sentence.
constexpr llvm::StringRef stageWords = "ast, ta, cin, lvl, scf, c, llvm, asm, obj and header";
/// The stage of a word; none for others, ast among them.
std::optional<ProgramStage> findStage(llvm::StringRef word);

struct StageOptions {
  unsigned width = 32; ///< bits of positions and coordinates that formats leave open
  Processor processor; ///< from Llvm on
  bool phases = false; ///< are there also kernels for assembly and computation alone?
};

/// The text, or the bytes, of a program at a stage: the program itself at Ta, one module with all
/// its kernels below. Null results were reported.
std::optional<std::string> programAt(ProgramStage stage, mlir::ModuleOp program,
                                     const StageOptions &options);

} // namespace strata::tool

#endif // STRATA_TOOLS_STAGE_H
