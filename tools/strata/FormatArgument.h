// A storage format on the command line.
#ifndef STRATA_TOOLS_FORMATARGUMENT_H
#define STRATA_TOOLS_FORMATARGUMENT_H

#include "Session.h"

#include "llvm/Option/Arg.h"

namespace strata::tool {

struct FormatArgument {
  mlir::Attribute stored;
  ta::PlacementAttr placement = {};              ///< null of a tensor that is whole
  std::optional<frontend::Machine> machine = {}; ///< that a placement names
};

/// The format that an option gives for a tensor of that order; COO where the option is not given.
/// A placement's machine has the cells of a parameter; where there are no parameters, it is
/// refused. Nothing after a mistake, which was reported.
std::optional<FormatArgument> parseFormatArgument(Session &session, const llvm::opt::Arg *given,
                                                  unsigned order,
                                                  const frontend::Parameters *parameters = nullptr);

} // namespace strata::tool

#endif // STRATA_TOOLS_FORMATARGUMENT_H
