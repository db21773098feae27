// Gives kernels whose result may have the pattern of an operand a second one, of values alone.
//
// before: func @k(B, c, n, m, o) { A[i, j] = sum(k, B[i, j, k] * c[k]) }        A: DCSR, B: CSF
// after:  @k, with a plan of which levels of B are those of A, and
//         func @k.values(b, c, n, m, o, q) { a[p] = sum(k, b[p, k] * c[k]) }   b: CSR, a: dense
//
// The rows p are the entries (i, j) that B has; a and b are the same arrays as those of A and B.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/analysis/Resolutions.h"
#include "strata/lower/analysis/ScheduledOrder.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_INHERITPATTERNS
#include "strata/lower/Passes.h.inc"

namespace {

FileLevel kindOf(ta::FormatAttr format, unsigned level) {
  return findLevelTraits(format.getLevels()[level].getName())->inFiles;
}

bool hasPlaces(ta::FormatAttr format, unsigned level) {
  return kindOf(format, level) == FileLevel::Places;
}

/// Is the level one of those that the runtime copies?
bool isKnown(ta::FormatAttr format, unsigned level) {
  LevelProperties properties = ta::levelProperties(format, level);
  return hasPlaces(format, level) ||
         (kindOf(format, level) == FileLevel::Lists && properties.ordered && properties.unique &&
          !format.getLevels()[level].getAos());
}

/// A kernel whose result has an entry wherever an operand has one below its first levels.
class InheritingKernel {
public:
  explicit InheritingKernel(func::FuncOp kernel) : kernel(kernel) {}

  bool match();
  void addValues();

private:
  bool findSource();
  bool sharesLevels();
  bool isAlone();
  std::optional<unsigned> labelAt(const AccessPath &path, unsigned level) const;
  Value argumentOf(unsigned label) const { return statement->variables[label].argument; }
  SmallVector<int64_t> plan();
  void rewrite(func::FuncOp values);
  RankedTensorType typeOfRows(RankedTensorType whole) const;
  SmallVector<ta::AccessOp> accessesTo(Value tensor) const;

