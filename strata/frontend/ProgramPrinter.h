// Writes analyzed programs as text that reads like the language, with every sum written out:
//   y[i] = sum(j: A[i, j] * x[j])
#ifndef STRATA_FRONTEND_PROGRAMPRINTER_H
#define STRATA_FRONTEND_PROGRAMPRINTER_H

#include "strata/frontend/Program.h"

#include "llvm/Support/raw_ostream.h"

namespace strata::frontend {

void printProgram(const Program &program, llvm::raw_ostream &os);

/// One operation on one line, without its end.
std::string operationText(const Program &program, const Operation &operation);

} // namespace strata::frontend

#endif // STRATA_FRONTEND_PROGRAMPRINTER_H
