// Converts operands and results whose level order conflicts with the others'.
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/dialect/ta/Shorthands.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/StoredPlaces.h"
#include "strata/lower/analysis/VainWalks.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/ConvertedFormat.h"
#include "strata/lower/ta/DropPadding.h"
#include "strata/lower/ta/PassOverValues.h"
#include "strata/lower/ta/ProgramNotes.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/RenewResult.h"
#include "strata/lower/ta/RepeatedFactors.h"
#include "strata/lower/ta/TurnDense.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_RESOLVECONFLICTS
#include "strata/lower/Passes.h.inc"

namespace {

using Exempt = llvm::SmallPtrSet<Operation *, 4>;

constexpr unsigned any = ~0u;

// What may be done for a statement: how many operands are converted, whether loops inside others
// may take all values of variables of which few are stored, and how many walks may begin again.
struct Effort {
  unsigned least, most;
  bool sweeps;
  unsigned rewalks = any;

  bool allows(const LoopPlan &plan) const {
    return (sweeps || plan.sweeps.empty()) && plan.rewalks.size() <= rewalks;
  }
};

// The accesses whose operands are to be converted, as few as possible, and the order found.
struct Conversions {
  SmallVector<unsigned> order;
  Exempt converted;
  Assembly assembly;
};

// Tries all sets of `size` sparse accesses, in order of appearance, until one `serves`.
bool tryConverting(const IndexStatement &statement, unsigned size, ArrayRef<Operation *> candidates,
                   Effort effort, std::string &why,
                   llvm::function_ref<bool(const Conversions &)> serves) {
  if (size > candidates.size())
    return false;
  SmallVector<bool> chosen(candidates.size(), false);
  std::fill(chosen.end() - size, chosen.end(), true);
  unsigned tries = 0;
  do {
    Exempt exempt;
    for (auto [at, op] : llvm::enumerate(candidates))
      if (chosen[at])
        exempt.insert(op);
    std::string reason;
    auto plan = planOf(statement, exempt, reason);
    if (plan && effort.allows(*plan) && serves({plan->order, exempt, plan->assembly}))
      return true;
    if (why.empty())
      why = reason;
  } while (++tries < 200 && std::next_permutation(chosen.begin(), chosen.end()));
  return false;
}

std::string describe(const IndexStatement &statement, ArrayRef<unsigned> order) {
  SmallVector<std::string> names;
  for (unsigned variable : order)
    names.push_back(statement.variables[variable].name);
  return "the loops run over " + llvm::join(names, ", ");
}

// Tells whether something is to be looked up in what was converted, which it may be.
bool convertOperands(const IndexStatement &statement, const Conversions &resolution,
                     bool mayLookUp) {
  bool lookedUp = false;
  ta::ComputeOp op = statement.op;
  OpBuilder b(op);
  DenseMap<std::pair<Value, Attribute>, Value> done;
  for (Operation *access : resolution.converted) {
    auto read = cast<ta::AccessOp>(access);
    auto type = cast<RankedTensorType>(read.getTensor().getType());
    const AccessPath &path = statement.accesses.find(access)->second;
    auto [format, looksUp, withPlaces] =
        convertedFormat(statement, read, resolution.order, mayLookUp);
    lookedUp |= looksUp;
    if (format == path.format)
      continue;
    Value &converted = done[{read.getTensor(), format}];
    if (!converted) {
      std::string reason = describe(statement, resolution.order) + ", an order in which " +
                           ta::formatName(path.format) +
                           (looksUp ? " would be walked again and again" : " cannot be iterated");
      auto convert = ta::ConvertOp::create(b, read.getLoc(), ta::withFormat(type, format),
                                           read.getTensor(), b.getStringAttr(reason));
      if (withPlaces)
        convert->setAttr(placesAttribute, withPlaces);
      converted = convert;
      op.getInputsMutable().append(converted);
    }
    read.getTensorMutable().assign(converted);
  }
  return lookedUp;
}

// Formats that can be appended to in the order of dimensions `dims`: what a result is computed in
// before it is converted to the format asked for.
ta::FormatAttr appendable(MLIRContext *context, ArrayRef<unsigned> dims, ta::FormatAttr wanted) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : dims)
    exprs.push_back(getAffineDimExpr(dim, context));
  std::string why;
  ta::FormatAttr plain = ta::shorthand(context, "CSF", dims.size(), why);
  return ta::FormatAttr::get(context, AffineMap::get(dims.size(), 0, exprs, context),
                             plain.getLevels(), wanted.getFill());
}

