// Machines, and where the pieces of tensors are.
#include "strata/frontend/Analyzer.h"
#include "strata/frontend/Suggest.h"

#include "strata/runtime/Cells.h"
#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

namespace strata::frontend {

using llvm::StringRef;

//===------------------------------------------------------------------------------------------===//
// Machines
//===------------------------------------------------------------------------------------------===//

std::vector<std::string> dimensionNames(size_t order) {
  std::vector<std::string> names;
  for (size_t dimension = 0; dimension < order; ++dimension)
    names.push_back(order <= 9 ? std::string(1, "ijklmnopq"[dimension])
                               : "i" + std::to_string(dimension));
  return names;
}

std::string axisName(size_t axis) {
  return axis < 4 ? std::string(1, "xyzw"[axis]) : "x" + std::to_string(axis);
}

// -D M=2x3 sets the cells of a machine, whatever its declaration says.
void Analyzer::giveCells(Machine &machine) {
  const std::string *given = parameter(machine.name);
  if (!given)
    return;
  std::optional<std::vector<int64_t>> cells = runtime::parseCells(*given);
  if (!cells || cells->size() != machine.axes.size()) {
    std::string example = "2";
    for (size_t axis = 1; axis < machine.axes.size(); ++axis)
      example += "x2";
    diagnostics
        .error(machine.range,
               "the cells of machine '" + machine.name + "' cannot be '" + *given + "'")
        .note("it has " + counted(machine.axes.size(), "axis", "axes") + ": -D " + machine.name +
              "=" + example);
    return;
  }
  for (auto [axis, number] : llvm::zip(machine.axes, *cells))
    axis = {axis.name, number, ""};
}

void Analyzer::declareMachine(const ast::Machine &declared) {
  for (const Machine &other : program.machines)
    if (other.name == declared.name.text) {
      diagnostics
          .error(declared.name.range, "machine '" + declared.name.text + "' is declared twice")
          .note("it is declared here first", other.range);
      return;
    }
  Machine machine{declared.name.text, declared.name.range};
  for (const ast::Machine::Axis &axis : declared.axes) {
    std::string name = axis.name.text.empty() ? axisName(machine.axes.size()) : axis.name.text;
    if (llvm::any_of(machine.axes, [&](const Machine::Axis &other) { return other.name == name; }))
      diagnostics.error(axis.range,
                        "two axes of machine '" + machine.name + "' are called '" + name + "'");
    Machine::Axis made{name};
    if (axis.cells && isOpen(*axis.cells)) {
      made.parameter = axis.cells->name;
      leaveOpen({axis.cells->name, axis.cells->range}, {});
    } else if (axis.cells && !parameters.count(machine.name)) {
      std::optional<int64_t> cells = valueOf(*axis.cells);
      if (cells && *cells < 1)
        diagnostics.error(axis.cells->range, "an axis has 1 cell or more");
      made.cells = cells.value_or(1);
    }
    machine.axes.push_back(std::move(made));
  }
  giveCells(machine);
  program.machines.push_back(std::move(machine));
}

// A statement that stands alone, or a format, declares none: it is as its placements say.
const Machine *Analyzer::findMachine(const ast::Placement &placement) {
  auto found = llvm::find_if(program.machines, [&](const Machine &machine) {
    return machine.name == placement.machine.text;
  });
  if (found != program.machines.end())
    return &*found;
  if (currentModule) {
    std::vector<StringRef> known;
    for (const Machine &machine : program.machines)
      known.push_back(machine.name);
    unknown(placement.machine, "machine '" + placement.machine.text + "' is not declared", known,
            "declare it before the functions: Machine " + placement.machine.text + "(4);");
    return nullptr;
  }
  Machine machine{placement.machine.text, placement.machine.range};
  for (size_t axis = 0; axis < placement.places.size(); ++axis)
    machine.axes.push_back({axisName(axis)});
  giveCells(machine);
  program.machines.push_back(std::move(machine));
  return &program.machines.back();
}

//===------------------------------------------------------------------------------------------===//
// Placements
//===------------------------------------------------------------------------------------------===//

// The numbers of the dimensions that a place names.
bool Analyzer::resolvePlace(ast::Place &place, llvm::ArrayRef<std::string> dimensions,
                            StringRef tensor) {
  place.numbers.clear();
  for (const ast::Name &name : place.dimensions) {
    const auto *found = llvm::find(dimensions, name.text);
    if (found == dimensions.end()) {
      std::vector<StringRef> known(dimensions.begin(), dimensions.end());
      std::string hint = didYouMean(name.text, known);
      diagnostics.error(name.range, tensor + " has no dimension '" + name.text + "'")
          .note(!hint.empty()        ? hint
                : dimensions.empty() ? "it is a scalar, which is on all cells"
                                     : "its dimensions are " + quotedList(known));
      return false;
    }
    if (llvm::count(dimensions, name.text) > 1) {
      diagnostics
          .error(name.range, "two dimensions of " + tensor + " are called '" + name.text + "'")
          .note("write the format as a map, which gives them names of their own");
      return false;
    }
    place.numbers.push_back(unsigned(found - dimensions.begin()));
  }
  return true;
}

bool Analyzer::checkPlacement(ast::Format &format, llvm::ArrayRef<std::string> declared,
                              StringRef tensor) {
  ast::Placement &placement = *format.placement;
  const Machine *machine = findMachine(placement);
  if (!machine)
    return false;
  if (placement.places.size() != machine->axes.size()) {
    diagnostics
        .error(placement.range, "machine '" + machine->name + "' has " +
                                    counted(machine->axes.size(), "axis", "axes") +
                                    ", and there are " + counted(placement.places.size(), "place"))
        .note("give one place for each axis; * is all its cells");
    return false;
  }
  std::vector<std::string> dimensions(declared);
  if (format.kind == ast::Format::Kind::Map) {
    dimensions.clear();
    for (const ast::Name &name : format.dimensions)
      dimensions.push_back(name.text);
  }
  llvm::SmallSet<unsigned, 8> cut;
  const ast::Place *byEntries = nullptr;
  for (auto [axis, place] : llvm::zip(machine->axes, placement.places)) {
    if (!resolvePlace(place, dimensions, tensor))
      return false;
    for (auto [number, name] : llvm::zip(place.numbers, place.dimensions))
      if (!cut.insert(number).second) {
        diagnostics.error(name.range, "dimension '" + name.text + "' is cut twice")
            .note("an axis that does not cut it has *");
        return false;
      }
    if (place.kind == ast::Place::Kind::At && axis.cells > 0 && place.cell >= axis.cells) {
      diagnostics.error(place.range, "axis '" + axis.name + "' of machine '" + machine->name +
                                         "' has " + counted(axis.cells, "cell") +
                                         ", counted from 0");
      return false;
    }
    if (!place.byEntries)
      continue;
    if (byEntries) {
      diagnostics.error(place.range, "one axis cuts stored entries, and this is another one");
      return false;
    }
    byEntries = &place;
  }
  return true;
}

std::optional<Machine> checkPlacement(ast::Format &format, unsigned order, StringRef tensor,
                                      const Parameters &parameters, const FormatVocabulary &formats,
                                      Diagnostics &diagnostics) {
  Analyzer analyzer(parameters, formats, diagnostics);
  if (!analyzer.checkPlacement(format, dimensionNames(order), tensor) || diagnostics.hasErrors())
    return std::nullopt;
  return analyzer.program.machines.front();
}

} // namespace strata::frontend
