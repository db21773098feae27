// What a kernel does, counted: iterations of its loops, operations, and what it reads and writes.
#ifndef STRATA_COST_COUNTKERNEL_H
#define STRATA_COST_COUNTKERNEL_H

#include "strata/cost/Statistics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace strata::cost {

/// A level whose stored coordinates say where something is accessed.
struct Driver {
  unsigned tensor, level;
};

/// The elements of one array that one place of a kernel reads or writes.
struct AccessCounts {
  std::string array; ///< "x", "A's coordinates", "the workspace"
  double count = 0;  ///< of elements, all together: in what is repeated nothing is read again
  double bytes = 8;  ///< of an element
  double stride = 8; ///< bytes from one to the next, where they come in turn
  double size = 0;   ///< bytes of the array
  unsigned loop = 0; ///< the innermost loop that moves it
  llvm::SmallBitVector loops = {}; ///< all loops that move it
  bool writes = false;
  bool combines = false; ///< what is written depends on what was there
  /// It jumps with the coordinates of a level, `jumps` times, each time over so many bytes from one
  /// coordinate to the next.
  std::optional<Driver> driver = {};
  double jumps = 0, bytesPerCoordinate = 0;
};

/// What the body of a loop does in each iteration, besides the loops inside.
struct BodyCounts {
  double operations = 0; ///< additions, multiplications, comparisons
  double functions = 0;  ///< exp, sin, ..., which are called
  double searches = 0;   ///< steps of bisections
  double lookups = 0;    ///< in hash tables
  double appends = 0;    ///< of coordinates to the result
  double gathered = 0;   ///< coordinates inserted into a workspace
};

struct LoopCounts {
  std::string name;                    ///< "i"
  std::optional<unsigned> around = {}; ///< the loop in which it is
  enum class Kind {
    Counts, ///< through consecutive values
    Walks,  ///< along what one tensor stores
    Merges
  } kind = Kind::Counts;
  double begins = 1, iterations = 0; ///< all together
  /// The share of times at which it ends after another number of iterations than the time before.
  double uneven = 0;
  bool unites = false;  ///< merges what one or another tensor stores
  bool gathers = false; ///< takes positions with equal coordinates together
  bool parallel = false;
  bool marked = false; ///< a schedule says how it runs: by vectors, or unrolled
  bool innermost = true;
  /// Of so many rows a workspace is sorted and appended, with so many coordinates.
  double sortedRows = 0, sortedCoordinates = 0;
  BodyCounts body = {};
};

/// Loops in the order in which they stand, outer ones before those inside.
struct KernelCounts {
  std::vector<LoopCounts> loops;
  std::vector<AccessCounts> accesses;
  /// Loops that are dense contractions run in blocks; its schedule says so, which lvl does not.
  bool contracts = true;

  /// Operations on elements, all together.
  double operations() const;
};

/// Counts a kernel in lvl. `tensors` are its storages, in the order of its arguments, the result
/// first; `extents` its sizes. Entries count as spread evenly over their tensors, and independently
/// of each other. Nothing if the kernel has loops whose lengths cannot be told.
std::optional<KernelCounts> countKernel(mlir::func::FuncOp kernel,
                                        llvm::ArrayRef<TensorStatistics> tensors,
                                        llvm::ArrayRef<int64_t> extents);

} // namespace strata::cost

#endif // STRATA_COST_COUNTKERNEL_H
