// The body of a kernel as C statements.
#ifndef STRATA_TARGET_C_CSTATEMENTS_H
#define STRATA_TARGET_C_CSTATEMENTS_H

#include "strata/target/c/CExpressions.h"

namespace strata::c {

/// Writes the statements of a kernel's body, indented by one step. Nothing
/// after an error, which was reported.
std::optional<std::string> statementsOf(mlir::func::FuncOp kernel, const Variables &variables,
                                        Expressions &expressions, Names &names);

} // namespace strata::c

#endif // STRATA_TARGET_C_CSTATEMENTS_H
