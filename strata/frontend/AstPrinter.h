// Writes syntax trees as indented text, for `strata emit --stage=ast` and for tests.
#ifndef STRATA_FRONTEND_ASTPRINTER_H
#define STRATA_FRONTEND_ASTPRINTER_H

#include "strata/frontend/Ast.h"

#include "llvm/Support/raw_ostream.h"

namespace strata::frontend {

void printAst(const ast::Module &module, llvm::raw_ostream &os);
void printAst(const ast::Stmt &statement, llvm::raw_ostream &os);

/// A format as it is written in a program, on one line.
std::string formatText(const ast::Format &format);

/// A schedule as it is written behind a statement, on one line: "schedule { reorder(i, k, j); }".
std::string scheduleText(const ast::Schedule &schedule);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_ASTPRINTER_H
