// Turns one kernel from loops over index variables into walks over coordinate hierarchies: what the
// parts share: statements (CinToLvl.cpp), loops (KernelLoops.cpp), whether the result takes what
// comes in their order (CheckResult.cpp), which of them threads share (SharedLoops.cpp), what
// operands do in them (Participants.cpp), what comparisons of labels leave of them
// (LabelBounds.cpp) and which sums go on from round to round (RunningSums.cpp), loops that are one
// (JoinedLoops.cpp), loops that are a contraction of dense tensors (ContractLoops.cpp), loops over
// chunks of what others take (ChunkLoops.cpp), padding that they pass over (SkipPadding.cpp), and
// sums that parts of a loop have of their own (PartialSums.cpp).
#ifndef STRATA_LOWER_LVL_KERNELCONVERTER_H
#define STRATA_LOWER_LVL_KERNELCONVERTER_H

#include "strata/dialect/cin/Cin.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/level/LevelFormat.h"
#include "strata/lower/analysis/AccessPath.h"
#include "strata/lower/analysis/DenseContraction.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LabelComparisons.h"
#include "strata/lower/analysis/LoopNest.h"
#include "strata/lower/analysis/ResultOrder.h"
#include "strata/lower/cin/MergeLattice.h"
#include "strata/lower/lvl/LateClosing.h"
#include "strata/lower/lvl/OpenPresence.h"
#include "strata/lower/lvl/ResultWalk.h"
#include "strata/lower/lvl/RowWorkspace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace strata {

/// What code generation has to obey of a loop's mark. Threads are given out with the loops here.
inline ta::MarkAttr markBelow(cin::ForallOp forall) {
  return forall.isInThreads() ? ta::MarkAttr() : forall.getMarkAttr();
}

/// Adds to `absence` whether a comparison holds.
inline void decide(const LabelComparison &one, bool holds, Absence &absence) {
  for (mlir::Operation *op : one.ops)
    absence.truths[op] = holds;
}

class KernelConverter {
public:
  /// What of the code for the cases of merges is shared, and how much of it there may be.
  struct Sharing {
    /// Loops inside fewer loops than these have one body for all cases, which asks at run time what
    /// is there (`predicates` of lvl.coiterate), instead of a body for each case.
    unsigned loops = 0;
    /// More code is not made, as an estimate of operations after lowering.
    double mostCode = 0;
  };
  /// `vectorBytes`: of the processor's vectors; 0 where no contractions are wanted.
  KernelConverter(mlir::func::FuncOp kernel, mlir::OpBuilder &b, Sharing sharing,
                  int64_t vectorBytes)
      : kernel(kernel), b(b), nest(kernel), comparisons(labelComparisons(kernel, nest)),
        sharing(sharing), vectorBytes(vectorBytes) {}
  mlir::LogicalResult run();
  /// Of `loops`, the outermost ones that are marked: those whose values threads can share, all of
  /// them at once. None if the kernel cannot be converted, or another outermost loop has to run on
  /// one thread. It takes the place of run(), and the kernel is useless afterwards.
  llvm::SmallBitVector findShareable(llvm::ArrayRef<cin::ForallOp> loops);
  /// Tells whether sums go on from one value of the loop to the next, on one thread.
  bool hasRunningSums(cin::ForallOp forall) const { return !runningSums(forall).empty(); }
  /// Did run() fail, without a diagnostic, only because of `mostCode`?
  bool isTooLarge() const { return code > sharing.mostCode; }

private:
  // How far the walk of one access has come.
  struct Cursor {
    mlir::Value path;
    unsigned next = 0;
  };

  // The part of an operand, or of the tuples, that the loops of a group take at a time.
  struct Chunk {
    std::optional<unsigned> leader;         ///< the access whose entries they take; else tuples
    llvm::SmallVector<cin::ForallOp> loops; ///< from the outside in
    unsigned firstLevel = 0;                ///< of the leader: each loop walks one, from here on
    bool isInOrder = true;                  ///< the entries ascend, and each position has one
    llvm::SmallVector<PositionRange> all =
        {}; ///< of each loop: the positions, or numbers, there are
    llvm::SmallVector<PositionRange> own = {}; ///< ... and those of the chunk
  };

  // The values that a loop's variable takes.
  struct LoopRange {
    mlir::Value first;    ///< null: 0; else the loop counts from there, and its iterators do
    mlir::Value extent;   ///< how many there are
    bool bounded = false; ///< by comparisons: there may be others, at which there is nothing to do
  };

