// Compares the levels of a result with those of the operand that it follows.
#include "strata/lower/analysis/InheritablePattern.h"

#include "strata/dialect/ta/Algebra.h"
#include "strata/dialect/ta/LevelRoom.h"
#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/KernelAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace strata {

std::optional<unsigned> labelOf(const AccessPath &access, unsigned level) {
  auto label = dyn_cast<AffineDimExpr>(access.coordinates[level]);
  return label ? std::optional(label.getPosition()) : std::nullopt;
}

namespace {

// Tells whether the level is one of those that the runtime copies.
bool isKnown(ta::FormatAttr format, unsigned level) {
  LevelProperties properties = ta::levelProperties(format, level);
  ta::LevelAttr own = format.getLevels()[level];
  return ta::hasPlacesOnly(format, level) ||
         (findLevelTraits(own.getName())->inFiles == FileLevel::Lists && properties.ordered &&
          properties.unique && !own.getAos());
}

bool hasZeroFill(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return !ta::formatOf(type).getFill() || matchPattern(ta::fillOf(type), m_AnyZeroFloat()) ||
         matchPattern(ta::fillOf(type), m_Zero());
}

class PatternFinder {
public:
  PatternFinder(const IndexStatement &statement, std::string &why)
      : statement(statement), op(statement.op), why(why) {}

  std::optional<InheritablePattern> run() {
    if (!makesResult() || !findSource() || !hasPlainLevels(found.source, *found.path) ||
        !hasPlainLevels(op.getResult(), statement.result) || !sharesLevels() || !isAlone())
      return std::nullopt;
    return found;
  }

private:
  bool refuse(const Twine &reason) {
    why = reason.str();
    return false;
  }
  std::string source() const { return ta::quotedNameOf(found.source); }
  StringRef nameOf(unsigned label) const { return statement.variables[label].name; }

  bool makesResult();
  bool findSource();
  bool hasPlainLevels(Value tensor, const AccessPath &access);
  bool sharesLevels();
  bool isAlone();

  const IndexStatement &statement;
  ta::ComputeOp op;
  std::string &why;
  InheritablePattern found{};
};

bool PatternFinder::makesResult() {
  if (op.getInit())
    return refuse("the result is updated in place");
  if (op.getMask() || op.getEmptyAttr() || op.getDropsFills() || op.getKeepsFills())
    return refuse("which places of the result have entries depends on the values there");
  if (assumes(op->getParentOp(), Assumptions::Packs) ||
      assumes(op->getParentOp(), Assumptions::Slots))
    return refuse("the result is assembled in places that were counted before");
  return true;
}

// Finds the only sparse operand, without which the statement has nothing. Every value that comes
// out is stored.
bool PatternFinder::findSource() {
  SmallVector<Operation *> sparse;
  for (const auto &[inner, way] : statement.accesses) {
    auto access = cast<ta::AccessOp>(inner);
    if (access.getMissing())
      return refuse("values of " + ta::quotedNameOf(access.getTensor()) + " may be missing");
    if (way.format.isFull())
      continue;
    if (found.source && access.getTensor() != found.source)
      return refuse("several operands are sparse: " + source() + " and " +
                    ta::quotedNameOf(access.getTensor()));
    if (found.source && way.place != found.path->place)
      return refuse(source() + " is read at several places");
    found.source = access.getTensor();
    found.path = &way;
    sparse.push_back(inner);
  }
  if (!found.source)
    return refuse("no operand is sparse");
  bool plain = true;
  op.getBody().walk([&](Operation *inner) {
    plain &=
        isa<ta::AccessOp, ta::ReduceOp, ta::YieldOp>(inner) ||
        isa<arith::ArithDialect, math::MathDialect, complex::ComplexDialect>(inner->getDialect());
  });
  if (!plain)
    return refuse("which places of the result have entries depends on the values there");
  if (!isa<BlockArgument>(found.source) || !statement.isEssential(sparse))
    return refuse("the result has values where " + source() + " stores nothing");
  return true;
}

// Checks that each level is of one label, of a kind that can be copied.
bool PatternFinder::hasPlainLevels(Value tensor, const AccessPath &access) {
  ta::FormatAttr format = access.format;
  if (!hasZeroFill(tensor))
    return refuse("what " + ta::quotedNameOf(tensor) + " does not store is not zero");
  bool plain = format.sortedDims().empty() && !format.hasSlots() &&
               format.getLvlRank() == format.getDimRank();
  for (unsigned level = 0; plain && level < format.getLvlRank(); ++level)
    plain = isKnown(format, level) && labelOf(access, level);
  return plain || refuse(ta::quotedNameOf(tensor) + " has levels that are neither dense nor " +
                         "compressed, or not of one label each");
}

bool PatternFinder::sharesLevels() {
  ta::FormatAttr from = found.path->format, to = statement.result.format;
  for (unsigned level = 0; level < to.getLvlRank(); ++level)
    if (!ta::hasPlacesOnly(to, level))
      found.shared = level + 1;
  if (found.shared == 0)
    return refuse("the result has a place for each value");
  if (op.getVariables().size() != to.getLvlRank())
    return refuse("a label of the left side occurs in no level of the result");
  bool alike = found.shared <= from.getLvlRank();
  for (unsigned level = 0; alike && level < found.shared; ++level)
    alike = ta::hasPlacesOnly(from, level) == ta::hasPlacesOnly(to, level) &&
            labelOf(statement.result, level) == labelOf(*found.path, level);
  return alike || refuse("the first levels of the result are not stored as those of " + source());
}

// Checks that the labels of the shared levels occur at the operand alone, once each, over sizes
// that the caller gives.
bool PatternFinder::isAlone() {
  for (unsigned level = 0; level < found.shared; ++level) {
    unsigned label = *labelOf(*found.path, level);
    const IndexVariable &variable = statement.variables[label];
    if (!isa<BlockArgument>(variable.extent))
      return refuse("the kernel is compiled for the size of '" + nameOf(label) + "'");
    bool alone = !variable.reduction;
    for (Operation *user : variable.argument.getUsers()) {
      auto access = dyn_cast<ta::AccessOp>(user);
      alone &= access && access.getTensor() == found.source;
    }
    for (unsigned other = level + 1; other < found.path->format.getLvlRank(); ++other)
      alone &= labelOf(*found.path, other) != label;
    if (!alone)
      return refuse("'" + nameOf(label) + "' is used beside " + source() +
                    ", whose entries are taken without their coordinates");
  }
  return true;
}

} // namespace

std::optional<InheritablePattern> inheritablePattern(const IndexStatement &statement,
                                                     std::string &why) {
  return PatternFinder(statement, why).run();
}

std::optional<unsigned> commandToInherit(ta::ScheduleAttr schedule) {
  if (!schedule)
    return std::nullopt;
  auto inherit = StringAttr::get(schedule.getContext(), "Inherit");
  for (auto [at, command] : llvm::enumerate(schedule.getCommands()))
    if (command.getName() == "assemble" && command.getArguments().size() == 2 &&
        command.getArguments()[1] == inherit)
      return at;
  return std::nullopt;
}

} // namespace strata
