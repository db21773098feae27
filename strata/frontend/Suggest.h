// "Did you mean": the known name that is closest to a mistyped one.
#ifndef STRATA_FRONTEND_SUGGEST_H
#define STRATA_FRONTEND_SUGGEST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace strata::frontend {

/// The candidate within a third of `name`'s length in edits (a letter's case counts as none);
/// empty if none is that close.
llvm::StringRef closestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// "did you mean 'X'?", or empty.
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

/// "'a'".
inline std::string quoted(llvm::StringRef name) { return "'" + name.str() + "'"; }
/// "'a', 'b' or 'c'"; of long lists the first twelve.
std::string quotedList(llvm::ArrayRef<llvm::StringRef> names);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_SUGGEST_H
