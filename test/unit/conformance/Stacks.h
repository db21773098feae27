// Formats that put every registered level format into every position that its properties allow.
#ifndef STRATA_TEST_UNIT_CONFORMANCE_STACKS_H
#define STRATA_TEST_UNIT_CONFORMANCE_STACKS_H

#include "generator/Formats.h"
#include "generator/RunCase.h"
#include "generator/Share.h"
#include "generator/TensorData.h"

#include <set>

namespace strata::test {

/// Formats of an order; `name` says which level stands where. A format that the ta dialect refuses
/// is not listed but counted, with what it was refused for.
struct Stacks {
  std::vector<NamedFormat> formats;
  std::set<std::string> reasons;
  int refused = 0;
};

/// All level formats, each with the properties that it can be given, at the root, inside and at the
/// leaf, next to the two formats that every storage is made of and to itself; and in the maps of
/// diagonals and of blocks. Computed from the registry: a new level format is in it.
const Stacks &stacksOf(unsigned order);

/// The formats to run: of order 3 only some, drawn, unless all are asked for.
std::vector<NamedFormat> chosenOf(unsigned order);

/// Whether a name says that a level format has other properties than its own.
bool isVariant(const NamedFormat &format);

/// A tensor with empty rows, empty columns, runs of equal values, dense stretches, explicit zeros.
TensorData dataOf(unsigned order, unsigned which);

// ---- Statements ----

Expression accessTo(unsigned tensor, const std::vector<unsigned> &variables);
Expression combined(const std::string &op, Expression left, Expression right);
/// A case without a value: variables i, j, ... of the data's sizes, the left side all of them.
Case caseOf(std::vector<Operand> operands, const NamedFormat &result);

/// Counts what comes of cases; tells what fails.
class Tally {
public:
  explicit Tally(std::string what) : what(std::move(what)) {}
  ~Tally();
  void add(const Case &c, const Outcome &outcome);
  int agreeing() const { return agrees; }

private:
  std::string what;
  int agrees = 0, refuses = 0;
  std::map<std::string, int> reasons;
};

} // namespace strata::test
#endif // STRATA_TEST_UNIT_CONFORMANCE_STACKS_H
