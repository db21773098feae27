// Reads the merge lattices of loops off the lvl form of a kernel: they are the cases of its loops.
#include "strata/explain/MergeLattices.h"

#include "strata/dialect/cin/NestText.h"
#include "strata/dialect/lvl/Lvl.h"
#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/explain/LevelNames.h"
#include "strata/lower/LowerKernels.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata {
namespace {

// What one case of a loop does, in the names of tensors.
class CaseText {
public:
  CaseText(Block &body, std::string result) : body(body), result(std::move(result)) {}

  std::vector<std::string> lines() {
    statements(body);
    auto yield = cast<lvl::YieldOp>(body.getTerminator());
    for (Value value : yield.getValues())
      if (!isa<lvl::BuilderType>(value.getType()) && value.getParentBlock() == &body &&
          !isResultOfLoop(value))
        texts.push_back(carried(value));
    return std::move(texts);
  }

private:
  static bool isResultOfLoop(Value value) {
    return isa_and_present<lvl::CoiterateOp>(value.getDefiningOp());
  }

  void statements(Block &block) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<lvl::CoiterateOp>(op))
        texts.push_back("for " + loop.getName().str());
      else if (auto store = dyn_cast<lvl::StoreOp>(op))
        texts.push_back(result + (store.getCombine() ? " " + signOf(*store.getCombine()) : " =") +
                        " " + text(store.getValue()));
      else
        for (Region &region : op.getRegions())
          for (Block &inner : region)
            statements(inner);
    }
  }

  static std::string signOf(ta::Combine combine) {
    if (combine == ta::Combine::add)
      return "+=";
    return (combine == ta::Combine::mul ? "*" : ta::stringifyCombine(combine).str()) + "=";
  }

  // A value that the next iteration gets: "t_j += A * x" where it adds to what it was.
  std::string carried(Value value) {
    Operation *def = value.getDefiningOp();
    StringRef sign = def ? cin::signOf(def) : "";
    if (!sign.empty())
      for (unsigned side : {0u, 1u})
        if (isa<BlockArgument>(def->getOperand(side)) && (side == 0 || sign == "+" || sign == "*"))
          return sum(def->getOperand(side)) + " " + sign.str() + "= " +
                 text(def->getOperand(1 - side));
    return "t_" + cast<lvl::CoiterateOp>(body.getParentOp()).getName().str() + " = " + text(value);
  }

  std::string inBrackets(Value value, StringRef outer, bool isRight) {
    Operation *def = value.getDefiningOp();
    StringRef inner = def ? cin::signOf(def) : "";
    return cin::bindsLess(inner, outer, isRight) ? "(" + text(value) + ")" : text(value);
  }

  std::string text(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || isa<lvl::CoiterateOp>(def))
      return isa<IndexType>(value.getType()) ? loopOf(value) : sum(value);
    if (auto stored = dyn_cast<lvl::ValueOp>(def))
      return storageOfPath(stored.getPath());
    if (TypedAttr constant = ta::constantOf(def))
      return ta::constantText(constant);
    if (StringRef sign = cin::signOf(def); !sign.empty())
      return inBrackets(def->getOperand(0), sign, false) + " " + sign.str() + " " +
             inBrackets(def->getOperand(1), sign, true);
    SmallVector<std::string> operands;
    for (Value operand : def->getOperands())
      operands.push_back(text(operand));
    return def->getName().stripDialect().str() + "(" + llvm::join(operands, ", ") + ")";
  }

  // "t_j": what the loop over j carries, and what it leaves.
  static std::string sum(Value value) { return "t_" + loopOf(value); }

  static std::string loopOf(Value value) {
    auto loop = value.getDefiningOp<lvl::CoiterateOp>();
    if (auto argument = dyn_cast<BlockArgument>(value))
      loop = dyn_cast_or_null<lvl::CoiterateOp>(argument.getOwner()->getParentOp());
    return loop ? loop.getName().str() : "?";
  }

  Block &body;
  std::string result;
  std::vector<std::string> texts;
};

