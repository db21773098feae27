// A ta.compute as the analyses see it: numbered index variables, accesses, reductions.
#ifndef STRATA_LOWER_ANALYSIS_INDEXSTATEMENT_H
#define STRATA_LOWER_ANALYSIS_INDEXSTATEMENT_H

#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/analysis/AccessPath.h"
#include "strata/lower/analysis/SlotNumbering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace strata {

/// An index variable of a statement.
struct IndexVariable {
  mlir::Value argument; ///< the region argument that stands for it
  mlir::Value extent;
  std::string name;
  ta::ReduceOp reduction; ///< null for variables of the left side
};

class IndexStatement {
public:
  explicit IndexStatement(ta::ComputeOp op);

  mutable ta::ComputeOp op; // accessors of ops are not const
  llvm::SmallVector<IndexVariable> variables;
  llvm::MapVector<mlir::Operation *, AccessPath> accesses; ///< by ta.access
  AccessPath result;

  unsigned numberOf(mlir::Value variable) const { return numbers.lookup(variable); }
  /// A place given by `map` applied to `indices`, over all of the statement's variables.
  mlir::AffineMap placeOf(mlir::AffineMap map, mlir::ValueRange indices) const;
  mlir::AffineMap resultPlace() const;
  /// The variables that the computation of `value` uses, but for those that reductions in it bind.
  llvm::SmallBitVector freeVariables(mlir::Value value) const;
  /// The variables for all values of which a reduction's values can be computed together, in a
  /// workspace (GatheredSums.h). The loops over them may be inside those of the reduction.
  llvm::SmallBitVector gatheredVariables(ta::ReduceOp reduce) const;
  /// The reduction that makes the whole right side, if there is one that can accumulate in place.
  ta::ReduceOp rootReduction() const;
  /// Does a fresh result begin as the identity of `combine`?
  bool beginsAs(ta::Combine combine) const;
  /// The access, if there is one, without which nothing has an effect, beside a result that has
  /// places for everything, and operands that have them, or in which coordinates are found, or that
  /// will be `converted`, to be used one entry at a time: it may be walked alone, in the order of
  /// its storage.
  mlir::Operation *soleDriver(llvm::function_ref<bool(mlir::Operation *)> converted =
                                  [](mlir::Operation *) { return false; }) const;
  /// The variables that have a value where an operation of the statement stands.
  llvm::SmallBitVector variablesAround(mlir::Operation *inner) const;
  /// The constant that `value` is where these accesses are absent, if it is one.
  static ta::Known knownWithout(mlir::Value value, llvm::ArrayRef<mlir::Operation *> absent);
  /// Tells whether `combine` combines nothing with `value` where these accesses are absent.
  static bool addsNothingWithout(mlir::Value value, ta::Combine combine,
                                 llvm::ArrayRef<mlir::Operation *> absent);
  /// Does the statement have no effect wherever all of these accesses are absent? Searches ask the
  /// same of the same few accesses again and again, so answers are kept.
  bool isEssential(llvm::ArrayRef<mlir::Operation *> accesses) const;
  /// Has the result a level that appends?
  bool appendsResult() const;
  /// Is the result a list, to which entries are appended in any order, and the same ones again?
  bool listsResult() const;
  /// Must a reduction be finished before it is stored? A list adds up what is alike, nothing else.
  bool listsOnlyWhole(ta::ReduceOp reduce) const;
  /// The level of the result that can be assembled by counting first (lvl.count), if there is one:
  /// below levels with a place for everything, above none that would have to count, too; and every
  /// level stores an index variable of its own.
  std::optional<unsigned> countableLevel() const;

  /// Do the places of the result follow from all its entries together (slots)?
  bool countsResult() const;
  /// The level of the result whose slots the loops number, if they do (SlotNumbering.h).
  std::optional<VariableNumbering> numbering() const;
  /// The level of the result whose entries below one parent may be gathered.
  std::optional<unsigned> gatherable() const;

private:
  bool fillsBelow(unsigned counted) const;
  void number(mlir::Block::BlockArgListType arguments, mlir::ValueRange extents,
              std::optional<mlir::ArrayAttr> names, ta::ReduceOp reduction);
  bool hasNoEffectWithout(llvm::ArrayRef<mlir::Operation *> accesses) const;

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  mutable std::map<llvm::SmallVector<mlir::Operation *>, bool> essential; ///< what was asked
};

/// Is that the size of a tensor's dimension, so far as the program tells?
bool isSizeOf(mlir::Value extent, mlir::Value tensor, unsigned dim);

/// The tensor that a statement copies, entry by entry, to another format: `B[i, j] = A[i, j]`; null
/// if it does anything else.
mlir::Value copiedBy(ta::ComputeOp op);
/// Is it known to copy all of that tensor: is each extent the size of the dimension?
bool copiesWhole(ta::ComputeOp op);

/// Does it copy to or from a sum of storages? These are divided and joined without loops of ours.
bool convertsSum(ta::ComputeOp op);
/// Is it left to the conversion between the formats, since loops of its own could not store what it
/// copies? That makes a tensor in a format with slots from another, or divides and joins sums.
bool isConversion(ta::ComputeOp op);

/// How a result is assembled (docs/rationale/Results.md).
enum class Assembly {
  InOrder,  ///< as the loops reach it
  Counted,  ///< its entries are counted first
  Gathered, ///< what lies below one parent is gathered in a workspace first
};

/// An order of the loops, and how the result is assembled in it.
struct LoopPlan {
  llvm::SmallVector<unsigned> order;
  Assembly assembly = Assembly::InOrder;
  /// The first so many variables are bound together, by walking one operand as it is stored.
  unsigned joined = 0;
  /// The variables of loops inside others that take all values, though operands store few of them:
  /// where these are stored otherwise, loops take these alone.
  llvm::SmallVector<unsigned> sweeps = {};
  /// The loops, by their variables, that walk an operand again for each value of a variable which
  /// it does not have, though another operand may have nothing at what is reached: a merge inside
  /// of the loop over another operand's rows. Where one of the two is looked up, that is not so.
  llvm::SmallVector<std::pair<unsigned, mlir::Operation *>> rewalks = {};
  /// The loop over this variable runs in blocks: the result's entries below each are gathered.
  std::optional<VariableBlocks> blocks;
  /// The loops run from block to block of these labels, and inside of them over the places in each.
  llvm::SmallVector<VariableBlocks> parts = {};
};

/// The assembly that a kernel asks for, which is tried first.
Assembly preferredAssembly(mlir::func::FuncOp kernel);

/// Does the tensor that is accessed store some places only?
bool isSparse(ta::AccessOp access);

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_INDEXSTATEMENT_H
