// Passes that print what an analysis finds and change nothing: for tests of the analyses alone.
#ifndef STRATA_TOOLS_STRATA_OPT_PRINTANALYSES_H
#define STRATA_TOOLS_STRATA_OPT_PRINTANALYSES_H

namespace strata {

/// Registers --print-format-maps, --print-loop-orders, --print-access-paths and
/// --print-merge-lattices.
void registerPrintPasses();

} // namespace strata

#endif // STRATA_TOOLS_STRATA_OPT_PRINTANALYSES_H
