// Takes schedules apart: distribute(io), where divide(i, io, ii, M.x) has cut i.
#include "strata/lower/ta/CellSchedule.h"

#include "strata/dialect/ta/Notation.h"
#include "strata/lower/analysis/ScheduledOrder.h"

using namespace mlir;

namespace strata {

std::optional<ShiftedVariable> shiftedVariable(AffineExpr coordinate) {
  int64_t shift = 0;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(coordinate);
      sum && sum.getKind() == AffineExprKind::Add && isa<AffineConstantExpr>(sum.getRHS())) {
    shift = cast<AffineConstantExpr>(sum.getRHS()).getValue();
    coordinate = sum.getLHS();
  }
  auto label = dyn_cast<AffineDimExpr>(coordinate);
  if (!label)
    return std::nullopt;
  return ShiftedVariable{label.getPosition(), shift};
}

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

bool CellRounds::brings(StringRef tensor) const {
  return llvm::any_of(tensors, [&](Attribute name) { return wordIn(name) == tensor; });
}

// What goes from cell to cell, and where pieces come: commands before those that say so depend on
// it. A label that is rotated is the one that it becomes.
void CellSchedule::findLabels() {
  for (ta::CommandAttr one : statement.op.getSchedule()->getCommands()) {
    ArrayRef<Attribute> arguments = one.getArguments();
    if (one.getName() == "distribute" && !arguments.empty())
      for (StringRef name : wordsIn(arguments.front()))
        distributedLabels.insert(name);
    if (one.getName() == "communicate" && arguments.size() == 2)
      communicatedLabels.insert(wordIn(arguments.back()));
  }
  for (ta::CommandAttr one : statement.op.getSchedule()->getCommands())
    if (ArrayRef<Attribute> arguments = one.getArguments();
        one.getName() == "rotate" && arguments.size() == 3 &&
        communicatedLabels.contains(wordIn(arguments.back())))
      communicatedLabels.insert(wordIn(arguments.front()));
}

LogicalResult CellSchedule::read() {
  findLabels();
  for (auto [at, one] : llvm::enumerate(statement.op.getSchedule()->getCommands())) {
    command = one;
    place = ta::placeOfCommand(statement.op, at);
    StringRef name = one.getName();
    if (failed(makesRounds()           ? makeRounds()
               : name == "rotate"      ? rotate()
               : cutsCells()           ? cut()
               : name == "distribute"  ? distribute()
               : name == "communicate" ? communicate()
                                       : keep()))
      return failure();
  }
  SmallVector<const CellAxis *> all(llvm::make_pointer_range(cuts));
  if (entries)
    all.push_back(&*entries);
  for (const CellAxis *one : all)
    if (!one->isDistributed)
      return emitError(statement.op.getLoc())
             << "'" << one->cells << "' has a value for each cell of machine '"
             << machine.getSymName() << "', and nothing distributes it: distribute(" << one->cells
             << ")";
  if (rounds && all.empty())
    return refuseRounds() << "no label goes from cell to cell: distribute";
  dropPositions();
  return success();
}

InFlightDiagnostic CellSchedule::refuseRounds() const {
  return emitError(placeOfRounds.value_or(statement.op.getLoc()))
         << "rounds over '" << rounds->label << "' are not possible: ";
}

