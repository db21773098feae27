// What LLVM is told of a loop, on its way from scf.for to the branch back.
#ifndef STRATA_LOWER_UTILS_LOOPHINTS_H
#define STRATA_LOWER_UTILS_LOOPHINTS_H

#include "llvm/ADT/StringRef.h"

namespace strata {

/// The attribute of a loop, then of its branches, that holds an LLVM::LoopAnnotationAttr.
inline constexpr llvm::StringLiteral loopAnnotationName = "llvm.loop_annotation";

} // namespace strata

#endif // STRATA_LOWER_UTILS_LOOPHINTS_H
