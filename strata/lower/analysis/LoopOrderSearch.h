// Searches the order of a statement's loops.
#ifndef STRATA_LOWER_ANALYSIS_LOOPORDERSEARCH_H
#define STRATA_LOWER_ANALYSIS_LOOPORDERSEARCH_H

#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/ResultOrder.h"
#include "strata/lower/analysis/ScheduledOrder.h"

#include "llvm/ADT/DenseSet.h"

namespace strata {

/// How many loops may take all values of what few are stored of, and how many walks may begin again
/// in vain (LoopPlan::rewalks); and whether more were wanted.
struct PlanLimit {
  static constexpr unsigned any = ~0u;
  unsigned sweeps, rewalks;
  bool countsRewalks;
  bool sweepsReached = false, rewalksReached = false;
};

/// Searches the plan of a statement (Plan.h), which keeps what it returns.
std::optional<LoopPlan> chooseLoopOrder(const IndexStatement &statement,
                                        const llvm::SmallPtrSetImpl<mlir::Operation *> &exempt,
                                        std::string &why, Assembly preferred);

/// Tells whether windows on operands may begin inside a block: then parts of labels are no blocks.
bool mayBeWindowed(const IndexStatement &statement);

/// Finds one order in which every access can be walked and the result stored, depth first by
/// preferences (the topological orders of 004 section 4.1, and those that maps add). What is exempt
/// will be converted to the order that is found.
class LoopOrderSearch {
public:
  LoopOrderSearch(const IndexStatement &statement,
                  const llvm::SmallPtrSetImpl<mlir::Operation *> &exempt, std::string &why,
                  Assembly assembly, PlanLimit &limit);

  /// The order in which the sole driver is stored, where loops over single variables (`plain`, if
  /// there are such) would jump about in it: locate levels below those that they walk.
  std::optional<LoopPlan> joinedOrder(const llvm::SmallVector<unsigned> *plain) const;
  /// The order in which that operand is stored, if one loop over its entries may come first.
  std::optional<LoopPlan> storedOrder(mlir::Operation *driver,
                                      const llvm::SmallVector<unsigned> *plain) const;

  /// One loop over the entries of a list whose coordinates repeat but for the last: there are no
  /// runs to find the ends of.
  std::optional<LoopPlan> listOrder() const;

  /// One loop over all entries, as they are stored, where they come to a result that is counted
  /// first in order, though loops over single variables cannot walk them: those in blocks that are
  /// lists.
  std::optional<LoopPlan> blockOrder() const;
  /// The blocks of the result that are gathered, if it has such.
  std::optional<VariableBlocks> blocksOf() const { return resultOrder.blocksOf(); }
  /// The first order that is found; nothing if there is none, with the reason in `why`.
  std::optional<LoopPlan> run();

private:
  std::optional<LoopPlan> copiedOrder() const;
  static bool jumps(const AccessPath &path, llvm::ArrayRef<unsigned> order);

  /// An access, and the next of its levels that no loop reaches yet.
  struct Walk {
    mlir::Operation *op;
    const AccessPath *path;
    unsigned next;
  };
  static unsigned levelsWithoutTail(ta::FormatAttr format);
  /// Of a variable: the first level of sparse operands that depends on it, accesses that end with
  /// it, accesses that go on below it, with another sign, and its number. Smaller ones are further
  /// out.
  using Rank = std::tuple<unsigned, unsigned, int, unsigned>;
  void rank();
  void placeRunning(llvm::MutableArrayRef<Rank> keys) const;
  bool sumsAllow(unsigned variable);
  bool extend(llvm::SmallVectorImpl<unsigned> &order);

  /// One access at a loop: how it takes part.
  struct Part {
    mlir::Operation *op;
    const AccessPath *path;
    PathPiece piece;
    bool walks() const { return piece.compose && !piece.full; }
  };
  bool bindAll(unsigned variable);
  bool rewalk(unsigned variable, llvm::ArrayRef<Part> parts, llvm::ArrayRef<const Part *> walked,
              const llvm::SmallBitVector &merged);
  static bool asksBelow(const Part &part);
  bool beginsAgain(const AccessPath &path) const;
  bool sweepsOver(unsigned variable, llvm::ArrayRef<Part> parts) const;
  static bool isBelowStored(const AccessPath &path, const PathPiece &piece);
  static bool storesFew(const AccessPath &path, unsigned variable);
  bool isOfSparse(unsigned variable) const;
  bool inBlocks(unsigned variable) const { return blocksOf() && blocksOf()->variable == variable; }
  bool accompanied(llvm::ArrayRef<const Part *> walked, const llvm::SmallBitVector &others) const;
  llvm::SmallBitVector mergedOf(llvm::ArrayRef<const Part *> walked) const;
  bool canMerge(unsigned variable, llvm::ArrayRef<const Part *> walked,
                const llvm::SmallBitVector &left);
  bool refuse(llvm::StringRef what, unsigned variable, llvm::StringRef where);
  bool addsUpEntries() const;
  bool isSummedInside(unsigned variable, mlir::Operation *access) const;
  bool toleratesDisorder(unsigned variable, const Part &part, bool sole);

  const IndexStatement &statement;
  std::string &why;
  std::optional<ScheduledOrder> scheduled;
  ResultOrder resultOrder;
  PlanLimit &limit;
  bool fixed; ///< the loops may run in no other order than the one preferred
  llvm::SmallBitVector bound;
  llvm::SmallVector<Walk> walks;
  llvm::SmallVector<Walk> converted; ///< their levels will be in the order of the loops
  llvm::SmallVector<unsigned> swept; ///< the variables of such loops
  llvm::SmallVector<std::pair<unsigned, mlir::Operation *>> rewalked;
  llvm::SmallVector<unsigned> preferred;
  /// Sets of variables that begin no order, with so many loops over all values and so many walks
  /// that begin again among them.
  llvm::DenseSet<std::tuple<llvm::SmallBitVector, size_t, size_t>> dead;
  unsigned steps = 0;
};

} // namespace strata

#endif // STRATA_LOWER_ANALYSIS_LOOPORDERSEARCH_H
