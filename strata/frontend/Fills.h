// What tensors are worth where they store nothing.
#ifndef STRATA_FRONTEND_FILLS_H
#define STRATA_FRONTEND_FILLS_H

#include "strata/frontend/Diagnostics.h"
#include "strata/frontend/Program.h"
#include "strata/frontend/Sema.h"

namespace strata::frontend {

/// Gives each tensor whose format does not say its fill the one that follows from its first
/// statement: the value of the right side where no sparse operand stores anything, if that is
/// known. What files and generators make has fill zero. Warns where a statement would store every
/// place of a sparse tensor, since its value is another there, and where it divides by what is
/// zero there.
void inferFills(Program &program, const FormatVocabulary &formats, Diagnostics &diagnostics);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_FILLS_H
