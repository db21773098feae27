// The grammar's rules for machines, and for where the pieces of tensors are.
#include "strata/frontend/ParserRules.h"

namespace strata::frontend {

using namespace ast;

// machine = "Machine" NAME "(" machine-axis { "," machine-axis } ")"
bool ParserRules::machine(Module &module) {
  ast::Machine machine;
  advance();
  if (!name(machine.name, "the machine's name") ||
      !expect(Kind::LeftParen, "and the numbers of cells after the machine's name"))
    return false;
  do
    if (!machineAxis(machine.axes.emplace_back()))
      return false;
  while (accept(Kind::Comma));
  if (!expect(Kind::RightParen, "or ',' after a number of cells"))
    return false;
  module.machines.push_back(std::move(machine));
  return true;
}

// machine-axis = [ NAME "=" ] ( bound | "?" )
bool ParserRules::machineAxis(ast::Machine::Axis &axis) {
  constexpr llvm::StringLiteral what("a number of cells, or '?'");
  llvm::SMLoc start = token.start();
  if (!accept(Kind::Question)) {
    if (!bound(axis.cells.emplace(), what))
      return false;
    if (token.is(Kind::Equal) && !axis.cells->name.empty()) {
      axis.name = {axis.cells->name, axis.cells->range};
      axis.cells.reset();
      advance();
      if (!accept(Kind::Question) && !bound(axis.cells.emplace(), what))
        return false;
    }
  }
  axis.range = since(start);
  return true;
}

// placement = [ "on" NAME "(" place { "," place } ")" ]
bool ParserRules::placement(Format &format) {
  if (!token.isName("on"))
    return true;
  ast::Placement placement;
  llvm::SMLoc start = token.start();
  advance();
  if (!name(placement.machine, "the name of a machine") ||
      !expect(Kind::LeftParen, "and a place for each axis after the machine's name"))
    return false;
  do
    if (!place(placement.places.emplace_back()))
      return false;
  while (accept(Kind::Comma));
  if (!expect(Kind::RightParen, "or ',' after a place"))
    return false;
  placement.range = since(start);
  format.placement = std::move(placement);
  return true;
}

// place = [ "~" ] ( NAME | "(" NAME { "," NAME } ")" ) | "*" | INTEGER
bool ParserRules::place(ast::Place &place) {
  llvm::SMLoc start = token.start();
  if (accept(Kind::Star)) {
    place.range = since(start);
    return true;
  }
  if (token.is(Kind::Integer)) {
    place.kind = ast::Place::Kind::At;
    if (token.text.getAsInteger(10, place.cell))
      return expected("the number of a cell, from 0");
    advance();
    place.range = since(start);
    return true;
  }
  place.kind = ast::Place::Kind::Share;
  place.byEntries = accept(Kind::Tilde);
  if (accept(Kind::LeftParen)) {
    do
      if (!name(place.dimensions.emplace_back(), "a dimension's name"))
        return false;
    while (accept(Kind::Comma));
    if (!expect(Kind::RightParen, "or ',' after a dimension"))
      return false;
  } else if (!token.is(Kind::Name)) {
    return expected("a place",
                    "a place is a dimension (i), dimensions (i, j), stored entries (~i or "
                    "~(i, j)), all cells (*), or the number of one");
  } else if (!name(place.dimensions.emplace_back(), "a dimension's name")) {
    return false;
  }
  place.range = since(start);
  return true;
}

} // namespace strata::frontend