InFlightDiagnostic CellSchedule::refuse(const CellAxis &one) const {
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

// Tells whether a command of loops makes this label of others.
static bool makes(ta::CommandAttr command, StringRef label) {
  ArrayRef<Attribute> arguments = command.getArguments();
  const StringRef name = command.getName();
  return (name == "pos" && arguments.size() == 3 && wordIn(arguments[1]) == label) ||
         (name == "fuse" && arguments.size() == 3 && wordIn(arguments[2]) == label);
}

// split(k, ko, ki, 256), or divide(k, ko, ki, 8), where tensors are communicated at ko, and no
// cells take its values
bool CellSchedule::makesRounds() const {
  ArrayRef<Attribute> arguments = command.getArguments();
  return (command.getName() == "split" || command.getName() == "divide") && arguments.size() == 4 &&
         communicatedLabels.contains(wordIn(arguments[1])) &&
         !distributedLabels.contains(wordIn(arguments[1]));
}

LogicalResult CellSchedule::makeRounds() {
  ArrayRef<Attribute> arguments = command.getArguments();
  if (rounds)
    return refuse() << "there are rounds over '" << rounds->label << "' already";
  const auto *label = llvm::find(names, wordIn(arguments[0]));
  if (label == names.end())
    return refuse() << "'" << wordIn(arguments[0])
                    << "' is no label of the statement, of which rounds could take parts";
  CellRounds made{wordIn(arguments[1]).str(), unsigned(label - names.begin())};
  if (auto number = dyn_cast<IntegerAttr>(arguments[3])) {
    if (number.getInt() < 1)
      return refuse() << "there must be a round";
    (command.getName() == "split" ? made.chunk : made.parts) = number.getInt();
  } else if (command.getName() == "divide" && wordIn(arguments[3]).contains('.')) {
    made.axis = axisOf(wordIn(arguments[3]));
    if (!made.axis)
      return failure();
  } else {
    return refuse() << "it takes a number" << (command.getName() == "divide" ? ", or M.x" : "");
  }
  inner[wordIn(arguments[2])] = *label;
  rounds = std::move(made);
  placeOfRounds = place;
  return success();
}

// rotate(ko, {io, jo}, kos): a cell begins with another chunk than its neighbours.
LogicalResult CellSchedule::rotate() {
  ArrayRef<Attribute> arguments = command.getArguments();
  if (arguments.size() != 3 || wordIn(arguments[0]).empty() || wordIn(arguments[2]).empty())
    return refuse() << "it takes a label, labels that go from cell to cell, and a new label: "
                       "rotate(ko, {io, jo}, kos)";
  if (!rounds || rounds->label != wordIn(arguments[0]))
    return refuse() << "there are no rounds over '" << wordIn(arguments[0]) << "': communicate(A, "
                    << wordIn(arguments[2]) << ") makes them";
  for (StringRef name : wordsIn(arguments[1])) {
    const CellAxis *cells = findCells(name);
    if (!cells)
      return refuse() << "'" << name << "' does not go from cell to cell";
    rounds->rotated.push_back(cells->axis);
  }
  rounds->label = wordIn(arguments[2]).str();
  return success();
}

// divide(i, io, ii, M.x)
bool CellSchedule::cutsCells() const {
  ArrayRef<Attribute> arguments = command.getArguments();
  return command.getName() == "divide" && arguments.size() == 4 &&
         wordIn(arguments[3]).contains('.');
}

LogicalResult CellSchedule::cut() {
  ArrayRef<Attribute> arguments = command.getArguments();
  const std::optional<unsigned> axis = freeAxisOf(wordIn(arguments[3]));
  if (!axis)
    return failure();
  const auto *label = llvm::find(names, wordIn(arguments[0]));
  if (label == names.end())
    return cutEntries(*axis);
  const unsigned variable = label - names.begin();
  if (rounds && rounds->variable == variable)
    return refuse() << "rounds go over '" << *label << "' already";
  if (entries && entries->has(variable))
    return refuse() << "'" << entries->cells << "' goes over parts of '" << *label << "' already";
  if (const CellCut *other = cutOf(variable))
    return refuse() << "'" << other->cells << "' goes over parts of '" << *label << "' already";
  cuts.push_back({{wordIn(arguments[1]).str(), *axis}, variable});
  inner[wordIn(arguments[2])] = *label;
  return success();
}

// The number of the axis `M.x`.
std::optional<unsigned> CellSchedule::axisOf(StringRef text) {
  auto [owner, axis] = text.split('.');
  auto found = dyn_cast_or_null<ta::MachineOp>(module.lookupSymbol(owner));
  auto no = [&](const Twine &why) { return refuse() << why, std::nullopt; };
  if (!found)
    return no("there is no machine '" + owner + "': declare it, or place a tensor on it");
  if (machine && machine != found)
    return no("the statement runs on machine '" + machine.getSymName() + "' already");
  machine = found;
  const auto *at =
      llvm::find_if(machine.getAxes(), [&](Attribute name) { return wordIn(name) == axis; });
  if (at == machine.getAxes().end())
    return no("machine '" + owner + "' has no axis '" + axis + "'");
  return at - machine.getAxes().begin();
}

// The same, if nothing is cut by it yet.
std::optional<unsigned> CellSchedule::freeAxisOf(StringRef text) {
  const std::optional<unsigned> number = axisOf(text);
  for (const CellCut &other : cuts)
    if (number == other.axis)
      return refuse() << "'" << other.cells << "' has the cells of an axis already, for '"
                      << nameOf(other) << "'",
             std::nullopt;
  if (entries && number == entries->axis)
    return refuse() << "'" << entries->cells << "' has the cells of an axis already, for entries",
           std::nullopt;
  return number;
}

// Where fuse(i, j, f) and pos(f, p, A) stand before divide(p, po, pi, M.x): the cells have as many
// entries of A.
LogicalResult CellSchedule::cutEntries(unsigned axis) {
  ArrayRef<Attribute> arguments = command.getArguments();
  const StringRef label = wordIn(arguments[0]);
  const auto *position = llvm::find_if(
      others, [&](ta::CommandAttr one) { return one.getName() == "pos" && makes(one, label); });
  if (position == others.end())
    return refuse() << "'" << label
                    << "' is no label of the statement, of which cells could take parts";
  if (entries)
    return refuse() << "'" << entries->cells << "' goes over parts of entries already";
  EntryCut cut{{wordIn(arguments[1]).str(), axis}, {}, {}};
  const StringRef operand = wordIn(position->getArguments()[2]);
  cut.leader = accessNamed(operand);
  if (!cut.leader)
    return refuse() << "no operand is called '" << operand << "', or it is read at several places";
  if (!isSparse(cut.leader))
    return refuse() << "'" << operand << "' stores everything, so that cells can take coordinates";
  const StringRef labels = wordIn(position->getArguments()[0]);
  cut.variables = variablesOf(labels);
  if (cut.variables.empty())
    return refuse() << "'" << labels << "' is no label of the statement, nor made of some";
  for (auto [at, variable] : llvm::enumerate(cut.variables))
    if (llvm::is_contained(ArrayRef(cut.variables).take_front(at), variable))
      return refuse() << "'" << labels << "' is made of '" << names[variable] << "' twice";
  for (unsigned variable : cut.variables)
    if (const CellCut *other = cutOf(variable))
      return refuse() << "'" << other->cells << "' goes over parts of '" << names[variable]
                      << "' already";
  inner[wordIn(arguments[2])] = label.str();
  entries = std::move(cut);
  return success();
}

// The labels that one stands for: itself, or those that fuse(i, j, f) has made one.
SmallVector<unsigned> CellSchedule::variablesOf(StringRef label) const {
  const auto *name = llvm::find(names, label);
  if (name != names.end())
    return {unsigned(name - names.begin())};
  SmallVector<unsigned> all;
  for (ta::CommandAttr one : others)
    if (one.getName() == "fuse" && makes(one, label))
      for (Attribute part : one.getArguments().drop_back())
        llvm::append_range(all, variablesOf(wordIn(part)));
  return all;
}

// The first place where the statement reads `A`, or `A(i, j)`; null if it reads it at others, too.
ta::AccessOp CellSchedule::accessNamed(StringRef operand) {
  const StringRef name = operand.take_until([](char c) { return c == '(' || c == '['; }).rtrim();
  SmallVector<ta::AccessOp> found;
  statement.op.getBody().walk([&](ta::AccessOp access) {
    if (ta::operandName(statement.op, access.getTensor()) == name)
      found.push_back(access);
  });
  const bool isOne = llvm::all_of(
      found, [&](ta::AccessOp other) { return placeOf(other) == placeOf(found.front()); });
  return isOne && !found.empty() ? found.front() : ta::AccessOp();
}

SmallVector<Operation *> CellSchedule::leaders() const {
  SmallVector<Operation *> all;
  if (entries)
    statement.op.getBody().walk([&](ta::AccessOp access) {
      if (readSame(access, entries->leader))
        all.push_back(access);
    });
  return all;
}

bool CellSchedule::readSame(ta::AccessOp one, ta::AccessOp other) const {
  return one.getTensor() == other.getTensor() && placeOf(one) == placeOf(other);
}

// The commands that make the entries of an operand a label are about a cell's own loops where
// others take up what they make.
void CellSchedule::dropPositions() {
  if (!entries)
    return;
  llvm::StringSet<> made;
  auto addMade = [&](StringRef label) {
    if (!llvm::is_contained(names, label))
      made.insert(label);
  };
  for (const auto &[name, label] : inner)
    addMade(label);
  SmallVector<unsigned> makers;
  for (unsigned at = others.size(); at-- > 0;) {
    ArrayRef<Attribute> arguments = others[at].getArguments();
    if (llvm::any_of(made, [&](const auto &label) { return makes(others[at], label.getKey()); })) {
      makers.push_back(at);
      addMade(wordIn(arguments[0]));
      if (others[at].getName() == "fuse")
        addMade(wordIn(arguments[1]));
      continue;
    }
    for (Attribute argument : arguments)
      if (llvm::any_of(wordsIn(argument), [&](StringRef word) { return made.contains(word); }))
        return;
  }
  for (unsigned at : makers) {
    others.erase(others.begin() + at);
    places.erase(places.begin() + at);
  }
}

CellAxis *CellSchedule::findCells(StringRef cells) {
  if (entries && entries->cells == cells)
    return &*entries;
  auto *found = llvm::find_if(cuts, [&](const CellCut &one) { return one.cells == cells; });
  return found == cuts.end() ? nullptr : found;
}

LogicalResult CellSchedule::distribute() {
  if (command.getArguments().size() != 1)
    return refuse() << "it takes a label, or several in braces: distribute({io, jo})";
  for (StringRef name : wordsIn(command.getArguments().front())) {
    CellAxis *found = findCells(name);
    if (!found)
      return refuse() << "'" << name << "' does not go from cell to cell of a machine: "
                      << "divide(i, " << (name.empty() ? "io" : name)
                      << ", ii, M.x) makes a label that does";
    found->isDistributed = true;
    distributed.insert({name, *place});
  }
  return success();
}

// Pieces are brought where the cells begin, whether a command says so or not; or in each round.
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
  const StringRef label = wordIn(arguments[1]);
  if (rounds && (rounds->label == label || rounds->made == label)) {
    for (StringRef name : wordsIn(arguments[0]))
      rounds->tensors.push_back(StringAttr::get(command.getContext(), name));
    return success();
  }
  if (const CellAxis *found = findCells(label); !found || !found->isDistributed)
    return refuse() << "pieces come where the loops over cells begin, or in rounds, and '" << label
                    << "' is none of these: split(k, ko, ki, 256) makes rounds of ko";
  return success();
}