  // Sums that each part of a loop has of its own, for the loop runs in threads and several parts
  // write to the same places of the result.
  struct PartialSums {
    RowWorkspace sums;                         ///< for each part: of all those places
    llvm::SmallVector<unsigned> kept;          ///< the dimensions of the result that these have
    llvm::SmallVector<unsigned> boundary;      ///< variables: of the part's first entry alone
    mlir::Value part;                          ///< its number
    llvm::SmallVector<mlir::Value> first = {}; ///< the values of `boundary` there
    mlir::Value continues = {}; ///< do the part before and this one have an entry with these?
  };

  // A sum that goes on from one value of the loop around it to the next. The keys are those in
  // `carried` of what it has come to so far.
  struct RunningSum {
    cin::ForallOp around, loop; ///< `loop` is inside of `around`, and adds up
    mlir::Value sum;            ///< the scalar of a round
    mlir::Value total;          ///< the key of the sum of all values before `next`
    mlir::Value touched;        ///< the key of whether that has a term
    mlir::Value next;           ///< the key of the value at which it goes on
  };

  // What is known at a place in the loops; copied where control divides.
  struct Scope {
    llvm::DenseMap<unsigned, Cursor> cursors; ///< by access number
    Absence absence;
    /// Storage -> scalar, or the result -> its builder.
    llvm::MapVector<mlir::Value, mlir::Value> carried;
    /// Scalars of which it matters whether anything was assigned, and the result below what was
    /// appended early: the key in `carried` of that flag.
    llvm::MapVector<mlir::Value, mlir::Value> touched;
    /// As far as it matters for the entries of a sparse result, and for what is missing.
    llvm::SmallVector<OpenPresence> open;
    /// As far as it matters for values: what is not there may annihilate infinity and NaN.
    llvm::SmallVector<OpenPresence> annihilators;
    /// Of accesses that may be there or not, as the run decides: whether they are.
    llvm::DenseMap<unsigned, mlir::Value> flags;
    llvm::SmallDenseSet<unsigned, 2> entries; ///< accesses to what is known to be no padding
    /// How often what is emitted here will be, once all loops that merge are made.
    double copies = 1;
    /// Where slots are numbered: the key in `carried` of the next one.
    mlir::Value slot;
    ResultPosition result;
    llvm::SmallDenseMap<mlir::Value, Chunk, 2> chunks; ///< by the variable that numbers them
    std::optional<PartialSums> partial;
    llvm::SmallVector<RunningSum, 0> running;
    llvm::SmallBitVector bound;
    llvm::SmallVector<mlir::Value> indices;
  };

  // A value of the region of an assignment.
  struct Emitted {
    mlir::Value value;
    mlir::Value there = nullptr; ///< i1: it is not missing; null if that is certain
  };

  // An access at a loop: what binding the loop's variable makes of it.
  struct Participant {
    unsigned access;
    PathPiece piece;
    unsigned next; ///< first level after the piece
  };

  cin::BuildOp begin(Scope &scope);

