// A statement or a program in several ways, which take turns in processes of their own.
#ifndef STRATA_TOOLS_CONTEST_H
#define STRATA_TOOLS_CONTEST_H

#include "Messages.h"

#include "strata/runtime/storage/Coordinates.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace strata::tool {

/// What a statement takes, or all of a program.
struct Measured {
  std::string what;      ///< the statement as it is written; "total"
  double seconds = 0;    ///< of one run, the median of a turn
  double operations = 0; ///< estimated
  double bytes = 0;      ///< of operands and result, each once
  double roofline = 0;   ///< what the machine needs at least; 0 where that is not known
};

/// A process: its statements, of which the last entry is the sum.
using Turn = std::vector<Measured>;

struct Contestant {
  std::string options; ///< that it has besides those that all have; "as given" of the first
  std::vector<std::string> arguments;
  int64_t runs = 1; ///< in a turn, without those that warm it up
  std::vector<Turn> turns = {};

  size_t statements() const { return turns.front().size(); }
  /// Returns the seconds of one statement, in each turn.
  std::vector<double> seconds(size_t statement) const;
};

class Contest {
public:
  /// How often and how long.
  struct Rules {
    int64_t rounds = 9;
    int64_t warmUp = 3; ///< runs at the beginning of each turn that do not count
    std::optional<int64_t> repeat =
        {}; ///< runs of a turn; none: as many as fit a tenth of a second
  };

  /// `target` is a statement, or the file of a program.
  Contest(std::string target, bool isProgram, Rules rules);

  std::vector<Contestant> contestants;
  const Rules rules;

  /// Runs everything. False after an error, which was reported.
  bool run();
  /// Returns the exit code after an error: that of a command line for options that are none.
  int exitCode() const { return failure; }

private:
  std::string fileIn(const llvm::Twine &name) const;
  bool warmUp(size_t at);
  bool compareResult(size_t at, const std::string &file);
  bool compareValues(size_t at);
  std::optional<runtime::Coordinates> read(const std::string &file);
  bool isEqual(const runtime::Coordinates &other) const;
  int compare(int64_t a, const runtime::Coordinates &other, int64_t b) const;
  std::optional<Turn> take(const Contestant &one, int64_t runs, std::vector<std::string> more);
  std::optional<Turn> readReport(const std::string &file, int64_t repeat);

  std::string target;
  bool isProgram;
  int failure = exitFailure;
  std::string program;
  llvm::SmallString<128> folder;
  std::optional<runtime::Coordinates> expected;
  /// What a program has printed, in the latest turn and in the first.
  std::vector<double> printed, expectedValues;
};

} // namespace strata::tool

#endif // STRATA_TOOLS_CONTEST_H
