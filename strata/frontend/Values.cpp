// Tensors that are written out: x[i] = [1, 2, 3], A[i, j] = {(0, 1): 2.0}.
#include "strata/frontend/Analyzer.h"

#include "strata/runtime/Counted.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace strata::frontend {

bool Analyzer::assignValues(const ast::AssignStmt &statement, const Symbol &symbol,
                            const ast::ValuesExpr &written) {
  if (!namesWholeTensor(statement, symbol))
    return false;
  if (statement.op != ast::AssignOp::Set || statement.mask) {
    diagnostics
        .error(statement.mask ? statement.mask->range : statement.opRange,
               "what is written out replaces the tensor's value")
        .note("use '=', and combine the tensors in another statement");
    return false;
  }
  Values values;
  values.result = symbol.id;
  values.isList = written.isList;
  if (!giveSizes(values, written) || !giveEntries(values, written))
    return false;
  add(statement.range, std::move(values));
  setValue(symbol.id, true);
  return true;
}

// A list says its sizes itself; entries leave them to the declaration.
bool Analyzer::giveSizes(Values &values, const ast::ValuesExpr &written) {
  const Tensor &tensor = program.tensors[values.result];
  size_t order = written.isList            ? written.sizes.size()
                 : written.entries.empty() ? tensor.order()
                                           : written.entries.front().coordinate.size();
  if (order != tensor.order()) {
    diagnostics
        .error(written.range, "these are the values of a tensor of order " + llvm::Twine(order) +
                                  ", but '" + tensor.name + "' has order " +
                                  llvm::Twine(tensor.order()))
        .note("it is declared here", tensor.range);
    return false;
  }
  for (unsigned dimension = 0; dimension < order; ++dimension) {
    std::optional<int64_t> declared = tensor.sizes[dimension];
    int64_t size = written.isList ? written.sizes[dimension] : declared.value_or(0);
    values.sizes.push_back(size);
    if (declared == size)
      continue;
    if (!written.isList) {
      diagnostics
          .error(written.range, "entries do not say the size of dimension " +
                                    llvm::Twine(dimension) + " of '" + tensor.name + "'")
          .note("give its label a size: IndexLabel [i] = [100];", tensor.range);
      return false;
    }
    if (declared) {
      diagnostics
          .error(written.range, "dimension " + llvm::Twine(dimension) + " of '" + tensor.name +
                                    "' has size " + llvm::Twine(*declared) + ", but " +
                                    counted(size, "value") +
                                    (size == 1 ? " is listed" : " are listed"))
          .note("it is declared here", tensor.range);
      return false;
    }
  }
  return true;
}

bool Analyzer::giveEntries(Values &values, const ast::ValuesExpr &written) {
  std::set<std::vector<int64_t>> seen;
  for (const ast::ValuesExpr::Entry &entry : written.entries) {
    Notation notation;
    ElementPtr value = element(*entry.value, notation);
    if (!value)
      return false;
    if (value->kind == Element::Kind::Parameter)
      return refuseOpen({value->parameter, value->range});
    if (value->kind != Element::Kind::Constant) {
      diagnostics.error(entry.value->range, "values that are listed are numbers and parameters");
      return false;
    }
    if (!checkConstant(values.result, *value))
      return false;
    values.numbers.emplace_back(value->value, value->imaginary);
    values.integers.push_back(value->integer);
    if (written.isList)
      continue;
    bool inside = entry.coordinate.size() == values.sizes.size() &&
                  llvm::all_of(llvm::zip(entry.coordinate, values.sizes),
                               [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
    if (!inside || !seen.insert(entry.coordinate).second) {
      diagnostics.error(entry.range, inside ? "this coordinate has a value already"
                                            : "this is not a coordinate of '" +
                                                  program.tensors[values.result].name + "'");
      return false;
    }
    llvm::append_range(values.coordinates, entry.coordinate);
  }
  return true;
}

} // namespace strata::frontend
