// Data files on the command line: what the commands that read tensors share.
#ifndef STRATA_TOOLS_DATAFILE_H
#define STRATA_TOOLS_DATAFILE_H

#include "strata/runtime/io/TensorFile.h"

#include "llvm/Option/ArgList.h"

namespace strata::tool {

/// --base: what FROSTT files count from, 1 where it is not given. Nothing after a mistake, which
/// was reported.
std::optional<int64_t> parseBase(const llvm::opt::InputArgList &list, llvm::opt::OptSpecifier base);
/// "10,20", or "10,?" where the file decides; reports anything else.
std::optional<std::vector<int64_t>> parseSizes(const llvm::opt::Arg &argument);

/// Reads a file, or standard input as `-`, showing how far it is, and warns of what is doubtful in
/// it.
runtime::Result<runtime::TensorFileContent> readData(const std::string &file,
                                                     runtime::TensorFileOptions options);

} // namespace strata::tool

#endif // STRATA_TOOLS_DATAFILE_H
