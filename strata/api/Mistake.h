// The kinds of mistakes with which calls of the library end.
#ifndef STRATA_API_MISTAKE_H
#define STRATA_API_MISTAKE_H

#include "strata/runtime/Status.h"

#include "llvm/ADT/StringRef.h"

namespace strata::api {

/// The kinds of what the interface itself refuses. As in runtime::Error::Code, each number is the
/// code that people see, SE1702, which docs/Errors.md describes; it keeps its meaning.
enum class Refusal : uint16_t {
  // These are mistakes in programs, too.
  Format = 504,
  Statement = 1004,
  // These are mistakes in calls of the library.
  Arrays = 1701,
  Operands = 1702,
  Target = 1703,
  Pieces = 1704,
  Machine = 1705,
  Steps = 1706,
  Argument = 1707,
  Module = 1708,
};

/// The kind of mistake that an error is of. No error is made without one, so that an error without
/// a code does not compile.
class Mistake {
public:
  Mistake(Refusal refusal) : number(uint16_t(refusal)) {}
  Mistake(runtime::Error::Code code) : number(code) {}
  /// Gives the mistake whose code stands behind a message, or which the table has for its text;
  /// else the other.
  static Mistake of(llvm::StringRef message, Mistake otherwise);
  /// Gives the kind of a mistake in Strata, which has no code.
  static Mistake ofStrata() { return runtime::Error::NoCode; }

  /// "SE1702"; empty of a mistake in Strata.
  std::string code() const;

private:
  uint16_t number;
};

} // namespace strata::api

#endif // STRATA_API_MISTAKE_H
