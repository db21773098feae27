// Builds the micro-kernel.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/MicroKernel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace strata::accelerator {

namespace {

class Builder {
public:
  Builder(Module &module, const Accelerator &accelerator)
      : module(module), accelerator(accelerator), b(module.getContext()),
        factor(elementType(accelerator.type)),
        sum(accelerator.type == Type::int8 ? b.getInt32Ty() : factor) {}

  Function *build() {
    PointerType *pointer = b.getPtrTy();
    auto *type = FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false);
    function = Function::Create(type, Function::ExternalLinkage, "micro_kernel", module);
    constexpr const char *names[] = {"C", "A", "B"};
    for (auto [argument, name] : llvm::zip(function->args(), names))
      argument.setName(name);
    b.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
    int64_t places = accelerator.arrayRows * accelerator.arrayColumns;
    sums = b.CreateAlloca(ArrayType::get(sum, uint64_t(2 * places)), nullptr, "sums");
    int64_t across = accelerator.columns / accelerator.arrayColumns;
    loop(accelerator.rows / accelerator.arrayRows, false, [&](Value *down) {
      loop(across, false, [&](Value *right) {
        Value *number = b.CreateAdd(b.CreateMul(down, constant(across)), right);
        Value *half = b.CreateMul(b.CreateAnd(number, constant(1)), constant(places));
        emitTile(b.CreateMul(down, constant(accelerator.arrayRows)),
                 b.CreateMul(right, constant(accelerator.arrayColumns)), half);
      });
    });
    b.CreateRetVoid();
    return function;
  }

private:
  llvm::Type *elementType(Type type) {
    switch (type) {
    case Type::int8:
      return b.getInt8Ty();
    case Type::int32:
      return b.getInt32Ty();
    case Type::float16:
      return b.getHalfTy();
    case Type::float32:
      return b.getFloatTy();
    case Type::float64:
      return b.getDoubleTy();
    }
    return nullptr;
  }

  Constant *constant(int64_t value) { return b.getInt64(uint64_t(value)); }

  // Runs the body at least once.
  void loop(int64_t extent, bool isSpatial, function_ref<void(Value *)> body) {
    BasicBlock *before = b.GetInsertBlock();
    BasicBlock *header = BasicBlock::Create(module.getContext(), "", function);
    b.CreateBr(header);
    b.SetInsertPoint(header);
    PHINode *variable = b.CreatePHI(b.getInt64Ty(), 2);
    variable->addIncoming(constant(0), before);
    body(variable);
    Value *next = b.CreateAdd(variable, constant(1));
    variable->addIncoming(next, b.GetInsertBlock());
    BasicBlock *after = BasicBlock::Create(module.getContext(), "", function);
    Instruction *back = b.CreateCondBr(b.CreateICmpULT(next, constant(extent)), header, after);
    if (isSpatial)
      back->setMetadata(LLVMContext::MD_loop, unrolledLoop());
    b.SetInsertPoint(after);
  }

  MDNode *unrolledLoop() {
    LLVMContext &context = module.getContext();
    MDNode *unroll = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.full"));
    MDNode *id = MDNode::getDistinct(context, {nullptr, unroll});
    id->replaceOperandWith(0, id); // how LLVM tells loops apart
    return id;
  }

  void places(function_ref<void(Value *row, Value *column)> body) {
    loop(accelerator.arrayRows, true, [&](Value *row) {
      loop(accelerator.arrayColumns, true, [&](Value *column) { body(row, column); });
    });
  }

  Value *resultAt(Value *row, Value *column) {
    Value *index = b.CreateAdd(b.CreateMul(row, constant(accelerator.columns)), column);
    return b.CreateGEP(sum, function->getArg(0), index);
  }

  Value *sumAt(Value *half, Value *row, Value *column) {
    Value *index = b.CreateAdd(b.CreateMul(row, constant(accelerator.arrayColumns)), column);
    return b.CreateGEP(sum, sums, b.CreateAdd(half, index));
  }

  void emitTile(Value *firstRow, Value *firstColumn, Value *half) {
    places([&](Value *row, Value *column) {
      Value *from = resultAt(b.CreateAdd(firstRow, row), b.CreateAdd(firstColumn, column));
      Value *into = sumAt(half, row, column);
      b.CreateStore(b.CreateLoad(sum, from), into);
    });
    loop(accelerator.depth, false, [&](Value *k) { emitProducts(firstRow, firstColumn, half, k); });
    places([&](Value *row, Value *column) {
      Value *into = resultAt(b.CreateAdd(firstRow, row), b.CreateAdd(firstColumn, column));
      b.CreateStore(b.CreateLoad(sum, sumAt(half, row, column)), into);
    });
  }

  void emitProducts(Value *firstRow, Value *firstColumn, Value *half, Value *k) {
    Value *rows = b.CreateAdd(b.CreateMul(k, constant(accelerator.rows)), firstRow);
    Value *columns = b.CreateAdd(b.CreateMul(k, constant(accelerator.columns)), firstColumn);
    loop(accelerator.arrayRows, true, [&](Value *row) {
      Value *left = load(1, b.CreateAdd(rows, row));
      Value *sumsOfRow = b.CreateAdd(half, b.CreateMul(row, constant(accelerator.arrayColumns)));
      loop(accelerator.arrayColumns, true, [&](Value *column) {
        Value *right = load(2, b.CreateAdd(columns, column));
        Value *into = b.CreateGEP(sum, sums, b.CreateAdd(sumsOfRow, column));
        Value *before = b.CreateLoad(sum, into);
        b.CreateStore(isInteger(accelerator.type)
                          ? b.CreateAdd(before, widened(b.CreateMul(left, right), sum))
                          : b.CreateFAdd(before, b.CreateFMul(left, right)),
                      into);
      });
    });
  }

  // A factor, as wide as the product.
  Value *load(unsigned argument, Value *index) {
    Value *value = b.CreateLoad(factor, b.CreateGEP(factor, function->getArg(argument), index));
    return accelerator.type == Type::int8 ? widened(value, b.getInt16Ty()) : value;
  }

  Value *widened(Value *value, llvm::Type *type) {
    return value->getType() == type ? value : b.CreateSExt(value, type);
  }

  Module &module;
  const Accelerator &accelerator;
  IRBuilder<> b;
  llvm::Type *factor, *sum;
  Function *function = nullptr;
  Value *sums = nullptr;
};

} // namespace

Function *buildMicroKernel(Module &module, const Accelerator &accelerator) {
  return Builder(module, accelerator).build();
}

} // namespace strata::accelerator
