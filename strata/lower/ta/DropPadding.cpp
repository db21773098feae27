// Converts operands with padding that is walked again and again.
//
// before: R[i, j] = sum(k, A[i, k] * B[k, j]), where B has blocks
// after:  t = B as rows of entries
//         R[i, j] = sum(k, A[i, k] * t[k, j])
#include "strata/lower/ta/DropPadding.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/ConvertedFormat.h"
#include "strata/lower/ta/Reindex.h"

using namespace mlir;

namespace strata {

// Tells whether values that are no entries are stored, one by one.
static bool storesPadding(ta::FormatAttr format) {
  return !format.isFull() && format.hasPadding() &&
         llvm::none_of(format.getLevels(), [](ta::LevelAttr level) {
           return findLevelTraits(level.getName())->sharesValues;
         });
}

// Tells whether the operand is walked inside of a loop over a variable of another sparse operand
// that it does not have.
static bool isWalkedAgain(const IndexStatement &statement, const AccessPath &path,
                          ArrayRef<unsigned> order) {
  bool again = false;
  for (unsigned variable : order) {
    if (path.involves(variable)) {
      if (again)
        return true;
      continue;
    }
    again |= llvm::any_of(statement.accesses, [&](const auto &entry) {
      return !entry.second.format.isFull() && entry.second.involves(variable);
    });
  }
  return false;
}

static SmallVector<ta::AccessOp> paddedIn(const IndexStatement &statement, const LoopPlan &plan) {
  SmallVector<ta::AccessOp> padded;
  for (const auto &[read, path] : statement.accesses)
    if (auto access = cast<ta::AccessOp>(read); storesPadding(path.format) &&
                                                access.getMap().isProjectedPermutation() &&
                                                isWalkedAgain(statement, path, plan.order))
      padded.push_back(access);
  return padded;
}

// Gives the conversions that were inserted.
static SmallVector<ta::ConvertOp> convertPadded(ta::ComputeOp op, const LoopPlan &plan) {
  IndexStatement statement(op);
  OpBuilder b(op);
  DenseMap<std::pair<Value, Attribute>, ta::ConvertOp> done;
  SmallVector<ta::ConvertOp> conversions;
  for (ta::AccessOp access : paddedIn(statement, plan)) {
    Value tensor = access.getTensor();
    ta::FormatAttr format = convertedFormat(statement, access, plan.order).format;
    if (storesPadding(format))
      continue;
    ta::ConvertOp &convert = done[{tensor, format}];
    if (!convert) {
      convert = ta::ConvertOp::create(
          b, access.getLoc(), ta::withFormat(cast<RankedTensorType>(tensor.getType()), format),
          tensor, b.getStringAttr("its padding would be walked again and again"));
      conversions.push_back(convert);
      op.getInputsMutable().append(convert.getResult());
    }
    access.getTensorMutable().assign(convert);
  }
  dropUnusedInputs(op);
  return conversions;
}

void dropPadding(ta::ComputeOp op) {
  if (op.getScheduleAttr() || isForbidden(op, Resolution::Conversion))
    return;
  IndexStatement statement(op);
  if (llvm::none_of(statement.accesses,
                    [](const auto &entry) { return storesPadding(entry.second.format); }))
    return;
  std::optional<LoopPlan> plan = planOf(statement);
  // Loops that go from block to block take the blocks as they are.
  if (!plan || !plan->parts.empty() || paddedIn(statement, *plan).empty())
    return;
  ta::ComputeOp listed = copyOf(op);
  SmallVector<ta::ConvertOp> conversions = convertPadded(listed, *plan);
  std::optional<LoopPlan> other = planOf(IndexStatement(listed));
  if (conversions.empty() || !other || other->sweeps.size() > plan->sweeps.size() ||
      other->rewalks.size() > plan->rewalks.size()) {
    listed.erase();
    for (ta::ConvertOp convert : conversions)
      convert.erase();
    return;
  }
  op.getResult().replaceAllUsesWith(listed.getResult());
  if (convertsOnce(listed))
    op.erase();
  else
    keepBoth(listed, op, listed.getResult().getType(), fewStepsAttribute, /*unknown=*/true);
}

} // namespace strata
