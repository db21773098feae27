// What a run is doing at the moment, for who interrupts it from another thread.
#ifndef STRATA_RUN_ACTIVITY_H
#define STRATA_RUN_ACTIVITY_H

#include "mlir/IR/Operation.h"

#include <mutex>

namespace strata {

class Activity {
public:
  /// `doing` is a word such as "reading", of what the operation makes.
  void begin(mlir::Operation *op, llvm::StringRef doing);
  void enterLoop(mlir::Operation *loop);
  void beginIteration(int64_t number);
  void leaveLoop();
  void end();

  /// "computing 'y' (pagerank.ta:24:5), in iteration 12 of the loop at pagerank.ta:22:3".
  std::string text() const;

private:
  mutable std::mutex mutex;
  mlir::Operation *operation = nullptr; ///< null before the first
  llvm::StringRef word;
  llvm::SmallVector<std::pair<mlir::Operation *, int64_t>> loops; ///< the outermost first
};

} // namespace strata

#endif // STRATA_RUN_ACTIVITY_H
