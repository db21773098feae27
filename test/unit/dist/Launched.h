// What the program that a launcher starts several times is asked to do.
#ifndef STRATA_TEST_UNIT_DIST_LAUNCHED_H
#define STRATA_TEST_UNIT_DIST_LAUNCHED_H

#include "strata/runtime/dist/World.h"

#include <cstdio>
#include <cstdlib>

namespace strata::test {

/// Ends the whole run, with a line that says where, unless something holds.
inline void require(bool holds, const char *what, int line) {
  if (holds)
    return;
  std::fprintf(stderr, "line %d: %s\n", line, what);
  std::fflush(stderr);
  std::_Exit(3);
}
#define REQUIRE(condition) ::strata::test::require((condition), #condition, __LINE__)

inline void require(const runtime::Status &status, const char *what, int line) {
  require(status.ok(), status.ok() ? what : status.error().text().c_str(), line);
}

/// Goes through all functions of the provider with pieces of so many bytes; `halves` is the file of
/// the library that makes a communicator, empty without MPI.
int runContract(int64_t pieceBytes, const std::string &halves);

/// The same in so many ranks that are threads of this process.
int runLocalContract(int32_t ranks);

/// One rank does what it should not: "killed", "stopped", "silent", "late" or "other".
int runFault(const std::string &fault, double deadline);

} // namespace strata::test
#endif // STRATA_TEST_UNIT_DIST_LAUNCHED_H