// What a statement read before its operands were converted.
class Undo {
public:
  explicit Undo(ta::ComputeOp op) : op(op), inputs(op.getInputs()) {
    op.getBody().walk(
        [&](ta::AccessOp access) { tensors.push_back({access, access.getTensor()}); });
  }

  void run() {
    SmallVector<Value> converted(op.getInputs());
    for (auto [access, tensor] : tensors)
      access.getTensorMutable().assign(tensor);
    op.getInputsMutable().assign(inputs);
    for (Value value : converted)
      if (!llvm::is_contained(inputs, value))
        value.getDefiningOp()->erase();
  }

private:
  ta::ComputeOp op;
  SmallVector<Value> inputs;
  SmallVector<std::pair<ta::AccessOp, Value>> tensors;
};

// Converts as few operands as possible.
bool resolveOperands(ta::ComputeOp op, Effort effort, std::string &why) {
  IndexStatement statement(op);
  SmallVector<Operation *> candidates;
  for (const auto &[access, path] : statement.accesses)
    if (!path.format.isFull())
      candidates.push_back(access);
  // Some accesses can be walked in no order of levels; and what is converted may have to be merged
  // with what is not in order.
  auto serves = [&](const Conversions &resolution) {
    // Of operands that would be looked up for each other's sake none might be left to walk.
    for (bool mayLookUp : {true, false}) {
      Undo undo(op);
      const bool lookedUp = convertOperands(statement, resolution, mayLookUp);
      dropUnusedInputs(op);
      std::string rest;
      auto plan = planOf(IndexStatement(op), Exempt(), rest);
      if (plan && effort.allows(*plan))
        return true;
      why = rest;
      undo.run();
      if (!lookedUp)
        break;
    }
    return false;
  };
  auto tryOf = [&](unsigned size, bool inOrder) {
    return tryConverting(statement, size, candidates, effort, why, [&](const Conversions &found) {
      return (!inOrder || found.assembly == Assembly::InOrder) && serves(found);
    });
  };
  // Of as many conversions those are better that let a result without sums take its entries as they
  // come, and so is one more where each operand's entries are some of the result's: what comes in
  // another order is merged twice, and then scattered.
  const bool prefersOrder = !statement.rootReduction() && statement.appendsResult();
  const bool storesAll = prefersOrder && llvm::none_of(candidates, [&](Operation *access) {
                           return statement.isEssential(access);
                         });
  unsigned most = isForbidden(op, Resolution::Conversion) ? 0 : effort.most;
  most = std::min<unsigned>(most, candidates.size());
  for (unsigned size = effort.least; size <= most; ++size)
    if ((prefersOrder && tryOf(size, true)) ||
        (storesAll && size > 0 && size < most && tryOf(size + 1, true)) || tryOf(size, false))
      return true;
  return false;
}

// Computes a result in the format `other` and then converts it to its own.
bool resolveThrough(ta::ComputeOp op, ta::FormatAttr other, Effort effort, const Twine &reason) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  std::string why;
  op.getResult().setType(ta::withFormat(type, other));
  if (other == ta::formatOf(type) || !resolveOperands(op, effort, why)) {
    op.getResult().setType(type);
    return false;
  }
  OpBuilder b(op->getBlock(), std::next(op->getIterator()));
  auto convert =
      ta::ConvertOp::create(b, op.getLoc(), type, op.getResult(), b.getStringAttr(reason));
  op.getResult().replaceAllUsesExcept(convert.getResult(), convert);
  return true;
}

