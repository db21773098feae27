// Marks every statement with the resolutions that it may not use.
#include "strata/lower/Passes.h"
#include "strata/lower/analysis/Resolutions.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_FORBIDRESOLUTIONS
#include "strata/lower/Passes.h.inc"

namespace {

struct ForbidResolutions : impl::ForbidResolutionsBase<ForbidResolutions> {
  using Base::Base;

  void runOnOperation() override {
    Resolutions forbidden;
    for (const std::string &word : what) {
      std::optional<Resolution> resolution = findResolution(word);
      if (!resolution) {
        getOperation().emitError("'")
            << word << "' cannot be forbidden; valid words are " << resolutionWords();
        return signalPassFailure();
      }
      forbidden.insert(*resolution);
    }
    getOperation().walk([&](ta::ComputeOp op) { setForbidden(op, forbidden); });
  }
};

} // namespace
} // namespace strata
