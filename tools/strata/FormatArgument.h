// A storage format on the command line.
#ifndef STRATA_TOOLS_FORMATARGUMENT_H
#define STRATA_TOOLS_FORMATARGUMENT_H

#include "Session.h"

#include "llvm/Option/Arg.h"

namespace strata::tool {

/// The format that an option gives for a tensor of that order; COO where the option is not given.
/// Null after a mistake, which was reported.
mlir::Attribute parseFormatArgument(Session &session, const llvm::opt::Arg *given, unsigned order);

} // namespace strata::tool

#endif // STRATA_TOOLS_FORMATARGUMENT_H
