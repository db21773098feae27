// Converts dense operands and results whose rows run along the loops of sparse operands.
//
// before: R[i, k] = sum(j, S[i, j] * B[k, j]), where S is sparse
// after:  t = B with j before k
//         R[i, k] = sum(j, S[i, j] * t[k, j])
//
// before: R[k, i] = sum(j, S[i, j] * B[j, k])
// after:  t[k, i] = sum(j, S[i, j] * B[j, k]), where i comes before k
//         R = t
#include "strata/lower/ta/TurnDense.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/ExpectedSizes.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/BothWays.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/TensorProduct.h"

using namespace mlir;

namespace strata {

namespace {

using Labels = llvm::SmallBitVector;

class Turning {
public:
  explicit Turning(const IndexStatement &statement) : statement(statement) {
    driven.resize(statement.variables.size());
    for (const auto &[access, path] : statement.accesses)
      if (!path.format.isFull())
        for (unsigned label = 0; label < driven.size(); ++label)
          if (path.involves(label))
            driven.set(label);
  }

  /// The format whose rows run along the innermost loop; null where they do, or could not.
  ta::FormatAttr formatFor(ta::AccessOp access) const;
  /// The same of a result that sums are stored in.
  ta::FormatAttr formatOfResult() const;

private:
  bool hasRows(unsigned label) const {
    constexpr int64_t leastRow = 4;
    return expectedExtent(statement.variables[label].extent).value_or(leastRow) >= leastRow;
  }
  bool isInnermost(unsigned label) const;

  const IndexStatement &statement;
  Labels driven; ///< labels of sparse operands
};

} // namespace

// Tells whether loops can end with that over the label: the result's rows, if it has several, run
// along it, and those of other dense operands, or the result does not have it.
bool Turning::isInnermost(unsigned label) const {
  const AccessPath &result = statement.result;
  for (unsigned other = 0; other < driven.size(); ++other)
    if (!driven.test(other) && result.involves(other))
      return !result.coordinates.empty() && result.depends(result.coordinates.size() - 1, label);
  return true;
}

// The format of levels with a place for everything, in the order of these labels; null if they are
// not the dimensions of the tensor, each once.
static ta::FormatAttr storing(const AccessPath &path, ArrayRef<unsigned> labels) {
  MLIRContext *context = path.format.getContext();
  SmallVector<AffineExpr> levels;
  for (unsigned label : labels)
    for (auto [dim, place] : llvm::enumerate(path.place.getResults()))
      if (place == getAffineDimExpr(label, context))
        levels.push_back(getAffineDimExpr(dim, context));
  if (levels.size() != labels.size() || levels.size() != path.place.getNumResults())
    return {};
  return ta::FormatAttr::get(context, AffineMap::get(levels.size(), 0, levels, context),
                             path.format.getLevels(), path.format.getFill());
}

ta::FormatAttr Turning::formatFor(ta::AccessOp access) const {
  const AccessPath &path = statement.accesses.find(access)->second;
  std::optional<LabelOrder> labels = storedLabels(path);
  // An operand that has all labels is read but once.
  if (!path.format.isFull() || !labels || labels->size() < 2 || !driven.test(labels->back()) ||
      labels->size() == driven.size() || !access.getMap().isProjectedPermutation())
    return {};
  // The labels of sparse operands first; of the others one with which the loops can end last.
  LabelOrder turned;
  std::optional<unsigned> last;
  for (unsigned label : *labels)
    if (driven.test(label))
      turned.push_back(label);
    else if (isInnermost(label))
      last = label;
  if (!last || !hasRows(*last))
    return {};
  for (unsigned label : *labels)
    if (!driven.test(label) && label != *last)
      turned.push_back(label);
  turned.push_back(*last);
  return storing(path, turned);
}

ta::FormatAttr Turning::formatOfResult() const {
  const AccessPath &path = statement.result;
  ta::ComputeOp op = statement.op;
  std::optional<LabelOrder> labels = storedLabels(path);
  bool sums = llvm::any_of(llvm::enumerate(statement.variables), [&](const auto &one) {
    return one.value().reduction && driven.test(one.index());
  });
  if (!path.format.isFull() || op.getInit() || !labels || labels->size() < 2 || !sums ||
      !driven.test(labels->back()))
    return {};
  LabelOrder turned;
  for (bool isDriven : {true, false})
    llvm::copy_if(*labels, std::back_inserter(turned),
                  [&](unsigned label) { return driven.test(label) == isDriven; });
  if (driven.test(turned.back()) || !hasRows(turned.back()))
    return {};
  return storing(path, turned);
}

// The statement stores its result in that format, and what follows converts it.
static void storeIn(ta::ComputeOp op, ta::FormatAttr format) {
  Value result = op.getResult();
  auto wanted = cast<RankedTensorType>(result.getType());
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  auto convert = ta::ConvertOp::create(b, op.getLoc(), wanted, result,
                                       b.getStringAttr("rows are summed up one behind the other"));
  result.replaceAllUsesExcept(convert.getResult(), convert);
  result.setType(ta::withFormat(wanted, format));
}

// Reads operands in other formats. Tells whether there are such.
static bool readTurned(ta::ComputeOp op) {
  IndexStatement statement(op);
  Turning turning(statement);
  SmallVector<std::pair<ta::AccessOp, ta::FormatAttr>> found;
  for (const auto &[read, path] : statement.accesses)
    if (auto access = cast<ta::AccessOp>(read); ta::FormatAttr format = turning.formatFor(access))
      found.push_back({access, format});
  OpBuilder b(op);
  for (auto [access, format] : found) {
    Value tensor = access.getTensor();
    auto convert = ta::ConvertOp::create(
        b, access.getLoc(), ta::withFormat(cast<RankedTensorType>(tensor.getType()), format),
        tensor, b.getStringAttr("the innermost loop reads along its rows then"));
    access.getTensorMutable().assign(convert);
    op.getInputsMutable().append(convert.getResult());
  }
  dropUnusedInputs(op);
  return !found.empty();
}

void turnDense(ta::ComputeOp op) {
  if (op.getScheduleAttr() || isForbidden(op, Resolution::Conversion) ||
      isForbidden(op, Resolution::Order))
    return;
  ta::ComputeOp asStored = copyOf(op);
  Type wanted = op.getResult().getType();
  IndexStatement statement(op);
  ta::FormatAttr turned = Turning(statement).formatOfResult();
  if (turned)
    storeIn(op, turned);
  if (!readTurned(op) && !turned)
    asStored.erase();
  else if (!turned && convertsOnce(op))
    asStored.erase();
  else
    keepBoth(op, asStored, wanted, fewReadsAttribute);
}

} // namespace strata