// What is left is about the statement of a cell, whose labels have the values of a part.
LogicalResult CellSchedule::keep() {
  SmallVector<Attribute> arguments;
  const bool reorders = command.getName() == "reorder";
  bool isInside = false;
  for (Attribute argument : command.getArguments()) {
    if (rounds && rounds->label == wordIn(argument)) {
      if (!reorders)
        return refuse() << "'" << rounds->label
                        << "' goes from round to round, which reorder takes";
      if (isInside)
        return refuse() << "rounds are outside of the loops of a cell, and '" << rounds->label
                        << "' goes over them";
      continue;
    }
    if (CellAxis *cells = findCells(wordIn(argument))) {
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

// Where a tensor of this type, whose coordinates are these, has pieces that are cut by coordinates,
// or by the entries of the operand that a `leader` is: the label of each dimension that an axis
// cuts is cut by the same axis.
bool CellSchedule::follow(RankedTensorType type, AffineMap map, ta::AccessOp leader) {
  ta::PlacementAttr placement = ta::placementOf(type);
  if (!placement)
    return false;
  SmallVector<CellCut> found;
  std::optional<EntryCut> foundEntries;
  llvm::SmallDenseSet<unsigned> taken;
  for (auto [axis, one] : llvm::enumerate(placement.getPlaces())) {
    if (one.getKind() == ta::PlaceKind::all)
      continue;
    SmallVector<unsigned> variables;
    for (unsigned dim : one.getDims()) {
      const std::optional<ShiftedVariable> label = shiftedVariable(map.getResult(dim));
      const bool isInterval = one.getKind() == ta::PlaceKind::share || ta::formatOf(type).isFull();
      if (!label || (label->shift != 0 && !isInterval) || !taken.insert(label->variable).second)
        return false;
      variables.push_back(label->variable);
    }
    if (variables.empty())
      return false; // it is in one place
    const CellAxis cells{freshName(names[variables.front()]), unsigned(axis), true};
    // Of what is stored everywhere, parts of the entries are intervals of coordinates.
    if (one.getKind() == ta::PlaceKind::entries && !ta::formatOf(type).isFull()) {
      if (!leader)
        return false;
      foundEntries = EntryCut{cells, leader, variables};
    } else if (variables.size() == 1) {
      found.push_back({cells, variables.front()});
    } else {
      return false;
    }
  }
  if (leader ? !foundEntries : found.empty())
    return false;
  machine = cast<ta::MachineOp>(module.lookupSymbol(placement.getMachine()));
  cuts = std::move(found);
  entries = std::move(foundEntries);
  return true;
}

bool CellSchedule::followResult() {
  ta::ComputeOp op = statement.op;
  return follow(cast<RankedTensorType>(op.getResult().getType()), statement.resultPlace());
}

// The accesses of the statement by the number of dimensions.
SmallVector<ta::AccessOp> CellSchedule::largestFirst() {
  ta::ComputeOp op = statement.op;
  SmallVector<ta::AccessOp> accesses;
  op.getBody().walk([&](ta::AccessOp access) { accesses.push_back(access); });
  llvm::stable_sort(accesses, [](ta::AccessOp left, ta::AccessOp right) {
    return left.getMap().getNumResults() > right.getMap().getNumResults();
  });
  return accesses;
}

bool CellSchedule::followOperand() {
  return llvm::any_of(largestFirst(), [&](ta::AccessOp access) {
    return follow(cast<RankedTensorType>(access.getTensor().getType()), placeOf(access));
  });
}

bool CellSchedule::followEntries() {
  return llvm::any_of(largestFirst(), [&](ta::AccessOp access) {
    return follow(cast<RankedTensorType>(access.getTensor().getType()), placeOf(access), access);
  });
}

} // namespace strata