  func::FuncOp kernel;
  ta::ComputeOp compute;
  std::optional<IndexStatement> statement;
  Value source;                     ///< the operand
  const AccessPath *path = nullptr; ///< how it is accessed
  unsigned shared = 0;              ///< so many of its levels are those of the result
};

// Tells whether the statement has the loops that it would have without its schedule, in threads.
static bool keepsLoops(ta::ComputeOp op, Assembly preferred) {
  ta::ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return true;
  Attribute inThreads;
  for (ta::CommandAttr command : schedule.getCommands()) {
    ArrayRef<Attribute> given = command.getArguments();
    auto isWord = [&](unsigned at, StringRef word) {
      return at < given.size() && given[at] == StringAttr::get(op.getContext(), word);
    };
    bool isProven = given.size() == 2 || isWord(2, "NoRaces") || isWord(2, "IgnoreRaces");
    if (command.getName() == "parallelize" && isWord(1, "CPUThread") && isProven)
      inThreads = given.front();
    else if (!llvm::is_contained({"reorder", "assemble", "contract"}, command.getName()))
      return false;
  }
  auto plan = [&] { return planOf(IndexStatement(op), preferred); };
  std::optional<LoopPlan> own = plan();
  op.removeScheduleAttr();
  std::optional<LoopPlan> chosen = plan();
  IndexStatement statement(op);
  op.setScheduleAttr(schedule);
  return own && chosen && own->order == chosen->order && own->assembly == chosen->assembly &&
         !chosen->joined && !own->order.empty() &&
         inThreads == StringAttr::get(op.getContext(), loopNames(statement)[chosen->order.front()]);
}

bool InheritingKernel::match() {
  auto ret = dyn_cast<func::ReturnOp>(kernel.getBody().back().getTerminator());
  compute = ret && ret.getNumOperands() == 1 ? ret.getOperand(0).getDefiningOp<ta::ComputeOp>()
                                             : ta::ComputeOp();
  if (!compute || compute.getInit() || compute.getMask() || compute.getEmptyAttr() ||
      compute.getDropsFills() || compute.getKeepsFills() || assumes(kernel, Assumptions::Packs) ||
      assumes(kernel, Assumptions::Slots))
    return false;
  statement.emplace(compute);
  return findSource() && sharesLevels() && isAlone() &&
         keepsLoops(compute, preferredAssembly(kernel));
}

SmallVector<ta::AccessOp> InheritingKernel::accessesTo(Value tensor) const {
  SmallVector<ta::AccessOp> found;
  for (const auto &[op, way] : statement->accesses)
    if (auto access = cast<ta::AccessOp>(op); access.getTensor() == tensor)
      found.push_back(access);
  return found;
}

// The only sparse operand, without which the statement has nothing.
bool InheritingKernel::findSource() {
  SmallVector<Operation *> sparse;
  for (const auto &[op, way] : statement->accesses) {
    auto access = cast<ta::AccessOp>(op);
    if (access.getMissing())
      return false;
    if (way.format.isFull())
      continue;
    if (source && (access.getTensor() != source || way.place != path->place))
      return false;
    source = access.getTensor();
    path = &way;
    sparse.push_back(op);
  }
  // Every value that comes out is stored.
  bool plain = true;
  compute.getBody().walk([&](Operation *op) {
    plain &= isa<ta::AccessOp, ta::ReduceOp, ta::YieldOp>(op) ||
             isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(op->getDialect());
  });
  return source && isa<BlockArgument>(source) && plain && statement->isEssential(sparse);
}

std::optional<unsigned> InheritingKernel::labelAt(const AccessPath &way, unsigned level) const {
  auto label = dyn_cast<AffineDimExpr>(way.coordinates[level]);
  return label ? std::optional(label.getPosition()) : std::nullopt;
}

bool InheritingKernel::sharesLevels() {
  const AccessPath &result = statement->result;
  ta::FormatAttr from = path->format, to = result.format;
  auto zero = [](Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return !ta::formatOf(type).getFill() || matchPattern(ta::fillOf(type), m_AnyZeroFloat()) ||
           matchPattern(ta::fillOf(type), m_Zero());
  };
  if (!zero(compute.getResult()) || !zero(source) || !from.sortedDims().empty() ||
      !to.sortedDims().empty() || from.hasSlots() || to.hasSlots() ||
      from.getLvlRank() != from.getDimRank() || to.getLvlRank() != to.getDimRank())
    return false;
  for (unsigned level = 0; level < to.getLvlRank(); ++level)
    if (!hasPlaces(to, level))
      shared = level + 1;
  if (shared == 0 || shared > from.getLvlRank())
    return false;
  for (unsigned level = 0; level < from.getLvlRank(); ++level)
    if (!isKnown(from, level) || !labelAt(*path, level))
      return false;
  for (unsigned level = 0; level < to.getLvlRank(); ++level)
    if (!isKnown(to, level) || !labelAt(result, level) ||
        (level < shared && (hasPlaces(from, level) != hasPlaces(to, level) ||
                            labelAt(result, level) != labelAt(*path, level))))
      return false;
  return compute.getVariables().size() == to.getLvlRank();
}

// Do the labels of the shared levels occur at the operand alone, once each, over sizes that the
// caller gives?
bool InheritingKernel::isAlone() {
  for (unsigned level = 0; level < shared; ++level) {
    unsigned label = *labelAt(*path, level);
    const IndexVariable &variable = statement->variables[label];
    if (variable.reduction || !isa<BlockArgument>(variable.extent))
      return false;
    for (Operation *user : variable.argument.getUsers())
      if (auto access = dyn_cast<ta::AccessOp>(user); !access || access.getTensor() != source)
        return false;
    for (unsigned other = level + 1; other < path->format.getLvlRank(); ++other)
      if (labelAt(*path, other) == label)
        return false;
  }
  return true;
}

// A strata_inheritance, its levels, and the dimensions of the places behind these.
SmallVector<int64_t> InheritingKernel::plan() {
  auto type = cast<RankedTensorType>(compute.getResult().getType());
  ta::FormatAttr from = path->format, to = statement->result.format;
  DenseMap<Value, int64_t> extents;
  int64_t storages = 1, operand = 0;
  for (BlockArgument argument : kernel.getArguments()) {
    if (argument == source)
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
                             shared,
                             int64_t(to.getLvlRank() - shared),
                             ta::bytesOf(type.getElementType())};
  for (unsigned level = 0; level < levels; ++level) {
    bool compressed = !hasPlaces(from, level), isShared = level < shared;
    Value extent = statement->variables[*labelAt(*path, level)].extent;
    bool both = compressed && isShared;
    llvm::append_values(
        words, dimOf(from, level), isShared ? extents.lookup(extent) : 0, int64_t(compressed),
        compressed ? bytes(from.getLevels()[level].getPosWidth()) : 0,
        compressed ? bytes(from.getLevels()[level].getCrdWidth()) : 0,
        isShared ? dimOf(to, level) : 0, both ? bytes(to.getLevels()[level].getPosWidth()) : 0,
        both ? bytes(to.getLevels()[level].getCrdWidth()) : 0);
  }
  for (unsigned level = shared; level < to.getLvlRank(); ++level)
    words.push_back(dimOf(to, level));
  return words;
}

// The levels from the shared ones on, below rows that all have a place.
RankedTensorType InheritingKernel::typeOfRows(RankedTensorType whole) const {
  ta::FormatAttr format = ta::formatOf(whole);
  MLIRContext *context = whole.getContext();
  SmallVector<ta::LevelAttr> levels{ta::denseFormat(context, 1).getLevels().front()};
  llvm::append_range(levels, format.getLevels().drop_front(shared));
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
  auto from = typeOfRows(cast<RankedTensorType>(source.getType()));
  auto to = typeOfRows(cast<RankedTensorType>(compute.getResult().getType()));

  // The labels: the row, then those of the left side that the operand's rows are not of.
  Block &body = compute.getBlock();
  body.insertArgument(0u, b.getIndexType(), loc);
  SmallVector<Value> extents{rows};
  SmallVector<Attribute> names{b.getStringAttr("p")};
  DenseMap<Value, unsigned> numbers;
  SmallVector<Value> dropped;
  for (unsigned level = 0; level < shared; ++level)
    dropped.push_back(argumentOf(*labelAt(*path, level)));
  for (BlockArgument label : body.getArguments().drop_front())
    if (!llvm::is_contained(dropped, label)) {
      const IndexVariable &variable = statement->variables[statement->numberOf(label)];
      numbers[label] = extents.size();
      extents.push_back(variable.extent);
      names.push_back(b.getStringAttr(variable.name));
    }
  SmallVector<AffineExpr> places{b.getAffineDimExpr(0)};
  SmallVector<Value> sizes{rows}, below{body.getArgument(0)};
  for (unsigned level = shared; level < statement->result.format.getLvlRank(); ++level) {
    unsigned number = numbers.lookup(argumentOf(*labelAt(statement->result, level)));
    places.push_back(b.getAffineDimExpr(number));
    sizes.push_back(extents[number]);
  }
  for (unsigned level = shared; level < path->format.getLvlRank(); ++level)
    below.push_back(argumentOf(*labelAt(*path, level)));

  for (ta::AccessOp access : accessesTo(source)) {
    OpBuilder inside(access);
    Value row = ta::AccessOp::create(inside, access.getLoc(), access.getType(), source, below,
                                     b.getMultiDimIdentityMap(below.size()), /*missing=*/false);
    access.getResult().replaceAllUsesWith(row);
    access.erase();
  }
  for (Value label : dropped)
    body.eraseArgument(cast<BlockArgument>(label).getArgNumber());
  source.setType(from);
  auto fresh = ta::ComputeOp::create(
      b, loc, to, extents, compute.getInputs(), sizes, Value(),
      AffineMapAttr::get(AffineMap::get(extents.size(), 0, places, b.getContext())),
      ta::CombineAttr(), b.getArrayAttr(names));
  fresh.getBody().takeBody(compute.getBody());
  setForbidden(fresh, forbiddenFor(compute));
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
