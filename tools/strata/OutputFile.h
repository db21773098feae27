// Files that commands write, other than tensors.
#ifndef STRATA_TOOLS_OUTPUTFILE_H
#define STRATA_TOOLS_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"

namespace strata::tool {

/// Writes all or nothing ('-': to standard output): a file that could not be written is removed.
/// Reports a failure, and gives the code to return. Of several ranks the first one writes.
int writeTo(llvm::StringRef file, llvm::StringRef text);

/// Refuses an output that is the file that is read, which would be lost. True after a report.
bool isInput(llvm::StringRef output, llvm::StringRef input);

} // namespace strata::tool

#endif // STRATA_TOOLS_OUTPUTFILE_H
