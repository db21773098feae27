// What a schedule says about cells of a machine, apart from what it says about the statement of
// each.
#ifndef STRATA_LOWER_TA_CELLSCHEDULE_H
#define STRATA_LOWER_TA_CELLSCHEDULE_H

#include "strata/lower/analysis/IndexStatement.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace strata {

/// A variable plus a constant.
struct ShiftedVariable {
  unsigned variable;
  int64_t shift;
};
/// Returns what a coordinate is, if it is a variable plus a constant.
std::optional<ShiftedVariable> shiftedVariable(mlir::AffineExpr coordinate);

/// The cells of an axis of a machine, which take parts of a statement.
struct CellAxis {
  std::string cells; ///< the label that goes from cell to cell
  unsigned axis;
  bool isDistributed = false;
  /// Of what cells have of a sum: the variable that is a cell's number on the axis.
  std::optional<unsigned> cell = {};
};

/// A label of which each cell takes an interval.
struct CellCut : CellAxis {
  unsigned variable;
};

/// An operand of which each cell takes as many entries: stored places of some of its dimensions.
struct EntryCut : CellAxis {
  ta::AccessOp leader;
  llvm::SmallVector<unsigned> variables; ///< the coordinates of these dimensions

  bool has(unsigned variable) const { return llvm::is_contained(variables, variable); }
};

/// A label of whose values cells take a chunk in each round, after tensors have brought theirs.
struct CellRounds {
  std::string label; ///< that goes from chunk to chunk
  unsigned variable;
  std::string made = label;          ///< the same before it was rotated
  int64_t chunk = 0;                 ///< how many values; 0: as many chunks as this says:
  int64_t parts = 0;                 ///< a number, or 0:
  std::optional<unsigned> axis = {}; ///< as many as this axis of the machine has cells
  /// What comes round by round; of anything else cells get all before.
  llvm::SmallVector<mlir::Attribute> tensors = {};
  llvm::SmallVector<int64_t> rotated = {}; ///< the axes along which cells have later chunks

  bool brings(llvm::StringRef tensor) const;
};

/// A schedule taken apart: what cells there are, and what is left for each of them.
class CellSchedule {
public:
  CellSchedule(const IndexStatement &statement, mlir::ModuleOp module);

  mutable ta::MachineOp machine; // accessors of ops are not const
  llvm::SmallVector<CellCut> cuts;
  std::optional<EntryCut> entries;
  std::optional<CellRounds> rounds;
  llvm::SmallVector<ta::CommandAttr> others; ///< as a cell's own statement has them
  llvm::SmallVector<mlir::Location> places;  ///< of these

  /// Reads the statement's schedule.
  mlir::LogicalResult read();
  /// Cuts labels as the result is cut, of a statement whose schedule says nothing of cells. Tells
  /// whether it is, by coordinates.
  bool followResult();
  /// The same with the operand of most dimensions that is cut so.
  bool followOperand();
  /// Cuts an operand by its entries, as it lies, of such a statement. Tells whether one is cut so.
  bool followEntries();

  bool saysCells() const { return entries || !cuts.empty(); }
  /// The places where the statement reads the operand whose entries cells have parts of.
  llvm::SmallVector<mlir::Operation *> leaders() const;
  /// Tells whether two accesses read the same operand at the same place.
  bool readSame(ta::AccessOp one, ta::AccessOp other) const;
  const CellAxis &firstAxis() const {
    return cuts.empty() ? static_cast<const CellAxis &>(*entries) : cuts.front();
  }
  /// Refuses the command that distributes the label of some cells.
  mlir::InFlightDiagnostic refuse(const CellAxis &cells) const;
  llvm::StringRef nameOf(const CellCut &cut) const { return names[cut.variable]; }
  /// Refuses the command that makes rounds.
  mlir::InFlightDiagnostic refuseRounds() const;
  /// The cut of a variable; null if none cuts it.
  const CellCut *cutOf(unsigned variable) const;

private:
  mlir::InFlightDiagnostic refuse() const;
  void findLabels();
  bool makesRounds() const;
  mlir::LogicalResult makeRounds();
  mlir::LogicalResult rotate();
  bool cutsCells() const;
  mlir::LogicalResult cut();
  std::optional<unsigned> axisOf(llvm::StringRef text);
  std::optional<unsigned> freeAxisOf(llvm::StringRef text);
  mlir::LogicalResult cutEntries(unsigned axis);
  llvm::SmallVector<unsigned> variablesOf(llvm::StringRef label) const;
  ta::AccessOp accessNamed(llvm::StringRef operand);
  void dropPositions();
  CellAxis *findCells(llvm::StringRef cells);
  mlir::LogicalResult distribute();
  mlir::LogicalResult communicate();
  mlir::LogicalResult keep();
  mlir::Attribute renamed(mlir::Attribute argument) const;
  std::string freshName(llvm::StringRef label) const;
  mlir::AffineMap placeOf(ta::AccessOp access) const {
    return statement.placeOf(access.getMap(), access.getIndices());
  }
  bool follow(mlir::RankedTensorType type, mlir::AffineMap place, ta::AccessOp leader = {});
  llvm::SmallVector<ta::AccessOp> largestFirst();

  const IndexStatement &statement;
  mlir::ModuleOp module;
  llvm::SmallVector<std::string> names;
  llvm::StringMap<std::string> inner; // the labels of what cells have, by what they stand for
  llvm::StringSet<> distributedLabels, communicatedLabels; // of any command
  std::optional<mlir::Location> placeOfRounds;
  llvm::StringMap<mlir::Location> distributed; // the commands, by the labels that they take
  ta::CommandAttr command;
  std::optional<mlir::Location> place;
};

} // namespace strata

#endif // STRATA_LOWER_TA_CELLSCHEDULE_H
