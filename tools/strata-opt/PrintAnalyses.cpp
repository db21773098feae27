// Prints format maps, orders of loops, access paths and merge lattices.
#include "PrintAnalyses.h"

#include "strata/dialect/ta/FormatMap.h"
#include "strata/lower/analysis/IndexStatement.h"
#include "strata/lower/analysis/Plan.h"
#include "strata/lower/cin/MergeLattice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {
namespace {

using Names = SmallVector<std::string>;

// "c0", "c1", ...
Names numbered(char letter, unsigned count) {
  Names names;
  for (unsigned number = 0; number < count; ++number)
    names.push_back(letter + std::to_string(number));
  return names;
}

// The expression with names for its dims, and w0, w1, ... for its symbols, the coordinates walked
// so far.
std::string text(AffineExpr expr, Names names) {
  unsigned dims = names.size();
  SmallVector<AffineExpr> symbols;
  for (std::string &name : numbered('w', 8)) {
    symbols.push_back(getAffineDimExpr(dims + symbols.size(), expr.getContext()));
    names.push_back(name);
  }
  return ta::exprText(expr.replaceSymbols(symbols), names);
}

//===------------------------------------------------------------------------------------------===//
// Format maps
//===------------------------------------------------------------------------------------------===//

void printFormat(ta::FormatAttr format, raw_ostream &os) {
  ta::FormatMap map(format.getDimToLvl());
  Names dims = ta::indexNames(format.getDimRank()), levels = numbered('c', format.getLvlRank());
  os << "format of " << format.getDimRank() << " dimensions, " << format.getLvlRank()
     << " levels\n";
  for (auto [at, level] : llvm::enumerate(format.getLevels())) {
    AffineExpr expr = format.getDimToLvl().getResult(at);
    os << "  c" << at << ", " << level.getName() << ": ";
    if (ta::isSlot(expr)) {
      os << "slot";
    } else {
      os << text(expr, dims);
    }
    for (const ta::SolvedDim &solved : map.solvedAt[at])
      os << "; " << dims[solved.dim] << " = " << text(solved.value, levels);
    if (map.implied[at])
      os << "; implied: " << text(map.implied[at], levels);
    os << "\n";
  }
  for (auto [dim, value] : llvm::enumerate(map.inverse))
    if (!value)
      os << "  " << dims[dim] << " stays open\n";
}

struct PrintFormatMaps : PassWrapper<PrintFormatMaps, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintFormatMaps)
  StringRef getArgument() const final { return "print-format-maps"; }
  StringRef getDescription() const final {
    return "print which level of a format determines which dimension";
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Type type : function.getArgumentTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          printFormat(ta::formatOf(tensor), llvm::outs());
  }
};

//===------------------------------------------------------------------------------------------===//
// Statements: orders of loops, access paths
//===------------------------------------------------------------------------------------------===//

Names namesOf(const IndexStatement &statement) {
  return llvm::map_to_vector(statement.variables,
                             [](const IndexVariable &variable) { return variable.name; });
}

std::string listed(ArrayRef<unsigned> variables, const Names &names) {
  return llvm::join(llvm::map_range(variables, [&](unsigned v) { return names[v]; }), ", ");
}

std::string_view wordOf(Assembly assembly) {
  switch (assembly) {
  case Assembly::InOrder:
    return "in order";
  case Assembly::Counted:
    return "counted";
  case Assembly::Gathered:
    break;
  }
  return "gathered";
}

// The order that the statement's loops run in; nothing, after saying why, where there is none.
std::optional<LoopPlan> planOf(const IndexStatement &statement, raw_ostream &os) {
  std::string why;
  auto kernel = statement.op->getParentOfType<func::FuncOp>();
  llvm::SmallPtrSet<Operation *, 1> none;
  std::optional<LoopPlan> plan = planOf(statement, none, why, preferredAssembly(kernel));
  if (!plan)
    os << "  none: " << why << "\n";
  return plan;
}

