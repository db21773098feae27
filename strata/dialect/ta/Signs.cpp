// Knows the sign or the word of each operation on elements.
#include "strata/dialect/ta/Signs.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace strata::ta {

static StringRef signOf(Relation relation) {
  switch (relation) {
  case Relation::eq:
    return "==";
  case Relation::ne:
    return "!=";
  case Relation::lt:
  case Relation::ult:
    return "<";
  case Relation::le:
  case Relation::ule:
    return "<=";
  case Relation::gt:
  case Relation::ugt:
    return ">";
  case Relation::ge:
  case Relation::uge:
    break;
  }
  return ">=";
}

StringRef wordOf(Combine combine) {
  switch (combine) {
  case Combine::add:
    return "+";
  case Combine::mul:
    return "*";
  case Combine::min:
  case Combine::umin:
    return "min";
  case Combine::max:
  case Combine::umax:
    return "max";
  case Combine::any:
  case Combine::lor:
  case Combine::land:
  case Combine::lxor:
    break;
  }
  return stringifyCombine(combine);
}

// Of truths, adding is or, and multiplying and.
StringRef reductionName(Combine combine, Type type) {
  bool truth = type.isInteger(1);
  if (combine == Combine::add || (truth && combine == Combine::lor))
    return "sum";
  if (combine == Combine::mul || (truth && combine == Combine::land))
    return "prod";
  return wordOf(combine);
}

StringRef updateSign(Combine combine) {
  return combine == Combine::lor ? "|" : combine == Combine::land ? "&" : wordOf(combine);
}

std::optional<Sign> infix(Operation *op) {
  if (auto compare = dyn_cast<CompareOp>(op))
    return Sign{signOf(compare.getRelation()), Comparing};
  StringRef name = op->getName().stripDialect();
  bool truth = op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  return llvm::StringSwitch<std::optional<Sign>>(name)
      .Cases({"add", "addf", "addi"}, Sign{"+", Adding})
      .Cases({"sub", "subf", "subi"}, Sign{"-", Adding})
      .Cases({"mul", "mulf", "muli"}, Sign{"*", Multiplying})
      .Cases({"div", "divf", "divsi", "divui"}, Sign{"/", Multiplying})
      .Case("ori", truth ? Sign{"+", Adding} : Sign{"|", BitOr})
      .Case("andi", truth ? Sign{"*", Multiplying} : Sign{"&", BitAnd})
      .Case("xori", Sign{"^", BitXor})
      .Case("shli", Sign{"<<", Shifting})
      .Cases({"shrsi", "shrui"}, Sign{">>", Shifting})
      .Default(std::nullopt);
}

std::optional<Sign> infixOf(StringRef function) {
  return llvm::StringSwitch<std::optional<Sign>>(function)
      .Case("shl", Sign{"<<", Shifting})
      .Case("shr", Sign{">>", Shifting})
      .Case("lor", Sign{"@(lor)", Loosest})
      .Case("land", Sign{"@(land)", Loosest})
      .Case("lxor", Sign{"@(lxor)", Loosest})
      .Default(std::nullopt);
}

StringRef functionName(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"absf", "absi"}, "abs")
      .Cases({"minimumf", "minnumf", "minsi", "minui"}, "min")
      .Cases({"maximumf", "maxnumf", "maxsi", "maxui"}, "max")
      .Cases({"powf", "fpowi", "ipowi"}, "pow")
      .Cases({"remf", "remsi", "remui"}, "mod")
      .Case("select", "where")
      .Default(name);
}

} // namespace strata::ta