  mlir::LogicalResult emitRetracting(Scope &scope, llvm::function_ref<mlir::LogicalResult()> body);
  mlir::LogicalResult emitGathering(std::optional<unsigned> before, Scope &scope,
                                    llvm::function_ref<mlir::LogicalResult()> body);
  mlir::LogicalResult emitWithin(llvm::ArrayRef<cin::ForallOp> loops, Scope &scope);
  mlir::LogicalResult emitTuple(llvm::ArrayRef<cin::ForallOp> loops, Scope &scope);
  llvm::SmallVector<Participant> tupleWalks(llvm::ArrayRef<cin::ForallOp> loops,
                                            const Scope &scope);
  AccessPath inWholeLabels(unsigned access, llvm::ArrayRef<cin::ForallOp> loops) const;
  std::string whyNotWindowed(unsigned access, llvm::ArrayRef<cin::ForallOp> loops) const;
  mlir::Value makeTupleIterator(unsigned access, llvm::ArrayRef<cin::ForallOp> loops,
                                const Scope &scope);
  void emitRequire(cin::RequireOp require);
  mlir::LogicalResult emitPasses(mlir::Block &statements, Scope &scope);
  mlir::LogicalResult emitBlock(mlir::Block &block, Scope &scope);
  mlir::LogicalResult emitWhere(cin::WhereOp where, Scope &scope);
  bool hasTermsAlike(cin::WhereOp where, mlir::Value row);
  bool decidesEntries(cin::WhereOp where, const Absence &untouched, const Scope &scope);
  bool mayAnnihilate(cin::WhereOp where, const Absence &untouched, const Scope &scope);
  mlir::Value emitAnnihilated(mlir::Operation *op, mlir::Value computed, const Scope &scope);
  mlir::LogicalResult emitIf(mlir::Value condition, mlir::Operation *statement, Scope &scope,
                             llvm::function_ref<mlir::LogicalResult(Scope &, bool)> branch);
  mlir::LogicalResult emitForall(cin::ForallOp forall, Scope &scope);
  mlir::LogicalResult emitPlain(cin::ForallOp forall, Scope &scope);
  mlir::LogicalResult emitContracted(cin::ForallOp head, Scope &scope);
  bool isReached(const DenseContraction &found, const Scope &scope) const;
  mlir::Value isWorthwhile(const DenseContraction &found, const DenseContraction::Term &term,
                           const Scope &scope);
  void emitContraction(const DenseContraction &found, const DenseContraction::Term &term,
                       bool overwrites, Scope &scope);
  struct Moves;
  Moves movesIn(const DenseContraction::Place &place, const DenseContraction::Term &term,
                const Scope &scope);
  mlir::LogicalResult emitJoined(cin::ForallOp outer, Scope &scope);
  mlir::LogicalResult emitChunks(cin::ForallOp forall, Scope &scope);
  mlir::LogicalResult findLoopsOf(cin::ForallOp forall, Chunk &chunk, const Scope &scope);
  mlir::LogicalResult findLevelsOf(cin::ForallOp forall, Chunk &chunk, const Scope &scope);
  mlir::LogicalResult checkTaken(cin::ForallOp forall, const Chunk &chunk) const;
  void findPositions(Chunk &chunk, const Scope &scope);
  llvm::SmallVector<mlir::Value> ancestorsOf(const Chunk &chunk, mlir::Value position,
                                             llvm::ArrayRef<mlir::Value> least);
  llvm::SmallVector<mlir::Value> ancestorsOf(const Chunk &chunk, mlir::Value position);
  void cut(Chunk &chunk, mlir::Value first, mlir::Value last);
  mlir::IntegerAttr cutChunks(cin::ForallOp forall, const Chunk &chunk, const Scope &scope);
  PositionRange childrenInChunk(cin::ForallOp forall, const Chunk &chunk, const Scope &scope);
  mlir::Value firstTuple(llvm::ArrayRef<cin::ForallOp> around, cin::ForallOp forall,
                         const Scope &scope);
  LoopRange rangeOfLeader(cin::ForallOp forall, const Chunk &chunk, const Scope &scope);
  LoopRange rangeInChunk(cin::ForallOp forall, const Chunk &chunk,
                         llvm::ArrayRef<Participant> iterated, llvm::ArrayRef<Participant> located,
                         const Scope &scope);
  llvm::SmallVector<mlir::Value> boundaryValues(const PartialSums &partial, const Chunk &chunk,
                                                llvm::ArrayRef<mlir::Value> positions,
                                                const Scope &scope);
  void findBoundary(const Chunk &chunk, llvm::ArrayRef<mlir::Value> first, Scope &scope);
  mlir::LogicalResult beginPartial(cin::ForallOp forall, const Chunk *chunk, mlir::Value count,
                                   Scope &scope);
  void enterPart(cin::ForallOp forall, const Chunk *chunk, Scope &scope);
  mlir::LogicalResult storePartial(cin::AssignOp assign, mlir::Value value, Scope &scope);
  mlir::LogicalResult addPartial(cin::ForallOp forall, const Chunk *chunk, mlir::Value count,
                                 mlir::Value size, Scope &scope);
  mlir::LogicalResult addKept(unsigned at, Scope &scope);
  std::optional<llvm::SmallVector<mlir::Value>> extentsBelow(cin::ForallOp parts) const;
  void fillPart(cin::ForallOp parts, Scope &scope);
  void takeVariable(unsigned variable, Scope &scope);
  /// The leader of a loop that takes its entries alone, or those of a chunk.
  std::optional<unsigned> leaderOf(cin::ForallOp forall, const Scope &scope) const;
  mlir::LogicalResult checkLed(cin::ForallOp forall, unsigned leader,
                               llvm::ArrayRef<Participant> iterated,
                               llvm::ArrayRef<unsigned> points) const;
  bool gathersInTuples(llvm::ArrayRef<cin::ForallOp> loops) const;
  mlir::LogicalResult checkRuns(cin::ForallOp forall, unsigned access, const Scope &scope) const;
  mlir::LogicalResult emitTuples(llvm::ArrayRef<cin::ForallOp> loops,
                                 llvm::ArrayRef<Participant> walks, llvm::ArrayRef<unsigned> cases,
                                 llvm::ArrayRef<mlir::Value> iterators,
                                 llvm::ArrayRef<mlir::Value> storages, const LateClosing *late,
                                 Scope &scope);
  bool asksInTuples(cin::ForallOp outer, llvm::ArrayRef<Participant> walks);
  bool storesInAnyCase(cin::ForallOp forall, const Scope &scope) const;
  mlir::LogicalResult emitLoop(cin::ForallOp forall, Scope &scope);
  mlir::LogicalResult emitBlocks(cin::ForallOp forall, Scope &scope,
                                 llvm::ArrayRef<Participant> located,
                                 llvm::ArrayRef<Participant> guarded);
  mlir::LogicalResult emitUniverse(cin::ForallOp forall, mlir::Value extent,
                                   const llvm::Twine &name, mlir::IntegerAttr pieces, Scope &scope,
                                   llvm::function_ref<mlir::LogicalResult(Scope &)> body,
                                   bool collects = false);
  mlir::ArrayAttr caseSets(llvm::ArrayRef<unsigned> cases);
  mlir::LogicalResult emitRegions(lvl::CoiterateOp loop, llvm::ArrayRef<unsigned> bound,
                                  llvm::ArrayRef<Participant> iterated,
                                  llvm::ArrayRef<unsigned> cases,
                                  llvm::ArrayRef<mlir::Value> storages, Scope &scope,
                                  llvm::function_ref<mlir::LogicalResult(Scope &)> body);
  llvm::SmallVector<unsigned> pointsOf(cin::ForallOp forall, llvm::ArrayRef<Participant> iterated,
                                       const Absence &absence);
  bool takesBounds(cin::ForallOp forall, const Scope &scope);
  LinearConditions decideComparisons(cin::ForallOp forall, Scope &scope);
  LoopRange within(cin::ForallOp forall, LoopRange range, const LinearConditions &conditions,
                   const Scope &scope);
  void leavePlaces();
  llvm::SmallVector<RunningSum, 0> runningSums(cin::ForallOp forall) const;
  void beginRunningSums(cin::ForallOp forall, llvm::ArrayRef<Participant> iterated, Scope &scope);
  void endRunningSums(cin::ForallOp forall, Scope &scope);
  bool goesOn(RunningSum running, const LinearConditions &conditions, const Scope &scope);
  mlir::Value goOn(cin::ForallOp loop, const LinearConditions &conditions, LoopRange &range,
                   Scope &scope);
  void keepTotal(cin::ForallOp loop, mlir::Value next, Scope &scope);
  llvm::SmallVector<const LabelComparison *> openComparisons(mlir::Operation *statement,
                                                             const Scope &scope) const;
  bool leaveNothing(cin::AssignOp assign, const Absence &decided, const Scope &scope) const;
  mlir::FailureOr<const LabelComparison *> decidingComparison(cin::AssignOp assign,
                                                              const Scope &scope) const;
  mlir::LogicalResult emitAssign(cin::AssignOp assign, Scope &scope);
  mlir::LogicalResult emitWhereThere(cin::AssignOp assign, Scope &scope);
  mlir::LogicalResult emitAssigned(cin::AssignOp assign, Scope &scope);
  mlir::LogicalResult emitStore(cin::AssignOp assign, mlir::Value value, Scope &scope);
  void emitResult(cin::AssignOp assign, mlir::Value value, Scope &scope);
  void noteTouched(mlir::Value target, Scope &scope);
  void emitRow(const RowWorkspace &row, cin::AssignOp assign, mlir::Value value,
               const Scope &scope);
  llvm::SmallVector<mlir::Value> coordinatesOf(mlir::AffineMap map, mlir::ValueRange variables,
                                               const Scope &scope);
  mlir::TypedAttr fillOfResult() const;
  mlir::Value replacementIn(cin::AssignOp assign) const;
  std::optional<mlir::Value> isNothing(mlir::Value value, mlir::TypedAttr fill, const Scope &scope,
                                       cin::AssignOp assign);
  std::optional<mlir::Value> replacedByNothing(cin::AssignOp assign, Scope &scope,
                                               llvm::DenseMap<mlir::Value, Emitted> &done);
  mlir::Value presenceOfOperands(mlir::Operation *op, Scope &scope,
                                 llvm::DenseMap<mlir::Value, Emitted> &done);
  Emitted emitValue(mlir::Value value, Scope &scope, llvm::DenseMap<mlir::Value, Emitted> &done);
  Emitted emitAccess(cin::AccessOp access, Scope &scope);
  Emitted emitScalar(mlir::Value storage, const Scope &scope);
  std::optional<Emitted> emitPresence(mlir::Operation *op, Scope &scope,
                                      llvm::DenseMap<mlir::Value, Emitted> &done);
  mlir::Value emitElement(mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands,
                          unsigned result);

