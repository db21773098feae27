// Takes out of statements what would be computed again and again, or element by element of a sparse
// result: each becomes a statement of its own before, into a temporary.
#include "strata/dialect/ta/Algebra.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/ExpressionParts.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/MergeCost.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/StoredPlaces.h"
#include "strata/lower/ta/ExactComparisons.h"
#include "strata/lower/ta/FoldFills.h"
#include "strata/lower/ta/Reindex.h"
#include "strata/lower/ta/SplitAddends.h"
#include "strata/lower/ta/SplitProducts.h"
#include "strata/lower/ta/StatementPart.h"
#include "strata/lower/ta/TemporaryLevels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_SPLITSTATEMENTS
#include "strata/lower/Passes.h.inc"

namespace {

using Variables = llvm::SmallBitVector;

bool isSum(Operation *op) {
  return isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp, complex::AddOp,
             complex::SubOp>(op);
}

// Each dimension is another variable, as it stands.
bool isPlain(ta::AccessOp access) { return access.getMap().isProjectedPermutation(); }

class StatementSplitter {
public:
  StatementSplitter(ta::ComputeOp op, unsigned &made) : op(op), statement(op), made(made) {}

  /// Takes a part out; returns whether there was one. What comes beside the statement, as another
  /// way to compute it, is appended to `ways`.
  bool run(SmallVectorImpl<ta::ComputeOp> &ways) {
    return splitSum() || splitChain() || splitInnerSum() || splitSparseSum(op, made, ways) ||
           splitAddends(op, made) || splitMerge();
  }

private:
  bool splitSum();
  bool splitChain();
  bool splitInnerSum();
  bool splitMerge();

  Variables variablesOf(Operation *access) const {
    Variables used(statement.variables.size());
    for (Value index : cast<ta::AccessOp>(access).getIndices())
      used.set(statement.numberOf(index));
    return used;
  }
  SmallVector<ta::AccessOp> accessesIn(Value value) const { return strata::accessesIn(op, value); }
  bool vanishes(Value value, TypedAttr neutral) const;
  bool canStandAlone(Value value, const Variables &free) const;
  bool isUnion(Value value, const Variables &free) const;
  bool isNoLarger(Value value, const Variables &free) const;
  void storeAlike(StatementPart &part, ArrayRef<ta::AccessOp> accesses) const;
  bool isSampled(ta::ReduceOp reduce, const Variables &free) const;
  bool storesOnlyPresent(ta::AccessOp access, unsigned variable) const;
  bool storesOnlyPresent(ArrayRef<Value> product, unsigned variable) const;
  void layOut(StatementPart &part, ArrayRef<Value> product, ArrayRef<ta::AccessOp> accesses,
              const Variables &free) const;
  struct Chain;
  std::optional<Chain> chainIn(ta::ReduceOp reduce) const;
  std::optional<Chain> rowsOf(Chain chain) const;
  void layOutRows(StatementPart &part, const Chain &chain) const;
  Value chainSum(const Chain &chain, Location loc, OpBuilder &b, IRMapping &mapping) const;
  Value temporaryOf(const StatementPart &part, ArrayRef<ta::AccessOp> read,
                    llvm::function_ref<Value(OpBuilder &, IRMapping &)> body) {
    return computeFirst(statement, part, "t" + std::to_string(made++), read, body);
  }

  Value maskedTemporaryOf(const StatementPart &part) {
    return computeMasked(statement, part, "t" + std::to_string(made++));
  }

