// Writes loops, temporaries and assignments of cin as text.
#include "strata/dialect/cin/NestText.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/Notation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace strata::cin {

StringRef signOf(Operation *op) {
  if (isa<arith::MulFOp, arith::MulIOp, complex::MulOp>(op))
    return "*";
  if (isa<arith::AddFOp, arith::AddIOp, complex::AddOp>(op))
    return "+";
  if (isa<arith::SubFOp, arith::SubIOp, complex::SubOp>(op))
    return "-";
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, complex::DivOp>(op))
    return "/";
  return "";
}

bool bindsLess(StringRef inner, StringRef outer, bool isRight) {
  bool isSum = inner == "+" || inner == "-";
  bool inProduct = outer == "*" || outer == "/";
  return !inner.empty() && ((isSum && inProduct) || (isRight && (outer == "-" || outer == "/")));
}

namespace {

std::string labelOf(Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument ? dyn_cast<ForallOp>(argument.getOwner()->getParentOp()) : ForallOp();
  return loop ? loop.getName().str() : "?";
}

std::string indexText(AffineExpr expr, ValueRange indices) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return labelOf(indices[dim.getPosition()]);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::to_string(constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::string left = indexText(binary.getLHS(), indices);
  std::string right = indexText(binary.getRHS(), indices);
  auto enclosed = [](AffineExpr inner, const std::string &text) {
    return inner.getKind() == AffineExprKind::Add ? "(" + text + ")" : text;
  };
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return StringRef(right).starts_with("-") ? left + right : left + "+" + right;
  case AffineExprKind::Mul:
    return enclosed(binary.getLHS(), left) + "*" + right;
  case AffineExprKind::FloorDiv:
    return enclosed(binary.getLHS(), left) + " floordiv " + right;
  case AffineExprKind::Mod:
    return enclosed(binary.getLHS(), left) + " mod " + right;
  case AffineExprKind::CeilDiv:
    return enclosed(binary.getLHS(), left) + " ceildiv " + right;
  case AffineExprKind::Constant:
  case AffineExprKind::DimId:
  case AffineExprKind::SymbolId:
    break;
  }
  return "?";
}

std::string storageName(Value storage) {
  if (auto temp = storage.getDefiningOp<TempOp>())
    return temp.getName().value_or("t").str();
  return ta::nameOf(storage);
}

std::string placeText(Value storage, AffineMap map, ValueRange indices) {
  SmallVector<std::string> coordinates = llvm::map_to_vector(
      map.getResults(), [&](AffineExpr expr) { return indexText(expr, indices); });
  std::string name = storageName(storage);
  return coordinates.empty() ? name : name + "(" + llvm::join(coordinates, ",") + ")";
}

// How an assignment combines: "=", "+=", "min=".
std::string assignmentSign(AssignOp assign) {
  std::optional<ta::Combine> combine = assign.getCombine();
  if (!combine)
    return "=";
  if (*combine == ta::Combine::add)
    return "+=";
  if (*combine == ta::Combine::mul)
    return "*=";
  return ta::stringifyCombine(*combine).str() + "=";
}

class Writer {
public:
  explicit Writer(llvm::raw_ostream &os) : os(os) {}

  void block(Block &block, unsigned depth) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<ForallOp>(op)) {
        line(depth) << "for " << describe(loop) << "\n";
        this->block(loop.getBlock(), depth + 1);
      } else if (auto where = dyn_cast<WhereOp>(op)) {
        this->block(where.getProducer().front(), depth);
        this->block(where.getConsumer().front(), depth);
      } else if (auto temp = dyn_cast<TempOp>(op)) {
        std::string extent = temp.getExtents().empty() ? "" : ", for all values of its labels";
        line(depth) << storageName(temp.getStorage()) << " begins" << extent << "\n";
      } else if (auto assign = dyn_cast<AssignOp>(op)) {
        line(depth) << placeText(assign.getTarget(), assign.getMap(), assign.getIndices()) << " "
                    << assignmentSign(assign) << " " << valueText(assign.getYielded()) << "\n";
      } else if (auto require = dyn_cast<RequireOp>(op)) {
        line(depth) << require.getName() << " must have "
                    << (require.getLeast() < require.getMost() ? "at most " : "")
                    << require.getMost() << " values\n";
      } else if (auto build = dyn_cast<BuildOp>(op)) {
        line(depth) << "build " << storageName(build.getStorage()) << assembly(build) << "\n";
      }
    }
  }

private:
  llvm::raw_ostream &line(unsigned depth) { return os.indent(2 * depth); }

  static std::string assembly(BuildOp build) {
    if (build.getCounted())
      return ", its entries counted first";
    if (std::optional<ta::Workspace> workspace = build.getGathered())
      return *workspace == ta::Workspace::Table ? ", gathered in a hash table"
                                                : ", gathered in an array";
    return "";
  }

  // What one thread does in other than single steps.
  static std::string inOneThread(ta::MarkAttr mark) {
    const std::string count = std::to_string(mark.getCount());
    if (mark.getUnit() == ta::Unit::vector)
      return mark.getCount() ? ", by vectors of " + count : ", by vectors";
    return ", " + count + " at a time";
  }

  // Says what the loop goes through, and how.
  static std::string describe(ForallOp loop) {
    std::string text = loop.getName().str();
    Value leader = loop.getLeader();
    std::string of = leader             ? " entries of " + storageName(leader)
                     : loop.getChunks() ? " tuples"
                                        : " values";
    if (loop.getPart())
      text += " in " + labelOf(loop.getPart());
    else if (std::optional<int64_t> size = loop.getPartSize())
      text += " in parts of " + std::to_string(*size) + of;
    else if (std::optional<int64_t> count = loop.getPartCount())
      text += " in " + std::to_string(*count) + " parts" + (loop.getChunks() ? " of the" + of : "");
    else if (leader)
      text += " in the" + of;
    if (loop.getCollapsed())
      text += ", walked as one with the next";
    if (loop.getBlocks())
      text += ", in blocks of " + std::to_string(*loop.getBlocks());
    if (loop.getContracted())
      text += ", contracted";
    if (loop.isInThreads())
      text += loop.hasStrategy(ta::Strategy::temporary)
                  ? ", in threads, each part with sums of its own"
              : loop.hasStrategy(ta::Strategy::atomic) ? ", in threads, adding atomically"
                                                       : ", in threads";
    if (std::optional<bool> gallop = loop.getGallop())
      text += *gallop ? ", galloping" : ", merged step by step";
    if (loop.getMark() && !loop.isInThreads())
      text += inOneThread(loop.getMarkAttr());
    return text;
  }

  llvm::raw_ostream &os;
};

} // namespace

std::string valueText(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return "?";
  if (auto access = dyn_cast<AccessOp>(op))
    return placeText(access.getStorage(), access.getMap(), access.getIndices());
  if (TypedAttr constant = ta::constantOf(op))
    return ta::constantText(constant);
  SmallVector<std::string> operands;
  StringRef sign = signOf(op);
  for (auto [at, operand] : llvm::enumerate(op->getOperands())) {
    Operation *inner = operand.getDefiningOp();
    std::string text = valueText(operand);
    operands.push_back(inner && bindsLess(signOf(inner), sign, at > 0) ? "(" + text + ")" : text);
  }
  if (!sign.empty())
    return operands[0] + " " + sign.str() + " " + operands[1];
  return op->getName().stripDialect().str() + "(" + llvm::join(operands, ", ") + ")";
}

std::string nestText(Block &kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Writer(os).block(kernel, 0);
  return text;
}

} // namespace strata::cin
