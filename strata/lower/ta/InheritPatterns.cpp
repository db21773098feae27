// Gives kernels whose result may have the pattern of an operand a second one, of values alone.
//
// before: func @k(B, c, n, m, o) { A[i, j] = sum(k, B[i, j, k] * c[k]) }        A: DCSR, B: CSF
// after:  @k, with a plan of which levels of B are those of A, and
//         func @k.values(b, c, n, m, o, q) { a[p] = sum(k, b[p, k] * c[k]) }   b: CSR, a: dense
//
// The rows p are the entries (i, j) that B has; a and b are the same arrays as those of A and B.
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/InheritablePattern.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_INHERITPATTERNS
#include "strata/lower/Passes.h.inc"

namespace {

// A kernel whose result has an entry wherever an operand has one below its first levels.
class InheritingKernel {
public:
  explicit InheritingKernel(func::FuncOp kernel) : kernel(kernel) {}

  // A schedule says whether patterns are copied; without one they are wherever that is possible.
  bool match();
  void addValues();

private:
  Value argumentOf(unsigned label) const { return statement->variables[label].argument; }
  SmallVector<int64_t> plan();
  void rewrite(func::FuncOp values);
  RankedTensorType typeOfRows(RankedTensorType whole) const;
  SmallVector<ta::AccessOp> accessesTo(Value tensor) const;

