// Keeps the plans of statements, by all that a search for one reads.
#include "strata/lower/analysis/Plan.h"

#include "strata/lower/analysis/KernelAttributes.h"
#include "strata/lower/analysis/LoopOrderSearch.h"
#include "strata/lower/analysis/WholeResult.h"

using namespace mlir;

MLIR_DEFINE_EXPLICIT_TYPE_ID(strata::PlanMemory)

namespace strata {
namespace {

// Writes down a statement, with numbers for its values.
class KeyWriter {
public:
  explicit KeyWriter(PlanMemory::Key &key) : key(key) {}

  void write(const IndexStatement &statement) {
    ta::ComputeOp op = statement.op;
    auto kernel = op->getParentOfType<func::FuncOp>();
    key.push_back(assumedOf(op->getParentOp()));
    key.push_back(kernel ? assumedOf(kernel) : 0);
    key.push_back(kernel ? unsigned(phaseOf(kernel)) : 0);
    // What is updated has values already.
    key.push_back(!op.getInit() && reachesWholeResult(op));
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) { write(inner); });
  }

private:
  // What a kernel assumes, but for the order in which sums are added, which loops may have any of.
  static unsigned assumedOf(Operation *kernel) {
    ta::AssumptionsAttr all = assumptionsAttrOf(kernel);
    return all ? unsigned(all.getValue() & ~Assumptions::Deterministic) : 0;
  }

  void note(Attribute attribute) { key.push_back(uintptr_t(attribute.getAsOpaquePointer())); }
  // Sizes and the widths of positions and coordinates have no say, but in whether the whole result
  // is reached: a kernel is compiled for others than the program knows.
  void note(Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      type = plainType(tensor);
    key.push_back(uintptr_t(type.getAsOpaquePointer()));
  }

  static RankedTensorType plainType(RankedTensorType type) {
    Attribute encoding = type.getEncoding();
    if (auto format = dyn_cast_or_null<ta::FormatAttr>(encoding))
      encoding = format.withWidths(0, 0);
    return RankedTensorType::get(SmallVector<int64_t>(type.getRank(), ShapedType::kDynamic),
                                 type.getElementType(), encoding);
  }

  // All that an operation says, without its sizes and its place in a program.
  void noteAttributes(Operation *op) {
    static constexpr StringRef unread[] = {"operandSegmentSizes", "in_place", wholeResultAttribute};
    for (NamedAttribute one : op->getAttrDictionary())
      if (!llvm::is_contained(unread, one.getName())) {
        key.push_back(uintptr_t(one.getName().getAsOpaquePointer()));
        note(one.getValue());
      }
  }

  void write(Operation *op) {
    OperandRange operands = op->getOperands();
    SmallVector<Value> read(operands.begin(), operands.end());
    if (isa<ta::ReduceOp>(op))
      read.clear();
    if (auto compute = dyn_cast<ta::ComputeOp>(op)) {
      read.assign(compute.getInputs().begin(), compute.getInputs().end());
      if (Value init = compute.getInit())
        read.push_back(init);
      if (Value mask = compute.getMask())
        read.push_back(mask);
      key.push_back(bool(compute.getInit()) + 2 * bool(compute.getMask()));
    }
    SmallVector<unsigned> numbersOf =
        llvm::map_to_vector(read, [&](Value value) { return numberOf(value); });
    key.push_back(uintptr_t(op->getName().getAsOpaquePointer()));
    noteAttributes(op);
    key.push_back(numbersOf.size());
    key.insert(key.end(), numbersOf.begin(), numbersOf.end());
    for (Value result : op->getResults())
      define(result);
    for (Region &region : op->getRegions()) {
      key.push_back(region.getBlocks().size());
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          define(argument);
    }
  }

  unsigned define(Value value) {
    note(value.getType());
    return numbers.try_emplace(value, numbers.size()).first->second;
  }

