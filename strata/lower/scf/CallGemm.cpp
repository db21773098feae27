// Lets a library multiply matrices.
//
// before: lvl.contract A, B into C
// after:  if not strata_kernel_gemm(A, B, C, labels) { lvl.contract A, B into C }
#include "strata/dialect/lvl/Lvl.h"
#include "strata/lower/Passes.h"
#include "strata/lower/scf/Buffers.h"
#include "strata/lower/scf/ContractionArithmetic.h"
#include "strata/lower/utils/KernelStage.h"
#include "strata/runtime/Gemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace strata {

#define GEN_PASS_DEF_CALLGEMM
#include "strata/lower/Passes.h.inc"

namespace {

static_assert(int(lvl::Role::batched) == STRATA_LABEL_BATCHED &&
              int(lvl::Role::row) == STRATA_LABEL_ROW &&
              int(lvl::Role::column) == STRATA_LABEL_COLUMN &&
              int(lvl::Role::summed) == STRATA_LABEL_SUMMED);

// The types that libraries have functions for.
std::optional<strata_type> libraryType(Type element) {
  auto number = dyn_cast<ComplexType>(element);
  Type real = number ? number.getElementType() : element;
  if (!real.isF32() && !real.isF64())
    return std::nullopt;
  if (number)
    return real.isF32() ? STRATA_C64 : STRATA_C128;
  return real.isF32() ? STRATA_F32 : STRATA_F64;
}

class GemmCall {
public:
  explicit GemmCall(lvl::ContractOp op)
      : op(op), b(op), loc(op.getLoc()), contraction(op), arithmetic(contraction, loc, b) {}

  void emit(strata_type type) {
    auto kernel = op->getParentOfType<func::FuncOp>();
    auto [real, imaginary] = factor();
    SmallVector<Value> given{kernel.getArgument(0)};
    for (Value buffer :
         SmallVector<Value>{op.getLeft(), op.getRight(), op.getResult(), labels(kernel)})
      given.push_back(giveBuffer(b, loc, buffer).pointer);
    given.append({word(int64_t(op.getRoles().size())), word(type), real, imaginary,
                  word(op.getOverwrites())});
    Value done = func::CallOp::create(b, loc, declare(given), given).getResult(0);
    Value declined = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, done, word(0));
    auto otherwise = scf::IfOp::create(b, loc, declined, /*withElseRegion=*/false);
    op->moveBefore(otherwise.thenBlock()->getTerminator());
  }

private:
  Value word(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 64); }

  // Where all begins, and the labels, as strata_kernel_gemm takes them.
  Value labels(func::FuncOp kernel) {
    SmallVector<Value> numbers{op.getLeftBegin(), op.getRightBegin(), op.getResultBegin()};
    for (unsigned label = 0; label < op.getRoles().size(); ++label)
      numbers.append({arith::ConstantIndexOp::create(b, loc, op.getRoles()[label]),
                      op.getExtents()[label], op.getLeftStrides()[label],
                      op.getRightStrides()[label], op.getResultStrides()[label]});
    OpBuilder entry = OpBuilder::atBlockBegin(&kernel.front());
    Value list = memref::AllocaOp::create(
        entry, loc, MemRefType::get({int64_t(numbers.size())}, b.getI64Type()));
    for (auto [at, number] : llvm::enumerate(numbers))
      memref::StoreOp::create(b, loc, arith::IndexCastOp::create(b, loc, b.getI64Type(), number),
                              list, Value(arith::ConstantIndexOp::create(b, loc, int64_t(at))));
    return list;
  }

  // Emits what products are multiplied by.
  std::pair<Value, Value> factor() {
    auto real = [&](double value) -> Value {
      return arith::ConstantOp::create(b, loc, FloatAttr::get(arithmetic.real, value));
    };
    ContractionArithmetic::Parts one{real(1)};
    if (arithmetic.parts > 1)
      one.push_back(real(0));
    for (Value scale : contraction.scales)
      one = arithmetic.product(one, arithmetic.partsOf(scale));
    if (contraction.negates)
      one = arithmetic.negative(one);
    auto wide = [&](Value part) -> Value {
      return part.getType().isF64() ? part : arith::ExtFOp::create(b, loc, b.getF64Type(), part);
    };
    Value zero = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0));
    return {wide(one[0]), one.size() > 1 ? wide(one[1]) : zero};
  }

  func::FuncOp declare(ArrayRef<Value> given) {
    auto module = op->getParentOfType<ModuleOp>();
    std::string name = "strata_gemm_";
    llvm::raw_string_ostream(name) << (arithmetic.parts > 1 ? "c" : "f")
                                   << arithmetic.real.getIntOrFloatBitWidth() * arithmetic.parts;
    if (auto existing = module.lookupSymbol<func::FuncOp>(name))
      return existing;
    OpBuilder top(module.getBodyRegion());
    auto type = b.getFunctionType(TypeRange(ValueRange(given)), {b.getI64Type()});
    auto function = func::FuncOp::create(top, module.getLoc(), name, type);
    function.setPrivate();
    return function;
  }

  lvl::ContractOp op;
  OpBuilder b;
  Location loc;
  Contraction contraction;
  ContractionArithmetic arithmetic;
};

struct CallGemm : impl::CallGemmBase<CallGemm> {
  void runOnOperation() override {
    if (failed(expectStage(getOperation(), KernelStage::Code, getArgument())))
      return signalPassFailure();
    SmallVector<lvl::ContractOp> found;
    getOperation().walk([&](lvl::ContractOp op) { found.push_back(op); });
    for (lvl::ContractOp op : found) {
      std::optional<strata_type> type = libraryType(op.getResult().getType().getElementType());
      bool isRing = op.getSums() == ta::Combine::add && op.getProducts() == ta::Combine::mul;
      bool isOfOneType = llvm::all_equal({op.getLeft().getType().getElementType(),
                                          op.getRight().getType().getElementType(),
                                          op.getResult().getType().getElementType()});
      if (op.getPieces() && isRing && type &&
          isOfOneType) // in other loops a call for each step costs more
        GemmCall(op).emit(*type);
    }
  }
};

} // namespace
} // namespace strata
