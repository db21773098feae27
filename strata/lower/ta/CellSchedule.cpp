// Takes schedules apart: distribute(io), where divide(i, io, ii, M.x) has cut i.
#include "strata/lower/ta/CellSchedule.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/ScheduledOrder.h"

using namespace mlir;

namespace strata {

static StringRef wordIn(Attribute argument) {
  auto text = dyn_cast_or_null<StringAttr>(argument);
  return text ? text.getValue() : StringRef();
}

// The words of `io` or of `{io, jo}`.
static SmallVector<StringRef> wordsIn(Attribute argument) {
  auto list = dyn_cast<ArrayAttr>(argument);
  if (!list)
    return {wordIn(argument)};
  return llvm::map_to_vector(list, wordIn);
}

CellSchedule::CellSchedule(const IndexStatement &statement, ModuleOp module)
    : statement(statement), module(module), names(loopNames(statement)) {}

LogicalResult CellSchedule::read() {
  for (auto [at, one] : llvm::enumerate(statement.op.getSchedule()->getCommands())) {
    command = one;
    place = ta::placeOfCommand(statement.op, at);
    StringRef name = one.getName();
    if (failed(cutsCells()             ? cut()
               : name == "distribute"  ? distribute()
               : name == "communicate" ? communicate()
                                       : keep()))
      return failure();
  }
  for (const CellCut &one : cuts)
    if (!one.isDistributed)
      return emitError(statement.op.getLoc())
             << "'" << one.cells << "' has a value for each cell of machine '"
             << machine.getSymName() << "', and nothing distributes it: distribute(" << one.cells
             << ")";
  return success();
}

InFlightDiagnostic CellSchedule::refuse(const CellCut &one) const {
  const auto command = distributed.find(one.cells);
  const Location location = command == distributed.end() ? statement.op.getLoc() : command->second;
  return emitError(location) << "'distribute(" << one.cells << ")' is not possible: ";
}

const CellCut *CellSchedule::cutOf(unsigned variable) const {
  const auto *found =
      llvm::find_if(cuts, [&](const CellCut &one) { return one.variable == variable; });
  return found == cuts.end() ? nullptr : found;
}

InFlightDiagnostic CellSchedule::refuse() const {
  return emitError(*place) << "'" << ta::commandText(command) << "' is not possible: ";
}

// divide(i, io, ii, M.x)
bool CellSchedule::cutsCells() const {
  ArrayRef<Attribute> arguments = command.getArguments();
  return command.getName() == "divide" && arguments.size() == 4 &&
         wordIn(arguments[3]).contains('.');
}

LogicalResult CellSchedule::cut() {
  ArrayRef<Attribute> arguments = command.getArguments();
  auto [owner, axis] = wordIn(arguments[3]).split('.');
  auto found = dyn_cast_or_null<ta::MachineOp>(module.lookupSymbol(owner));
  if (!found)
    return refuse() << "there is no machine '" << owner << "': declare it, or place a tensor on it";
  if (machine && machine != found)
    return refuse() << "the statement runs on machine '" << machine.getSymName() << "' already";
  machine = found;
  const auto *at =
      llvm::find_if(machine.getAxes(), [&](Attribute name) { return wordIn(name) == axis; });
  if (at == machine.getAxes().end())
    return refuse() << "machine '" << owner << "' has no axis '" << axis << "'";
  const unsigned number = at - machine.getAxes().begin();
  const auto *label = llvm::find(names, wordIn(arguments[0]));
  if (label == names.end())
    return refuse() << "'" << wordIn(arguments[0])
                    << "' is no label of the statement, of which cells could take parts";
  const unsigned variable = label - names.begin();
  for (const CellCut &other : cuts)
    if (other.axis == number || other.variable == variable)
      return refuse() << "'" << other.cells << "' has the cells of an axis already, for '"
                      << nameOf(other) << "'";
  cuts.push_back({variable, wordIn(arguments[1]).str(), number});
  inner[wordIn(arguments[2])] = *label;
  return success();
}

CellCut *CellSchedule::findCut(StringRef cells) {
  auto *found = llvm::find_if(cuts, [&](const CellCut &one) { return one.cells == cells; });
  return found == cuts.end() ? nullptr : found;
}

LogicalResult CellSchedule::distribute() {
  if (command.getArguments().size() != 1)
    return refuse() << "it takes a label, or several in braces: distribute({io, jo})";
  for (StringRef name : wordsIn(command.getArguments().front())) {
    CellCut *found = findCut(name);
    if (!found)
      return refuse() << "'" << name << "' does not go from cell to cell of a machine: "
                      << "divide(i, " << (name.empty() ? "io" : name)
                      << ", ii, M.x) makes a label that does";
    found->isDistributed = true;
    distributed.insert({name, *place});
  }
  return success();
}

// Pieces are brought where the cells begin, whether a command says so or not.
LogicalResult CellSchedule::communicate() {
  ArrayRef<Attribute> arguments = command.getArguments();
  if (arguments.size() != 2)
    return refuse() << "it takes tensors and a label: communicate({a, B, c}, io)";
  for (StringRef name : wordsIn(arguments[0])) {
    auto isNamed = [&](Value input) { return ta::operandName(statement.op, input) == name; };
    if (ta::nameOf(statement.op.getResult(), "") != name &&
        llvm::none_of(statement.op.getInputs(), isNamed))
      return refuse() << "the statement has no tensor '" << name << "'";
  }
  if (const CellCut *found = findCut(wordIn(arguments[1])); !found || !found->isDistributed)
    return refuse() << "pieces come where the loops over cells begin, and '" << wordIn(arguments[1])
                    << "' is none of these";
  return success();
}

// What is left is about the statement of a cell, whose labels have the values of a part.
LogicalResult CellSchedule::keep() {
  SmallVector<Attribute> arguments;
  const bool reorders = command.getName() == "reorder";
  bool isInside = false;
  for (Attribute argument : command.getArguments()) {
    if (CellCut *cells = findCut(wordIn(argument))) {
      if (!reorders)
        return refuse() << "'" << cells->cells
                        << "' goes from cell to cell, which distribute takes, and reorder";
      if (isInside)
        return refuse() << "the loops over cells are outside of all others, and '" << cells->cells
                        << "' is one of them";
      continue;
    }
    isInside = true;
    arguments.push_back(renamed(argument));
  }
  if (reorders && arguments.size() < 2)
    return success();
  others.push_back(ta::CommandAttr::get(command.getContext(), command.getName(), arguments));
  places.push_back(*place);
  return success();
}

Attribute CellSchedule::renamed(Attribute argument) const {
  if (auto list = dyn_cast<ArrayAttr>(argument))
    return ArrayAttr::get(argument.getContext(),
                          llvm::map_to_vector(list, [&](Attribute one) { return renamed(one); }));
  auto found = inner.find(wordIn(argument));
  return found == inner.end() ? argument : StringAttr::get(argument.getContext(), found->second);
}

// A name for the label that goes from cell to cell, which no label has.
std::string CellSchedule::freshName(StringRef label) const {
  std::string name = (label + "o").str();
  while (llvm::is_contained(names, name))
    name += "o";
  return name;
}

// Where a tensor of this type, whose coordinates are these, has pieces that are cut by coordinates:
// the label of each dimension that an axis cuts is cut by the same axis.
bool CellSchedule::follow(RankedTensorType type, AffineMap map) {
  ta::PlacementAttr placement = ta::placementOf(type);
  if (!placement)
    return false;
  SmallVector<CellCut> found;
  for (auto [axis, one] : llvm::enumerate(placement.getPlaces())) {
    if (one.getKind() == ta::PlaceKind::all)
      continue;
    if (one.getKind() != ta::PlaceKind::share || one.getDims().size() != 1)
      return false;
    auto label = dyn_cast<AffineDimExpr>(map.getResult(one.getDims().front()));
    if (!label)
      return false;
    const unsigned variable = label.getPosition();
    if (llvm::any_of(found, [&](const CellCut &other) { return other.variable == variable; }))
      return false;
    found.push_back({variable, freshName(names[variable]), unsigned(axis), true});
  }
  if (found.empty())
    return false;
  machine = cast<ta::MachineOp>(module.lookupSymbol(placement.getMachine()));
  cuts = std::move(found);
  return true;
}

bool CellSchedule::followResult() {
  ta::ComputeOp op = statement.op;
  return follow(cast<RankedTensorType>(op.getResult().getType()), statement.resultPlace());
}

bool CellSchedule::followOperand() {
  ta::ComputeOp op = statement.op;
  SmallVector<ta::AccessOp> accesses;
  op.getBody().walk([&](ta::AccessOp access) { accesses.push_back(access); });
  llvm::stable_sort(accesses, [](ta::AccessOp left, ta::AccessOp right) {
    return left.getMap().getNumResults() > right.getMap().getNumResults();
  });
  return llvm::any_of(accesses, [&](ta::AccessOp access) {
    return follow(cast<RankedTensorType>(access.getTensor().getType()),
                  statement.placeOf(access.getMap(), access.getIndices()));
  });
}

} // namespace strata
