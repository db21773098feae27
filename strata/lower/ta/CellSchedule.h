// What a schedule says about cells of a machine, apart from what it says about the statement of
// each.
#ifndef STRATA_LOWER_TA_CELLSCHEDULE_H
#define STRATA_LOWER_TA_CELLSCHEDULE_H

#include "strata/lower/analysis/IndexStatement.h"

#include "llvm/ADT/StringMap.h"

#include <optional>

namespace strata {

/// A label that an axis of a machine cuts.
struct CellCut {
  unsigned variable;
  std::string cells; ///< the label that goes from cell to cell
  unsigned axis;
  bool isDistributed = false;
  /// Of what cells have of a sum: the variable that is a cell's number on the axis.
  std::optional<unsigned> cell = {};
};

/// A schedule taken apart: what cells there are, and what is left for each of them.
class CellSchedule {
public:
  CellSchedule(const IndexStatement &statement, mlir::ModuleOp module);

  mutable ta::MachineOp machine; // accessors of ops are not const
  llvm::SmallVector<CellCut> cuts;
  llvm::SmallVector<ta::CommandAttr> others; ///< as a cell's own statement has them
  llvm::SmallVector<mlir::Location> places;  ///< of these

  /// Reads the statement's schedule.
  mlir::LogicalResult read();
  /// Cuts labels as the result is cut, of a statement whose schedule says nothing of cells. Tells
  /// whether it is, by coordinates.
  bool followResult();
  /// The same with the operand of most dimensions that is cut so.
  bool followOperand();

  /// Refuses the command that distributes a cut.
  mlir::InFlightDiagnostic refuse(const CellCut &cut) const;
  llvm::StringRef nameOf(const CellCut &cut) const { return names[cut.variable]; }
  /// The cut of a variable; null if none cuts it.
  const CellCut *cutOf(unsigned variable) const;

private:
  mlir::InFlightDiagnostic refuse() const;
  bool cutsCells() const;
  mlir::LogicalResult cut();
  CellCut *findCut(llvm::StringRef cells);
  mlir::LogicalResult distribute();
  mlir::LogicalResult communicate();
  mlir::LogicalResult keep();
  mlir::Attribute renamed(mlir::Attribute argument) const;
  std::string freshName(llvm::StringRef label) const;
  bool follow(mlir::RankedTensorType type, mlir::AffineMap place);

  const IndexStatement &statement;
  mlir::ModuleOp module;
  llvm::SmallVector<std::string> names;
  llvm::StringMap<std::string> inner; // the labels of what cells have, by what they stand for
  llvm::StringMap<mlir::Location> distributed; // the commands, by the labels that they take
  ta::CommandAttr command;
  std::optional<mlir::Location> place;
};

} // namespace strata

#endif // STRATA_LOWER_TA_CELLSCHEDULE_H
