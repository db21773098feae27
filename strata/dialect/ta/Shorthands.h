// The table of named formats: CSR, COO, ... and the words for single levels (D, CU, dense, ...).
#ifndef STRATA_DIALECT_TA_SHORTHANDS_H
#define STRATA_DIALECT_TA_SHORTHANDS_H

#include "strata/dialect/ta/Ta.h"

namespace strata::ta {

/// The format of that name for a tensor of `order` dimensions ("CSR", "COO", "Dense", ...;
/// letters' case does not matter), with numbers where it takes some ("BCSR:2x3"). On failure `why`
/// says what is wrong, and lists the names.
FormatAttr shorthand(mlir::MLIRContext *context, llvm::StringRef name, unsigned order,
                     std::string &why);

/// A format from one word per level, level `l` storing dimension `dims[l]` ("D", "CU", "CN", "S",
/// "d", "s", "c", "u", "q", or a level format's name). Twice as many words as dimensions are for a
/// tensor in blocks: the first half for the blocks, the second half for what is inside them, each
/// with the blocks' size in its dimension ("D:4"). On failure `why` says what is wrong.
FormatAttr fromLevelWords(mlir::MLIRContext *context, llvm::ArrayRef<llvm::StringRef> words,
                          llvm::ArrayRef<unsigned> dims, std::string &why);

/// A text with every name, what it stands for and its levels.
std::string formatHelp();

/// All names, for messages.
llvm::ArrayRef<llvm::StringRef> shorthandNames();

/// The name of a format if the table has one for it, else its full text.
std::string formatName(FormatAttr format);

/// Coordinates of all dimensions in this order of levels: what files are read into.
FormatAttr coordinateFormat(mlir::MLIRContext *context, unsigned order, bool nonuniqueLeaf);

/// Coordinates, in the order of dimensions: a SparseVector, or CSF.
FormatAttr sparseFormat(mlir::MLIRContext *context, unsigned order);

/// Rows of what is stored, as CSR and CSC have them: the first of `dims` dense, below it
/// coordinates.
FormatAttr rowFormat(mlir::MLIRContext *context, llvm::ArrayRef<unsigned> dims);

/// The same with rows that are found by their coordinates, and take memory only where they have
/// entries.
FormatAttr foundRowFormat(mlir::MLIRContext *context, llvm::ArrayRef<unsigned> dims);

/// Coordinates in any order, the same ones any number of times, which means their sum: what can be
/// appended to by any loops. Positions take 64 bits, since their number is not known.
FormatAttr listFormat(mlir::MLIRContext *context, unsigned order,
                      mlir::Attribute fill = mlir::Attribute());

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_SHORTHANDS_H