  mlir::LogicalResult participantsOf(cin::ForallOp forall, const Scope &scope,
                                     llvm::SmallVectorImpl<Participant> &iterated,
                                     llvm::SmallVectorImpl<Participant> &located);
  bool canBeSearched(const Participant &participant) const;
  mlir::LogicalResult chooseLocated(cin::ForallOp forall, llvm::ArrayRef<unsigned> points,
                                    llvm::SmallVectorImpl<Participant> &iterated,
                                    llvm::SmallVectorImpl<Participant> &guarded,
                                    llvm::SmallVectorImpl<unsigned> &positions);
  mlir::LogicalResult checkSearchable(cin::ForallOp forall, llvm::ArrayRef<Participant> iterated,
                                      bool intersects);
  bool fillsApart(cin::ForallOp forall, const Scope &scope);
  mlir::LogicalResult checkParts(cin::ForallOp forall, llvm::ArrayRef<Participant> iterated,
                                 const Scope &scope) const;
  mlir::LogicalResult checkMergeable(cin::ForallOp forall, llvm::ArrayRef<Participant> iterated,
                                     bool merges, const Scope &scope);
  mlir::Value makeIterator(const Participant &participant, const Scope &scope, cin::ForallOp forall,
                           LoopRange range, bool dedup);
  llvm::SmallVector<mlir::Value> valuesFor(const NestAccess &access, const Scope &scope,
                                           llvm::ArrayRef<mlir::AffineExpr> uses);
  bool needsClamp(const Participant &participant, unsigned variable) const;
  mlir::ArrayAttr neutralsFor(cin::ForallOp forall, const Scope &scope,
                              llvm::ArrayRef<Participant> iterated);
  /// How many of `extent` values, or entries, a part has; the last may have fewer.
  mlir::Value partSizeOf(cin::ForallOp forall, mlir::Value extent);
  /// How many values the loop's variable takes here.
  mlir::Value extentOf(cin::ForallOp forall, const Scope &scope);
  LoopRange rangeOf(cin::ForallOp forall, llvm::ArrayRef<Participant> iterated,
                    llvm::ArrayRef<Participant> located, const Scope &scope);
  /// The pieces that threads share here, of those that are possible: an outermost loop's, if it is
  /// marked. Notes whether there are some; where operands may be absent a loop is emitted several
  /// times.
  mlir::IntegerAttr piecesFor(cin::ForallOp forall, mlir::IntegerAttr possible, const Scope &scope);
  /// Do the parts of a loop have sums of their own, as they write to the same places at once?
  bool hasPartialSums(cin::ForallOp forall, mlir::IntegerAttr pieces, const Scope &scope) const;
  /// Refuses loops in whose order the result cannot be stored.
  mlir::LogicalResult checkResult() const;
  mlir::LogicalResult checkStoredOnce() const;
  /// Refuses loops whose values are to be combined with the result's at once and cannot.
  mlir::LogicalResult checkAtomic();
  /// Fails, with an error, where a loop that is to run in threads is not.
  mlir::LogicalResult checkThreads();
  /// The last outermost loop that is not cut, sums that are scalars aside: outermost loops are cut
  /// together or not at all. Null if there is none.
  lvl::CoiterateOp findUncut();
  mlir::IntegerAttr cutInPieces(cin::ForallOp forall, mlir::Value iterator,
                                std::optional<unsigned> variable, const Scope &scope);
  mlir::IntegerAttr cutTuples(cin::ForallOp forall, unsigned access, lvl::IteratorOp iterator,
                              const Scope &scope);
  mlir::Value locate(const Participant &participant, Scope &scope, mlir::Value &found);
  /// Has a loop at this place one body for all cases?
  bool sharesCases(const Scope &scope) const { return scope.bound.count() < sharedLoops(scope); }
  /// As `loops` of Sharing; a survey, which is not run, shares all inside the outermost loops.
  unsigned sharedLoops(const Scope &scope) const {
    return isSurvey && scope.bound.any() ? nest.loops.size() : sharing.loops;
  }
  bool fillsRegion(lvl::CoiterateOp loop, size_t region, const Scope &scope) const;
  /// Whether an access is there is from here on what `flag` says; null: it is certain.
  void setPresence(unsigned access, mlir::Value flag, Scope &scope);
  mlir::LogicalResult spend(double operations, const Scope &scope);
  llvm::SmallVector<unsigned>
  visitedSets(cin::ForallOp forall, llvm::SmallVectorImpl<Participant> &iterated, Scope &scope);
  void bind(cin::ForallOp forall, Scope &scope, llvm::ArrayRef<Participant> located,
            llvm::SmallVectorImpl<Participant> &questions);
  mlir::LogicalResult emitCase(cin::ForallOp forall, Scope &scope,
                               llvm::ArrayRef<Participant> located,
                               llvm::ArrayRef<Participant> guarded);
  mlir::LogicalResult emitGuarded(cin::ForallOp forall, Scope &scope,
                                  llvm::ArrayRef<Participant> guarded);
  bool walksBelow(cin::ForallOp forall, const Scope &scope) const;
  bool entriesSkip(unsigned access) const;
  llvm::SmallVector<unsigned> paddedAt(cin::ForallOp forall, const Scope &scope,
                                       bool asksAny = false) const;
  bool isNeeded(unsigned access, cin::ForallOp forall, const Scope &scope) const;
  mlir::Value emitIsEntry(unsigned access, mlir::Value guard, const Scope &scope);
  mlir::LogicalResult emitLookUps(cin::ForallOp forall, Scope &scope,
                                  llvm::ArrayRef<Participant> sought);
  mlir::LogicalResult emitPastPadding(cin::ForallOp forall, Scope &scope);
  llvm::SmallVector<mlir::Value> carriedBy(mlir::Operation *statement, const Scope &scope);
  std::string whyNotTaken(const AccessPath &walked) const;
  mlir::LogicalResult checkJoined(llvm::ArrayRef<cin::ForallOp> loops,
                                  llvm::ArrayRef<Participant> walks) const;
  /// An error at an access, which begins with the name of what is accessed.
  mlir::InFlightDiagnostic refuse(unsigned access) const;
  bool storesValues() const { return !resultWalk->counting && !makesPattern(phaseOf(kernel)); }
  bool isAbsent(unsigned access, const Scope &scope) const {
    return scope.absence.accesses.contains(nest.accesses[access].ops.front());
  }