void printPlan(ta::ComputeOp op, raw_ostream &os) {
  IndexStatement statement(op);
  std::optional<LoopPlan> plan = planOf(statement, os);
  if (!plan)
    return;
  Names names = namesOf(statement);
  os << "  loops: " << listed(plan->order, names) << "\n  assembly: " << wordOf(plan->assembly)
     << "\n";
  if (plan->joined)
    os << "  one walk binds: " << listed(ArrayRef(plan->order).take_front(plan->joined), names)
       << "\n";
  if (!plan->sweeps.empty())
    os << "  over all values: " << listed(plan->sweeps, names) << "\n";
  if (plan->blocks)
    os << "  blocks of " << plan->blocks->size << ": " << names[plan->blocks->variable] << "\n";
}

void printPiece(const PathPiece &piece, const Names &names, raw_ostream &os) {
  for (const PathStep &step : piece.steps) {
    os << (&step == piece.steps.begin() ? "" : ", ");
    if (step.at)
      os << "locate level " << step.level << " at " << text(step.at, names);
    else
      os << "walk level " << step.level;
  }
  if (piece.compose)
    os << "; gives " << text(piece.compose, names);
  os << (piece.full ? "; full" : "") << (piece.restricts ? "; restricts" : "")
     << (piece.locatable ? "; can be located" : "") << (piece.ordered ? "" : "; unordered")
     << (piece.unique ? "" : "; repeats") << "\n";
}

void printPath(const AccessPath &path, ArrayRef<unsigned> order, const Names &names,
               raw_ostream &os) {
  llvm::SmallBitVector bound(names.size());
  unsigned next = 0;
  auto bind = [&](std::optional<unsigned> variable) {
    std::string why;
    std::optional<PathPiece> piece = bindVariable(path, next, bound, variable, why);
    std::string name = variable ? names[*variable] : "before";
    if (!piece)
      os << "    " << name << ": cannot be bound: " << why << "\n";
    else if (!piece->empty())
      printPiece(*piece, names, os << "    " << name << ": ");
    return piece.has_value();
  };
  if (!bind(std::nullopt))
    return;
  for (unsigned variable : order) {
    if (path.involves(variable) && !bind(variable))
      return;
    bound.set(variable);
  }
}

void printPaths(ta::ComputeOp op, raw_ostream &os) {
  IndexStatement statement(op);
  std::optional<LoopPlan> plan = planOf(statement, os);
  if (!plan)
    return;
  Names names = namesOf(statement);
  for (const auto &[access, path] : statement.accesses) {
    os << "  operand "
       << llvm::find(op.getInputs(), cast<ta::AccessOp>(access).getTensor()) -
              op.getInputs().begin()
       << ":\n";
    printPath(path, plan->order, names, os);
  }
  os << "  result:\n";
  printPath(statement.result, plan->order, names, os);
}

// Prints something of each statement, under the name of its function.
template <typename Derived, void print(ta::ComputeOp, raw_ostream &)>
struct PrintStatements : PassWrapper<Derived, OperationPass<ModuleOp>> {
  void runOnOperation() override {
    for (auto function : this->getOperation().template getOps<func::FuncOp>()) {
      llvm::outs() << function.getName() << ":\n";
      function.walk([](ta::ComputeOp op) { print(op, llvm::outs()); });
    }
  }
};

struct PrintLoopOrders : PrintStatements<PrintLoopOrders, printPlan> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintLoopOrders)
  StringRef getArgument() const final { return "print-loop-orders"; }
  StringRef getDescription() const final {
    return "print the order of each statement's loops, and how its result is assembled";
  }
};

struct PrintAccessPaths : PrintStatements<PrintAccessPaths, printPaths> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintAccessPaths)
  StringRef getArgument() const final { return "print-access-paths"; }
  StringRef getDescription() const final {
    return "print what each loop walks and locates of every access";
  }
};

//===------------------------------------------------------------------------------------------===//
// Merge lattices
//===------------------------------------------------------------------------------------------===//

