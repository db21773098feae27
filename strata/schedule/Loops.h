// What scheduling commands share: loops by name, and moving them.
#ifndef STRATA_SCHEDULE_LOOPS_H
#define STRATA_SCHEDULE_LOOPS_H

#include "strata/schedule/Commands.h"

namespace strata::schedule {

/// A label of a schedule: a loop, or several that are one label (`fuse`), from the outside in.
using Label = llvm::SmallVector<cin::ForallOp>;

/// The labels by these names, each a string attribute; refuses what is no name of a label.
mlir::FailureOr<llvm::SmallVector<Label>>
findLabels(mlir::func::FuncOp kernel, llvm::ArrayRef<mlir::Attribute> names, Refuse refuse);

/// The same where each is to be one loop.
mlir::FailureOr<llvm::SmallVector<cin::ForallOp>>
findLoops(mlir::func::FuncOp kernel, llvm::ArrayRef<mlir::Attribute> names, Refuse refuse);

/// Refuses names that are no string attributes, or that a label has already.
mlir::LogicalResult checkNew(mlir::func::FuncOp kernel, llvm::ArrayRef<mlir::Attribute> names,
                             Refuse refuse);

/// Refuses a label that is a part of another, goes through the entries of an operand, is walked
/// with another, or in threads.
mlir::LogicalResult checkWhole(const Label &label, Refuse refuse);

/// Refuses a loop that a command has marked already.
mlir::LogicalResult checkUnmarked(cin::ForallOp loop, Refuse refuse);

/// Refuses a loop of a contraction, whose blocks are all that there is to say of how it runs.
mlir::LogicalResult checkUncontracted(cin::ForallOp loop, Refuse refuse);

/// Refuses a command that has left loops which are marked as a contraction, but are none any more.
mlir::LogicalResult checkContracted(mlir::func::FuncOp kernel, Refuse refuse);

/// The names of a kernel's labels, from the outside in.
llvm::SmallVector<std::string> namesOfLoops(mlir::func::FuncOp kernel);

/// The outermost of the loops that, each the whole body of the one before, lead to `loop`.
cin::ForallOp headOfChain(cin::ForallOp loop);

/// Gives the loops of a chain, from `order.front()` in, this order: `order` is a permutation of
/// loops that are each the whole body of another.
void nestAs(llvm::ArrayRef<cin::ForallOp> order);

/// Puts two loops in the place of one: over the parts that its values are cut into, as `setParts`
/// says of both, and over the values of a part.
std::pair<cin::ForallOp, cin::ForallOp> cutLoop(cin::ForallOp loop, llvm::StringRef first,
                                                llvm::StringRef second,
                                                llvm::function_ref<void(cin::ForallOp)> setParts);

/// Asks for vectors of `width` values of a label; 0: of as many as suit the processor. Where loops
/// stand inside the label's, these run for each vector.
mlir::LogicalResult vectorize(mlir::func::FuncOp kernel, mlir::Attribute label, int64_t width,
                              Refuse refuse);

/// The storages of this name that are accessed inside a loop: A of "A" or of "A(i, j)".
llvm::SmallVector<mlir::Value> storagesNamed(cin::ForallOp loop, llvm::StringRef text);

/// Is the variable used inside the block?
bool usesVariable(mlir::Block &block, mlir::Value variable);

/// Moves a producer, and the temporary that it fills, in front of the loop or the `where` whose
/// body or consumer the pair is.
void moveOut(cin::WhereOp where);

/// Makes the loops one chain as far as what stands between them are sums that are factors: these
/// take the other factors of their products in.
void takeFactorsIn(mlir::func::FuncOp kernel, llvm::ArrayRef<cin::ForallOp> loops);

/// The temporary that a producer fills: it stands in front of the `where`.
cin::TempOp temporaryOf(cin::WhereOp where);

} // namespace strata::schedule

#endif // STRATA_SCHEDULE_LOOPS_H