  ta::ComputeOp op;
  IndexStatement statement;
  unsigned &made; ///< temporaries of the program
};

bool StatementSplitter::vanishes(Value value, TypedAttr neutral) const {
  SmallVector<Operation *> sparse =
      llvm::to_vector_of<Operation *>(llvm::make_filter_range(accessesIn(value), isSparse));
  TypedAttr folded = IndexStatement::knownWithout(value, sparse).value;
  return folded && Attribute(folded) == Attribute(neutral);
}

// Tells whether the value, as a tensor over `free`, is sparse, and made of plain accesses to what
// has values.
bool StatementSplitter::canStandAlone(Value value, const Variables &free) const {
  Variables covered(free.size());
  for (ta::AccessOp access : accessesIn(value)) {
    if (access.getMissing() || !isPlain(access))
      return false;
    if (isSparse(access))
      covered |= variablesOf(access);
  }
  bool told = false;
  if (auto reduce = value.getDefiningOp<ta::ReduceOp>())
    reduce.walk([&](Operation *inner) {
      told |= ta::asksPresence(inner);
      if (auto other = dyn_cast<ta::ReduceOp>(inner))
        told |= other.getMissing();
    });
  Variables open = free;
  open.reset(covered);
  return !told && free.any() && open.none() &&
         vanishes(value, ta::identityOf(ta::Combine::add, value.getType()));
}

// Tells whether the operand stores only some coordinates of the variable.
bool StatementSplitter::storesOnlyPresent(ta::AccessOp access, unsigned variable) const {
  const AccessPath &path = statement.accesses.find(access)->second;
  return llvm::any_of(llvm::seq<unsigned>(0, path.coordinates.size()), [&](unsigned level) {
    return path.depends(level, variable) && !ta::levelProperties(path.format, level).full;
  });
}

// A dimension is compressed if the value is nothing wherever the operands that are compressed there
// store nothing: of a product one of them is enough, of a sum all must be (001 section 5.1).
bool StatementSplitter::storesOnlyPresent(ArrayRef<Value> product, unsigned variable) const {
  return llvm::any_of(product, [&](Value factor) {
    SmallVector<Operation *> absent;
    for (ta::AccessOp access : accessesIn(factor))
      if (storesOnlyPresent(access, variable))
        absent.push_back(access);
    return IndexStatement::addsNothingWithout(factor, ta::Combine::add, absent);
  });
}

// The temporary, which is the product of these factors: its variables from those that the operands
// store further up to those that they store further down, in the mean, whatever the order of the
// operands. The last level is compressed in any case: a dense one would store what no term reaches.
void StatementSplitter::layOut(StatementPart &part, ArrayRef<Value> product,
                               ArrayRef<ta::AccessOp> accesses, const Variables &free) const {
  SmallVector<std::pair<double, unsigned>> ranked;
  for (unsigned variable : free.set_bits()) {
    double levels = 0, operands = 0;
    for (ta::AccessOp access : accesses) {
      const AccessPath &path = statement.accesses.find(access)->second;
      if (!isSparse(access) || !path.involves(variable))
        continue;
      unsigned level = 0;
      while (!path.depends(level, variable))
        ++level;
      levels += level;
      ++operands;
    }
    ranked.push_back({operands > 0 ? levels / operands : double(free.size()), variable});
  }
  llvm::sort(ranked);
  for (auto [level, variable] : ranked)
    part.variables.push_back(variable);
  MLIRContext *context = statement.op.getContext();
  unsigned rank = part.variables.size();
  SmallVector<ta::LevelAttr> levels(rank, entryLevel(context));
  for (unsigned level = 0; level + 1 < rank; ++level)
    if (!storesOnlyPresent(product, part.variables[level]))
      levels[level] = placeLevel(context);
  part.format = formatInOrder(context, levels);
}

//===------------------------------------------------------------------------------------------===//
// What is split
//===------------------------------------------------------------------------------------------===//

// (A[i,k] + B[i,k]) * C[k,j]: inside the loops of the product the sum would be merged again for
// each j, in each of its cases.
bool StatementSplitter::splitSum() {
  std::optional<StatementPart> part;
  op.getBody().walk([&](Operation *inner) {
    if (part || !isSum(inner))
      return;
    Value value = inner->getResult(0);
    bool outermost = llvm::none_of(inner->getUsers(), [](Operation *user) { return isSum(user); });
    Variables free = statement.freeVariables(value), scope = statement.variablesAround(inner);
    if (!outermost || free == scope || !canStandAlone(value, free))
      return;
    SmallVector<ta::AccessOp> accesses = accessesIn(value);
    unsigned sparse = llvm::count_if(accesses, isSparse);
    // Other operands that decide the order of the loops, too.
    bool others = false;
    for (const auto &[access, path] : statement.accesses) {
      Variables beyond = variablesOf(access);
      beyond.reset(free);
      others |= !path.format.isFull() && beyond.any() &&
                !llvm::is_contained(accesses, cast<ta::AccessOp>(access));
    }
    if (sparse < 2 || !others)
      return;
    part = StatementPart{value,
                         {},
                         "a sum of sparse tensors, which a product would merge again and "
                         "again"};
    layOut(*part, value, accesses, free);
  });
  if (!part)
    return false;
  replaceBy(statement, *part, maskedTemporaryOf(*part));
  return true;
}

// What a chain of products takes out: the factors that use a summed variable, and the others.
struct StatementSplitter::Chain {
  Value variable;
  Operation *product; ///< of all factors
  SmallVector<Value> inside, outside;
  Variables free; ///< of the product of those inside, summed over the variable
  /// Of a sparse factor times rows, the product is rows as well: one for each value of this
  /// variable.
  std::optional<unsigned> rows = {};
  unsigned depth = 0; ///< the level at which the sparse factor has the summed variable
};

// Tells whether the operand is a vector, or its rows are stored whole.
static bool storesRows(ta::AccessOp access) {
  ta::FormatAttr format = ta::formatOf(cast<RankedTensorType>(access.getTensor().getType()));
  return format.isFull() ||
         llvm::all_of(llvm::drop_begin(format.getLevels()),
                      [](ta::LevelAttr level) { return findLevelTraits(level.getName())->places; });
}

// Tells of a factor whether its rows, if they are stored whole, have all elements.
static bool hasFullRows(Value factor) {
  auto access = factor.getDefiningOp<ta::AccessOp>();
  ta::FormatAttr format = ta::formatOf(cast<RankedTensorType>(access.getTensor().getType()));
  return !storesRows(access) || format.isFull() ||
         llvm::all_of(llvm::seq<unsigned>(1, format.getLvlRank()),
                      [&](unsigned level) { return ta::levelProperties(format, level).full; });
}

// sum_jk A[i,j] * B[j,k] * x[k]: B and x, over k: a vector instead of a matrix.
std::optional<StatementSplitter::Chain> StatementSplitter::rowsOf(Chain chain) const {
  ta::AccessOp sparse, widest;
  for (Value factor : chain.inside) {
    auto access = factor.getDefiningOp<ta::AccessOp>();
    bool hasRows = storesRows(access);
    if (!hasRows && sparse)
      return std::nullopt;
    ta::AccessOp &one = hasRows ? widest : sparse;
    if (!one || access.getIndices().size() > one.getIndices().size())
      one = access;
  }
  if (!sparse || !widest || chain.free.count() > variablesOf(widest).count())
    return std::nullopt;
  Variables own = variablesOf(sparse);
  own &= chain.free;
  if (own.count() != 1)
    return std::nullopt;
  const AccessPath &path = statement.accesses.find(sparse)->second;
  while (!path.depends(chain.depth, statement.numberOf(chain.variable)))
    ++chain.depth;
  chain.rows = own.find_first();
  return chain;
}

// ... stored as rows: with a place for each, if an operand or the result has one.
void StatementSplitter::layOutRows(StatementPart &part, const Chain &chain) const {
  part.variables.push_back(*chain.rows);
  for (unsigned variable : chain.free.set_bits())
    if (variable != *chain.rows)
      part.variables.push_back(variable);
  MLIRContext *context = statement.op.getContext();
  unsigned rank = part.variables.size();
  SmallVector<ta::LevelAttr> levels(rank, placeLevel(context));
  levels.front() =
      hasPlaces(statement, *chain.rows) ? markedPlaceLevel(context) : entryLevel(context);
  // Marked rows: where none of those that are added up has an element, the sum has none.
  if (rank > 1 && !llvm::all_of(chain.inside, hasFullRows))
    levels.back() = markedPlaceLevel(context);
  part.format = formatInOrder(context, levels);
}

// sum_kl A[i,k] * B[k,l] * C[l,j]: A and B, over k, where the product of the two is no larger in
// order than they are, and is not wanted only where a third stores something. Products that are
// rows come first.
std::optional<StatementSplitter::Chain> StatementSplitter::chainIn(ta::ReduceOp reduce) const {
  SmallVector<Value> factors;
  factorsOf(reduce.getYielded(), factors);
  bool simple = llvm::all_of(factors, [&](Value factor) {
    auto access = factor.getDefiningOp<ta::AccessOp>();
    return access && isPlain(access) && !access.getMissing();
  });
  auto sparse = [](Value factor) { return !storesRows(factor.getDefiningOp<ta::AccessOp>()); };
  unsigned matrices = simple ? llvm::count_if(factors, sparse) : 0;
  bool vectors =
      simple && llvm::all_of(factors, [&](Value factor) {
        return sparse(factor) || factor.getDefiningOp<ta::AccessOp>().getIndices().size() <= 1;
      });
  std::optional<Chain> found, rows;
  for (Value variable : reduce.getVariables()) {
    if (matrices < 2)
      break;
    Chain chain{variable,
                reduce.getYielded().getDefiningOp(),
                {},
                {},
                Variables(statement.variables.size())};
    unsigned summed = statement.numberOf(variable), order = 0;
    for (Value factor : factors) {
      Variables used = variablesOf(factor.getDefiningOp());
      (used.test(summed) ? chain.inside : chain.outside).push_back(factor);
      if (!used.test(summed))
        continue;
      chain.free |= used;
      order = std::max<unsigned>(order, used.count());
    }
    chain.free.reset(summed);
    if (chain.free.none())
      continue;
    auto covering = llvm::make_filter_range(chain.outside, [&](Value factor) {
      Variables beyond = chain.free;
      beyond.reset(variablesOf(factor.getDefiningOp()));
      return beyond.none();
    });
    // A vector that a third has for each of its rows is used again and again.
    bool sampled = llvm::any_of(covering, [&](Value factor) {
      return isSparse(factor.getDefiningOp<ta::AccessOp>()) &&
             variablesOf(factor.getDefiningOp()) == chain.free;
    });
    std::optional<Chain> narrow = sampled ? std::nullopt : rowsOf(chain);
    if (narrow && (!rows || narrow->depth > rows->depth))
      rows = narrow;
    if (!found && vectors && matrices > 2 && llvm::count_if(chain.inside, sparse) == 2 &&
        chain.free.count() <= order && covering.empty())
      found = chain;
  }
  return rows ? rows : found;
}

// The product of the factors that a chain takes out, summed, as the body of a temporary.
Value StatementSplitter::chainSum(const Chain &chain, Location loc, OpBuilder &b,
                                  IRMapping &mapping) const {
  const IndexVariable &summed = statement.variables[statement.numberOf(chain.variable)];
  auto sum = ta::ReduceOp::create(b, loc, chain.inside.front().getType(), ta::Combine::add,
                                  ValueRange{summed.extent},
                                  b.getArrayAttr({b.getStringAttr(summed.name)}),
                                  /*missing=*/false);
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&sum.getBody());
  mapping.map(chain.variable, block->addArgument(b.getIndexType(), loc));
  SmallVector<Value> factors;
  for (Value factor : chain.inside)
    factors.push_back(cloneValue(b, factor, mapping));
  ta::YieldOp::create(b, loc, chained(factors, chain.product, b));
  return sum.getResult();
}

