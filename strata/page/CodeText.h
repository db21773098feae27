// Code as HTML: words in colours, and a bar for each loop.
#ifndef STRATA_PAGE_CODETEXT_H
#define STRATA_PAGE_CODETEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace strata::page {

/// How many loops are around each line of C source, by its braces.
std::vector<unsigned> loopDepthsOfC(llvm::StringRef source);
/// How many loops are around each line of assembly: a jump to a label before it, in the same
/// function, closes a loop that begins there. (Of x86 and ARM.)
std::vector<unsigned> loopDepthsOfAssembly(llvm::StringRef assembly);

/// A block of C, with the bars of its loops.
std::string cHtml(llvm::StringRef source);
/// A block of assembly with the same bars. What assembles to nothing (directives for debuggers and
/// linkers) is hidden until a box above it is checked; `id` tells that box from others of the page.
std::string assemblyHtml(llvm::StringRef assembly, llvm::StringRef id);
/// A block of text that stands as it is.
std::string plainHtml(llvm::StringRef text);

} // namespace strata::page

#endif // STRATA_PAGE_CODETEXT_H
