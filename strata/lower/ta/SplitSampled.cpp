// Multiplies dense factors where a sparse one has entries, before the others are multiplied.
//
// before: R[i, l] = sum(j, k, S[i, j] * A[i, k] * B[j, k] * C[j, l]), where S is sparse
// after:  t[i, j] = S[i, j] * sum(k, A[i, k] * B[j, k])
//         R[i, l] = sum(j, t[i, j] * C[j, l])
#include "strata/lower/ta/SplitSampled.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/ExpressionParts.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/StatementPart.h"
#include "strata/lower/ta/TemporaryLevels.h"

using namespace mlir;

namespace strata {

namespace {

// A product is taken apart if at most this share of its operations remains.
constexpr double mostRemainingOfSampled = 0.4;
constexpr unsigned mostFactors = 8; ///< all sets of so many dense ones are tried

/// A sparse factor, and dense ones that are wanted at its entries alone.
struct Sample {
  unsigned sparse = 0;
  SmallVector<unsigned> dense;
  double operations = 0; ///< of these, and of what is left
};

class Sampling {
public:
  Sampling(const IndexStatement &statement, const TensorProduct &tensors)
      : statement(statement), tensors(tensors), product(tensors.labeled(statement)) {
    product.densities = tensors.guessedDensities(statement);
  }

  std::optional<Sample> choose() const;
  /// Makes the statement, and computes the rest of its result.
  ta::ComputeOp take(const Sample &sample, unsigned &made) const;

private:
  LabelSet labelsOf(ArrayRef<unsigned> factors) const {
    LabelSet all;
    for (unsigned factor : factors)
      all |= product.factors[factor];
    return all;
  }
  SmallVector<unsigned> othersThan(const Sample &sample) const {
    SmallVector<unsigned> others;
    for (unsigned factor = 0; factor < product.factors.size(); ++factor)
      if (factor != sample.sparse && !llvm::is_contained(sample.dense, factor))
        others.push_back(factor);
    return others;
  }
  LabeledProduct of(unsigned sparse, ArrayRef<unsigned> others, const LabelSet &kept) const;
  bool isPossible(const Sample &sample) const;
  ta::FormatAttr formatOf(unsigned sparse, ArrayRef<unsigned> order) const;