bool StatementSplitter::splitChain() {
  ta::ReduceOp reduce;
  std::optional<Chain> chain;
  op.getBody().walk([&](ta::ReduceOp candidate) {
    if (!chain && !candidate.getMissing() && candidate.getCombine() == ta::Combine::add &&
        candidate.getVariables().size() > 1 && (chain = chainIn(candidate)))
      reduce = candidate;
  });
  if (!chain)
    return false;
  StatementPart part{chain->inside.front(),
                     {},
                     chain->rows ? "a product with rows, smaller than one of sparse tensors"
                                 : "a product of two sparse tensors, to avoid recomputation"};
  SmallVector<ta::AccessOp> read;
  for (Value factor : chain->inside)
    read.push_back(factor.getDefiningOp<ta::AccessOp>());
  if (chain->rows)
    layOutRows(part, *chain);
  else
    layOut(part, chain->inside, read, chain->free);
  Location loc = reduce.getLoc();
  Value temporary = temporaryOf(part, read, [&](OpBuilder &b, IRMapping &mapping) {
    return chainSum(*chain, loc, b, mapping);
  });

  // The other factors, over the other variables.
  OpBuilder b(reduce);
  SmallVector<Value> extents;
  SmallVector<Attribute> names;
  for (Value variable : reduce.getVariables())
    if (variable != chain->variable) {
      const IndexVariable &kept = statement.variables[statement.numberOf(variable)];
      extents.push_back(kept.extent);
      names.push_back(b.getStringAttr(kept.name));
    }
  auto rest = ta::ReduceOp::create(b, loc, reduce.getType(), ta::Combine::add, extents,
                                   b.getArrayAttr(names), /*missing=*/false);
  Block *block = b.createBlock(&rest.getBody());
  IRMapping mapping;
  for (Value variable : reduce.getVariables())
    if (variable != chain->variable)
      mapping.map(variable, block->addArgument(b.getIndexType(), loc));
  SmallVector<Value> factors, left;
  factorsOf(reduce.getYielded(), factors);
  for (Value factor : factors)
    if (factor == part.value)
      left.push_back(accessTo(statement, temporary, part, b, mapping));
    else if (!llvm::is_contained(chain->inside, factor))
      left.push_back(cloneValue(b, factor, mapping));
  ta::YieldOp::create(b, loc, chained(left, chain->product, b));
  reduce.getResult().replaceAllUsesWith(rest.getResult());
  reduce.erase();
  op.getInputsMutable().append(temporary);
  dropUnusedInputs(op);
  return true;
}

