// All passes, in the order in which lower/Pipeline.cpp runs them.
#ifndef STRATA_LOWER_PASSES_TD
#define STRATA_LOWER_PASSES_TD

include "mlir/Pass/PassBase.td"

//===------------------------------------------------------------------------------------------===//
// On programs: every statement must have a loop order
//===------------------------------------------------------------------------------------------===//

def ResolveConflicts : Pass<"ta-resolve-conflicts", "::mlir::ModuleOp"> {
  let summary = "convert operands and results whose level order conflicts with the others'";
  let description = [{
    For each statement looks for an order of its loops in which every operand can be walked and
    the result built. Where there is none, the fewest operands are converted to a format whose
    levels follow the order of the others, or the result is computed in a format that can be
    appended to and converted. Each conversion carries its reason, which the user is told.
    Where no order helps, accesses to diagonals, strided rows and the like are brought into the
    plain form by `ta.reindex`.

    Example: in `C = A + B` with A in CSR and B in CSC, B becomes CSR:

    ```mlir
    %0 = ta.convert %B {reason = "..."} : tensor<?x?xf64, #CSC> to tensor<?x?xf64, #CSR>
    ```
  }];
  let dependentDialects = ["::strata::ta::TaDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On kernels: from what to how to where
//===------------------------------------------------------------------------------------------===//

def TaToCin : Pass<"convert-ta-to-cin", "::mlir::ModuleOp"> {
  let summary = "turn kernels of one statement into loops over index variables";
  let description = [{
    A kernel is a function marked `strata.kernel` that returns one `ta.compute` of its arguments.
    Its tensors become storages, the result first; the statement becomes `cin.forall` loops in the
    chosen order, each reduction a `cin.where` over a scalar, or an accumulation in place where
    its loops come before a variable of the result. A kernel marked `strata.windowed` may reach a
    part only of its operands' dimensions.

    Example: test/lower/ta-to-cin.mlir.
  }];
  let dependentDialects = ["::strata::ta::TaDialect", "::strata::cin::CinDialect"];
}

def CinToLvl : Pass<"convert-cin-to-lvl", "::mlir::ModuleOp"> {
  let summary = "turn loops over index variables into walks over coordinate hierarchies";
  let description = [{
    At each `cin.forall` the merge lattice of the statement below decides which cases of presence
    matter (004 sections 4.1 and 4.2): a case is dropped where the statement, with absent operands
    replaced by their fills, has no effect. What is full is located, the rest iterated and merged
    by `lvl.coiterate`. Results are built through `lvl.insert`, `lvl.close` and `lvl.put`.

    Example: test/lower/cin-to-lvl.mlir.
  }];
  let dependentDialects = ["::strata::lvl::LvlDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect"];
}

def LvlToScf : Pass<"convert-lvl-to-scf", "::mlir::ModuleOp"> {
  let summary = "ask each level's format for its functions and make the loops";
  let description = [{
    Storages become their buffers (`memref`s without aliases), iterators and builders the SSA
    values that their levels declare, `lvl.coiterate` the loops of its merge lattice: counted
    loops where nothing merges, else one `scf.while` for each set of iterators that can remain.

    Example: test/lower/lvl-to-scf.mlir.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::func::FuncDialect", "::mlir::complex::ComplexDialect"];
}

//===------------------------------------------------------------------------------------------===//
// On machine code's threshold
//===------------------------------------------------------------------------------------------===//

def EmitEntryPoints : Pass<"strata-emit-entry-points", "::mlir::ModuleOp"> {
  let summary = "give each kernel its C entry point";
  let description = [{
    Runs on the LLVM dialect. Each kernel becomes `NAME.body`, and `NAME` a function of the
    context, the storages and the extents that loads the body's arguments from them and calls it
    through `strata_invoke`, which turns failures inside into a status (runtime/abi.h).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // STRATA_LOWER_PASSES_TD
