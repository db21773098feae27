// Asks in the loops of kernels whether the caller wants them to stop.
//
// before: for i { for k { for j { ... } } }
// after:  for i { if (*interrupt) fail; for k { for j { ... } } }
//
// A question takes a load that always hits and a branch that is never taken, so that it stands
// where much work follows: in loops with two levels of loops inside, and in outer ones with one
// level that runs as long for each of their steps. The loops of a row's entries are no such level:
// all rows together take no longer than it takes to read the matrix. Of a deep nest the innermost
// of these loops ask. A loop around them asks, too, unless each of its steps comes to one that
// does.
#include "strata/level/Emission.h"
#include "strata/lower/Passes.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstddef>

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_POLLINTERRUPTS
#include "strata/lower/Passes.h.inc"

namespace {

bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

// Tells whether a loop runs as long in each step of the one around it.
bool runsAsLong(Operation *inner, Operation *outer) {
  auto loop = dyn_cast<scf::ForOp>(inner);
  return loop &&
         llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound()}, [&](Value bound) {
           Operation *made = bound.getDefiningOp();
           Operation *around = made ? made->getParentOp() : bound.getParentBlock()->getParentOp();
           return !outer->isAncestor(around);
         });
}

// The loops of a function, and how many are inside each other below one.
class Nest {
public:
  explicit Nest(func::FuncOp function) : b(function), function(function) {}

  void poll() {
    SmallVector<Operation *> polled; // from the innermost
    function.walk([&](Operation *loop) {
      auto asksForIt = [&](Operation *inner) {
        return loop->isProperAncestor(inner) && runsAsLong(inner, loop) && leadsTo(loop, inner);
      };
      if (isLoop(loop) && isWorth(loop) && llvm::none_of(polled, asksForIt))
        polled.push_back(loop);
    });
    for (Operation *loop : polled)
      ask(loop);
  }

private:
  // Pieces are run by a call, whose loops other threads have.
  static bool runsPieces(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    auto callee =
        call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr())
             : func::FuncOp();
    return callee && callee->hasAttr("strata.pieces");
  }

  int64_t levelsIn(Operation *loop) {
    auto [known, isNew] = levels.try_emplace(loop, 0);
    if (!isNew)
      return known->second;
    int64_t most = 0;
    loop->walk([&](Operation *inner) {
      if (inner != loop && isLoop(inner))
        most = std::max(most, 1 + levelsIn(inner));
      else if (runsPieces(inner))
        most = std::max<int64_t>(most, 1);
    });
    return levels[loop] = most;
  }

  // Tells whether each step of a loop comes to one inside it, and to no other that has loops
  // inside.
  bool leadsTo(Operation *outer, Operation *inner) {
    auto hasNest = [&](Operation *op) {
      return op
          ->walk([&](Operation *one) {
            bool isNest = runsPieces(one) || (isLoop(one) && levelsIn(one) > 0);
            return isNest ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
    };
    for (Operation *at = inner; at != outer; at = at->getParentOp()) {
      if (!isLoop(at))
        return false; // a choice
      for (Operation &beside : *at->getBlock())
        if (&beside != at && hasNest(&beside))
          return false;
    }
    return true;
  }

  bool isWorth(Operation *loop) {
    if (levelsIn(loop) >= 2)
      return true;
    bool isOuter = true;
    for (Operation *around = loop->getParentOp(); around != function;
         around = around->getParentOp())
      isOuter &= !isLoop(around);
    bool repeats = false;
    loop->walk([&](Operation *inner) {
      repeats |= inner != loop && (runsPieces(inner) || (isLoop(inner) && runsAsLong(inner, loop)));
    });
    return isOuter && repeats;
  }

  // Where the flag lies, loaded once. A caller without one gets the status, which is 0 as long as
  // the kernel runs.
  Value flag() {
    if (place)
      return place;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.front());
    Location loc = function.getLoc();
    Value context = function.getArgument(0);
    Type pointer = context.getType();
    auto member = [&](size_t offset) {
      return LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), context,
                                 ArrayRef<LLVM::GEPArg>{int32_t(offset)});
    };
    Value given =
        LLVM::LoadOp::create(b, loc, pointer, member(offsetof(strata_context, interrupt)));
    Value none = LLVM::ZeroOp::create(b, loc, pointer);
    Value absent = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, given, none);
    return place = LLVM::SelectOp::create(b, loc, absent, member(offsetof(strata_context, status)),
                                          given);
  }

  void ask(Operation *loop) {
    auto repeated = dyn_cast<scf::WhileOp>(loop);
    Block &body = repeated ? repeated.getAfter().front() : loop->getRegion(0).front();
    Value at = flag();
    b.setInsertionPointToStart(&body);
    Location loc = loop->getLoc();
    Value asked = LLVM::LoadOp::create(b, loc, b.getI32Type(), at, /*alignment=*/4,
                                       /*isVolatile=*/true);
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value stops = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, asked, zero);
    emit::failIf(b, loc, function.getArgument(0), stops, STRATA_INTERRUPTED);
  }

  OpBuilder b;
  func::FuncOp function;
  llvm::DenseMap<Operation *, int64_t> levels;
  Value place;
};

struct PollInterrupts : impl::PollInterruptsBase<PollInterrupts> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isDeclaration() && function.getNumArguments() > 0 &&
          isa<LLVM::LLVMPointerType>(function.getArgument(0).getType()))
        Nest(function).poll();
  }
};

} // namespace
} // namespace strata
