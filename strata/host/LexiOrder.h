// Tensors whose indices are brought into Lexi-Order.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_HOST_LEXIORDER_H
#define STRATA_HOST_LEXIORDER_H

#include "strata/runtime/storage/Coordinates.h"

namespace strata::host {

/// The entries, each dimension in its Lexi-Order.
runtime::Result<runtime::Coordinates> inLexiOrder(const runtime::Coordinates &list);
/// The Lexi-Order of a dimension: element n is the index that becomes index n. Takes memory for the
/// dimension's size.
runtime::Result<runtime::Coordinates> lexiOrderOf(const runtime::Coordinates &list, int dimension);

} // namespace strata::host
#endif // STRATA_HOST_LEXIORDER_H