// ... in a format that can be appended to in another order; so many operands may be converted
// besides.
bool resolveResult(ta::ComputeOp op, Effort effort) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  if (op.getInit() || ta::formatOf(type).isFull() || isForbidden(op, Resolution::Conversion))
    return false;
  SmallVector<unsigned> dims = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  do {
    if (resolveThrough(op, appendable(op.getContext(), dims, ta::formatOf(type)), effort,
                       "results cannot be appended to " + ta::formatName(ta::formatOf(type)) +
                           " in the order of the loops"))
      return true;
  } while (std::next_permutation(dims.begin(), dims.end()));
  return false;
}

// May loops over the operands reach a place of the result again after others? Of what repeats in no
// order, nobody finds all that is alike.
bool mayReturn(ta::ComputeOp op) {
  return llvm::any_of(op.getInputs(), [](Value input) {
    ta::FormatAttr format = ta::formatOf(cast<RankedTensorType>(input.getType()));
    return llvm::any_of(llvm::seq<unsigned>(0, format.getLvlRank()), [&](unsigned lvl) {
      LevelProperties properties = ta::levelProperties(format, lvl);
      return !properties.unique && !properties.ordered;
    });
  });
}

// ... as a list of entries, which are then sorted, and equal ones added up.
bool listResult(ta::ComputeOp op, Effort effort) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  ta::FormatAttr wanted = ta::formatOf(type);
  if (op.getInit() || wanted.isFull() || type.getRank() == 0 || isForbidden(op, Resolution::Sort))
    return false;
  ta::ReduceOp root = IndexStatement(op).rootReduction();
  if (root && root.getCombine() != ta::Combine::add && mayReturn(op))
    return false;
  ta::FormatAttr list = ta::listFormat(op.getContext(), type.getRank(), wanted.getFill());
  return resolveThrough(op, list, effort,
                        "the result is assembled as unsorted COO, then sorted, and duplicates are "
                        "summed: its coordinates come in no order, some of them several times");
}

// Tells whether the result has no more entries than its operands together, and perhaps far fewer.
bool isNoLarger(ta::ComputeOp op) {
  IndexStatement statement(op);
  return llvm::all_of(statement.variables,
                      [](const IndexVariable &variable) { return !variable.reduction; }) &&
         llvm::all_of(statement.accesses, [&](const auto &entry) {
           const AccessPath &path = entry.second;
           return path.format.isFull() ||
                  llvm::all_of(llvm::seq<unsigned>(0, statement.variables.size()),
                               [&](unsigned variable) { return path.involves(variable); });
         });
}

// Gives how many operands would be converted.
unsigned countConversions(ta::ComputeOp op, Effort effort) {
  ta::ComputeOp trial = copyOf(op);
  std::string why;
  unsigned count = 0;
  SmallVector<Value> before(op.getInputs()), after;
  if (resolveOperands(trial, effort, why))
    after.append(trial.getInputs().begin(), trial.getInputs().end());
  trial.erase();
  for (Value input : after)
    if (!llvm::is_contained(before, input)) {
      ++count;
      input.getDefiningOp()->erase();
    }
  return count;
}

// Converts operands, or the result where that is not enough. A result that is no larger than its
// operands counts as one of them.
bool resolveSome(ta::ComputeOp op, Effort effort, std::string &why) {
  if (effort.most > 0 && isNoLarger(op))
    if (unsigned count = countConversions(op, effort); count > 1)
      if (resolveResult(op, {0, count - 2, effort.sweeps, effort.rewalks}))
        return true;
  return resolveOperands(op, effort, why) || resolveResult(op, effort);
}