  const IndexStatement &statement;
  const TensorProduct &tensors;
  LabeledProduct product;
};

// The least that it takes to compute a product, by all that is known.
double leastOperationsOf(const LabeledProduct &product) {
  double atOnce = product.operationsAtOnce();
  std::optional<ProductOrder> least = orderOfLeastOperations(product);
  return least ? std::min(atOnce, least->operations) : atOnce;
}

} // namespace

LabeledProduct Sampling::of(unsigned sparse, ArrayRef<unsigned> others,
                            const LabelSet &kept) const {
  LabeledProduct part;
  part.result = kept;
  part.extents = product.extents;
  part.factors.push_back(product.factors[sparse]);
  part.densities[0] = product.densities.at(sparse);
  for (unsigned factor : others) {
    if (product.isSparse(factor))
      part.densities[part.factors.size()] = product.densities.at(factor);
    part.factors.push_back(product.factors[factor]);
  }
  return part;
}

// What is wanted of the factors has all labels of the sparse one, and no others.
bool Sampling::isPossible(const Sample &sample) const {
  SmallVector<unsigned> others = othersThan(sample);
  const LabelSet &own = product.factors[sample.sparse];
  const LabelSet inside = labelsOf(sample.dense) - own, wanted = labelsOf(others) | product.result;
  return !others.empty() && !inside.empty() && !inside.overlaps(wanted) && (own - wanted).empty();
}

std::optional<Sample> Sampling::choose() const {
  SmallVector<unsigned> dense;
  for (unsigned factor = 0; factor < product.factors.size(); ++factor)
    if (!product.isSparse(factor))
      dense.push_back(factor);
  if (product.densities.empty() || dense.size() > mostFactors ||
      product.operationsAtOnce() < leastOperations)
    return std::nullopt;
  std::optional<Sample> best;
  for (const auto &[sparse, density] : product.densities)
    for (unsigned set = 1; set < 1u << dense.size(); ++set) {
      Sample sample{sparse, {}, 0};
      for (auto [bit, factor] : llvm::enumerate(dense))
        if (set >> bit & 1)
          sample.dense.push_back(factor);
      if (!isPossible(sample))
        continue;
      sample.operations = leastOperationsOf(of(sparse, sample.dense, product.factors[sparse])) +
                          leastOperationsOf(of(sparse, othersThan(sample), product.result));
      if (!best || sample.operations < best->operations)
        best = sample;
    }
  if (!best || best->operations > mostRemainingOfSampled * leastOperationsOf(product))
    return std::nullopt;
  return best;
}

// A level that the sparse factor stores in full remains so, but for the last one.
ta::FormatAttr Sampling::formatOf(unsigned sparse, ArrayRef<unsigned> order) const {
  ta::AccessOp access = tensors.factors[sparse];
  const AccessPath &path = statement.accesses.find(access)->second;
  MLIRContext *context = access.getContext();
  unsigned rank = order.size();
  SmallVector<ta::LevelAttr> levels(rank, entryLevel(context));
  for (unsigned at = 0; at + 1 < rank; ++at)
    if (llvm::all_of(llvm::seq<unsigned>(0, path.coordinates.size()), [&](unsigned level) {
          return !path.depends(level, order[at]) || ta::levelProperties(path.format, level).full;
        }))
      levels[at] = placeLevel(context);
  return formatInOrder(context, levels);
}

ta::ComputeOp Sampling::take(const Sample &sample, unsigned &made) const {
  ta::ComputeOp op = statement.op;
  ta::AccessOp sparse = tensors.factors[sample.sparse];
  const AccessPath &path = statement.accesses.find(sparse)->second;
  StatementPart part{sparse.getResult(), storedOrder(path, statement.freeVariables(sparse)),
                     "a product that is wanted only where " + ta::quotedNameOf(sparse.getTensor()) +
                         " stores something"};
  part.format = formatOf(sample.sparse, part.variables);
  SmallVector<ta::AccessOp> read{sparse};
  for (unsigned factor : sample.dense)
    read.push_back(tensors.factors[factor]);
  const LabelSet &own = product.factors[sample.sparse];
  auto multiplied = [&](Value first, ArrayRef<unsigned> factors, OpBuilder &b, IRMapping &mapping) {
    SmallVector<Value> operands;
    if (first)
      operands.push_back(first);
    for (unsigned factor : factors) {
      ta::AccessOp access = tensors.factors[factor];
      operands.push_back(cloneValue(b, access, mapping));
    }
    return operands;
  };
  Value temporary = computeFirst(
      statement, part, "p" + std::to_string(made++), read, [&](OpBuilder &b, IRMapping &mapping) {
        Value entry = cloneValue(b, part.value, mapping);
        Value sum = tensors.sumOver(statement, labelsOf(sample.dense) - own, b, mapping, [&] {
          return chained(multiplied({}, sample.dense, b, mapping), tensors.times, b);
        });
        return chained({entry, sum}, tensors.times, b);
      });

  OpBuilder b(tensors.whole.getDefiningOp());
  IRMapping mapping;
  SmallVector<unsigned> others = othersThan(sample);
  const LabelSet summed = (own | labelsOf(others)) & tensors.summed;
  Value rest = tensors.sumOver(statement, summed, b, mapping, [&] {
    Value entry = accessTo(statement, temporary, part, b, mapping);
    SmallVector<Value> operands = multiplied(entry, others, b, mapping);
    for (Value scale : tensors.scales)
      operands.push_back(
          op.getBody().isAncestor(scale.getParentRegion()) ? cloneValue(b, scale, mapping) : scale);
    return chained(operands, tensors.times, b);
  });
  Value(tensors.whole).replaceAllUsesWith(rest);
  op.getInputsMutable().append(temporary);
  dropUnused(op);
  return temporary.getDefiningOp<ta::ComputeOp>();
}

ta::ComputeOp splitSampled(ta::ComputeOp op, unsigned &made) {
  if (isForbidden(op, Resolution::Grouping))
    return {};
  for (Value whole : productsAroundSums(op)) {
    IndexStatement statement(op);
    std::optional<TensorProduct> found = TensorProduct::match(statement, whole);
    if (!found || found->factors.size() < 4)
      continue;
    Sampling sampling(statement, *found);
    if (std::optional<Sample> sample = sampling.choose())
      return sampling.take(*sample, made);
  }
  return {};
}

} // namespace strata
