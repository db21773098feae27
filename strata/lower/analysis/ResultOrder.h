// A ResultOrder says in which orders of loops a result can be stored: those that a statement may
// get, or those of a kernel, as they are.
//
// One that is appended to: the variables of its levels, down to the last that stores anything, in
// storage order, all before any variable of a reduction. One that is counted first: the levels down
// to the counted one in any order, those below in storage order, and each entry is reached once.
// One that is gathered: the levels above the gathered one like one that is appended to, the rest in
// any order. A list takes anything that it may add up.
#ifndef STRATA_LOWER_ANALYSIS_RESULTORDER_H
#define STRATA_LOWER_ANALYSIS_RESULTORDER_H

#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/LoopNest.h"

namespace strata {

/// Tells whether the places of a format follow from all entries together, unless somebody has
/// counted these before.
bool placesFollowEntries(ta::FormatAttr format);

/// The loops over the values of a label: one, or those over its parts and over the values of a
/// part.
struct LabelLoops {
  unsigned first;
  std::optional<unsigned> within;
};

/// Those whose variables a coordinate is; nothing if it is something else.
std::optional<LabelLoops> loopsOfLabel(mlir::AffineExpr coordinate, const LoopNest &nest);

class ResultOrder {
public:
  /// `parts`: the labels that loops run over from block to block, all of these around those over
  /// the places in the blocks.
  ResultOrder(const IndexStatement &statement, Assembly assembly,
              llvm::ArrayRef<VariableBlocks> parts = {});

  /// Of the loops of a kernel, whose result `path` outlives this: it is begun afresh, and its
  /// pattern is not there yet.
  ResultOrder(mlir::func::FuncOp kernel, const LoopNest &nest, const AccessPath &path);

  /// The variable whose loop must run in blocks, if there is one: nothing may be walked at it.
  std::optional<VariableBlocks> blocksOf() const { return blocks; }

  /// True if the coordinates of `variable` have to come in order for the result's sake. They need
  /// not at a level that takes them unordered; but what is appended below the places of a level
  /// must come in the order of these places, unless it is counted.
  bool wantsOrder(unsigned variable) const;

  /// True if coordinates of `variable` that come again, apart, would be stored again.
  bool storesAgain(unsigned variable) const;

  /// True if the loop over `variable` may follow those over the variables in `bound`. If it may
  /// not, `why` says what stands against it.
  bool admits(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;

  /// True if loops in this order come to the result in an order in which it takes coordinates.
  bool takes(llvm::ArrayRef<unsigned> order) const;

  /// True if several assignments, one after the other, can store it.
  bool takesParts() const { return !appends || ordered == 0 || (lists && takesTerms); }

  /// Of a result that is counted first: true if a coordinate is counted with each entry, and not
  /// with each of the places that are stored below it.
  bool countsEntries() const;

  /// Of a result that is counted first: true if the entries of an operand, as they are stored, come
  /// to each parent of the counted level in the order of its children.
  bool takesAsStored(const AccessPath &from) const;

private:
  /// A variable as the result sees it.
  struct Variable {
    llvm::StringRef name;
    bool isSum;      ///< the result has no coordinate of it
    bool mayScatter; ///< of a sum: its terms may reach an entry again, apart
  };
  void findOrdered(std::optional<unsigned> gathered);
  bool storesNothing(unsigned level) const;
  std::string scattered(unsigned variable) const;
  bool follows(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  bool sumsInPlace(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  bool followsNumbering(unsigned variable, const llvm::SmallBitVector &bound,
                        std::string &why) const;
  bool followsCounted(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  unsigned firstOpen(const llvm::SmallBitVector &bound) const;
  bool followsAppended(unsigned variable, const llvm::SmallBitVector &bound,
                       std::string &why) const;
  bool comesAbove(unsigned level, unsigned variable) const;

  const AccessPath &path;
  llvm::SmallVector<VariableBlocks> parts;
  llvm::SmallVector<Variable> variables;
  bool lists, appends;
  bool waitsForAll; ///< its places follow from all entries together
  std::optional<VariableNumbering> numbering;
  std::optional<unsigned> counted; ///< the level that is counted first
  std::optional<VariableBlocks> blocks;
  unsigned ordered; ///< levels that are appended to in order
  /// Of these: the variables whose loops give the level its coordinates one after the other. None
  /// where they do not.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> own;
  bool takesTerms = true; ///< one after the other at the same place, as they are added up
};

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_RESULTORDER_H
