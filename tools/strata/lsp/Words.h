// What the words of the language mean, a line each: for editors.
#ifndef STRATA_TOOLS_LSP_WORDS_H
#define STRATA_TOOLS_LSP_WORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace strata::tool {

struct Word {
  llvm::StringRef name;
  llvm::StringRef usage; ///< how it is written, by example
  llvm::StringRef meaning;
};

/// Words of the grammar, and functions: null of others.
const Word *findKeyword(llvm::StringRef name);
const Word *findFunctionWord(llvm::StringRef name);
/// A scheduling command, a named format or an element type in words; empty of others.
std::string describeCommand(llvm::StringRef name);
std::string describeFormat(llvm::StringRef name);
std::string describeElementType(llvm::StringRef name);

} // namespace strata::tool

#endif // STRATA_TOOLS_LSP_WORDS_H
