// What a case consists of, and the files of its operands.
#include "Case.h"

#include <cmath>
#include <set>

namespace strata::test {

std::optional<unsigned> Position::plain() const {
  if (terms.size() == 1 && terms[0].factor == 1 && offset == 0 && divisor == 1 && modulus == 0)
    return terms[0].variable;
  return std::nullopt;
}

bool comparesLabels(const Expression &e) {
  return e.kind == Expression::Kind::operation && e.operands.empty();
}

std::vector<unsigned> usesOf(const Case &c) {
  std::vector<unsigned> uses(c.tensors.size());
  forEach(c.value, [&](const Expression &e) {
    if (e.kind == Expression::Kind::access)
      ++uses[e.tensor];
  });
  if (c.mask)
    ++uses[c.mask->tensor];
  return uses;
}

std::vector<unsigned> freeVariables(const Expression &e) {
  std::set<unsigned> free;
  for (const Position &position : e.place)
    for (const Position::Term &term : position.terms)
      free.insert(term.variable);
  for (const Expression &operand : e.operands)
    for (unsigned variable : freeVariables(operand))
      free.insert(variable);
  for (unsigned variable : e.reduced)
    free.erase(variable);
  return {free.begin(), free.end()};
}

bool isProgram(const Case &c) {
  bool program = false;
  forEach(c.value, [&](const Expression &e) { program |= e.stored.has_value(); });
  return program;
}

Case asOneStatement(Case c) {
  forEach(c.value, [](Expression &e) { e.stored.reset(); });
  return c;
}

Case withoutCells(Case c) {
  c.cells.clear();
  c.resultPlaces.clear();
  for (Operand &operand : c.tensors)
    operand.places.clear();
  return c;
}

std::string positionText(const Position &position, const Case &c, const std::string &sigil) {
  std::string text;
  for (const Position::Term &term : position.terms) {
    text += (text.empty() ? "" : " + ") + sigil + c.variables[term.variable].name;
    if (term.factor != 1)
      text += " * " + std::to_string(term.factor);
  }
  if (position.offset || text.empty())
    text += (text.empty() ? "" : " + ") + std::to_string(position.offset);
  if (position.divisor != 1)
    text = "(" + text + ") floordiv " + std::to_string(position.divisor);
  if (position.modulus)
    text = "(" + text + ") mod " + std::to_string(position.modulus);
  return text;
}

// A number as files have it.
static std::string numberInFile(double value, strata_type type) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return numberText(value, type);
}

std::pair<std::string, std::string> fileOf(const Operand &operand) {
  const TensorData &data = operand.data;
  bool pairs = isComplex(data.type), matrix = pairs && data.sizes.size() <= 2;
  std::vector<int64_t> sizes = data.sizes;
  if (matrix && sizes.size() == 1)
    sizes.push_back(1);
  std::string count = std::to_string(data.entries.size()), text, shape;
  for (int64_t size : sizes)
    shape += (shape.empty() ? "" : " ") + std::to_string(size);
  if (matrix)
    text = "%%MatrixMarket matrix coordinate complex general\n" + shape + " " + count + "\n";
  else
    text = "# extended FROSTT format\n" + std::to_string(sizes.size()) + " " + count + "\n" +
           shape + "\n";
  strata_type number = pairs ? STRATA_F64 : data.type;
  for (const Entry &entry : data.entries) {
    for (size_t d = 0; d < sizes.size(); ++d)
      text += std::to_string((d < entry.at.size() ? entry.at[d] : 0) + 1) + " ";
    text += numberInFile(entry.value.real(), number);
    if (matrix)
      text += " " + numberInFile(entry.value.imag(), number);
    text += "\n";
  }
  return {operand.name + (matrix ? ".mtx" : ".tns"), text};
}

} // namespace strata::test