class LatticeReader {
public:
  LatticeReader(func::FuncOp function, std::vector<MergeLattice> &lattices)
      : kernel(function.getName()), lattices(lattices) {
    if (function.getNumArguments() > 0)
      result = storageName(function.getArgument(0));
    block(function.getBody().front(), 0);
  }

private:
  void block(Block &block, unsigned depth) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<lvl::CoiterateOp>(op)) {
        lattices.push_back(read(loop, depth));
        this->block(loop.getBodies().front().front(), depth + 1);
        continue;
      }
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          this->block(inner, depth);
    }
  }

  MergeLattice read(lvl::CoiterateOp loop, unsigned depth) const {
    MergeLattice lattice;
    lattice.kernel = kernel;
    lattice.loop = loop.getName();
    lattice.depth = depth;
    if (loop.getUniverse())
      lattice.merged.push_back("all " + lattice.loop);
    for (Value iterator : loop.getIterators())
      lattice.merged.push_back(levelsText(iterator.getDefiningOp<lvl::IteratorOp>()));
    if (lattice.merged.size() > 1)
      lattice.merges = mergeName(loop).str();
    for (unsigned at = 0; at < loop.getCases().size(); ++at)
      lattice.points.push_back({present(loop, loop.getCase(at)),
                                CaseText(loop.getBodies()[at].front(), result).lines()});
    addPredicates(loop, lattice);
    llvm::sort(lattice.points, [](const auto &a, const auto &b) {
      return std::pair(b.present.size(), a.present) < std::pair(a.present.size(), b.present);
    });
    return lattice;
  }

  // The universe comes first, and is always there.
  static std::vector<unsigned> present(lvl::CoiterateOp loop, ArrayRef<int64_t> iterators) {
    std::vector<unsigned> numbers;
    if (loop.getUniverse())
      numbers.push_back(0);
    for (int64_t iterator : iterators)
      numbers.push_back(unsigned(iterator) + bool(loop.getUniverse()));
    return numbers;
  }

  // Of a loop with one body, the least sets at which it runs are points as well.
  static void addPredicates(lvl::CoiterateOp loop, MergeLattice &lattice) {
    std::optional<ArrayAttr> predicates = loop.getPredicates();
    if (!predicates)
      return;
    lattice.oneBody = true;
    for (unsigned at = 0; at < predicates->size(); ++at) {
      std::vector<unsigned> set = present(loop, loop.getPredicate(at));
      if (llvm::none_of(lattice.points, [&](const auto &point) { return point.present == set; }))
        lattice.points.push_back({set, {}});
    }
  }

  std::string kernel, result;
  std::vector<MergeLattice> &lattices;
};

} // namespace

std::vector<std::pair<unsigned, unsigned>> MergeLattice::covers() const {
  auto contains = [&](unsigned a, unsigned b) {
    return points[a].present.size() > points[b].present.size() &&
           std::includes(points[a].present.begin(), points[a].present.end(),
                         points[b].present.begin(), points[b].present.end());
  };
  std::vector<std::pair<unsigned, unsigned>> pairs;
  unsigned count = unsigned(points.size());
  for (unsigned a = 0; a < count; ++a)
    for (unsigned b = 0; b < count; ++b) {
      bool between = false;
      for (unsigned c = 0; c < count && !between; ++c)
        between = contains(a, c) && contains(c, b);
      if (contains(a, b) && !between)
        pairs.emplace_back(a, b);
    }
  return pairs;
}

std::string MergeLattice::setText(const Point &point) const {
  SmallVector<StringRef> names;
  for (unsigned number : point.present)
    names.push_back(merged[number]);
  return "{" + llvm::join(names, ", ") + "}";
}

std::optional<std::vector<MergeLattice>> mergeLattices(ModuleOp kernels) {
  OwningOpRef<ModuleOp> copy(kernels.clone());
  if (failed(lowerKernels(*copy, Stage::Lvl)))
    return std::nullopt;
  std::vector<MergeLattice> lattices;
  for (auto function : copy->getOps<func::FuncOp>())
    if (!function.isExternal())
      LatticeReader(function, lattices);
  return lattices;
}

static void writeText(const MergeLattice &lattice, llvm::raw_ostream &os) {
  os.indent(2 * (lattice.depth + 1)) << lattice.loop;
  if (!lattice.merges.empty())
    os << " (" << lattice.merges << (lattice.oneBody ? ", one body for all cases" : "") << ")";
  os << "\n";
  size_t widest = 0;
  for (const MergeLattice::Point &point : lattice.points)
    widest = std::max(widest, lattice.setText(point).size());
  for (const MergeLattice::Point &point : lattice.points) {
    std::string line = lattice.setText(point);
    line.resize(widest + 2, ' ');
    line += llvm::join(point.computes, "; ");
    os.indent(2 * (lattice.depth + 2)) << StringRef(line).rtrim() << "\n";
  }
}

std::string latticesText(const std::vector<MergeLattice> &lattices) {
  std::string text, kernel;
  llvm::raw_string_ostream os(text);
  for (const MergeLattice &lattice : lattices) {
    if (lattice.kernel != kernel)
      os << (kernel = lattice.kernel) << "\n";
    writeText(lattice, os);
  }
  return text;
}

} // namespace strata
