// Lays out the text of a program: indentation, blanks between words, blank lines.
#ifndef STRATA_FRONTEND_LAYOUT_H
#define STRATA_FRONTEND_LAYOUT_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace strata::frontend {

/// Returns the program with two blanks of indentation for each block, one blank around operators,
/// at most one blank line in a row, and nothing behind the last word of a line. Lines stay lines,
/// and every word and comment stays as it is; lines that continue a statement move with its first
/// line, and comments behind code stay in their column where they can. Laying out again changes
/// nothing. Nothing of a text that is no sequence of words of the language.
std::optional<std::string> layOut(llvm::StringRef text);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_LAYOUT_H
