// Makes the grids of a program's machines, as its text, parameters, and the number of processes
// say.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/host/Interpreter.h"
#include "strata/host/Parameters.h"
#include "strata/runtime/Counted.h"

using strata::runtime::Error;
using strata::runtime::Result;
using strata::runtime::Status;

namespace strata::host {

Result<std::vector<int64_t>> Interpreter::axesOf(const Machine &machine) const {
  auto given = surroundings.parameters.find(machine.name);
  if (given != surroundings.parameters.end())
    return cellsOf(machine.name, given->second, machine.axes.size());
  std::vector<int64_t> cells;
  for (const Machine::Axis &axis : machine.axes) {
    Result<int64_t> count = axis.parameter.empty() ? axis.cells : givenSize(axis.parameter);
    if (!count)
      return count.takeStatus();
    if (!axis.parameter.empty() && *count < 1)
      return Error{Error::Cells,
                   "axis '" + axis.name + "' of machine '" + machine.name + "' has no cell"};
    cells.push_back(*count);
  }
  return cells;
}

Status Interpreter::makeGrids() {
  constexpr int64_t mostCells = int64_t(1) << 24;
  const int64_t ranks = surroundings.job ? surroundings.job->size() : 1;
  grids.clear();
  for (const Machine &machine : program.machines) {
    Result<std::vector<int64_t>> axes = axesOf(machine);
    if (!axes)
      return axes.takeStatus();
    int64_t cells = 1;
    for (int64_t size : *axes)
      if (__builtin_mul_overflow(cells, std::max<int64_t>(size, 1), &cells) || cells > mostCells)
        return Error{Error::Cells, "machine '" + machine.name + "' has more than " +
                                       std::to_string(mostCells) + " cells"};
    grids.emplace_back(std::move(*axes), ranks);
  }
  return checkCells();
}

// A placement may name a cell of an axis whose cells the run decides.
Status Interpreter::checkCells() const {
  for (const TensorType &type : program.types)
    for (size_t axis = 0; axis < type.places.size(); ++axis) {
      const int64_t cells = grids[size_t(type.machine)].axes()[axis];
      const runtime::dist::Place &place = type.places[axis];
      if (place.kind != runtime::dist::Place::Kind::At || place.cell < cells)
        continue;
      const Machine &machine = program.machines[size_t(type.machine)];
      return Error{Error::Placement, "a tensor is placed on cell " + std::to_string(place.cell) +
                                         " of axis '" + machine.axes[axis].name + "' of machine '" +
                                         machine.name + "', which has " + counted(cells, "cell")};
    }
  return Status();
}

} // namespace strata::host
