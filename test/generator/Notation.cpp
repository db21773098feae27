// Statements of cases in index notation.
#include "Case.h"

#include "llvm/ADT/StringExtras.h"

namespace strata::test {

static std::string placeText(const std::vector<Position> &place, const Case &c) {
  if (place.empty())
    return "";
  std::vector<std::string> texts;
  for (const Position &position : place)
    texts.push_back(positionText(position, c, ""));
  return "(" + llvm::join(texts, ",") + ")";
}

static std::string expressionText(const Expression &e, const Case &c);

// In braces what is computed first.
static std::string partText(const Expression &e, const Case &c) {
  std::string text = expressionText(e, c);
  return e.stored ? "{" + text + " as " + e.stored->name + "}" : text;
}

static std::string expressionText(const Expression &e, const Case &c) {
  switch (e.kind) {
  case Expression::Kind::access:
    return c.tensors[e.tensor].name + (c.tensors[e.tensor].points ? "@" : "") +
           (e.missing ? "?" : "") + placeText(e.place, c);
  case Expression::Kind::constant:
    return numberText(e.value.real(), c.type);
  case Expression::Kind::binary:
    return "(" + partText(e.operands[0], c) + " " + e.op + " " + partText(e.operands[1], c) + ")";
  case Expression::Kind::negation:
    return "-" + partText(e.operands[0], c);
  case Expression::Kind::reduction: {
    std::string text = e.op + (e.missing ? "?(" : "(");
    for (unsigned v : e.reduced)
      text += c.variables[v].name + ",";
    return text + " " + partText(e.operands[0], c) + ")";
  }
  case Expression::Kind::operation: {
    std::vector<std::string> operands;
    for (const Expression &operand : e.operands)
      operands.push_back(partText(operand, c));
    if (comparesLabels(e))
      return e.op + e.inner + placeText(e.place, c) +
             (e.inner.empty() ? "" : "[" + numberText(e.value.real(), STRATA_I64) + "]");
    return e.op + e.inner + "(" + llvm::join(operands, ", ") + ")";
  }
  }
  return "";
}

static std::string maskNotation(const Case &c) {
  const CaseMask &mask = *c.mask;
  std::string text = (mask.complement ? "<!" : "<") + c.tensors[mask.tensor].name;
  text += placeText(mask.place, c);
  text += mask.structural ? ", structural" : "";
  text += mask.replace ? ", replace" : "";
  return text + (mask.pull ? ", pull>" : ">");
}

std::string notation(const Case &c) {
  std::string text = "result" + placeText(c.out, c) + (c.mask ? maskNotation(c) : "");
  text += c.joins ? " joins" : c.empties ? " empties" : "";
  text += c.combine.empty() ? (c.init ? " [init] = " : " = ") : " " + c.combine + "= ";
  text += expressionText(c.value, c);
  if (c.schedule)
    text += " schedule { " + llvm::join(*c.schedule, "; ") + " }";
  return text + (c.file.empty() ? "" : " > " + c.file);
}

} // namespace strata::test
