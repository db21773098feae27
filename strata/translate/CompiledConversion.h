// The kernels by which a program that is compiled ahead converts.
#ifndef STRATA_TRANSLATE_COMPILEDCONVERSION_H
#define STRATA_TRANSLATE_COMPILEDCONVERSION_H

#include "strata/translate/KernelsAhead.h"

namespace strata {

/// A kernel of the program that converts, and what counts the slots of its result.
struct CompiledStep {
  host::KernelId kernel = -1;
  host::CountedSlots slots = {};
};

/// One kernel, or two with rows of entries in between.
struct CompiledConversion {
  CompiledStep last;
  host::TypeId rows = -1; ///< the type of the rows; -1: one kernel
  CompiledStep toRows = {};
};

/// Adds the kernels of a conversion between types of decided widths to the program; nothing where
/// none convert whatever the sizes are, so that entries are listed.
std::optional<CompiledConversion>
compileConversion(KernelsAhead &kernels, mlir::RankedTensorType from, mlir::RankedTensorType to);

/// How a tensor is made from a list of entries by way of rows.
struct CompiledPacking {
  host::TypeId rows;
  CompiledStep last;
};

/// Adds the kernels of that to the program, if the format has levels that are no dimensions
/// (blocks, slots) and stores a place for each row: rows are copied faster than coordinates of
/// levels are sorted. Nothing for other formats, and where the list may be silent about another
/// value than 0.
std::optional<CompiledPacking> compilePacking(KernelsAhead &kernels, mlir::RankedTensorType to);

} // namespace strata

#endif // STRATA_TRANSLATE_COMPILEDCONVERSION_H
