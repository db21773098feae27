// What scheduling commands share: loops by name, and moving them.
#ifndef STRATA_SCHEDULE_LOOPS_H
#define STRATA_SCHEDULE_LOOPS_H

#include "strata/schedule/Commands.h"

namespace strata::schedule {

/// The loops by these names, each a string attribute; refuses what is no name of one loop.
mlir::FailureOr<llvm::SmallVector<cin::ForallOp>>
findLoops(mlir::func::FuncOp kernel, llvm::ArrayRef<mlir::Attribute> names, Refuse refuse);

/// The names of a kernel's loops, from the outside in.
llvm::SmallVector<std::string> namesOfLoops(mlir::func::FuncOp kernel);

/// The outermost of the loops that, each the whole body of the one before, lead to `loop`.
cin::ForallOp headOfChain(cin::ForallOp loop);

/// Gives the loops of a chain, from `order.front()` in, this order: `order` is a permutation of
/// loops that are each the whole body of another.
void nestAs(llvm::ArrayRef<cin::ForallOp> order);

/// Asks for vectors of `width` values of a label, the innermost one around what is computed; 0: of
/// as many as suit the processor.
mlir::LogicalResult vectorize(mlir::func::FuncOp kernel, mlir::Attribute label, int64_t width,
                              Refuse refuse);

/// Is the variable used inside the block?
bool usesVariable(mlir::Block &block, mlir::Value variable);

/// Moves a producer, and the temporary that it fills, in front of the loop or the `where` whose
/// body or consumer the pair is.
void moveOut(cin::WhereOp where);

/// The temporary that a producer fills: it stands in front of the `where`.
cin::TempOp temporaryOf(cin::WhereOp where);

} // namespace strata::schedule

#endif // STRATA_SCHEDULE_LOOPS_H