// Converts operands, and the result where that is not enough. Where the terms of a sum could be
// listed as they come, both ways are kept.
bool resolveByConversions(ta::ComputeOp op, Effort effort, std::string &why) {
  ta::ReduceOp root = IndexStatement(op).rootReduction();
  ta::ComputeOp listed;
  Type wanted = op.getResult().getType();
  if (effort.most > 0 && root && isProduct(root.getYielded().getDefiningOp()))
    listed = copyOf(op);
  bool resolved = resolveSome(op, effort, why);
  if (!listed)
    return resolved;
  if (resolved && !convertsOnce(op) && listResult(listed, {0, 0, effort.sweeps}))
    keepBoth(op, listed, wanted, fewTermsAttribute);
  else
    listed.erase();
  return resolved;
}

// Converts operands so that fewer walks begin again than without. Where nothing need be converted,
// both ways are kept: if the walks are few, or short, they cost less than a conversion. They are
// expected to be where the result is sampled.
bool resolveRewalks(ta::ComputeOp op, Effort effort, std::string &why) {
  auto plan = planOf(IndexStatement(op));
  if (!plan || op.getInit() || !Effort{0, 0, effort.sweeps}.allows(*plan))
    return resolveByConversions(op, effort, why);
  ta::ComputeOp walking = copyOf(op);
  Type wanted = op.getResult().getType();
  bool resolved = resolveSome(op, effort, why);
  if (resolved && !convertsOnce(op))
    keepBoth(op, walking, wanted, fewStepsAttribute, isSampled(IndexStatement(walking)));
  else
    walking.erase();
  return resolved;
}

bool findPlan(ta::ComputeOp op, std::string &why) {
  constexpr unsigned all = any, mostCounted = 4;
  const unsigned counted = countsRewalks(IndexStatement(op)) ? mostCounted : 0;
  for (bool sweeps : {false, true}) {
    // A pass over the entries of operands costs less than walks of all of them, again and again.
    for (unsigned rewalks = 0; rewalks < counted; ++rewalks)
      if (resolveByConversions(op, {0, 0, sweeps, rewalks}, why) ||
          resolveRewalks(op, {1, all, sweeps, rewalks}, why))
        return true;
    // ... and less than sorting the terms of sums.
    Effort none{0, 0, sweeps}, some{1, all, sweeps};
    if (resolveByConversions(op, none, why) || resolveByConversions(op, some, why) ||
        listResult(op, none) || listResult(op, some))
      return true;
  }
  return false;
}

bool findAnyPlan(ta::ComputeOp op, std::string &why) {
  std::string other;
  return findPlan(op, why) ||
         (!isForbidden(op, Resolution::Gather) && reindexAccesses(op) && findPlan(op, other));
}

// What was inserted for a statement, in words.
std::string describeInserted(ta::ComputeOp op, Resolution allowed) {
  SmallVector<std::string> words;
  auto tell = [&](ta::ConvertOp convert) {
    auto format = [](Value value) {
      return ta::formatName(ta::formatOf(cast<RankedTensorType>(value.getType())));
    };
    if (convert && convert.getReason())
      words.push_back("'" + ProgramNotes::nameOf(convert.getTensor()) +
                      "' is then converted from " + format(convert.getTensor()) + " to " +
                      format(convert.getResult()));
  };
  for (Value input : op.getInputs())
    tell(input.getDefiningOp<ta::ConvertOp>());
  for (Operation *user : op.getResult().getUsers())
    tell(dyn_cast<ta::ConvertOp>(user));
  if (words.empty() && allowed == Resolution::Workspace)
    words.push_back("rows of the result are then gathered before they are stored");
  if (words.empty() && allowed == Resolution::Order) {
    IndexStatement statement(op);
    if (auto plan = planOf(statement))
      words.push_back(describe(statement, plan->order) + " then");
  }
  return llvm::join(words, ", ");
}

