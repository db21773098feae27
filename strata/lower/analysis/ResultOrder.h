// A ResultOrder says in which orders of a statement's loops its result can be stored.
//
// One that is appended to: the variables of its levels, down to the last that stores anything, in
// storage order, all before any variable of a reduction. One that is counted first: the levels down
// to the counted one in any order, those below in storage order, and each entry is reached once.
// One that is gathered: the levels above the gathered one like one that is appended to, the rest in
// any order. A list takes anything that it may add up.
#ifndef STRATA_LOWER_ANALYSIS_RESULTORDER_H
#define STRATA_LOWER_ANALYSIS_RESULTORDER_H

#include "strata/lower/analysis/IndexStatement.h"

namespace strata {

class ResultOrder {
public:
  /// `parts`: the labels that loops run over from block to block, all of these around those over
  /// the places in the blocks.
  ResultOrder(const IndexStatement &statement, Assembly assembly,
              llvm::ArrayRef<VariableBlocks> parts = {});

  /// The variable whose loop must run in blocks, if there is one: nothing may be walked at it.
  std::optional<VariableBlocks> blocksOf() const { return blocks; }

  /// True if the coordinates of `variable` have to come in order for the result's sake. They need
  /// not at a level that takes them unordered; but what is appended below the places of a level
  /// must come in the order of these places, unless it is counted.
  bool wantsOrder(unsigned variable) const;

  /// True if coordinates of `variable` that come again, apart, would be stored again.
  bool storesAgain(unsigned variable) const;

  /// True if the loop over `variable` may follow those over the variables in `bound`. `next` is the
  /// level that waits for its variable, and moves on. If it may not, `why` says what stands against
  /// it.
  bool admits(unsigned &next, unsigned variable, const llvm::SmallBitVector &bound,
              std::string &why) const;

  /// True if loops in this order come to the result in an order in which it takes coordinates.
  bool takes(llvm::ArrayRef<unsigned> order) const;

  /// Of a result that is counted first: true if a coordinate is counted with each entry, and not
  /// with each of the places that are stored below it.
  bool countsEntries() const;

  /// Of a result that is counted first: true if the entries of an operand, as they are stored, come
  /// to each parent of the counted level in the order of its children.
  bool takesAsStored(const AccessPath &from) const;

private:
  bool hasPlaces(unsigned level) const;
  std::string scattered(unsigned variable) const;
  bool sumsInPlace(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  bool followsNumbering(unsigned variable, const llvm::SmallBitVector &bound,
                        std::string &why) const;
  bool followsCounted(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  std::optional<unsigned> variableOf(unsigned level) const;
  bool followsAppended(unsigned &next, unsigned variable, std::string &why) const;
  bool comesAbove(unsigned level, unsigned variable) const;

  const IndexStatement &statement;
  llvm::SmallVector<VariableBlocks> parts;
  bool lists, appends;
  std::optional<VariableNumbering> numbering;
  std::optional<unsigned> counted; ///< the level that is counted first
  std::optional<VariableBlocks> blocks;
  unsigned ordered; ///< levels that are appended to in order
};

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_RESULTORDER_H