// The loops of one kernel from the outermost in, each with the cases of what it may merge, where
// everything that the loops around it merge is there.
class LatticePrinter {
public:
  LatticePrinter(func::FuncOp kernel, raw_ostream &os) : kernel(kernel), os(os) {}

  void run() {
    kernel.walk<WalkOrder::PreOrder>([&](cin::ForallOp loop) { loops.push_back(loop); });
    kernel.walk([&](cin::BuildOp build) { absence.built.insert(build.getStorage()); });
    kernel.walk([&](cin::AccessOp op) { group(op); });
    for (cin::ForallOp loop : loops)
      print(loop);
  }

private:
  struct Access {
    std::string name;
    AccessPath path;
    SmallVector<Operation *> ops;
  };

  unsigned numberOf(Value variable) {
    return llvm::find_if(loops,
                         [&](cin::ForallOp loop) { return loop.getVariable() == variable; }) -
           loops.begin();
  }

  // Accesses to one place of one storage are there together.
  void group(cin::AccessOp op) {
    auto argument = dyn_cast<BlockArgument>(op.getStorage());
    if (!argument)
      return;
    SmallVector<AffineExpr> variables;
    for (Value index : op.getIndices())
      variables.push_back(getAffineDimExpr(numberOf(index), op.getContext()));
    AffineMap place = op.getMap().replaceDimsAndSymbols(variables, {}, loops.size(), 0);
    std::string name = "storage " + std::to_string(argument.getArgNumber());
    for (Access &other : accesses)
      if (other.name == name && other.path.place == place)
        return other.ops.push_back(op);
    accesses.push_back({name, AccessPath(op.getStorage().getType().getFormat(), place), {op}});
  }

  // Does the loop walk the access, unless it holds everything?
  bool mayMerge(const Access &access, cin::ForallOp loop) {
    llvm::SmallBitVector bound(loops.size());
    unsigned next = 0;
    std::string why;
    std::optional<PathPiece> piece = bindVariable(access.path, next, bound, std::nullopt, why);
    for (auto [number, outer] : llvm::enumerate(loops)) {
      if (!piece || !outer->isAncestor(loop))
        continue;
      piece = bindVariable(access.path, next, bound, number, why);
      bound.set(number);
      if (outer == loop)
        return piece && !piece->empty() && !piece->full;
    }
    return false;
  }

  void print(cin::ForallOp loop) {
    SmallVector<SmallVector<Operation *>> groups;
    SmallVector<std::string> names;
    for (const Access &access : accesses)
      if (loop->isAncestor(access.ops.front()) && mayMerge(access, loop)) {
        groups.push_back(access.ops);
        names.push_back(access.name);
      }
    os << "  " << loop.getName() << ": ";
    llvm::interleave(
        latticePoints(loop.getBlock(), absence, groups), os,
        [&](unsigned present) {
          SmallVector<std::string> there;
          for (auto [at, name] : llvm::enumerate(names))
            if (present >> at & 1)
              there.push_back(name);
          os << "{" << llvm::join(there, ", ") << "}";
        },
        ", ");
    os << "\n";
  }

  func::FuncOp kernel;
  raw_ostream &os;
  SmallVector<cin::ForallOp> loops;
  SmallVector<Access> accesses;
  Absence absence;
};

struct PrintMergeLattices : PassWrapper<PrintMergeLattices, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintMergeLattices)
  StringRef getArgument() const final { return "print-merge-lattices"; }
  StringRef getDescription() const final {
    return "print which cases of presence matter at each cin.forall";
  }

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      llvm::outs() << kernel.getName() << ":\n";
      LatticePrinter(kernel, llvm::outs()).run();
    }
  }
};

} // namespace

void registerPrintPasses() {
  PassRegistration<PrintFormatMaps>();
  PassRegistration<PrintLoopOrders>();
  PassRegistration<PrintAccessPaths>();
  PassRegistration<PrintMergeLattices>();
}

} // namespace strata
