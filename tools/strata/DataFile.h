// Data files on the command line: what the commands that read tensors share.
#ifndef STRATA_TOOLS_DATAFILE_H
#define STRATA_TOOLS_DATAFILE_H

#include "strata/dialect/ta/Ta.h"
#include "strata/runtime/io/TensorFile.h"

#include "llvm/Option/ArgList.h"

namespace strata::tool {

/// --base: what FROSTT files count from, 1 where it is not given. Nothing after a mistake, which
/// was reported.
std::optional<int64_t> parseBase(const llvm::opt::InputArgList &list, llvm::opt::OptSpecifier base);
/// "10,20", or "10,?" where the file decides; reports anything else.
std::optional<std::vector<int64_t>> parseSizes(const llvm::opt::Arg &argument);
/// Fails unless a tensor that was read has the sizes that --sizes says: a file that has its own
/// keeps them.
runtime::Status checkSizes(const std::string &file, llvm::ArrayRef<int64_t> sizes,
                           llvm::ArrayRef<int64_t> given);
/// --dims=2,1: dimensions of a tensor, counted from 1 up to `order`; from 0 here. Reports anything
/// else, and one that is given twice unless that is `repeatable`.
std::optional<std::vector<int>> parseDimensions(const llvm::opt::Arg &argument, int64_t order,
                                                bool repeatable = false);

/// Reads a file, or standard input as `-`, showing how far it is, and warns of what is doubtful in
/// it.
runtime::Result<runtime::TensorFileContent> readData(const std::string &file,
                                                     runtime::TensorFileOptions options);
/// Gives a type the fill value that a file says of places that it does not store. Returns what
/// these are worth, null where that is zero; nothing after a mistake, which was reported.
std::optional<mlir::Attribute> takeFill(const runtime::TensorFileContent &content,
                                        mlir::RankedTensorType &type);
/// Of a file that is an array, drops what a tensor of this type need not store.
runtime::Status dropFills(runtime::TensorFileContent &content, mlir::RankedTensorType type);

} // namespace strata::tool

#endif // STRATA_TOOLS_DATAFILE_H