// Tells whether the sum is multiplied by what stores something at few of its places.
bool StatementSplitter::isSampled(ta::ReduceOp reduce, const Variables &free) const {
  for (Value value = reduce.getResult(); value.hasOneUse();) {
    Operation *user = *value.getUsers().begin();
    if (!isProduct(user))
      return false;
    for (Value factor : user->getOperands())
      if (factor != value)
        for (ta::AccessOp access : accessesIn(factor)) {
          Variables beyond = free;
          beyond.reset(variablesOf(access));
          if (isSparse(access) && beyond.none())
            return true;
        }
    value = user->getResult(0);
  }
  return false;
}

// C[i,j] - A[i,k] * B[k,j] into a sparse result: element by element the sum would be asked for at
// every place; as a tensor of its own it is made row by row.
bool StatementSplitter::splitInnerSum() {
  if (statement.result.format.isFull())
    return false;
  ta::ReduceOp found;
  Variables free;
  for (auto reduce : op.getBlock().getOps<ta::ReduceOp>()) {
    free = statement.freeVariables(reduce.getResult());
    if (reduce.getResult() != op.getYielded() && reduce.getCombine() == ta::Combine::add &&
        !reduce.getMissing() && free.count() > 1 &&
        llvm::count_if(accessesIn(reduce.getResult()), isSparse) > 1 &&
        canStandAlone(reduce.getResult(), free) && !isSampled(reduce, free)) {
      found = reduce;
      break;
    }
  }
  if (!found)
    return false;
  StatementPart part{found.getResult(), {}, "a sum of products, to avoid recomputation"};
  SmallVector<ta::AccessOp> read = accessesIn(part.value);
  layOut(part, part.value, read, free);
  replaceBy(statement, part, maskedTemporaryOf(part));
  return true;
}

