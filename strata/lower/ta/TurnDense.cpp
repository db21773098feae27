// Converts dense operands whose rows run along the loops of sparse ones.
//
// before: R[i, k] = sum(j, S[i, j] * B[k, j]), where S is sparse
// after:  t = B with j before k
//         R[i, k] = sum(j, S[i, j] * t[k, j])
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

private:
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
  constexpr int64_t leastRow = 4;
  if (!last || expectedExtent(statement.variables[*last].extent).value_or(leastRow) < leastRow)
    return {};
  for (unsigned label : *labels)
    if (!driven.test(label) && label != *last)
      turned.push_back(label);
  turned.push_back(*last);
  MLIRContext *context = access.getContext();
  SmallVector<AffineExpr> levels;
  for (unsigned label : turned)
    for (unsigned dim = 0; dim < labels->size(); ++dim) {
      Value index = access.getIndices()[access.getMap().getDimPosition(dim)];
      if (statement.numberOf(index) == label)
        levels.push_back(getAffineDimExpr(dim, context));
    }
  if (levels.size() != labels->size())
    return {};
  return ta::FormatAttr::get(context, AffineMap::get(levels.size(), 0, levels, context),
                             path.format.getLevels(), path.format.getFill());
}

void turnDense(ta::ComputeOp op) {
  if (op.getScheduleAttr() || isForbidden(op, Resolution::Conversion) ||
      isForbidden(op, Resolution::Order))
    return;
  IndexStatement statement(op);
  Turning turning(statement);
  SmallVector<std::pair<ta::AccessOp, ta::FormatAttr>> found;
  for (const auto &[read, path] : statement.accesses)
    if (auto access = cast<ta::AccessOp>(read); ta::FormatAttr format = turning.formatFor(access))
      found.push_back({access, format});
  if (found.empty())
    return;
  ta::ComputeOp asStored = copyOf(op);
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
  if (convertsOnce(op))
    asStored.erase();
  else
    keepBoth(op, asStored, op.getResult().getType(), fewReadsAttribute);
}

} // namespace strata
