// What a statement would take with an operand in other formats.
#ifndef STRATA_TOOLS_SERVE_FORMATWAYS_H
#define STRATA_TOOLS_SERVE_FORMATWAYS_H

#include "strata/machine/Machine.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::tool {

/// A format of one operand, and the statement with it.
struct FormatWay {
  std::string format;
  bool present = false;           ///< the one that is given
  double steps = 0, bytes = 0;    ///< of all loops; of operands and results
  std::optional<double> seconds;  ///< of all loops, where the machine was measured
  std::vector<std::string> notes; ///< what is converted then, and why
};

/// Every named format that `tensor`, an operand, could have, by the time or else by the
/// steps that the statement takes then. `arguments` are those of a statement with the sizes and the
/// numbers of entries of its operands; `present` is the format that they give it. Formats of which
/// nothing is expected are left out. What is said of mistakes meanwhile is about no text of the
/// user's.
std::vector<FormatWay> formatWays(std::vector<std::string> arguments, llvm::StringRef tensor,
                                  llvm::StringRef present, const machine::Machine *machine);

/// A table of them.
std::string formatWaysHtml(const std::vector<FormatWay> &ways);

} // namespace strata::tool

#endif // STRATA_TOOLS_SERVE_FORMATWAYS_H
