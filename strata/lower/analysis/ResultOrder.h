// What the result of a statement asks of the order of its loops.
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
  ResultOrder(const IndexStatement &statement, Assembly assembly);

  /// The variable whose loop must run in blocks, if there is one: nothing may be walked at it.
  std::optional<VariableBlocks> blocksOf() const { return blocks; }

  /// Do the coordinates of `variable` have to come in order for the result's sake? Not to a level
  /// that takes them unordered; but what is appended below the places of a level must come in the
  /// order of these places, unless it is counted.
  bool wantsOrder(unsigned variable) const;

  /// Would coordinates of `variable` that come again, apart, be stored again?
  bool storesAgain(unsigned variable) const;

  /// May the loop over `variable` follow those over the variables in `bound`? `next` is the level
  /// that waits for its variable, and moves on. If it may not, `why` says what stands against it.
  bool admits(unsigned &next, unsigned variable, const llvm::SmallBitVector &bound,
              std::string &why) const;

  /// If it is counted first: is a coordinate counted with each entry, and not with each of the
  /// places that are stored below it?
  bool countsEntries() const;

  /// If it is counted first: do the entries of an operand, as they are stored, come to each parent
  /// of the counted level in the order of its children?
  bool takesAsStored(const AccessPath &from) const;

private:
  bool hasPlaces(unsigned level) const;
  std::string scattered(unsigned variable) const;
  bool sumsInPlace(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  bool followsNumbering(unsigned variable, const llvm::SmallBitVector &bound,
                        std::string &why) const;
  bool followsCounted(unsigned variable, const llvm::SmallBitVector &bound, std::string &why) const;
  bool followsAppended(unsigned &next, unsigned variable, std::string &why) const;
  bool comesAbove(unsigned level, unsigned variable) const;

  const IndexStatement &statement;
  bool lists, appends;
  std::optional<VariableNumbering> numbering;
  std::optional<unsigned> counted; ///< the level that is counted first
  std::optional<VariableBlocks> blocks;
  unsigned ordered; ///< levels that are appended to in order
};

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_RESULTORDER_H