// A union of sparse tensors, of which each tells where it has a value: a tensor that stores exactly
// these places is the same.
bool StatementSplitter::isUnion(Value value, const Variables &free) const {
  if (!value.getDefiningOp<ta::UnionOp>())
    return false;
  return llvm::all_of(accessesIn(value), [&](ta::AccessOp access) {
    return access.getMissing() && isSparse(access) && isPlain(access) &&
           variablesOf(access) == free;
  });
}

// Operands that are stored alike are merged level by level, or entry by entry, and so is their sum
// with others.
void StatementSplitter::storeAlike(StatementPart &part, ArrayRef<ta::AccessOp> accesses) const {
  ta::AccessOp first;
  auto formatOf = [](ta::AccessOp access) {
    return ta::formatOf(cast<RankedTensorType>(access.getTensor().getType())).withWidths(0, 0);
  };
  for (ta::AccessOp access : accesses) {
    if (!isSparse(access))
      continue;
    if (first && (formatOf(access) != formatOf(first) || access.getMap() != first.getMap() ||
                  access.getIndices() != first.getIndices()))
      return;
    first = access;
  }
  ta::FormatAttr format = formatOf(first);
  bool appended = llvm::all_of(llvm::seq<unsigned>(0, format.getLvlRank()), [&](unsigned lvl) {
    LevelProperties properties = ta::levelProperties(format, lvl);
    return properties.ordered &&
           (properties.full || findLevelTraits(format.getLevels()[lvl].getName())->appends);
  });
  if (!appended || !format.getDimToLvl().isPermutation() || !format.sortedDims().empty())
    return;
  part.format = format.withFill(Attribute());
  part.variables.clear();
  for (AffineExpr place : first.getMap().getResults())
    part.variables.push_back(
        statement.numberOf(first.getIndices()[cast<AffineDimExpr>(place).getPosition()]));
}

