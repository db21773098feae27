// Loops that give a result's places the fill, where the loops behind them add to these places.
#ifndef STRATA_LOWER_SCF_FILLLOOP_H
#define STRATA_LOWER_SCF_FILLLOOP_H

#include "strata/level/Emission.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace strata {

/// for k in [0, count) { buffer[begin + k] = fill }; the loops behind it in its block add to these
/// places, to all of them or none, and nothing else does.
struct FillLoop {
  mlir::scf::ForOp loop;
  mlir::Value buffer, begin, count, fill;

  /// Nothing where the loop is none that emitFill has made.
  static std::optional<FillLoop> match(mlir::scf::ForOp loop);
  /// That before `loop` in its block, if nothing is done between them.
  static std::optional<FillLoop> before(mlir::scf::ForOp loop);
};

/// Emits for k in [0, count) { buffer[k] = fill }, of a result all of whose places loops reach.
void emitFillOfAll(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer, mlir::Value count,
                   mlir::Value fill);
void emitFill(mlir::OpBuilder &b, mlir::Location loc, mlir::Value buffer, mlir::Value begin,
              mlir::Value count, mlir::Value fill);

} // namespace strata

#endif // STRATA_LOWER_SCF_FILLLOOP_H
