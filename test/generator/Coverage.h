// Counts what was drawn: kinds of statements by the formats of their operands and results.
#ifndef STRATA_TEST_GENERATOR_COVERAGE_H
#define STRATA_TEST_GENERATOR_COVERAGE_H

#include "RunCase.h"

#include <map>
#include <string>

namespace strata::test {

class Coverage {
public:
  void count(const Case &c, const Outcome &outcome);

  /// A line per format: how many statements of each kind were computed with it (and refused).
  std::string table() const;
  /// Refusals by message, the most frequent first, with a case of each.
  std::string refusals() const;

private:
  struct Cell {
    int computed = 0, refused = 0;
  };
  std::map<std::string, std::map<std::string, Cell>> cells; ///< format -> kind
  struct Refusal {
    int count = 0;
    std::string example;
  };
  std::map<std::string, Refusal> messages;
};

/// The statement's kinds: "copy", "union", "product", "mixed"; "sum" where it is summed as a
/// whole, "inner sum", "broadcast", "window", "update", "reread" where it reads what it updates,
/// ....
std::vector<std::string> kindsOf(const Case &c);

/// A message without names and numbers.
std::string withoutNames(const std::string &message);

} // namespace strata::test
#endif // STRATA_TEST_GENERATOR_COVERAGE_H
