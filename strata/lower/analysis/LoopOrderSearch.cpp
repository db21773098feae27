// Goes through the orders of a statement's loops, the preferred ones first.
#include "strata/lower/analysis/LoopOrderSearch.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LabelConditions.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/VainWalks.h"

using namespace mlir;

namespace strata {

bool mayBeWindowed(const IndexStatement &statement) {
  auto kernel = statement.op->getParentOfType<func::FuncOp>();
  return kernel && assumes(kernel, Assumptions::Windowed);
}

// The parts of labels between which scheduled loops go before they go through one.
static ArrayRef<VariableBlocks> partsAround(const std::optional<ScheduledOrder> &scheduled,
                                            const IndexStatement &statement) {
  if (!scheduled || !scheduled->partsInside || mayBeWindowed(statement))
    return {};
  return scheduled->parts;
}

LoopOrderSearch::LoopOrderSearch(const IndexStatement &statement,
                                 const llvm::SmallPtrSetImpl<Operation *> &exempt, std::string &why,
                                 Assembly assembly, PlanLimit &limit)
    : statement(statement), why(why), scheduled(scheduledOrder(statement)),
      resultOrder(statement, assembly, partsAround(scheduled, statement)), limit(limit),
      fixed(scheduled || isForbidden(statement.op, Resolution::Order)),
      bound(statement.variables.size()) {
  for (const auto &[op, path] : statement.accesses)
    if (!exempt.contains(op) && (!scheduled || scheduled->plain))
      walks.push_back({op, &path, 0});
    else
      converted.push_back({op, &path, 0});
  rank();
}

std::optional<LoopPlan> LoopOrderSearch::run() {
  for (Walk &walk : walks)
    if (!bindVariable(*walk.path, walk.next, bound, std::nullopt, why))
      return std::nullopt;
  SmallVector<unsigned> order;
  if (!extend(order))
    return std::nullopt;
  return LoopPlan{.order = order, .sweeps = swept, .rewalks = rewalked, .blocks = blocksOf()};
}

// The levels down to the last one that is not full: what is below takes values in any order.
unsigned LoopOrderSearch::levelsWithoutTail(ta::FormatAttr format) {
  unsigned levels = format.getLvlRank();
  while (levels > 0 && ta::levelProperties(format, levels - 1).full)
    --levels;
  return levels;
}

// A running sum stands right inside the loop that it follows: the label of that comes just before
// those of the sum, and of what is dense both come last.
void LoopOrderSearch::placeRunning(MutableArrayRef<Rank> keys) const {
  for (const IndexVariable &variable : statement.variables) {
    ta::ReduceOp reduce = variable.reduction;
    Value follows = reduce ? runningLabel(reduce) : Value();
    if (!follows || cast<BlockArgument>(variable.argument).getArgNumber() != 0)
      continue;
    const unsigned outer = statement.numberOf(follows),
                   inner = statement.numberOf(variable.argument);
    llvm::SmallBitVector others = statement.freeVariables(reduce.getResult());
    others.reset(outer);
    if (others.any() && std::get<0>(keys[inner]) == ~0u)
      for (auto [number, one] : llvm::enumerate(statement.variables))
        if (one.reduction == reduce || number == outer)
          std::get<1>(keys[number]) += 1u << 16;
    Rank before = keys[inner];
    std::get<3>(before) = outer;
    if (outer < inner)
      keys[outer] = std::min(keys[outer], before);
  }
}

// Preferences: variables of sparse operands in their storage order; then the others, those
// that move along the innermost level of most accesses last. Of two such variables the one that
// leaps through fewer accesses comes last: through rows of what it stands further out in.
void LoopOrderSearch::rank() {
  unsigned count = statement.variables.size();
  SmallVector<Rank> keys(count);
  for (unsigned variable = 0; variable < count; ++variable) {
    unsigned earliest = ~0u, innermost = 0, leaps = 0;
    auto visit = [&](const AccessPath &path, unsigned stored) {
      for (unsigned level = 0; level < path.coordinates.size(); ++level) {
        if (!path.depends(level, variable))
          continue;
        if (level < stored)
          earliest = std::min(earliest, level);
        bool isInnermost = level + 1 == path.coordinates.size();
        innermost += isInnermost;
        leaps += !isInnermost;
      }
    };
    for (const auto &[op, path] : statement.accesses)
      visit(path, path.format.isFull() ? 0 : path.coordinates.size());
    visit(statement.result, levelsWithoutTail(statement.result.format));
    keys[variable] = {earliest, innermost, -int(leaps), variable};
  }
  placeRunning(keys);
  preferred = llvm::to_vector(llvm::seq(count));
  if (scheduled)
    preferred = scheduled->variables;
  if (fixed)
    return;
  llvm::sort(preferred, [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
}

// Sums below other operations are scalars: what they depend on comes first.
bool LoopOrderSearch::sumsAllow(unsigned variable) {
  ta::ReduceOp reduce = statement.variables[variable].reduction;
  if (!reduce || reduce == statement.rootReduction())
    return true;
  llvm::SmallBitVector needed = statement.freeVariables(reduce.getResult());
  needed.reset(bound);
  needed.reset(statement.gatheredVariables(reduce));
  if (needed.none())
    return true;
  why = "the sum over '" + statement.variables[variable].name + "' is needed for each '" +
        statement.variables[needed.find_first()].name + "', which comes later";
  return false;
}

bool LoopOrderSearch::extend(SmallVectorImpl<unsigned> &order) {
  if (order.size() == statement.variables.size())
    return true;
  // What can follow depends on the set of variables bound alone.
  const std::tuple state(bound, swept.size(), rewalked.size());
  if (dead.contains(state) || ++steps > 20000)
    return false;
  for (unsigned variable : preferred) {
    if (bound.test(variable))
      continue;
    if (fixed && variable != preferred[order.size()]) {
      if (!scheduled)
        why = "the loops are to run in the order in which the labels are written";
      break;
    }
    // The commands keep sums where they can be computed.
    if (!scheduled && !sumsAllow(variable))
      continue;
    SmallVector<Walk> saved = walks;
    size_t sweptBefore = swept.size(), rewalkedBefore = rewalked.size();
    if (resultOrder.admits(variable, bound, why) && bindAll(variable)) {
      bound.set(variable);
      order.push_back(variable);
      if (extend(order))
        return true;
      order.pop_back();
      bound.reset(variable);
    }
    walks = saved;
    swept.truncate(sweptBefore);
    rewalked.truncate(rewalkedBefore);
  }
  dead.insert(state);
  return false;
}

bool LoopOrderSearch::bindAll(unsigned variable) {
  SmallVector<Part> parts;
  for (Walk &walk : walks) {
    if (!walk.path->involves(variable))
      continue;
    std::string reason;
    std::optional<PathPiece> piece = bindVariable(*walk.path, walk.next, bound, variable, reason);
    if (!piece) {
      why = ta::quotedNameOf(cast<ta::AccessOp>(walk.op).getTensor()) + ": " + reason +
            (scheduled ? " in these loops" : " in the order of the other operands");
      return false;
    }
    parts.push_back({walk.op, walk.path, std::move(*piece)});
  }
  SmallVector<const Part *> walked;
  for (const Part &part : parts)
    if (part.walks())
      walked.push_back(&part);
  if (inBlocks(variable) && !walked.empty()) {
    why = "what few values of '" + statement.variables[variable].name +
          "' are stored of would have to be walked in the blocks of the result's format";
    return false;
  }
  if (sweepsOver(variable, parts)) {
    why = "the loop over '" + statement.variables[variable].name +
          "' would take all its values, though few are stored";
    if (swept.size() == limit.sweeps) {
      limit.sweepsReached = true;
      return false;
    }
    swept.push_back(variable);
  }
  llvm::SmallBitVector merged = mergedOf(walked);
  return canMerge(variable, walked, merged) && rewalk(variable, parts, walked, merged);
}

// Counts the walks of a loop that begin again for values of variables which the operand does not
// have, and take steps in vain: another operand has nothing at most of what they reach. An
// operand that will be converted can be looked up instead, beside one whose walk is not such.
bool LoopOrderSearch::rewalk(unsigned variable, ArrayRef<Part> parts, ArrayRef<const Part *> walked,
                             const llvm::SmallBitVector &merged) {
  if (!limit.countsRewalks)
    return true;
  SmallVector<Operation *> again, others;
  for (const Part &part : parts)
    if (!part.path->format.isFull() && !part.piece.empty() && !part.piece.full)
      others.push_back(part.op);
  for (const Walk &one : converted)
    if (one.path->involves(variable))
      others.push_back(one.op);
  auto asksAgain = [&](Operation *op) {
    return llvm::any_of(parts, [&](const Part &part) { return part.op == op && asksBelow(part); });
  };
  auto isVain = [&](Operation *op, const AccessPath &path) {
    if (asksAgain(op))
      return true;
    return !isMask(op) && beginsAgain(path) && llvm::any_of(others, [&](Operation *other) {
      return isVainWithout(statement, op, other);
    });
  };
  bool once = false;
  for (unsigned at : merged.set_bits())
    if (isVain(walked[at]->op, *walked[at]->path))
      again.push_back(walked[at]->op);
    else
      once |= !isMask(walked[at]->op);
  for (const Walk &one : converted)
    once |= one.path->involves(variable) && !isMask(one.op) && !isVain(one.op, *one.path);
  for (const Walk &one : converted)
    if (one.path->involves(variable) && !once && again.empty() && isVain(one.op, *one.path))
      again.push_back(one.op);
  if (rewalked.size() + again.size() > limit.rewalks) {
    limit.rewalksReached = true;
    why = "the loop over '" + statement.variables[variable].name +
          "' would walk an operand again and again beside another one";
    return false;
  }
  for (Operation *op : again)
    rewalked.push_back({variable, op});
  return true;
}

// Tells whether a walk looks for what loops around it have bound at each coordinate, in a level
// that stores few: the columns of a matrix whose rows and columns are hashed.
bool LoopOrderSearch::asksBelow(const Part &part) {
  bool walked = false;
  for (const PathStep &step : part.piece.steps) {
    StringRef level = part.path->format.getLevels()[step.level].getName();
    const LevelTraits &traits = *findLevelTraits(level);
    if (walked && step.at && !traits.places && !traits.computed &&
        !ta::levelProperties(part.path->format, step.level).full)
      return true;
    walked |= !step.at;
  }
  return false;
}

// Tells whether the loops around have a variable that the operand does not have.
bool LoopOrderSearch::beginsAgain(const AccessPath &path) const {
  return llvm::any_of(bound.set_bits(), [&](unsigned outer) { return !path.involves(outer); });
}

// Tells whether the loop takes all values of the variable, though sparse operands would restrict it
// in another order of the loops. It does not where it is the first one, nor where it goes through
// what an operand stores for each of them below the places that the loops around have reached (the
// rows of a matrix in CSR, the second dimension of a tensor that is compressed in the third alone,
// rows that are stored whole).
bool LoopOrderSearch::sweepsOver(unsigned variable, ArrayRef<Part> parts) const {
  SmallVector<Operation *> concerned, restricting;
  bool stored = false;
  auto take = [&](Operation *op, const AccessPath &path, bool restricts, bool full) {
    concerned.push_back(op);
    if (restricts)
      restricting.push_back(op);
    stored |= full && llvm::all_of(bound.set_bits(), [&](unsigned outer) {
                return path.involves(outer) || !isOfSparse(outer);
              });
  };
  for (const Part &part : parts)
    if (!part.path->format.isFull()) {
      bool full = part.piece.full && !part.piece.empty();
      take(part.op, *part.path, part.walks() && part.piece.restricts, full);
      stored |= full && isBelowStored(*part.path, part.piece);
    }
  for (const Walk &one : converted)
    if (one.path->involves(variable)) {
      bool first =
          llvm::none_of(bound.set_bits(), [&](unsigned v) { return one.path->involves(v); });
      bool full = first && ta::levelProperties(one.path->format, 0).full &&
                  one.path->coordinates.size() > 1;
      take(one.op, *one.path, !full, full);
    }
  bool inner = llvm::any_of(bound.set_bits(), [&](unsigned v) { return isOfSparse(v); });
  bool asked = llvm::any_of(parts, [&](const Part &part) {
    return part.piece.empty() && storesFew(*part.path, variable);
  });
  return (inner || asked) && !stored && statement.isEssential(concerned) &&
         !statement.isEssential(restricting);
}

// Tells whether the levels are whole rows: below one that stores some coordinates only, where it
// stores one.
bool LoopOrderSearch::isBelowStored(const AccessPath &path, const PathPiece &piece) {
  return llvm::any_of(llvm::seq(piece.steps.front().level), [&](unsigned level) {
    return !ta::levelProperties(path.format, level).full;
  });
}

// Tells whether a level has few coordinates of the variable, and finds them. Below positions that
// loops inside go through, it would be asked for all values of the variable at each: also where the
// loop over these is the first one.
bool LoopOrderSearch::storesFew(const AccessPath &path, unsigned variable) {
  return llvm::any_of(llvm::seq<unsigned>(0, path.coordinates.size()), [&](unsigned level) {
    const LevelTraits &traits = *findLevelTraits(path.format.getLevels()[level].getName());
    return path.depends(level, variable) && traits.locates && !traits.places && !traits.computed &&
           !ta::levelProperties(path.format, level).full;
  });
}

// Tells whether the variable is one of a sparse operand.
bool LoopOrderSearch::isOfSparse(unsigned variable) const {
  return llvm::any_of(statement.accesses, [&](const auto &entry) {
    return !entry.second.format.isFull() && entry.second.involves(variable);
  });
}

bool LoopOrderSearch::accompanied(ArrayRef<const Part *> walked,
                                  const llvm::SmallBitVector &others) const {
  SmallVector<Operation *> ops;
  for (int other : others.set_bits())
    ops.push_back(walked[other]->op);
  return statement.isEssential(ops);
}

// Of the operands that could be walked some are located, where others are walked in every case.
llvm::SmallBitVector LoopOrderSearch::mergedOf(ArrayRef<const Part *> walked) const {
  SmallVector<const PathPiece *> pieces;
  for (const Part *part : walked)
    pieces.push_back(&part->piece);
  return chooseLocated(
             pieces,
             [&](const llvm::SmallBitVector &others) { return accompanied(walked, others); })
      .flip();
}

// The operands that are left are walked alone, in any order, or merged, in ascending order.
bool LoopOrderSearch::canMerge(unsigned variable, ArrayRef<const Part *> walked,
                               const llvm::SmallBitVector &left) {
  bool alone = left.count() == 1 && accompanied(walked, left);
  return llvm::all_of(left.set_bits(), [&](unsigned at) {
    const PathPiece &piece = walked[at]->piece;
    if (!piece.ordered)
      return alone ? toleratesDisorder(variable, *walked[at], walked.size() == 1)
                   : refuse("an operand's coordinates are not in order over", variable,
                            "where they are merged or appended");
    return alone || piece.mergesRepeated() ||
           refuse("an operand repeats coordinates over", variable,
                  "over several levels, where they are merged");
  });
}

bool LoopOrderSearch::refuse(StringRef what, unsigned variable, StringRef where) {
  why = (what + " '" + statement.variables[variable].name + "', " + where).str();
  return false;
}

// Entries of one place that come apart from each other are added up in a sum of products, or by a
// list.
bool LoopOrderSearch::addsUpEntries() const {
  ta::ReduceOp root = statement.rootReduction();
  if (root ? root.getCombine() != ta::Combine::add : !statement.listsResult())
    return false;
  return isMultilinear(root ? root.getYielded() : statement.op.getYielded());
}

// Tells whether a sum inside of the loop over a variable takes the access, so that it must be
// whole when the loop goes on.
bool LoopOrderSearch::isSummedInside(unsigned variable, Operation *access) const {
  ta::ReduceOp own = statement.variables[variable].reduction;
  for (auto sum = access->getParentOfType<ta::ReduceOp>(); sum;
       sum = sum->getParentOfType<ta::ReduceOp>())
    if (sum != statement.rootReduction() && sum != own && !(own && sum->isAncestor(own)))
      return true;
  return false;
}

// Coordinates out of order can be walked where nothing is merged with them and nothing is
// appended. What is found again, apart, is found alone: nothing is located beside it.
bool LoopOrderSearch::toleratesDisorder(unsigned variable, const Part &part, bool sole) {
  const PathPiece &piece = part.piece;
  if (!piece.unique && isSummedInside(variable, part.op))
    return refuse("an operand repeats coordinates, in no order over", variable,
                  "where something else is done with the sum for each");
  if (!piece.unique && ta::repeatsEntries(part.path->format) && !addsUpEntries())
    return refuse("an operand repeats entries, in no order over", variable,
                  "where they cannot be added up as they come");
  bool appended =
      resultOrder.wantsOrder(variable) || (!piece.unique && resultOrder.storesAgain(variable));
  return (!appended && (piece.unique || sole)) ||
         refuse("an operand's coordinates are not in order over", variable,
                "where they are merged or appended");
}

} // namespace strata
