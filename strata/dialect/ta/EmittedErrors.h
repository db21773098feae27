// Tells whether errors were emitted while code was generated.
#ifndef STRATA_DIALECT_TA_EMITTEDERRORS_H
#define STRATA_DIALECT_TA_EMITTEDERRORS_H

#include "mlir/IR/Diagnostics.h"

namespace strata::ta {

/// Watches the errors that are emitted while it lives, and passes them on. Functions that make
/// values, and have no other way to fail, emit an error and make any value of the type; whoever
/// called them for a whole kernel or program fails then.
class EmittedErrors {
public:
  explicit EmittedErrors(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          found |= diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
          return mlir::failure(); // others show it
        }) {}

  bool any() const { return found; }

private:
  bool found = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace strata::ta

#endif // STRATA_DIALECT_TA_EMITTEDERRORS_H
