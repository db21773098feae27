// What is told of a contest: figures of each contestant as a table, as JSON, as comma-separated
// values.
#ifndef STRATA_TOOLS_CONTESTFIGURES_H
#define STRATA_TOOLS_CONTESTFIGURES_H

#include "Contest.h"

namespace strata::tool {

/// A median with the 95 % interval.
struct Ratio {
  double median, low, high;
};

/// Times of an earlier contest, as --json has written them.
class EarlierTimes {
public:
  /// Nothing after an error, which was reported.
  static std::optional<EarlierTimes> read(const std::string &file);

  std::string machine;
  /// How many times as long a statement takes now: the median of all pairs of a time now and one
  /// then, and the interval of Hodges and Lehmann. Nothing where it was not measured then.
  std::optional<Ratio> compare(llvm::StringRef options, size_t statement, llvm::StringRef what,
                               llvm::ArrayRef<double> now) const;

private:
  struct Entry {
    std::string options, what;
    size_t statement; ///< its number, which does not matter of the sum
    std::vector<double> seconds;
  };
  std::vector<Entry> entries;
};

/// The processor and its threads, in a line.
std::string machineText();

/// `earlier` may be null.
void printTable(const Contest &contest, const EarlierTimes *earlier);
void printFigures(const Contest &contest, const EarlierTimes *earlier);
void printSeparated(const Contest &contest, const EarlierTimes *earlier);

} // namespace strata::tool

#endif // STRATA_TOOLS_CONTESTFIGURES_H