// Says which of what is forbidden, allowed alone, would let the statement be computed. Tried on a
// copy of the program.
void suggestAllowing(ta::ComputeOp op, Resolutions forbidden, InFlightDiagnostic &error) {
  auto module = op->getParentOfType<ModuleOp>();
  unsigned number = 0, count = 0;
  module.walk([&](ta::ComputeOp other) {
    number = other == op ? count : number;
    ++count;
  });
  bool found = false;
  for (Resolution resolution : allResolutions) {
    if (!forbidden.contains(resolution))
      continue;
    OwningOpRef<ModuleOp> copy(module.clone());
    unsigned at = 0;
    ta::ComputeOp same;
    copy->walk([&](ta::ComputeOp other) {
      if (at++ == number)
        same = other;
    });
    Resolutions rest = forbidden;
    rest.erase(resolution);
    setForbidden(same, rest);
    std::string why;
    if (!findAnyPlan(same, why))
      continue;
    found = true;
    std::string effect = describeInserted(same, resolution);
    error.attachNote(op.getLoc()) << "it can be if '" << wordOf(resolution) << "' is allowed"
                                  << (effect.empty() ? "" : ": " + effect);
  }
  if (!found)
    error.attachNote(op.getLoc()) << "what is forbidden for it: "
                                  << llvm::join(forbidden.words(), ", ")
                                  << "; none of these alone would do";
}

// A schedule's loops that cannot be run, with the last command without which they could.
InFlightDiagnostic refuseSchedule(ta::ComputeOp op, StringRef why) {
  ta::ScheduleAttr schedule = op.getScheduleAttr();
  InFlightDiagnostic error = op.emitError("cannot compute this statement as it is scheduled: ")
                             << why;
  for (unsigned at = schedule.getCommands().size(); at-- > 0;) {
    SmallVector<ta::CommandAttr> others(schedule.getCommands());
    others.erase(others.begin() + at);
    op.setScheduleAttr(ta::ScheduleAttr::get(op.getContext(), others));
    if (!planOf(IndexStatement(op)))
      continue;
    error.attachNote(ta::placeOfCommand(op, at))
        << "it can without '" << ta::commandText(schedule.getCommands()[at]) << "'";
    break;
  }
  op.setScheduleAttr(schedule);
  return error;
}

LogicalResult resolve(ta::ComputeOp op) {
  if (failed(renewResult(op)))
    return failure();
  if (Value result = passOverValues(op)) {
    op.getResult().replaceAllUsesWith(result);
    op.erase();
    return success();
  }
  std::string why;
  // What is no more than a conversion goes the ways that these go.
  if (copiesWhole(op) && !isForbidden(op, Resolution::Conversion) &&
      !planOf(IndexStatement(op), Exempt(), why)) {
    op.setConversion(true);
    return success();
  }
  if (findAnyPlan(op, why))
    return success();
  if (op.getScheduleAttr())
    return refuseSchedule(op, why);
  InFlightDiagnostic error = op.emitError("cannot compute this statement: ") << why;
  if (Resolutions forbidden = forbiddenFor(op); !forbidden.empty()) {
    suggestAllowing(op, forbidden, error);
    return error;
  }
  if (ta::formatOf(cast<RankedTensorType>(op.getResult().getType())).isFull())
    error.attachNote(op.getLoc()) << "a dense operand can be reached in any order";
  else
    error.attachNote(op.getLoc()) << "a dense result takes its values in any order";
  return error;
}

struct ResolveConflicts : impl::ResolveConflictsBase<ResolveConflicts> {
  void runOnOperation() override {
    bool failedAny = false;
    for (ta::ComputeOp op : statements())
      if (!convertsSum(op))
        failedAny |= failed(resolve(op));
    if (failedAny)
      return signalPassFailure();
    for (ta::ComputeOp op : statements())
      offerPlaces(op);
    unsigned names = 0;
    for (ta::ComputeOp op : statements())
      computeRepeatedFactors(op, names);
    // Each may make two of one statement.
    for (ta::ComputeOp op : statements())
      turnDense(op);
    for (ta::ComputeOp op : statements())
      dropPadding(op);
  }

  SmallVector<ta::ComputeOp> statements() {
    SmallVector<ta::ComputeOp> found;
    getOperation().walk([&](ta::ComputeOp op) { found.push_back(op); });
    return found;
  }
};

} // namespace
} // namespace strata
