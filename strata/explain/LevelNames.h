// What the levels that a kernel walks are called, read off its lvl form.
#ifndef STRATA_EXPLAIN_LEVELNAMES_H
#define STRATA_EXPLAIN_LEVELNAMES_H

#include "strata/dialect/lvl/Lvl.h"

#include <string>

namespace strata {

/// The name of a storage, as the statement has it; "?" if it has none.
std::string storageName(mlir::Value storage);
/// The name of the storage that a path leads into.
std::string storageOfPath(mlir::Value path);
/// The iterator whose path an argument of a case of a loop is; null of other arguments.
lvl::IteratorOp iteratorOfArgument(mlir::BlockArgument path);

/// "A2", or "A2-4", for `count` levels from `first` on, which is counted from 0.
std::string levelsText(const std::string &storage, unsigned first, unsigned count);
/// The same for the levels that an iterator walks.
std::string levelsText(lvl::IteratorOp iterator);

/// "union", "intersection", "mixed merge": how a loop merges what it walks.
llvm::StringRef mergeName(lvl::CoiterateOp loop);

} // namespace strata

#endif // STRATA_EXPLAIN_LEVELNAMES_H