// Tells whether the value, as a tensor, stores no more places than its operands together.
bool StatementSplitter::isNoLarger(Value value, const Variables &free) const {
  auto spansAll = [&](ta::AccessOp access) {
    return isSparse(access) && variablesOf(access) == free;
  };
  SmallVector<ta::AccessOp> accesses = accessesIn(value);
  Operation *def = value.getDefiningOp();
  if (isProduct(def))
    return llvm::any_of(accesses, spansAll);
  return isSum(def) && llvm::all_of(accesses, [&](ta::AccessOp access) {
           return !isSparse(access) || spansAll(access);
         });
}

// A + B + C + ... of many sparse tensors: all cases of which are there would take a kernel that
// hardly ends to be compiled. The first ones are added up before, in the same order.
bool StatementSplitter::splitMerge() {
  std::optional<StatementPart> part;
  double most = 1;
  auto search = [&](Value root) {
    if (!mergesTooMany(statement, root))
      return;
    SetVector<Value> values;
    values.insert(root);
    for (size_t at = 0; at < values.size(); ++at) {
      Value value = values[at];
      Operation *def = value.getDefiningOp();
      if (!def || !op->isProperAncestor(def) || isa<ta::AccessOp, ta::ReduceOp>(def))
        continue;
      values.insert(def->operand_begin(), def->operand_end());
      double merged =
          isProduct(def) ? double(mergedOperands(op, value).size()) : mergedIn(op, value);
      Variables free = statement.freeVariables(value);
      bool missing = isUnion(value, free);
      bool fits = missing || (isNoLarger(value, free) && canStandAlone(value, free));
      if (merged <= most || !fits || mergesTooMany(statement, value))
        continue;
      most = merged;
      part = StatementPart{value, {}, "too many sparse tensors to merge all at once", missing};
    }
  };
  op.getBody().walk([&](ta::ReduceOp reduce) { search(reduce.getYielded()); });
  search(op.getYielded());
  if (!part)
    return false;
  SmallVector<ta::AccessOp> read = accessesIn(part->value);
  layOut(*part, part->value, read, statement.freeVariables(part->value));
  storeAlike(*part, read);
  replaceBy(statement, *part, maskedTemporaryOf(*part));
  return true;
}

struct SplitStatements : impl::SplitStatementsBase<SplitStatements> {
  void runOnOperation() override {
    unsigned made = 0;
    SmallVector<ta::ComputeOp> work;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!isKernel(function))
        function.walk([&](ta::ComputeOp op) { work.push_back(op); });
    for (ta::ComputeOp op : work)
      if (comparesComputed(op)) // its temporaries, too
        assume(op, Assumptions::Deterministic);
    for (size_t at = 0; at < work.size(); ++at)
      if (ta::ComputeOp op = work[at]; !isForbidden(op, Resolution::Split))
        for (unsigned most = made + 50; made < most && StatementSplitter(op, made).run(work);)
          ;
    for (ta::ComputeOp op : work)
      foldFills(op, made);
  }
};

} // namespace
} // namespace strata