  mlir::func::FuncOp kernel;
  mlir::OpBuilder &b;
  mlir::Location loc = kernel.getLoc();
  LoopNest nest; ///< as it was before anything was emitted
  llvm::SmallVector<LabelComparison> comparisons;
  llvm::DenseMap<mlir::Value, RowWorkspace> rows; ///< temporaries that are no scalars
  mlir::TypedValue<ta::StorageType> resultStorage;
  std::optional<ResultWalk> resultWalk;
  std::optional<ResultOrder> resultOrder; ///< of what is stored in an order: not of values alone
  bool singleLoop = false;                ///< one loop around all that the kernel does
  Sharing sharing;
  int64_t vectorBytes;
  /// While the other terms of a sum of contractions are emitted: whose sums are left out.
  const DenseContraction *leftOut = nullptr;
  /// Of running sums, by `next`: is it asked whether they have terms?
  llvm::SmallDenseMap<mlir::Value, bool, 2> asksTerms;
  llvm::MapVector<mlir::Operation *, bool> threads; ///< of loops to run in threads: can they?
  cin::ForallOp inThreads;                          ///< an outermost one of them
  bool isSurvey = false;                            ///< of outermost loops, without their bodies
  double code = 0;                                  ///< emitted so far, by the measure of `sharing`
};

} // namespace strata

#endif // STRATA_LOWER_LVL_KERNELCONVERTER_H