  func::FuncOp kernel;
  ta::ComputeOp compute;
  std::optional<IndexStatement> statement;
  InheritablePattern pattern{};
};

bool InheritingKernel::match() {
  auto ret = dyn_cast<func::ReturnOp>(kernel.getBody().back().getTerminator());
  compute = ret && ret.getNumOperands() == 1 ? ret.getOperand(0).getDefiningOp<ta::ComputeOp>()
                                             : ta::ComputeOp();
  if (!compute || (compute.getScheduleAttr() && !commandToInherit(compute.getScheduleAttr())))
    return false;
  statement.emplace(compute);
  std::string why;
  std::optional<InheritablePattern> found = inheritablePattern(*statement, why);
  pattern = found.value_or(pattern);
  return found.has_value();
}

SmallVector<ta::AccessOp> InheritingKernel::accessesTo(Value tensor) const {
  SmallVector<ta::AccessOp> found;
  for (const auto &[op, way] : statement->accesses)
    if (auto access = cast<ta::AccessOp>(op); access.getTensor() == tensor)
      found.push_back(access);
  return found;
}

// A strata_inheritance, its levels, and the dimensions of the places behind these.
SmallVector<int64_t> InheritingKernel::plan() {
  auto type = cast<RankedTensorType>(compute.getResult().getType());
  ta::FormatAttr from = pattern.path->format, to = statement->result.format;
  DenseMap<Value, int64_t> extents;
  int64_t storages = 1, operand = 0;
  for (BlockArgument argument : kernel.getArguments()) {
    if (argument == pattern.source)
      operand = storages;
    if (isa<RankedTensorType>(argument.getType()))
      ++storages;
    else
      extents.try_emplace(argument, extents.size());
  }
  auto dimOf = [](ta::FormatAttr format, unsigned level) -> int64_t {
    return cast<AffineDimExpr>(format.getDimToLvl().getResult(level)).getPosition();
  };
  // An open width is that of a word.
  auto bytes = [](unsigned bits) -> int64_t { return bits ? bits / 8 : 8; };
  unsigned levels = from.getLvlRank();
  SmallVector<int64_t> words{int64_t(phaseOf(kernel)),
                             operand,
                             storages,
                             int64_t(extents.size()),
                             levels,
                             pattern.shared,
                             int64_t(to.getLvlRank() - pattern.shared),
                             ta::bytesOf(type.getElementType())};
  for (unsigned level = 0; level < levels; ++level) {
    bool compressed = !ta::hasPlacesOnly(from, level), isShared = level < pattern.shared;
    Value extent = statement->variables[*labelOf(*pattern.path, level)].extent;
    bool both = compressed && isShared;
    llvm::append_values(
        words, dimOf(from, level), isShared ? extents.lookup(extent) : 0, int64_t(compressed),
        compressed ? bytes(from.getLevels()[level].getPosWidth()) : 0,
        compressed ? bytes(from.getLevels()[level].getCrdWidth()) : 0,
        isShared ? dimOf(to, level) : 0, both ? bytes(to.getLevels()[level].getPosWidth()) : 0,
        both ? bytes(to.getLevels()[level].getCrdWidth()) : 0);
  }
  for (unsigned level = pattern.shared; level < to.getLvlRank(); ++level)
    words.push_back(dimOf(to, level));
  return words;
}

// The levels from the shared ones on, below rows that all have a place.
RankedTensorType InheritingKernel::typeOfRows(RankedTensorType whole) const {
  ta::FormatAttr format = ta::formatOf(whole);
  MLIRContext *context = whole.getContext();
  SmallVector<ta::LevelAttr> levels{ta::denseFormat(context, 1).getLevels().front()};
  llvm::append_range(levels, format.getLevels().drop_front(pattern.shared));
  auto type = RankedTensorType::get(SmallVector<int64_t>(levels.size(), ShapedType::kDynamic),
                                    whole.getElementType());
  AffineMap map = AffineMap::getMultiDimIdentityMap(levels.size(), context);
  return ta::withFormat(type, ta::FormatAttr::get(context, map, levels, format.getFill()));
}

void InheritingKernel::addValues() {
  OpBuilder b(kernel.getContext());
  b.setInsertionPointAfter(kernel);
  auto values = cast<func::FuncOp>(b.clone(*kernel));
  values.setName((kernel.getName() + ".values").str());
  setPhase(values, Phase::Compute); // there is room for them
  setInheritance(kernel, plan(), values);
  InheritingKernel copy(values);
  if (copy.match())
    copy.rewrite(values);
}

void InheritingKernel::rewrite(func::FuncOp values) {
  OpBuilder b(compute);
  Location loc = compute.getLoc();
  Block &entry = values.getBody().front();
  Value rows = entry.addArgument(b.getIndexType(), NameLoc::get(b.getStringAttr("rows")));
  auto from = typeOfRows(cast<RankedTensorType>(pattern.source.getType()));
  auto to = typeOfRows(cast<RankedTensorType>(compute.getResult().getType()));

  // The labels: the row, then those of the left side that the operand's rows are not of.
  Block &body = compute.getBlock();
  body.insertArgument(0u, b.getIndexType(), loc);
  SmallVector<Value> extents{rows};
  SmallVector<Attribute> names{b.getStringAttr("p")};
  DenseMap<Value, unsigned> numbers;
  SmallVector<Value> dropped;
  for (unsigned level = 0; level < pattern.shared; ++level)
    dropped.push_back(argumentOf(*labelOf(*pattern.path, level)));
  for (BlockArgument label : body.getArguments().drop_front())
    if (!llvm::is_contained(dropped, label)) {
      const IndexVariable &variable = statement->variables[statement->numberOf(label)];
      numbers[label] = extents.size();
      extents.push_back(variable.extent);
      names.push_back(b.getStringAttr(variable.name));
    }
  SmallVector<AffineExpr> places{b.getAffineDimExpr(0)};
  SmallVector<Value> sizes{rows}, below{body.getArgument(0)};
  for (unsigned level = pattern.shared; level < statement->result.format.getLvlRank(); ++level) {
    unsigned number = numbers.lookup(argumentOf(*labelOf(statement->result, level)));
    places.push_back(b.getAffineDimExpr(number));
    sizes.push_back(extents[number]);
  }
  for (unsigned level = pattern.shared; level < pattern.path->format.getLvlRank(); ++level)
    below.push_back(argumentOf(*labelOf(*pattern.path, level)));

  for (ta::AccessOp access : accessesTo(pattern.source)) {
    OpBuilder inside(access);
    Value row =
        ta::AccessOp::create(inside, access.getLoc(), access.getType(), pattern.source, below,
                             b.getMultiDimIdentityMap(below.size()), /*missing=*/false);
    access.getResult().replaceAllUsesWith(row);
    access.erase();
  }
  for (Value label : dropped)
    body.eraseArgument(cast<BlockArgument>(label).getArgNumber());
  pattern.source.setType(from);
  auto fresh = ta::ComputeOp::create(
      b, loc, to, extents, compute.getInputs(), sizes, Value(),
      AffineMapAttr::get(AffineMap::get(extents.size(), 0, places, b.getContext())),
      ta::CombineAttr(), b.getArrayAttr(names));
  fresh.getBody().takeBody(compute.getBody());
  keepConstraints(fresh, compute);
  compute.getResult().replaceAllUsesWith(fresh.getResult());
  compute.erase();
  values.setFunctionType(b.getFunctionType(entry.getArgumentTypes(), {to}));
}

struct InheritPatterns : impl::InheritPatternsBase<InheritPatterns> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Statement, getArgument())))
      return signalPassFailure();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (InheritingKernel one(kernel); isKernel(kernel) && one.match())
        one.addValues();
  }
};

} // namespace
} // namespace strata
