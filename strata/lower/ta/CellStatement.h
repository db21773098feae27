// A statement of which each cell of a machine computes a part, of the pieces that it has or gets.
#ifndef STRATA_LOWER_TA_CELLSTATEMENT_H
#define STRATA_LOWER_TA_CELLSTATEMENT_H

#include "strata/lower/ta/CellSchedule.h"

namespace strata {

/// The tensor, placed and stored as the type says. What is scattered goes there at once.
mlir::Value moved(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tensor,
                  mlir::RankedTensorType type, mlir::StringAttr reason);

class CellStatement {
public:
  /// `reason` says why operands move; without one nobody is told. The statement and the schedule
  /// outlive this.
  CellStatement(const IndexStatement &statement, const CellSchedule &schedule,
                mlir::StringAttr reason)
      : op(statement.op), statement(statement), schedule(schedule), reason(reason),
        leaders(schedule.leaders()), b(op) {}

  /// Finds what cells need of each tensor; fails, and says why, where that is no piece. Changes
  /// nothing.
  mlir::LogicalResult check();
  /// The result in pieces, as cells compute it. Needs a check that did not fail.
  mlir::Value build();
  /// Has the result just the entries of the operand of which cells have as many each, or just its
  /// first levels?
  bool hasEntriesOfLeader() const;

private:
  static constexpr unsigned notListed = ~0u;
  /// A dimension at which a tensor is read around the place of a label: the value v of a variable
  /// reaches coordinates from v + least to v + most.
  struct Reached {
    unsigned variable, dim;
    int64_t least, most;
  };
  /// A tensor as the statement needs it: with a piece for each cell.
  struct Operand {
    mlir::Value tensor;
    ta::PlacementAttr placement;
    llvm::SmallVector<unsigned> listed;  ///< of each dimension: the variable whose list cells have
    mlir::Attribute format;              ///< of the pieces
    std::optional<unsigned> window = {}; ///< the dimension of which a round has a chunk
    std::optional<Reached> reached = {}; ///< what the list of one of `listed` is then
    mlir::Value piece = {};

    bool hasLists() const { return !listedDims(listed).empty(); }
    /// By how much the coordinates of a dimension are less on a cell, besides where it begins.
    int64_t shiftOf(unsigned dim) const {
      return reached && reached->dim == dim ? reached->least : 0;
    }
  };
  /// A dimension whose coordinate a label is.
  struct Use {
    unsigned operand, dim;
  };

  /// The dimensions whose coordinate a variable is.
  static llvm::SmallVector<unsigned> dimsOf(mlir::AffineMap place, unsigned variable);
  static llvm::SmallVector<unsigned> listedDims(llvm::ArrayRef<unsigned> listed);
  mlir::RankedTensorType typeOf(mlir::Value tensor) const;
  bool computesWith(unsigned variable) const;
  mlir::LogicalResult checkCoordinates();
  mlir::LogicalResult checkRounds(const CellRounds &rounds);
  mlir::LogicalResult checkEntries(const EntryCut &cut);
  mlir::AffineMap placeOf(ta::AccessOp access) const;
  ta::PlacementAttr placementAt(mlir::AffineMap place, llvm::StringRef tensor);
  ta::PlacementAttr placementOfLeader(ta::PlacementAttr placement) const;
  bool isLeader(ta::AccessOp access) const { return llvm::is_contained(leaders, access); }
  bool hasCut(ta::AccessOp access);
  bool hasEntriesOf(ta::AccessOp leader, llvm::ArrayRef<unsigned> variables) const;
  ta::AccessOp findModel();
  // Labels of neighbours (ReachStatement.cpp)
  bool reaches(unsigned variable) const { return reachedVariable == variable; }
  std::optional<unsigned> findReached();
  mlir::LogicalResult checkReached();
  mlir::LogicalResult checkReached(mlir::AffineMap place, llvm::StringRef tensor);
  std::optional<Reached> reachedAt(mlir::AffineMap place) const;
  bool needsInit();
  mlir::Value reachOf(mlir::Value tensor, const Reached &reached);
  mlir::Value reachExtent(unsigned variable);
  void shiftAccesses(ta::ComputeOp local);
  mlir::Value scatteredInto();
  mlir::Value sizeOf(mlir::Value tensor, unsigned dim);
  // Lists of what cells need
  bool hasToCome(ta::AccessOp access);
  llvm::SmallVector<mlir::Operation *> sourcesOf(unsigned variable);
  llvm::SmallVector<unsigned> listedAt(mlir::AffineMap place) const;
  mlir::Value listOf(unsigned variable);
  llvm::SmallVector<mlir::Value> listsOf(llvm::ArrayRef<unsigned> listed);
  llvm::SmallVector<mlir::Value> listsOf(const Operand &operand);
  // Operands
  std::optional<unsigned> add(mlir::Value tensor, mlir::AffineMap place, bool leads = false);
  mlir::Value placed(mlir::Value tensor, ta::PlacementAttr placement, mlir::Attribute format);
  bool isEverywhere(const Operand &operand) const;
  mlir::Value homeOf(const Operand &operand, unsigned dim);
  mlir::Value fetched(const Operand &operand);
  llvm::SmallVector<mlir::Value> placeOperands();
  // The statement of a cell
  mlir::Value extentOf(unsigned variable);
  llvm::SmallVector<mlir::Value> sizesOfResult();
  mlir::Value computePieces();
  mlir::RankedTensorType resultType() const;
  mlir::Value beginning();
  void addRounds(ta::DistributeOp cells);
  mlir::Value distributed();
  bool numbersCells(unsigned dim) const;
  mlir::Value scattered(mlir::Value parts);
  mlir::Value scatteredLikeModel();

  ta::ComputeOp op;
  const IndexStatement &statement;
  const CellSchedule &schedule;
  mlir::StringAttr reason;
  llvm::SmallVector<mlir::Operation *> leaders;
  mlir::OpBuilder b;
  llvm::SmallVector<Operand> operands;
  llvm::SmallVector<llvm::SmallVector<Use>> uses;                  // of each variable
  llvm::SmallVector<llvm::SmallVector<mlir::Operation *>> sources; // of the list of each variable
  llvm::SmallVector<unsigned> accessed;                            // the operand of each access
  llvm::DenseMap<mlir::Operation *, unsigned> operandOf;           // the same
  std::optional<unsigned> masked, updated;
  /// The result has just the entries of what this reads, each on the cell that has it; null if that
  /// is not known.
  ta::AccessOp model;
  /// The label that cells share by intervals of the result, which they do not reach by its values
  /// themselves: they compute at lists of its values.
  std::optional<unsigned> reachedVariable;
  mlir::Value carried; ///< in rounds: a cell's piece of what they have computed so far
  ta::PlacementAttr result;
  llvm::SmallVector<unsigned> listedInResult; ///< of each dimension, as of operands
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> known;
  llvm::DenseMap<unsigned, mlir::Value> lists;
  llvm::SmallVector<ta::ReachOp> reachLists;
  llvm::DenseMap<unsigned, std::string> whyListed;
  llvm::SmallVector<mlir::Value> extents; // on a cell, of the variables
};

} // namespace strata

#endif // STRATA_LOWER_TA_CELLSTATEMENT_H