  // A value from outside: a tensor is its type, and a number what computes it.
  unsigned numberOf(Value value) {
    if (auto known = numbers.find(value); known != numbers.end())
      return known->second;
    Operation *maker = value.getDefiningOp();
    if (!maker || isa<TensorType>(value.getType()) || maker->getNumRegions() > 0)
      return define(value);
    write(maker);
    return numbers.lookup(value);
  }

  PlanMemory::Key &key;
  DenseMap<Value, unsigned> numbers;
};

SmallVector<unsigned> numbersOf(const IndexStatement &statement,
                                const SmallPtrSetImpl<Operation *> &accesses) {
  SmallVector<unsigned> numbers;
  for (auto [number, access] : llvm::enumerate(statement.accesses))
    if (accesses.contains(access.first))
      numbers.push_back(number);
  return numbers;
}

PlanMemory::Kept kept(const IndexStatement &statement, const LoopPlan &plan) {
  PlanMemory::Kept kept{plan, {}};
  kept.plan.rewalks.clear();
  for (auto [variable, access] : plan.rewalks)
    kept.rewalks.push_back(
        {variable, unsigned(statement.accesses.find(access) - statement.accesses.begin())});
  return kept;
}

LoopPlan planFor(const IndexStatement &statement, const PlanMemory::Kept &kept) {
  LoopPlan plan = kept.plan;
  for (auto [variable, access] : kept.rewalks)
    plan.rewalks.push_back({variable, (statement.accesses.begin() + access)->first});
  return plan;
}

} // namespace

PlanMemory *PlanMemory::of(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<ta::TaDialect>();
  return dialect ? dialect->getRegisteredInterface<PlanMemory>() : nullptr;
}

std::optional<std::optional<PlanMemory::Kept>> PlanMemory::find(const Key &key) {
  std::lock_guard lock(mutex);
  auto found = plans.find(key);
  if (found == plans.end())
    return std::nullopt;
  return std::make_optional<std::optional<Kept>>(found->second);
}

void PlanMemory::keep(Key key, std::optional<Kept> plan) {
  constexpr size_t most = 4096;
  std::lock_guard lock(mutex);
  ++made;
  if (plans.size() >= most)
    plans.clear();
  plans.insert_or_assign(std::move(key), std::move(plan));
}

unsigned PlanMemory::searches() {
  std::lock_guard lock(mutex);
  return made;
}

void registerPlanMemory(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *, ta::TaDialect *dialect) { dialect->addInterfaces<PlanMemory>(); });
}

// Plans `statement`, from memory if `why` need not be told or there is a plan.
static std::optional<LoopPlan> planOf(const IndexStatement &statement,
                                      const SmallPtrSetImpl<Operation *> &exempt, std::string *why,
                                      Assembly preferred) {
  PlanMemory *memory = PlanMemory::of(statement.op.getContext());
  PlanMemory::Key key;
  if (memory) {
    SmallVector<unsigned> numbers = numbersOf(statement, exempt);
    key.push_back(unsigned(preferred));
    key.push_back(numbers.size());
    key.insert(key.end(), numbers.begin(), numbers.end());
    KeyWriter(key).write(statement);
    if (auto found = memory->find(key); found && (*found || !why))
      return *found ? std::optional(planFor(statement, **found)) : std::nullopt;
  }
  std::string unasked;
  std::optional<LoopPlan> plan =
      chooseLoopOrder(statement, exempt, why ? *why : unasked, preferred);
  if (memory)
    memory->keep(std::move(key), plan ? std::optional(kept(statement, *plan)) : std::nullopt);
  return plan;
}

std::optional<LoopPlan> planOf(const IndexStatement &statement,
                               const SmallPtrSetImpl<Operation *> &exempt, std::string &why,
                               Assembly preferred) {
  return planOf(statement, exempt, &why, preferred);
}

std::optional<LoopPlan> planOf(const IndexStatement &statement, Assembly preferred) {
  return planOf(statement, llvm::SmallPtrSet<Operation *, 1>(), nullptr, preferred);
}

} // namespace strata
