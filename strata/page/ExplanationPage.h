// An explanation as a page of HTML that needs nothing else.
#ifndef STRATA_PAGE_EXPLANATIONPAGE_H
#define STRATA_PAGE_EXPLANATIONPAGE_H

#include "strata/compile/KernelCompiler.h"
#include "strata/explain/Explanation.h"
#include "strata/target/cpu/Processor.h"

namespace strata::page {

/// The colours and measures of all pages, as CSS.
llvm::StringRef styleSheet();

struct PageRequest {
  std::string title;        ///< what is explained: a statement, the name of a file
  std::string text;         ///< the program, as it is written; empty of a statement
  ExplainOptions explain;   ///< with steps
  Processor processor;      ///< that assembly is for
  KernelCompiler *compiler; ///< packs the examples that formats are drawn by; null: none are drawn
};

/// A whole document: for each statement its tensors and how their formats store, the plan and the
/// orders of loops that were not chosen, the loops, the iteration graph and the merge lattices, and
/// the kernel as loops over index variables, as C and as assembly.
runtime::Result<std::string> explanationPage(mlir::ModuleOp program, const PageRequest &request);

/// The same without the document around it, for a page that is there: its style comes with it.
runtime::Result<std::string> explanationPart(mlir::ModuleOp program, const PageRequest &request);

} // namespace strata::page

#endif // STRATA_PAGE_EXPLANATIONPAGE_H
