// Gives the pieces of parallel loops a function of their own, which other threads can call.
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/utils/KernelStage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_OUTLINEPIECES
#include "strata/lower/Passes.h.inc"

namespace {

// One parallel loop of a kernel.
class Piece {
public:
  Piece(func::FuncOp kernel, scf::ParallelOp loop, unsigned number)
      : kernel(kernel), loop(loop), b(loop), loc(loop.getLoc()),
        name((kernel.getName() + ".piece" + Twine(number)).str()) {}

  void outline() {
    SmallVector<Value> given{context(), loop.getUpperBound()[0]};
    SmallVector<Type> types{given[0].getType(), b.getIndexType()};
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    used.remove(context());
    SmallVector<Value> values = used.takeVector();
    for (Value value : values) {
      if (matchPattern(value, m_Constant()))
        continue;
      give(value, given);
    }
    for (Value value : ArrayRef(given).drop_front(2))
      types.push_back(value.getType());
    func::FuncOp body = emitBody(types, values);
    keepAliases(kernel, body, ArrayRef(given).drop_front(2));
    auto call = declareCall(body, types);
    func::CallOp::create(b, loc, call, given);
    loop.erase();
  }

private:
  Value context() { return kernel.getArgument(0); }

  void give(Value value, SmallVectorImpl<Value> &given) {
    if (!isa<MemRefType>(value.getType())) {
      given.push_back(value);
      return;
    }
    GivenBuffer buffer = giveBuffer(b, loc, value);
    given.append({buffer.pointer, buffer.size});
  }

  func::FuncOp emitBody(ArrayRef<Type> types, ArrayRef<Value> values) {
    OpBuilder outside(kernel);
    auto body = func::FuncOp::create(outside, loc, name, outside.getFunctionType(types, {}));
    body.setPrivate();
    OpBuilder inside = OpBuilder::atBlockBegin(body.addEntryBlock());
    IRMapping mapping;
    mapping.map(context(), body.getArgument(0));
    mapping.map(loop.getInductionVars()[0], body.getArgument(1));
    unsigned next = 2;
    for (Value value : values) {
      if (matchPattern(value, m_Constant())) {
        mapping.map(value, inside.clone(*value.getDefiningOp())->getResult(0));
      } else if (auto buffer = dyn_cast<MemRefType>(value.getType())) {
        mapping.map(value, takeBuffer(inside, loc, buffer,
                                      {body.getArgument(next), body.getArgument(next + 1)}));
        next += 2;
      } else {
        mapping.map(value, body.getArgument(next++));
      }
    }
    for (Operation &op : loop.getBody()->without_terminator())
      inside.clone(op, mapping);
    func::ReturnOp::create(inside, loc);
    return body;
  }

  // What runs all pieces; EmitEntryPoints gives it a body.
  func::FuncOp declareCall(func::FuncOp body, ArrayRef<Type> types) {
    OpBuilder outside(kernel);
    auto call =
        func::FuncOp::create(outside, loc, name + ".all", outside.getFunctionType(types, {}));
    call.setPrivate();
    call->setAttr("strata.pieces", FlatSymbolRefAttr::get(body));
    return call;
  }

  func::FuncOp kernel;
  scf::ParallelOp loop;
  OpBuilder b;
  Location loc;
  std::string name;
};

struct OutlinePieces : impl::OutlinePiecesBase<OutlinePieces> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      SmallVector<scf::ParallelOp> loops;
      kernel.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
      for (auto [number, loop] : llvm::enumerate(loops))
        Piece(kernel, loop, number).outline();
    }
  }
};

} // namespace
} // namespace strata
