// Undoes what PlaceStorage decided, so that the passes on programs can run again.
#include "strata/dialect/ta/Ta.h"
#include "strata/dialect/ta/ValuesOps.h"
#include "strata/lower/Passes.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FORGETSTORAGE
#include "strata/lower/Passes.h.inc"

namespace {

struct ForgetStorage : impl::ForgetStorageBase<ForgetStorage> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (isa<ta::ReleaseOp>(op))
        op->erase();
      else if (auto statement = dyn_cast<ta::ComputeOp>(op))
        statement.setInPlace(false);
      else if (auto with = dyn_cast<ta::WithValuesOp>(op))
        with.setMoved({});
      else if (auto counted = dyn_cast<ta::ForOp>(op))
        counted.setMoved({});
      else if (auto loop = dyn_cast<ta::LoopOp>(op))
        loop.setMoved({});
    });
  }
};

} // namespace
} // namespace strata
